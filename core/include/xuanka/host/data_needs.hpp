// Disk, network and checkpoints: what the job asks of them, and what its GPUs look like at work.
#pragma once

#include "xuanka/rank/report.hpp"

namespace xuanka {

/// Of a planned and timed candidate:
/// read rate = data set x passes / time of the job (4 bytes a token for text without a size);
/// transfer = data set / upload line; checkpoint = parameters x (weights + optimizer states), of
/// frozen models the adapters only; write time = checkpoint / disk rate;
/// storage = (data set + checkpoint) x price x hours / 730; busy = (compute + memory traffic +
/// communication) / step, since `nvidia-smi` counts the time in which any kernel runs.
[[nodiscard]] DataNeeds data_needs(const Catalog& catalog, const Request& request,
                                   const Candidate& candidate);

/// A warning where the job reads faster than the disk (MB of 10^6 bytes).
void data_warnings(const Request& request, Candidate& candidate);
/// For the recommended candidate: transfer, checkpoints, utilisation.
void data_notes(const Catalog& catalog, const Request& request, Candidate& candidate);

}  // namespace xuanka
