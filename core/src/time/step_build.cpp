// The part of the time model that does not depend on the plan: seconds per token of every layer.
#include <algorithm>

#include "xuanka/time/step_model.hpp"

namespace xuanka {
namespace {

constexpr std::size_t kForwardOnly = 3;

/// What one layer's forward does for one token. `t` parts are divided by the tensor degree.
struct LayerWork {
  double flops = 0;       // dense products, divided by t
  double elements = 0;    // operands of dense products with a full hidden dimension
  double elements_t = 0;  // operands divided by t
  double weights = 0;     // dense weights, elements
  double expert_flops = 0, expert_elements = 0, expert_weights = 0;
  double scores = 0;  // attention scores per token, divided by t
  double score_flops = 0;
  double traffic_sp = 0;  // element-wise elements of the hidden width
  double traffic_t = 0;   // element-wise elements divided by t
  double adapter = 0;     // elements around adapted linears
  bool routed = false;
};

/// FLOPs behind one unit: of an answer's token, the forward pass of its share of the prompt and its
/// own. Of an answer the masked half of the scores is left out whatever the convention: nobody
/// states the utilisation of a prefill otherwise, and on long prompts it would exceed 1.
double unit_flops(const Job& job) {
  if (job.kind != JobKind::kInference) return job.flops_per_unit.value();
  const double output = std::max(1.0, job.inference.output_tokens);
  const bool image = job.model->vision || job.model->patches > 0;
  const double flops =
      image ? job.flops_per_unit.value() / 3
            : forward_flops(*job.model, job.seq_len, FlopsConvention::kCausal).total().value();
  return flops * (job.inference.prompt_tokens + output) / output;
}

/// Keys that one query meets on average: the window, the causal half, the whole sequence.
double keys_per_query(const AttentionShape& attention, double seq, bool fused) {
  if (attention.linear) return 2 * attention.qk_dim();
  const double span = attention.window > 0 ? std::min(attention.window, seq) : seq;
  if (!attention.causal || attention.cross || !fused) return fused ? span : seq;
  return span * (1 - span / (2 * seq));
}

void add_attention(const AttentionShape& shape, double hidden, double seq, bool fused,
                   LayerWork& work) {
  const double query = shape.heads * shape.qk_dim();
  const double value = shape.heads * shape.v_dim();
  const double key_value = shape.kv_heads * (shape.qk_dim() + shape.v_dim());
  const double keys = keys_per_query(shape, seq, fused);
  work.elements += 2 * hidden;
  work.elements_t += query + key_value + value;
  work.scores += shape.heads * keys;
  work.score_flops += 2 * (query + value) * keys;
  work.traffic_t += 2 * (query + key_value);  // rotary or bias, layout changes
}

LayerWork layer_work(const LayerGroup& group, const Job& job) {
  LayerWork work;
  const double h = group.hidden;
  const FfnShape& ffn = group.ffn;
  add_attention(group.attention, h, job.seq_len, job.flash_attention, work);
  if (group.cross_attention) {
    add_attention(*group.cross_attention, h, job.seq_len, job.flash_attention, work);
  }
  const double matrices = ffn.gated ? 3 : 2;
  const double activation = ffn.gated ? 5 : 4;  // elements read and written around the activation
  double dense_width = ffn.experts > 0 ? ffn.shared_width : ffn.width;
  work.elements += dense_width > 0 ? 2 * h : 0;
  work.elements_t += matrices * dense_width;
  work.traffic_t += activation * dense_width;
  double routed_params = 0;
  if (ffn.experts > 0) {
    work.routed = true;
    routed_params = group.expert_params * ffn.top_k / ffn.experts;
    work.expert_flops = 2 * routed_params;
    work.expert_elements = ffn.top_k * (2 * h + matrices * ffn.expert_width);
    work.expert_weights = group.expert_params;
    work.traffic_t += activation * ffn.top_k * ffn.expert_width;
    work.traffic_sp += 6 * ffn.top_k * h;  // permute, unpermute, weighted sum
  }
  work.weights = std::max(0.0, group.matmul_params - routed_params);
  work.flops = 2 * work.weights;
  // two or more norms, two residual additions
  work.traffic_sp += (4 * group.norms + 6) * h;
  if (job.frozen_base) {
    const double all = work.elements + work.elements_t + work.expert_elements;
    const double share = job.lora.targets == LoraTargets::kAllLinear   ? 1.0
                         : job.lora.targets == LoraTargets::kAttention ? 0.45
                                                                       : 0.25;
    work.adapter = share * all;
  }
  return work;
}

struct Rates {
  double product = 1;  // FLOP/s of wide dense products
  double expert = 1;
  double gemm_width = 0;  // w, elements
  double attention = 1;   // FLOP/s of the fused attention core
  double head = 1;        // FLOP/s of the output head (16-bit also under FP8)
  double head_width = 0;
  double softmax = 0;        // s per score, fused
  double unfused_score = 0;  // s per score, unfused
  double element = 0;        // s per element moved
  double bandwidth = 1;
};

/// The 16-bit peak beside an FP8 job (attention and head stay in 16 bits); else the job's own.
EffectivePeak half_peak(const Job& job, const Gpu& gpu) {
  if (job.precision != Precision::kFp8) return job.peak;
  if (const auto peak = peak_at(gpu, Precision::kBf16)) return *peak;
  EffectivePeak half = job.peak;
  half.rate = half.rate * 0.5;
  return half;
}

Rates make_rates(const Job& job, const Gpu& gpu, const EfficiencyModel& model) {
  const auto c = static_cast<std::size_t>(gpu_class(gpu));
  const auto framework = static_cast<std::size_t>(job.framework);
  const double peak = job.peak.rate.value();
  const EffectivePeak beside = half_peak(job, gpu);
  const double half = beside.rate.value();
  const bool wide = job.precision == Precision::kFp32 || job.precision == Precision::kTf32;
  Rates rates;
  rates.bandwidth = gpu.bandwidth.value() * model.bandwidth_reached[c];
  rates.product = product_rate(gpu, job.peak, model, job.framework).value();
  rates.expert = rates.product * model.moe_peak;
  const double operand_bytes = wide ? 2.0 : 1.0;  // relative to 16 bits
  // A power limit slows the units, not the operands.
  const double share = job.peak.tensor ? power_share(gpu, model) : 1;
  const double roof = model.gemm_roof * operand_bytes * share / gpu.bandwidth.value();
  rates.gemm_width = roof * peak + model.gemm_tile;
  rates.head = product_rate(gpu, beside, model, job.framework).value();
  rates.head_width = roof * half + model.gemm_tile;
  rates.attention = half * share * (job.peak.tensor ? model.attention_peak[c] : model.vector_peak);
  const double vector = gpu.peak(PeakFormat::kFp32).value_or(job.peak.rate).value();
  rates.softmax = model.softmax_flops / vector;
  rates.unfused_score = model.score_bytes * operand_bytes / rates.bandwidth;
  double factor = model.elementwise[framework];
  if (job.compile && job.framework == Framework::kPytorch) factor *= model.compiled_elementwise;
  rates.element = factor * 2 * operand_bytes / rates.bandwidth;
  return rates;
}

struct LayerCost {
  PassCost product, core, element;  // seconds of one forward
  bool core_is_memory = false;
};

LayerCost layer_cost(const LayerWork& work, const Job& job, const Rates& rates) {
  LayerCost cost;
  const double per_element = 2 * rates.gemm_width / rates.product;
  cost.product.token_t = work.flops / rates.product + per_element * work.elements_t;
  cost.product.token = per_element * work.elements;
  cost.product.fixed_t = per_element * work.weights;
  if (work.routed) {
    const double per_routed = 2 * rates.gemm_width / rates.expert;
    cost.product.token_t += work.expert_flops / rates.expert + per_routed * work.expert_elements;
    cost.product.fixed_e = per_routed * work.expert_weights;
  }
  if (job.flash_attention) {
    cost.core.token_t = work.score_flops / rates.attention + rates.softmax * work.scores;
  } else {
    cost.core.token_t = work.score_flops / rates.product + rates.unfused_score * work.scores;
    cost.core_is_memory = true;
  }
  cost.element.token_sp = rates.element * work.traffic_sp;
  cost.element.token_t = rates.element * work.traffic_t;
  return cost;
}

/// Forward + backward (+ recomputation) as multiples of the forward.
struct Multiples {
  double product = 3, core = 3, element = 3, dequant = 0, launch = 3;
};
Multiples multiples(const Job& job, std::size_t mode) {
  Multiples m;
  const double backward = job.frozen_base ? 1 : 2;  // frozen weights have no weight gradient
  m.product = 1 + backward;
  m.core = job.flash_attention ? 3.5 : 3;  // the fused backward computes the scores again
  m.dequant = 2;
  if (mode == static_cast<std::size_t>(Recompute::kSelective)) {
    m.core += 1;
    m.launch += 0.3;
  } else if (mode == static_cast<std::size_t>(Recompute::kFull)) {
    m.product += 1;
    m.core += 1;
    m.element += 1;
    m.dequant += 1;
    m.launch += 1;
  } else if (mode == kForwardOnly) {
    m = {1, 1, 1, 1, 1};
  }
  return m;
}

}  // namespace

PassCost& PassCost::operator+=(const PassCost& other) {
  token_t += other.token_t;
  token += other.token;
  token_sp += other.token_sp;
  fixed_t += other.fixed_t;
  fixed_e += other.fixed_e;
  return *this;
}
PassCost operator*(double factor, PassCost cost) {
  cost.token_t *= factor;
  cost.token *= factor;
  cost.token_sp *= factor;
  cost.fixed_t *= factor;
  cost.fixed_e *= factor;
  return cost;
}

void StepModel::build_layers(const Job& job, const Gpu& gpu, const EfficiencyModel& model) {
  const Model& m = *job.model;
  const Rates rates = make_rates(job, gpu, model);
  const auto framework = static_cast<std::size_t>(job.framework);
  seq_ = job.seq_len;
  layers_ = std::max(1.0, m.layers());
  pass_host_ = model.pass_seconds[framework];
  const double dequant = job.kind == JobKind::kQlora || (job.frozen_base && job.base_bits < 16)
                             ? model.dequant_bytes / rates.bandwidth
                             : 0;
  double layer_products = 0, largest_hidden = m.hidden;
  for (const LayerGroup& group : m.groups) {
    const LayerWork work = layer_work(group, job);
    const LayerCost cost = layer_cost(work, job, rates);
    layer_products += group.count * group.matmul_params;
    largest_hidden = std::max(largest_hidden, group.hidden);
    const double adapter = work.adapter * model.adapter_traffic * rates.element;
    double launch = model.layer_seconds[framework];
    if (work.routed) launch *= model.moe_launch;
    if (job.frozen_base) launch *= model.lora_launch;
    if (job.compile && job.framework == Framework::kPytorch) launch *= model.compiled_launch;
    for (std::size_t mode = 0; mode < 4; ++mode) {
      const Multiples by = multiples(job, mode);
      compute_[mode] += group.count * by.product * cost.product;
      (cost.core_is_memory ? memory_ : compute_)[mode] += group.count * by.core * cost.core;
      memory_[mode] += group.count * by.element * cost.element;
      memory_[mode].token_t += group.count * by.element * adapter;
      memory_[mode].fixed_t +=
          group.count * by.dequant * dequant * (work.weights + work.expert_weights);
      launch_[mode] += group.count * by.launch * launch;
      // Engines that serve run all experts of a layer in one kernel.
      const bool one_kernel =
          job.kind == JobKind::kInference && job.framework != Framework::kPytorch;
      if (work.routed && !one_kernel) {
        expert_launch_[mode] += group.count * by.launch * model.expert_seconds * group.ffn.experts;
      }
      const double reduces = group.cross_attention ? 3 : 2;
      tensor_reduces_[mode] += group.count * reduces *
                               (mode == kForwardOnly                                 ? 1
                                : mode == static_cast<std::size_t>(Recompute::kFull) ? 3
                                                                                     : 2);
    }
    if (work.routed) {
      const double dispatch =
          job.precision == Precision::kFp8 ? 1.5 : 2;  // bytes, half the way in FP8
      expert_bytes_token_ += group.count * 4 * group.ffn.top_k * group.hidden * dispatch;
    }
    context_bytes_token_ += group.count * 3 * 2 * group.attention.kv_heads *
                            (group.attention.qk_dim() + group.attention.v_dim());
  }
  // The head: what is left of the matrix products, with the loss over its logits.
  const double head = std::max(0.0, m.matmul_params - layer_products);
  const double logits = m.hidden > 0 ? head / m.hidden : 0;
  const double head_products = job.frozen_base ? 2 : 3;
  const double head_token =
      2 * head / rates.head + 2 * rates.head_width / rates.head * (m.hidden + logits);
  head_forward_token_ = head_token;
  head_compute_token_ = head_products * head_token;
  const bool loss = !m.encoder_only || job.kind != JobKind::kInference;
  head_memory_token_ = loss ? model.loss_bytes[framework] * logits / rates.bandwidth : 0;
  head_fixed_ = head_products * 2 * rates.head_width / rates.head * head;
  const bool wide = job.precision == Precision::kFp32 || job.precision == Precision::kTf32;
  tensor_bytes_token_ = largest_hidden * (wide ? 4 : 2);
  recompute_flops_share_[static_cast<std::size_t>(Recompute::kFull)] =
      job.frozen_base ? 0.5 : 1.0 / 3;
}

void StepModel::build_vision(const Job& job, const Gpu& gpu, const EfficiencyModel& model) {
  const VisionShape& shape = *job.model->vision;
  const auto c = static_cast<std::size_t>(gpu_class(gpu));
  const auto family = static_cast<std::size_t>(shape.family);
  const auto framework = static_cast<std::size_t>(job.framework);
  const bool wide = job.precision == Precision::kFp32 || job.precision == Precision::kTf32;
  const bool convolutional = shape.family != VisionFamily::kAttention;
  const double macs = shape.macs_per_sample * job.area_scale;
  double kept = shape.activations_per_sample * job.area_scale;
  if (kept <= 0) kept = macs * model.activations_per_mac[family];
  double reached = product_rate(gpu, job.peak, model, job.framework).value();
  if (convolutional && !job.peak.tensor) reached *= model.vector_convolution;
  double factor = model.vision_speed[framework];
  if (convolutional && !wide && job.framework == Framework::kPytorch && !job.channels_last) {
    factor *= model.channels_first;
  }
  const double compute = factor * 2 * macs / (reached * model.vision_peak[family]);
  const double traffic = factor * kept * (wide ? 4 : 2) * model.vision_traffic[family] /
                         (gpu.bandwidth.value() * model.bandwidth_reached[c]);
  seq_ = 1;
  layers_ = 1;
  for (std::size_t mode = 0; mode < 4; ++mode) {
    const Multiples by = multiples(job, mode);
    compute_[mode].token_t = by.product * compute;
    memory_[mode].token_t = by.product / 3 * traffic;
    launch_[mode] =
        by.launch / 3 * model.vision_host_seconds[framework] * model.vision_launch[family];
  }
  recompute_flops_share_[static_cast<std::size_t>(Recompute::kFull)] = 1.0 / 3;
  overhead_ = 0;  // in the host time of the pass
}

void StepModel::build_measured(const Job& job, const Gpu& gpu, const EfficiencyModel& model) {
  // A timed job follows the card by the same mixture of FLOPs and bytes that its family has.
  const MeasuredJob& timed = *job.model->measured;
  const auto family = static_cast<std::size_t>(timed.family);
  const auto cost = [&](const Gpu& card) {
    const auto c = static_cast<std::size_t>(gpu_class(card));
    const auto peak = peak_at(card, job.precision);
    const EffectivePeak plain{card.peak(PeakFormat::kFp32).value_or(teraflops(1)),
                              PeakFormat::kFp32, false, false};
    const double reached = product_rate(card, peak.value_or(plain), model, job.framework).value();
    const double kept = model.activations_per_mac[family];  // per MAC
    return 6 / (reached * model.vision_peak[family]) +
           kept * 2 * model.vision_traffic[family] /
               (card.bandwidth.value() * model.bandwidth_reached[c]);
  };
  const double reference = timed.reference ? cost(*timed.reference) : cost(gpu);
  const double one_share = inside_ == LinkKind::kNvSwitch   ? 0.06
                           : inside_ == LinkKind::kPcieHost ? 0.16
                                                            : 0.10;
  measured_scale_ = one_share;
  const double scaled = timed.count > 1 ? 1 + one_share * (1 - 1 / timed.count) : 1;
  measured_seconds_ = timed.hours * 3600 * timed.count / scaled * cost(gpu) / reference;
  total_units_ = 1;
}

void StepModel::build_states(const Job& job, const EfficiencyModel& model) {
  const Model& m = *job.model;
  double experts = 0;
  for (const LayerGroup& group : m.groups) experts += group.count * group.expert_params;
  const bool frozen = job.frozen_base;
  const double trained = frozen ? job.adapter_params : m.params;
  expert_params_ = frozen ? 0 : experts;
  dense_params_ = std::max(0.0, trained - expert_params_);
  const bool wide = job.precision == Precision::kFp32 || job.precision == Precision::kTf32;
  const double frozen_weight = std::min(2.0, job.base_bits / 8);
  gather_bytes_ = m.params * (frozen ? frozen_weight : wide ? 4 : 2);
  frozen_bytes_ = frozen ? m.params * frozen_weight : 0;
  grad_comm_bytes_ = job.grad_bytes;
  weight_comm_bytes_ = std::min(job.weight_bytes, job.grad_bytes);
  const double state_traffic = 2 * job.optimizer_bytes + 2 * job.grad_bytes + 2 * job.weight_bytes;
  optimizer_seconds_ = model.optimizer_traffic * state_traffic;  // x 1 / bandwidth by the caller
  accumulate_seconds_ = 2 * job.grad_bytes;
  host_adam_seconds_ = (job.optimizer_bytes + job.grad_bytes) * 2 / model.host_adam_bandwidth;
  overhead_ = model.step_seconds[static_cast<std::size_t>(job.framework)];
}

void StepModel::build_links(const Topology& topology, const EfficiencyModel& model, bool sharp) {
  const auto kind = static_cast<std::size_t>(topology.inside);
  constexpr auto kPairs = static_cast<std::size_t>(LinkKind::kNvPairs);
  constexpr auto kPcie = static_cast<std::size_t>(LinkKind::kPcieP2p);
  inside_ = topology.inside;
  mesh_ = topology.mesh;
  gpus_per_node_ = std::max(1.0, topology.gpus_per_node);
  // Beyond the pair a bridged card talks over PCIe.
  const std::size_t wide = kind == kPairs ? kPcie : kind;
  inside_beta_ = topology.inside_bandwidth.value() * model.link_reached[wide];
  inside_latency_ = model.link_latency[wide];
  pair_beta_ = kind == kPairs ? topology.pair_bandwidth.value() * model.link_reached[kPairs] : 0;
  pair_latency_ = model.link_latency[kPairs];
  network_beta_ = topology.network.value() * model.network_reached;
  network_latency_ = model.network_latency;
  host_beta_ = topology.host.value() * model.host_copy;
  switch_gain_ = sharp && inside_ == LinkKind::kNvSwitch && !mesh_ ? model.switch_reduction : 1;
  gather_exposed_ = model.gather_exposed;
  pipeline_exposed_ = model.pipeline_exposed;
  expert_exposed_ = model.expert_exposed;
  straggler_ = model.straggler;
  collective_seconds_ = model.collective_seconds;
}

StepModel::StepModel(const Job& job, const Gpu& gpu, const Topology& topology, const HostFeed& feed,
                     const EfficiencyModel& model, double own_efficiency)
    : kind_(job.kind),
      units_per_sample_(job.units_per_sample > 0 ? job.units_per_sample : 1),
      peak_(job.peak.rate.value()),
      flops_per_unit_(unit_flops(job)),
      own_efficiency_(own_efficiency),
      total_units_(job.total_units) {
  const Model& m = *job.model;
  const auto c = static_cast<std::size_t>(gpu_class(gpu));
  const bool sharp =
      gpu_class(gpu) == GpuClass::kHopper || gpu_class(gpu) == GpuClass::kBlackwellServer;
  build_links(topology, model, sharp);
  data_exposed_ = model.data_exposed[static_cast<std::size_t>(job.framework)];
  tensor_exposed_ = model.tensor_exposed[static_cast<std::size_t>(job.framework)];
  splits_sends_ = job.framework != Framework::kPytorch;
  build_states(job, model);
  const double bandwidth = gpu.bandwidth.value() * model.bandwidth_reached[c];
  optimizer_seconds_ /= bandwidth;
  accumulate_seconds_ /= bandwidth;
  if (m.kind == ModelKind::kMeasured && m.measured) {
    build_measured(job, gpu, model);
  } else if (m.kind == ModelKind::kVision && m.vision) {
    build_vision(job, gpu, model);
  } else if (kind_ == JobKind::kInference) {
    Job prompt = job;
    prompt.seq_len = job.inference.prompt_tokens;
    build_layers(prompt, gpu, model);
  } else {
    build_layers(job, gpu, model);
  }
  const bool images = m.vision.has_value() || m.patches > 0;
  if (images && feed.cores > 0) {
    const double pixels = m.vision ? m.vision->image_height * m.vision->image_width * job.area_scale
                                   : m.image_size * m.image_size * job.area_scale;
    input_seconds_ = (model.input_seconds + model.input_pixel_seconds * pixels) / feed.cores;
  }
  if (kind_ == JobKind::kInference) build_serving(job, gpu, model);
  build_range(job, gpu, topology, model);
}

}  // namespace xuanka
