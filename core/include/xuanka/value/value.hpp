// Value metrics: FLOPS per money and GB per money (contract "flops_per_money").
#pragma once

#include "xuanka/cost/cost.hpp"

namespace xuanka {

/// Rented: dense peak x 3600 / hourly price of one GPU [FLOP per money]; GB-hours per money.
[[nodiscard]] ValueMetrics rent_value(const Gpu& gpu, const Job* job, const TimeEstimate* time,
                                      const Lease& lease);
/// Bought: dense peak / price [FLOP/s per money]; GB per money.
[[nodiscard]] ValueMetrics buy_value(const Gpu& gpu, const Job* job, const TimeEstimate* time,
                                     const CardPrice& price);

/// What does not depend on how the card is had, and money for an effective PFLOP/s kept up for an
/// hour: 3.6e18 / (units per money x FLOPs per unit), training only.
void add_value(const Gpu& gpu, Candidate& candidate);

}  // namespace xuanka
