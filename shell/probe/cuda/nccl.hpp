// NCCL through dlopen: an all-reduce over all cards where it is there.
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

#include "shell/probe/device.hpp"

namespace xuanka::probe {

/// "2.27.7"; empty when there is no NCCL.
[[nodiscard]] std::string nccl_version();
/// Sums `bytes` of fp16 numbers over the cards 0 to `cards` - 1, seconds per sum. Error "no_nccl"
/// without the library.
[[nodiscard]] Tried<Timing> nccl_all_reduce(int cards, double bytes, const Effort& effort);

}  // namespace xuanka::probe
