// Candidates -> recommendation. The order is total: verdict, the metric asked for, then fewer GPUs,
// then id, so that catalog order changes nothing.
#pragma once

#include "xuanka/rank/report.hpp"

namespace xuanka {

/// Everything the estimates read besides the request.
struct Knowledge {
  Catalog catalog;
  EfficiencyModel efficiency;
};

/// Whether the smallest purchase that does the job in time is recommended (else the cheapest work):
/// the share of a machine that one job bears is cents. With hours of use of their own, or all the
/// time, people compare the work.
[[nodiscard]] bool chooses_by_purchase(const Request& request);

/// Evaluates every (GPU, count) the request allows and ranks them.
/// Ownership: candidates' `job.model` points into `request`, which must outlive the report.
[[nodiscard]] Report rank(const Knowledge& knowledge, const Request& request);

}  // namespace xuanka
