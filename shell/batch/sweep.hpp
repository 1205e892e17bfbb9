// One line that stands for many requests: `sweep` names fields and the values each runs through.
// Nothing is expanded until it is asked for, so a line of a hundred bytes can stand for a billion
// requests.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "xuanka/api/api.hpp"

namespace xuanka::batch {

/// Most requests that one line may stand for: what a double counts exactly, and years of computing.
inline constexpr double kMaxPoints = 1e15;

/// The values of one axis, made when asked for.
class Axis {
 public:
  /// Fields that change together; mostly one. In the order of the key.
  std::vector<std::string> paths;
  /// A list: JSON texts, `paths.size()` for each step, one after the other.
  std::vector<std::string> values;
  /// A range, when `values` is empty: `from` + k * `step`, or `from` * `factor`^k.
  double from = 0, step = 0, factor = 1;
  std::uint64_t count = 0;  ///< steps of the axis, at least 1

  /// Appends the JSON text of field `path` (an index of `paths`) at step `k`. Numbers of a range
  /// have 12 significant digits, so that 0.1 + 0.2 is 0.3.
  void append(std::uint64_t k, std::size_t path, std::string& out) const;
};

/// A line of input: a request, or all the requests that its `sweep` stands for.
///
///   "sweep": { "workload.seq_len": [1024, 2048, 4096],
///              "workload.data.tokens": {"from": 1e6, "to": 1e9, "times": 10},
///              "decision.deadline_hours": {"from": 1, "to": 24, "step": 1},
///              "overrides.efficiency": {"from": 0.2, "to": 0.6, "points": 5},
///              "hardware.gpus, hardware.counts": [[["a100-pcie-40gb"], [1]], [["rtx-4090-24gb"],
///              [2]]] }
///
/// Every combination is asked, the last axis fastest. A range includes both ends; `points` are
/// evenly spaced, or with
/// `"scale": "log"` evenly in ratio. Fields named in one key, separated by commas, change together.
/// `"sweep_part": [first, count]` beside it stands for so many of the combinations only, by which a
/// sweep is dealt out to several machines; their reports are those of the whole.
class Line {
 public:
  /// Never fails: a wrong `sweep` is a line with one answer, the refusal that names the path.
  [[nodiscard]] static Line read(std::string text, const Api& api, Lang lang);

  /// Number of answers the line gets.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Appends the answer to request `k` of the line, with its line feed. A swept request's report
  /// ends in
  /// `"sweep":{"index":k,"count":n,"values":{path: value, ...}}`. Returns false when it is a
  /// refusal.
  bool answer(std::uint64_t k, const Api& api, Lang lang, std::string& out) const;
  /// The text of request `k`.
  [[nodiscard]] std::string request(std::uint64_t k) const;

 private:
  friend class Reader;
  [[nodiscard]] std::vector<std::uint64_t> steps(std::uint64_t k) const;
  void append_sweep(std::uint64_t k, std::string& out) const;

  struct Slot {
    std::size_t axis = 0, path = 0;
  };
  std::string text_;                 // the line, when nothing is swept
  std::string refusal_;              // the answer, when the sweep is wrong
  std::vector<std::string> pieces_;  // of the request, one more than slots
  std::vector<Slot> slots_;          // what stands between the pieces
  std::vector<Axis> axes_;
  std::uint64_t count_ = 1, first_ = 0, total_ = 1;  // of the combinations: here, before, in all
};

}  // namespace xuanka::batch
