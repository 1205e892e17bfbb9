#include "memory/activations.hpp"

#include <algorithm>

#include "workload/adapters.hpp"

namespace xuanka {
namespace {

// Norms: the input, the output where a matrix needs it, and what an eager fp32 implementation
// keeps besides (the fp32 copy instead of the input, the normalised value for the weight gradient).
void add_norms(const LayerGroup& group, const KernelChoice& k, ActivationTerms& sum) {
  const double h = group.hidden;
  const double norms = std::max(group.norms, 1.0);
  const bool eager = !k.fused_norms && !k.layer_norm;
  double outputs = std::min(norms, group.cross_attention ? 3.0 : 2.0);
  if (k.frozen && !k.keeps_frozen_inputs) {
    const bool mlp = k.targets == LoraTargets::kAllLinear;
    outputs = std::min(norms, mlp ? outputs : outputs - 1);
    outputs = std::max(outputs, 1.0);
  }
  double input = k.layer_norm && k.autocast ? 4 * h : k.element * h;
  if (eager) input = 4 * h + (k.frozen ? 0 : k.element * h);
  sum.whole += norms * input + outputs * k.element * h;
  if (k.dropout) sum.whole += 2 * h;  // one byte a mask, after attention and after the MLP
  if (!group.attention.linear) sum.gathered += std::min(norms, 2.0) * k.element * h;
}

// Queries, keys, values and the output, as the attention kernel keeps them.
void add_attention(const LayerGroup& group, const AttentionShape& a, const KernelChoice& k,
                   ActivationTerms& sum) {
  if (a.linear) {  // state space layer: gates, convolution input and output, step, scan output
    sum.split += 7 * k.element * a.heads * a.head_dim;
    return;
  }
  const double kv_heads = a.mla || k.repeat_kv ? a.heads : a.kv_heads;
  sum.split +=
      k.element * (a.heads * (a.qk_dim() + a.v_dim()) + kv_heads * (a.qk_dim() + a.v_dim()));
  if (a.mla)
    sum.whole += 2 * k.element * (a.mla->q_rank + a.mla->kv_rank) + k.element * a.mla->rope_dim;
  if (group.qk_norm) {
    const double per_norm = k.fused_norms ? k.element : 4 + k.element;
    sum.split += per_norm * (a.heads + a.kv_heads) * a.head_dim;
  }
  if (k.flash) {
    sum.split += 4 * a.heads;  // log-sum-exp
    return;
  }
  // Eager softmax runs in fp32 and is cast back; dropout keeps a mask and its output.
  double score = k.fused_softmax ? k.element : (k.element < 4 && !k.dropout ? 4 + k.element : 4);
  if (k.dropout) score += 1 + k.element;
  sum.score += score * a.heads;
}

// Kept tensors of width f in one feed-forward.
double mlp_tensors(const KernelChoice& k, bool gated) {
  if (!gated) return (k.frozen ? 1 : 2) + (k.bare_ops ? 7 : 0);
  if (k.frozen) return 3;  // gate, up and the activation; the product only with its adapter
  return k.recompute_gate ? 2.5 : 4;
}

void add_mlp(const LayerGroup& group, const KernelChoice& k, ActivationTerms& sum) {
  const FfnShape& f = group.ffn;
  const double tensors = mlp_tensors(k, f.gated);
  if (f.experts > 0) {
    // Dispatched copies of the tokens into and out of the experts; router logits and weights.
    sum.whole += f.top_k * 2 * k.element * group.hidden + 8 * f.experts;
    sum.split += f.top_k * tensors * k.element * f.expert_width;
    sum.split += tensors * k.element * f.shared_width;
    return;
  }
  sum.split += tensors * k.element * f.width;
}

// Adapters: with dropout each adapted matrix keeps its own mask and dropped input (3 bytes in 16
// bit), without it the input itself is shared; and the low-rank activation.
void add_adapters(const LayerGroup& group, const KernelChoice& k, ActivationTerms& sum) {
  if (!k.frozen) return;
  const AdaptedWidths in = adapted_inputs(group, k.targets);
  if (k.lora_dropout) {
    sum.whole += (1 + k.element) * (in.attention + in.ffn);
  } else if (k.targets == LoraTargets::kAllLinear) {
    sum.split += k.element * group.ffn.width;  // input of the adapted down projection
  }
  const double matrices = (in.attention + in.ffn) / std::max(group.hidden, 1.0);
  sum.whole += k.element * k.lora_rank * matrices;
  if (k.keeps_frozen_inputs) sum.split += k.element * (3 * group.hidden + group.ffn.width);
}

ActivationTerms whole_layer(const LayerGroup& group, const KernelChoice& k) {
  ActivationTerms sum;
  add_norms(group, k, sum);
  add_attention(group, group.attention, k, sum);
  if (group.cross_attention) add_attention(group, *group.cross_attention, k, sum);
  add_mlp(group, k, sum);
  add_adapters(group, k, sum);
  return sum;
}

// Selective recompute by operation: the layer's input, every second matrix product's output and
// the attention's (torchtitan: 8h + 2kd + 2f + 4a bytes).
ActivationTerms per_op_selective(const LayerGroup& group, const KernelChoice& k) {
  const AttentionShape& a = group.attention;
  const FfnShape& f = group.ffn;
  ActivationTerms sum;
  sum.whole = 2 * k.element * group.hidden;
  if (!k.fused_norms) sum.whole += 1.35 * k.element * group.hidden;  // what the compiler fuses away
  sum.split =
      k.element * (a.heads * (a.qk_dim() + a.v_dim()) + a.kv_heads * a.v_dim()) + 4 * a.heads;
  const double width = f.experts > 0 ? f.top_k * f.expert_width + f.shared_width : f.width;
  sum.split += k.element * width;
  if (f.experts > 0) sum.whole += f.top_k * k.element * group.hidden + 8 * f.experts;
  return sum;
}

}  // namespace

ActivationTerms& ActivationTerms::operator+=(const ActivationTerms& other) {
  whole += other.whole;
  split += other.split;
  score += other.score;
  gathered += other.gathered;
  return *this;
}

ActivationTerms operator*(double factor, ActivationTerms terms) {
  terms.whole *= factor;
  terms.split *= factor;
  terms.score *= factor;
  terms.gathered *= factor;
  return terms;
}

ActivationTerms layer_activations(const LayerGroup& group, Recompute mode,
                                  const KernelChoice& kernels) {
  if (mode == Recompute::kFull) {
    ActivationTerms sum;
    sum.whole = kernels.element * group.hidden;
    return sum;
  }
  ActivationTerms sum = whole_layer(group, kernels);
  if (mode == Recompute::kSelective) {
    if (kernels.per_op_selective && !kernels.frozen) return per_op_selective(group, kernels);
    sum.score = 0;  // Megatron: the attention core alone (arXiv 2205.05198, section 5)
    if (!kernels.flash) sum.split += 4 * group.attention.heads;
  }
  return sum;
}

}  // namespace xuanka
