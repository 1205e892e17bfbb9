// What is measured, in which order, and the report made of it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "shell/probe/device.hpp"

namespace xuanka::probe {

struct Options {
  bool quick = false;       ///< fewer shapes and repeats: some 20 s a card instead of two minutes
  double time_limit = 300;  ///< seconds, after which what is left is skipped
  std::string date, app;    ///< YYYY-MM-DD and the program's version, for the report
  std::function<double()> now;  ///< seconds of a steady clock
  std::function<void(int done, int all, std::string_view what)>
      progress;                ///< before each measurement
  std::function<bool()> stop;  ///< asked between measurements
};

/// Measures every card of the machine. The report is the JSON of assets/schema/probe.schema.json;
/// what could not be measured is in its `skipped`, with the reason, and the rest goes on. Error:
/// nothing could be asked at all.
[[nodiscard]] Tried<std::string> run(Device& device, const Options& options);

/// Middle of the repeats, seconds.
[[nodiscard]] double median(std::vector<double> seconds);

}  // namespace xuanka::probe
