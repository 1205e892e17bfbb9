// The order of candidates: total, and independent of the catalog's order.
#pragma once

#include "xuanka/rank/report.hpp"

namespace xuanka {

/// True when `a` ranks before `b`: by verdict (ok first), plans that count on host RAM of unknown
/// size after those that do not, the metric asked for (unknown last),
/// fewer GPUs, the shorter time, the lower cost, then GPU id. Candidates that do not fit rank by
/// how much is missing.
[[nodiscard]] bool ranks_before(const Candidate& a, const Candidate& b, RankBy rank_by);

/// Seconds of the whole job; of one unit of work where the amount is not known.
[[nodiscard]] std::optional<double> time_metric(const Candidate& candidate);
/// Cost of the whole job (or per million output tokens); of one unit of work where the amount is
/// not known. nullopt without a price.
[[nodiscard]] std::optional<double> cost_metric(const Candidate& candidate);

}  // namespace xuanka
