// Operations of a pass. Symbols and sources: core/docs/model.md, section "FLOPs".

#include "xuanka/workload/flops.hpp"

#include <algorithm>

namespace xuanka {

double mean_context(const AttentionShape& attention, double s, FlopsConvention convention) {
  const double reach = attention.window > 0 ? std::min(s, attention.window) : s;
  const bool mask = convention == FlopsConvention::kCausal && attention.causal && !attention.cross;
  return mask ? reach - reach * reach / (2 * s) : reach;
}

namespace {

// Scores and values of one layer for one token: 2 a (d_qk + d_v) x context; 4 a d s when they are
// equal (PaLM, arXiv 2204.02311, appendix B). A state space layer: 4 x width x state.
double attention_flops(const AttentionShape& attention, double s, FlopsConvention convention) {
  if (attention.linear) return 4 * attention.heads * attention.head_dim * attention.window;
  const double widths = attention.heads * (attention.qk_dim() + attention.v_dim());
  return 2 * widths * mean_context(attention, s, convention);
}

}  // namespace

ForwardFlops forward_flops(const Model& model, double seq_len, FlopsConvention convention) {
  if (model.kind == ModelKind::kVision && model.vision) {
    return {Flop(2 * model.vision->macs_per_sample), Flop(0)};
  }
  if (model.kind == ModelKind::kMeasured) return {};
  double attention = 0;
  for (const LayerGroup& group : model.groups) {
    attention += group.count * attention_flops(group.attention, seq_len, convention);
    if (group.cross_attention) {
      attention += group.count * attention_flops(*group.cross_attention, seq_len, convention);
    }
  }
  // A ViT's unit is the image: every one of its tokens passes all layers.
  const double tokens = model.patches > 0 ? seq_len : 1;
  return {Flop(2 * model.matmul_params * tokens), Flop(attention * tokens)};
}

Flop training_flops(const Model& model, double seq_len, FlopsConvention convention,
                    bool frozen_base) {
  const ForwardFlops forward = forward_flops(model, seq_len, convention);
  // Backward: input and weight gradients, each as large as the forward pass. A frozen matrix has
  // no weight gradient; attention has no weights, so its backward stays twice the forward.
  return (frozen_base ? 2.0 : 3.0) * forward.matmul + 3.0 * forward.attention;
}

}  // namespace xuanka
