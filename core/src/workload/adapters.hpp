// Low-rank adapters: r (in + out) parameters for every adapted matrix (LoRA, arXiv 2106.09685).
#pragma once

#include "xuanka/api/request.hpp"
#include "xuanka/workload/model.hpp"

namespace xuanka {

/// Trainable parameters of the adapters over the whole model.
[[nodiscard]] double adapter_params(const Model& model, const LoraOptions& lora);

/// Sum of the input widths of the adapted matrices of one layer of `group`: attention and
/// feed-forward apart (for one token; experts by top-k).
struct AdaptedWidths {
  double attention = 0, ffn = 0;
};
[[nodiscard]] AdaptedWidths adapted_inputs(const LayerGroup& group, LoraTargets targets);

}  // namespace xuanka
