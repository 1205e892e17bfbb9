// Host rules: 10-12 logical cores per GPU to feed data, RAM as a hard limit.
#pragma once

#include "xuanka/rank/report.hpp"

namespace xuanka {

/// Checks cores and RAM of one node of the lease (or of the user's machine) against the job.
/// Adds notes cpu_cores_low, host_ram_short, host_unknown, shape_that_would_do.
[[nodiscard]] HostCheck check_host(const Catalog& catalog, const Request& request, const Gpu& gpu,
                                   const struct Lease* lease, const MemoryEstimate& memory, int count,
                                   std::vector<Note>& notes);

}  // namespace xuanka
