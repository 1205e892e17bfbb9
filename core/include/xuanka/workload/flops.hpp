// Parameters to operations: FLOPs per token or sample. Formulas in core/docs/model.md.
#pragma once

#include "xuanka/base/units.hpp"
#include "xuanka/workload/model.hpp"

namespace xuanka {

/// FLOPs of one forward pass for one token of a sequence of `seq_len`, split by what bounds them.
/// Keys that one query meets on average in a sequence of s tokens: min(s, w), or with the causal
/// mask counted, w - w^2 / 2s (s / 2 without a window; Megatron-LM training.py halves likewise).
[[nodiscard]] double mean_context(const AttentionShape& attention, double s,
                                  FlopsConvention convention);

struct ForwardFlops {
  Flop matmul;     ///< 2 x matmul parameters (experts by top-k)
  Flop attention;  ///< scores and values: 4 a d s per layer, windows and convention applied
  [[nodiscard]] Flop total() const { return matmul + attention; }
};

/// Per token (transformers) or per sample (vision; attention stays 0).
/// `flops_per_unit` of the report is 3 x total for training (forward 1, backward 2), and
/// 2 x matmul + 3 x attention... for LoRA as docs/model.md says: frozen weights have no weight
/// gradient.
[[nodiscard]] ForwardFlops forward_flops(const Model& model, double seq_len,
                                         FlopsConvention convention);

/// Training FLOPs per unit, forward and backward, recomputation not counted. `frozen_base` = LoRA,
/// QLoRA.
[[nodiscard]] Flop training_flops(const Model& model, double seq_len, FlopsConvention convention,
                                  bool frozen_base);

}  // namespace xuanka
