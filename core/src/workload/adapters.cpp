#include "workload/adapters.hpp"

namespace xuanka {
namespace {

// Sum of in + out over the adapted matrices of one attention.
double attention_widths(double h, const AttentionShape& a, LoraTargets targets) {
  if (a.linear) return targets == LoraTargets::kAllLinear ? 2 * h + 3 * a.head_dim : 0;
  if (a.mla) {
    const MlaShape& m = *a.mla;
    const double query = a.heads * a.qk_dim();
    const double up = m.q_rank > 0 ? h + m.q_rank + m.q_rank + query : h + query;
    const double down = h + m.kv_rank + m.rope_dim;
    const double values = m.kv_rank + a.heads * (m.nope_dim + m.v_dim);
    if (targets == LoraTargets::kQv) return up + values;
    return up + down + values + a.heads * m.v_dim + h;
  }
  const double query = a.heads * a.head_dim;
  const double key = a.kv_heads * a.head_dim;
  if (targets == LoraTargets::kQv) return (h + query) + (h + key);
  return 2 * (h + query) + 2 * (h + key);
}

double mlp_widths(double h, double width, bool gated) { return (gated ? 3 : 2) * (h + width); }

double ffn_widths(double h, const FfnShape& ffn) {
  if (ffn.experts <= 0) return ffn.width > 0 ? mlp_widths(h, ffn.width, ffn.gated) : 0;
  double sum = ffn.experts * mlp_widths(h, ffn.expert_width, ffn.gated);
  if (ffn.shared_width > 0) sum += mlp_widths(h, ffn.shared_width, ffn.gated);
  return sum;
}

}  // namespace

double adapter_params(const Model& model, const LoraOptions& lora) {
  double sum = 0;
  for (const LayerGroup& group : model.groups) {
    double widths = attention_widths(group.hidden, group.attention, lora.targets);
    if (group.cross_attention) {
      widths += attention_widths(group.hidden, *group.cross_attention, lora.targets);
    }
    if (lora.targets == LoraTargets::kAllLinear) widths += ffn_widths(group.hidden, group.ffn);
    sum += group.count * lora.rank * widths;
  }
  return sum;
}

AdaptedWidths adapted_inputs(const LayerGroup& group, LoraTargets targets) {
  AdaptedWidths widths;
  const double h = group.hidden;
  const double value = group.attention.heads * group.attention.v_dim();
  switch (targets) {
    case LoraTargets::kQv:
      widths.attention = 2 * h;
      break;
    case LoraTargets::kAttention:
      widths.attention = 3 * h + value;
      break;
    case LoraTargets::kAllLinear:
      widths.attention = 3 * h + value;
      const FfnShape& f = group.ffn;
      const double up = f.gated ? 2 * h : h;
      widths.ffn = f.experts > 0 ? f.top_k * (up + f.expert_width) : up + f.width;
      if (f.shared_width > 0) widths.ffn += up + f.shared_width;
      break;
  }
  return widths;
}

}  // namespace xuanka
