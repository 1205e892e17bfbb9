// Host rules: 10-12 logical cores per GPU to feed data, RAM as a hard limit.
#pragma once

#include "xuanka/cost/offer_book.hpp"

namespace xuanka {

/// Checks cores and RAM of one node of the lease (or of the user's machine: `lease` null) against
/// the job. RAM is a hard limit: `ok` is false when the shape is known to be short. A shape that is
/// not published is no reason to refuse. Notes: cpu_cores_low (cores per GPU), host_ram_short,
/// host_unknown, shape_that_would_do, disk_short (GB of 10^9 bytes).
[[nodiscard]] HostCheck check_host(const OfferBook& book, const Request& request, const Gpu& gpu,
                                   const Lease* lease, const MemoryEstimate& memory, int count,
                                   std::vector<Note>& notes);
/// Disk of an offer's shape in GB: the sizes named in its description added up ("50 GB system + 20
/// GB cloud disk" is 70). nullopt when it names none.
[[nodiscard]] std::optional<double> disk_gb(const Offer& offer);
/// GB that the job's data takes: as the request says, else of the data set it names.
[[nodiscard]] std::optional<double> dataset_gb(const Catalog& catalog, const Request& request);

/// `check_host` from a catalog.
[[nodiscard]] HostCheck check_host(const Catalog& catalog, const Request& request, const Gpu& gpu,
                                   const Lease* lease, const MemoryEstimate& memory, int count,
                                   std::vector<Note>& notes);

}  // namespace xuanka
