// How a job is laid over GPUs. n = data x tensor x pipeline x context; expert divides data.
#pragma once

#include "xuanka/base/enums.hpp"

namespace xuanka {

struct Plan {
  double data = 1, tensor = 1, pipeline = 1, context = 1, expert = 1;
  int zero = 0;  ///< 0 DDP, 1 optimizer, 2 + gradients, 3 + weights (FSDP full shard)
  bool sequence_parallel = false;  ///< with tensor > 1 (arXiv 2205.05198)
  double interleave = 1;           ///< virtual pipeline stages per GPU, v
  Offload offload = Offload::kNone;
  double micro_batch = 1;        ///< b, sequences or images per GPU per pass
  double grad_accumulation = 1;  ///< micro-batches per optimizer step on one data rank, m
  Recompute recompute = Recompute::kNone;
  bool operator==(const Plan&) const = default;

  /// n, the number of GPUs.
  [[nodiscard]] double gpus() const { return data * tensor * pipeline * context; }
  /// Sequences or images per optimizer step over all GPUs.
  [[nodiscard]] double global_batch() const { return micro_batch * grad_accumulation * data; }
};

}  // namespace xuanka
