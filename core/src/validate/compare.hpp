// The parts of a comparison that the fitting tool uses one by one.
#pragma once

#include <optional>

#include "xuanka/time/step_model.hpp"
#include "xuanka/validate/validate.hpp"

namespace xuanka {

/// Card, links and job of a case.
struct CaseSetting {
  Gpu gpu;
  Topology topology;
  HostFeed feed;
  std::optional<Job> job;  ///< nullopt: no such arithmetic on this card. Points into the case.
};
[[nodiscard]] CaseSetting make_case_setting(const Catalog& catalog, const MeasuredCase& measured);

/// The time estimate in the quantity of the case, with all seconds x `seconds_factor`.
[[nodiscard]] double time_in_quantity(const MeasuredCase& measured, const Job& job,
                                      const TimeEstimate& time, double seconds_factor);
/// More is faster: rates, utilisations.
[[nodiscard]] bool is_rate(MeasuredQuantity quantity);
/// Compared with the memory estimate.
[[nodiscard]] bool is_memory(MeasuredQuantity quantity);

}  // namespace xuanka
