// The plan-independent half of the memory model.

#include <algorithm>
#include <cmath>

#include "memory/activations.hpp"

namespace xuanka {
namespace {

constexpr double kGib = 1073741824.0;

bool is_full_width(Precision precision) {
  return precision == Precision::kFp32 || precision == Precision::kTf32;
}

KernelChoice kernels_of(const Job& job, const EfficiencyModel& model) {
  const bool ordinary = job.framework == Framework::kPytorch;
  KernelChoice k;
  k.element = is_full_width(job.precision) ? 4 : 2;
  k.flash = job.flash_attention;
  k.fused_norms = !ordinary || job.compile;
  k.repeat_kv = ordinary;
  k.recompute_gate = job.compile;
  k.per_op_selective = ordinary;
  k.fused_softmax = !ordinary;
  k.layer_norm = job.model->layer_norm;
  k.dropout = job.model->dropout;
  k.autocast = ordinary && !job.compile && job.master_weights && !job.frozen_base;
  k.bare_ops = job.software.bare_ops;
  k.frozen = job.frozen_base;
  k.keeps_frozen_inputs = job.frozen_base && job.base_bits < 8 && ordinary;
  k.lora_dropout = model.memory_lora_dropout > 0 && !job.compile;
  k.targets = job.lora.targets;
  k.lora_rank = job.lora.rank;
  return k;
}

// Elements of the largest matrix of a layer.
double largest_matrix(const LayerGroup& group) {
  const double h = group.hidden;
  const double mlp = group.ffn.experts > 0 ? group.ffn.expert_width : group.ffn.width;
  return h * std::max({h, group.attention.heads * group.attention.head_dim, mlp});
}

// Cached elements of one layer for one sequence of `tokens`: keys and values of the KV heads; one
// latent vector shared by the heads under MLA (no factor 2); a fixed state for linear layers.
double cached_elements(const AttentionShape& a, double tokens) {
  if (a.linear) return a.heads * a.head_dim * (a.window + 4);
  const double reach = a.window > 0 ? std::min(tokens, a.window) : tokens;
  if (a.mla) return (a.mla->kv_rank + a.mla->rope_dim) * reach;
  return 2 * a.kv_heads * a.head_dim * reach;
}

}  // namespace

MemoryModel::MemoryModel(const Job& job, const Gpu& gpu, double gpus_per_node,
                         const EfficiencyModel& model)
    : usable_(usable_memory(gpu)), gpus_per_node_(std::max(1.0, gpus_per_node)) {
  framework_ = job.framework;
  copies_ = std::max(1.0, job.copies);
  context_ = model.memory_context_gib * kGib;
  nccl_ = model.memory_nccl_gib * kGib;
  reserve_ = model.memory_reserve;
  workspace_ = model.memory_workspace_gib * kGib;
  working_set_ = model.memory_working_set;
  const bool fused = job.software.fused_optimizer || job.framework != Framework::kPytorch;
  foreach_bytes_ = fused ? 0 : model.memory_foreach_bytes;
  // Clipped gradients and both next moments (google-research/bert, optimization.py).
  if (job.software.bare_ops) step_bytes_ = 12;
  phase_overlap_ = model.memory_phase_overlap;
  loads_whole_ = job.software.loads_whole_model;
  low_states_ = model.memory_low_states;
  high_states_ = model.memory_high_states;
  low_rest_ = model.memory_low_rest;
  high_rest_ = model.memory_high_rest;
  if (job.model->kind == ModelKind::kSizeOnly) high_rest_ *= 1.2;
  if (job.model->measured) {
    form_ = Form::kMeasured;
    measured_bytes_ = job.model->measured->memory_gb.value_or(0) * 1e9;
    return;
  }
  build_parameters(job);
  if (job.kind == JobKind::kInference) {
    form_ = Form::kServing;
    build_serving(job, model);
  } else if (job.model->kind == ModelKind::kVision) {
    build_vision(job, model);
  } else {
    build_layers(job);
    const KernelChoice kernels = kernels_of(job, model);
    const double layers = std::max(1.0, layers_);
    double largest = 0;
    for (const LayerGroup& group : job.model->groups) {
      for (std::size_t mode = 0; mode < kept_.size(); ++mode) {
        kept_[mode] +=
            group.count * layer_activations(group, static_cast<Recompute>(mode), kernels);
      }
      const ActivationTerms one = layer_activations(group, Recompute::kNone, kernels);
      const double size = one.whole + one.split + one.score * job.seq_len;
      if (size > largest) {
        largest = size;
        layer_ = one;
      }
    }
    layers_ = layers;
    outer_ =
        kernels.element * 2 * job.model->hidden + (kernels.fused_norms ? 0 : 4 * job.model->hidden);
    hidden_ = job.model->hidden;
    // The head's input gathered over the sequence, and its gradient.
    if (job.framework == Framework::kPytorch)
      outer_gathered_ = 2 * kernels.element * job.model->hidden;
    build_loss(job, model);
  }
}

void MemoryModel::build_parameters(const Job& job) {
  const Model& m = *job.model;
  seq_ = job.seq_len;
  const bool full_width = is_full_width(job.precision);
  compute_bytes_ = full_width ? 4 : 2;
  weight_bytes_ = job.weight_bytes;
  table_bytes_ = job.weight_bytes;
  grad_bytes_ = job.grad_bytes;
  optimizer_bytes_ = job.optimizer_bytes;
  paged_ = job.optimizer == Optimizer::kPagedAdamw8bit;
  gradients_in_backward_ = job.optimizer_in_backward;
  offload_activations_ = job.activation_offload;
  tied_ = m.tied_embeddings && !m.encoder_only;
  layers_ = 0;
  for (const LayerGroup& group : m.groups) {
    layers_ += group.count;
    expert_params_ += group.count * group.expert_params;
    dense_params_ += group.count * (group.params - group.expert_params);
    largest_layer_ = std::max(largest_layer_, group.params - group.expert_params);
    largest_experts_ = std::max(largest_experts_, group.expert_params);
    largest_matrix_ = std::max(largest_matrix_, largest_matrix(group));
  }
  first_params_ = m.embedding_params + m.position_params;
  last_params_ = m.head_params + m.final_norm_params;
  if (m.groups.empty()) dense_params_ = m.params;
  frozen_ = job.frozen_base;
  if (!frozen_) return;
  adapter_params_ = job.adapter_params;
  quantised_ = job.base_bits < 16;
  dequantised_ = quantised_ ? 2 : 0;
  weight_bytes_ = job.base_bits / 8;
  table_bytes_ = quantised_ ? 2 : weight_bytes_;
  if (job.master_weights) {  // adapters in fp32, no master copy: 4 + 4 + states
    grad_bytes_ = 4;
    optimizer_bytes_ -= 4;
  }
}

void MemoryModel::build_layers(const Job& job) { layers_ = std::max(1.0, job.model->layers()); }

void MemoryModel::build_loss(const Job& job, const EfficiencyModel& model) {
  const Model& m = *job.model;
  // An image classifier's or a fine-tuned encoder's head is small; pre-training an encoder
  // predicts tokens over the whole vocabulary.
  const bool predicts = m.vocab > 0 && (!m.encoder_only || job.kind == JobKind::kTrain);
  logit_width_ = predicts ? m.vocab : 0;
  if (m.encoder_only && job.framework != Framework::kPytorch) logit_width_ *= 0.2;  // masked ones
  const bool full_width = is_full_width(job.precision);
  logit_bytes_ =
      full_width ? 12 : model.memory_logit_bytes[static_cast<std::size_t>(job.framework)];
  if (job.software.logit_bytes) logit_bytes_ = *job.software.logit_bytes;
  loss_chunk_ = job.loss_chunk_tokens;
}

void MemoryModel::build_vision(const Job& job, const EfficiencyModel& model) {
  vision_ = true;
  const VisionShape& v = *job.model->vision;
  const auto family = static_cast<std::size_t>(v.family);
  double elements = v.activations_per_sample;
  if (elements <= 0) elements = v.macs_per_sample * model.activations_per_mac[family];
  double bytes = model.memory_vision_bytes[family] * v.kept_share * compute_bytes_ / 2;
  const bool convolutional = v.family != VisionFamily::kAttention;
  if (convolutional && compute_bytes_ < 4 && !job.channels_last &&
      job.framework == Framework::kPytorch) {
    bytes *= model.memory_channels_first;
  }
  vision_bytes_ = elements * bytes * job.area_scale;
  // Checkpointed blocks keep their inputs: about an eighth of what all blocks keep; selective half.
  vision_recompute_[1] = 0.5;
  vision_recompute_[2] = 0.125;
  vision_layer_ = vision_bytes_ / 8;
  layers_ = 1;
  largest_layer_ = dense_params_ / 16;
  if (model.memory_conv_workspace_gib > 0 && convolutional) {
    workspace_ = model.memory_conv_workspace_gib * kGib;
  }
}

void MemoryModel::build_serving(const Job& job, const EfficiencyModel& model) {
  const Model& m = *job.model;
  layers_ = std::max(1.0, m.layers());
  quantised_ = job.weight_bits < 16;
  weight_bytes_ = job.weight_bits / 8;
  // Embeddings, head and norms stay 16-bit beside quantised matrices.
  // Bits given as a number are the average of a whole file (GGUF), tables included.
  table_bytes_ = quantised_ && !job.inference.weight_bits ? 2 : weight_bytes_;
  concurrency_ = std::max(1.0, job.inference.concurrency);
  prompt_ = job.inference.prompt_tokens;
  output_ = job.inference.output_tokens;
  if (m.kind == ModelKind::kVision || m.patches > 0) {
    concurrency_ = job.micro_batch.value_or(concurrency_);
    vision_ = m.kind == ModelKind::kVision;
    prompt_ = m.patches > 0 ? job.seq_len : 1;
    output_ = 0;
    table_bytes_ = weight_bytes_;
  }
  double live = 0;
  for (const LayerGroup& group : m.groups) {
    const double tokens = prompt_ + output_;
    if (!m.encoder_only && !group.encoder) {
      kv_bytes_seq_ += group.count * cached_elements(group.attention, tokens) * job.kv_bits / 8;
      if (group.cross_attention) {
        kv_bytes_seq_ +=
            group.count * cached_elements(*group.cross_attention, prompt_) * job.kv_bits / 8;
      }
      kv_heads_ = std::max(kv_heads_, group.attention.kv_heads);
    }
    const double width =
        group.ffn.experts > 0 ? group.ffn.top_k * group.ffn.expert_width : group.ffn.width;
    // Residual, normed input and either queries, keys, values or gate, up and product.
    const double mixer = group.attention.heads * group.attention.qk_dim() +
                         2 * group.attention.kv_heads * group.attention.v_dim();
    live =
        std::max(live, 2 * (2 * group.hidden + std::max(mixer, (group.ffn.gated ? 3 : 2) * width)));
  }
  live_bytes_token_ = live;
  if (vision_ && m.vision) {
    // Without a backward pass only neighbouring tensors live: about a tenth of all.
    double elements = m.vision->activations_per_sample;
    if (elements <= 0) {
      elements = m.vision->macs_per_sample *
                 model.activations_per_mac[static_cast<std::size_t>(m.vision->family)];
    }
    live_bytes_token_ = 0.1 * elements * 4 * job.area_scale;
  }
  logit_width_ = m.encoder_only ? 0 : m.vocab;
  const bool concatenates = job.framework == Framework::kPytorch && !job.software.cache_in_place;
  kv_growth_ = concatenates ? model.memory_kv_growth : 0;
  if (quantised_ && job.framework == Framework::kPytorch) dequantised_ = 1;
}

}  // namespace xuanka
