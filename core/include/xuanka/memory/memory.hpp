// The memory-fit check: bytes per GPU on the fullest rank, by part (core/docs/model.md).
#pragma once

#include "xuanka/base/units.hpp"
#include "xuanka/plan/plan.hpp"
#include "xuanka/time/efficiency.hpp"
#include "xuanka/workload/job.hpp"

namespace xuanka {

/// Parts that are present together at the peak; their sum is the peak per GPU.
struct MemoryParts {
  Bytes weights, gradients, optimizer, activations, logits, kv_cache, buffers, overhead;
  [[nodiscard]] Bytes sum() const {
    return weights + gradients + optimizer + activations + logits + kv_cache + buffers + overhead;
  }
};
struct MemoryEstimate {
  MemoryVerdict verdict = MemoryVerdict::kFits;
  MemoryParts parts;
  Bytes per_gpu;    ///< = parts.sum(), the expected peak as nvidia-smi shows it (context included)
  Bytes low, high;  ///< range of the peak
  Bytes usable;     ///< of the card: marketed x 2^30 less what the driver keeps
  Bytes margin;     ///< usable - per_gpu, negative when it does not fit
  Bytes context;   ///< part of overhead: CUDA context, kernels and NCCL, unseen by torch's counters
  Bytes reserve;   ///< part of overhead: what the allocator holds above what is allocated
  Bytes kept;      ///< activations at the end of the forward pass on the first stage
  Bytes host_ram;  ///< host memory the job needs on one node (offload, loading, workers)
};

/// Host memory of a Python process with its libraries; one a GPU.
inline constexpr Bytes kProcessHostRam{3e9};

/// Usable memory of a card: marketed GB read as GiB, less the driver's and ECC's share.
[[nodiscard]] Bytes usable_memory(const Gpu& gpu);

/// Peak memory of `job` under `plan` on `gpu`. Never fails; a verdict is always given.
[[nodiscard]] MemoryEstimate estimate_memory(const Job& job, const Plan& plan, const Gpu& gpu,
                                             double gpus_per_node, const EfficiencyModel& model);

}  // namespace xuanka
