// The plan-dependent half: one stage's states and activations, the moments of a step, the peak.

#include <algorithm>
#include <cmath>
#include <limits>

#include "memory/collective_terms.hpp"

namespace xuanka {
namespace {

constexpr double kHostBuffers = 1.5;  // DeepSpeed's estimator: pinned copies and buffers
constexpr double kRounding = 1e-9;    // what sums of other terms may differ by
constexpr double kLoadShard = 1e10;   // bytes of a checkpoint shard being loaded

double at_least_one(double x) { return x > 1 ? x : 1; }

}  // namespace

double MemoryModel::activation_bytes(const ActivationTerms& terms, const Plan& plan) const {
  const double t = plan.tensor;
  const double tokens = plan.micro_batch * seq_ / plan.context;
  const bool parallel = plan.sequence_parallel && t > 1;
  double per_token = parallel ? terms.whole / t : terms.whole;
  if (parallel && framework_ == Framework::kPytorch) per_token += terms.gathered;
  per_token += (terms.split + terms.score * seq_) / t;
  return tokens * per_token;
}

double MemoryModel::stage_share(const Plan& plan) const {
  return plan.pipeline > 1 ? std::ceil(layers_ / plan.pipeline) / layers_ : 1;
}

// What the first or the last pipeline stage keeps on one GPU whatever the batch.
MemoryModel::Stage MemoryModel::stage_states(const Plan& plan, bool first) const {
  const double t = plan.tensor, p = plan.pipeline;
  const double shards = at_least_one(plan.data * plan.context);
  const double expert_shards = at_least_one(shards / plan.expert);
  const double share = stage_share(plan);

  double tables = 0;
  if (p <= 1) {
    tables = first_params_ + last_params_;
  } else {
    tables = first ? first_params_ : last_params_ + (tied_ ? first_params_ : 0);
  }
  const double dense = share * dense_params_ / t,
               experts = share * expert_params_ / (t * plan.expert);
  tables /= t;
  const bool shard_weights = plan.zero >= 3, shard_gradients = plan.zero >= 2,
             shard_states = plan.zero >= 1;

  Stage s;
  s.share = share;
  s.dense = dense;
  s.tables = tables;
  s.experts = experts;
  const double w_shards = shard_weights ? shards : 1, w_expert = shard_weights ? expert_shards : 1;
  s.weights = (dense * weight_bytes_ + tables * table_bytes_) / w_shards +
              experts * weight_bytes_ / w_expert;
  s.weights += (copies_ - 1) * ((dense + tables) * 2 / w_shards + experts * 2 / w_expert);
  double trained = dense + tables, trained_experts = experts;
  if (frozen_) {
    trained = share * adapter_params_ / t;
    trained_experts = 0;
    s.weights += trained * grad_bytes_ / w_shards;  // adapters are stored like their gradients
  }
  s.local_params =
      trained / (shard_states ? shards : 1) + trained_experts / (shard_states ? expert_shards : 1);
  s.gradients = grad_bytes_ * (trained / (shard_gradients ? shards : 1) +
                               trained_experts / (shard_gradients ? expert_shards : 1));
  s.optimizer = optimizer_bytes_ * s.local_params;
  const double layer = frozen_ ? 0 : largest_layer_ / t + largest_experts_ / (t * plan.expert);
  s.largest_gradient = frozen_ ? 0 : grad_bytes_ * std::max(layer, tables / 2);
  return s;
}

// What the batch adds to it.
void MemoryModel::add_batch(const Plan& plan, bool first, Stage& s) const {
  const double t = plan.tensor, p = plan.pipeline;
  const double share = s.share;
  const auto mode = static_cast<std::size_t>(plan.recompute);
  if (vision_) {
    s.activations = plan.micro_batch * vision_bytes_ * vision_recompute_[mode];
    s.layer = mode > 0 ? plan.micro_batch * vision_layer_ : 0;
    return;
  }
  const double tokens = plan.micro_batch * seq_ / plan.context;
  const double stages = first ? std::min(p, at_least_one(plan.grad_accumulation)) : 1;
  double in_flight = share * stages;
  if (first && plan.interleave > 1) in_flight *= 1 + (p - 1) / (p * plan.interleave);
  s.activations = in_flight * activation_bytes(kept_[mode], plan);
  if (offload_activations_) s.activations *= std::min(1.0, 2 / layers_);
  if (p <= 1 || !first) {
    const bool parallel = plan.sequence_parallel && t > 1;
    s.activations += tokens * outer_ / (parallel ? t : 1);
    if (parallel) s.activations += tokens * outer_gathered_;
  }
  s.layer = activation_bytes(layer_, plan);
  if (plan.context > 1) s.layer += 0.5 * s.layer;  // key and value blocks in transit
  if (p <= 1 || !first) {
    const double chunk = loss_chunk_ > 0 ? std::min(tokens, loss_chunk_) : tokens;
    s.logits = chunk * logit_width_ * logit_bytes_ / t;
  }
}

double MemoryModel::collective_bytes(const Plan& plan, const Stage& s) const {
  double sum = 0;
  each_collective(plan, s, [&sum](const MemoryTerm& term) { sum += term.bytes(); });
  return sum;
}

MemoryTerm MemoryModel::dequantised(double tensor_degree) const {
  return {TermKind::kDequantised, dequantised_, largest_matrix_ / tensor_degree, 2};
}

// One in and one out in either direction; Megatron frees what goes out once it is sent.
MemoryTerm MemoryModel::sends(const Plan& plan) const {
  const double tokens = plan.micro_batch * seq_ / plan.context;
  const double tensors = framework_ == Framework::kPytorch ? 4 : 2;
  return {TermKind::kSends, plan.pipeline > 1 ? tensors : 0, tokens * hidden_, compute_bytes_};
}

// Bytes per local parameter that an optimizer step over all parameters at once needs beside them.
double MemoryModel::step_temporaries(const Plan& plan) const {
  const bool apart = gradients_in_backward_ || frozen_ || plan.offload != Offload::kNone;
  return apart ? 0 : foreach_bytes_;
}

// Where offloading leaves the states.
MemoryModel::Resident MemoryModel::resident(const Plan& plan, const Stage& s) const {
  Resident r{s.weights, s.gradients, s.optimizer, 0};
  if (paged_) {
    r.host += r.optimizer;
    r.optimizer = 0;
  }
  if (plan.offload != Offload::kNone) {
    r.host += (r.optimizer + r.gradients) * kHostBuffers;
    r.optimizer = 0;
    if (plan.zero >= 2 || plan.offload == Offload::kAll) {
      r.gradients = std::min(r.gradients, kBucketBytes);
    }
  }
  if (plan.offload == Offload::kAll) {
    r.host += frozen_ ? r.weights : r.weights * kHostBuffers;
    const double layers = std::max(1.0, layers_);
    r.weights = std::min(r.weights, 2 * r.weights / layers + kStagingBytes);
  }
  if (gradients_in_backward_) r.gradients = std::min(r.gradients, s.largest_gradient);
  return r;
}

// The largest of three moments: end of the forward pass, end of the backward pass, optimizer step
// (core/docs/model.md). States and buffers are there at all of them.
MemoryModel::Peak MemoryModel::moment(const Plan& plan, const Stage& s) const {
  const auto& [weights, gradients, optimizer, host] = s.kept;
  const bool many = plan.gpus() > 1;
  const bool persist = !gradients_in_backward_ && (plan.grad_accumulation > 1 || plan.data > 1 ||
                                                   framework_ != Framework::kPytorch);
  const double working = plan.recompute == Recompute::kNone ? 0 : s.layer * working_set_;
  const double forward = s.activations + std::max(s.logits, working) + (persist ? gradients : 0);
  const double backward = gradients + s.layer;
  const double temporaries = step_temporaries(plan) * s.local_params;
  const double step = gradients + temporaries;

  Peak peak;
  peak.host = host;
  MemoryParts& parts = peak.parts;
  parts.weights = Bytes(weights);
  parts.optimizer = Bytes(optimizer);
  double extra = s.collectives + sends(plan).bytes() + step_bytes_ * s.local_params;
  if (forward >= backward && forward >= step) {
    parts.activations = Bytes(s.activations + (working > s.logits ? working : 0));
    parts.logits = Bytes(working > s.logits ? 0 : s.logits);
    parts.gradients = Bytes(persist ? gradients : 0);
  } else if (backward >= step) {
    parts.activations = Bytes(s.layer);
    parts.gradients = Bytes(gradients);
  } else {
    parts.gradients = Bytes(gradients);
    peak.at_step = true;
    extra += temporaries;
  }
  parts.buffers = Bytes(extra);
  peak.context = context_ + (many ? nccl_ : 0);
  const double allocated = parts.sum().value() + workspace_;
  peak.reserve = reserve_ * (allocated - weights - optimizer);
  // Loss and recomputed layers follow one another; what one frees the other cannot use in full.
  peak.reserve += phase_overlap_ * std::min(s.logits, working);
  // Before it fails, the allocator gives back what it holds unused: a reserve takes only free room.
  const double room = usable_.value() - allocated - peak.context;
  peak.reserve = std::min(peak.reserve, room > 0 ? room : 0);
  peak.kept = s.activations;
  parts.overhead = Bytes(peak.context + workspace_ + peak.reserve);
  return peak;
}

MemoryModel::States MemoryModel::states(const Plan& plan) const {
  States states;
  if (form_ != Form::kTraining) return states;
  states.first = stage_states(plan, true);
  states.first.collectives = collective_bytes(plan, states.first);
  if (plan.pipeline > 1) {
    states.last = stage_states(plan, false);
    states.last.collectives = collective_bytes(plan, states.last);
  }
  offload(plan, states);
  return states;
}

void MemoryModel::offload(const Plan& plan, States& states) const {
  states.first.kept = resident(plan, states.first);
  if (plan.pipeline > 1) states.last.kept = resident(plan, states.last);
}

// Without gradients, which not every moment holds in full.
double MemoryModel::before_batch(const Plan& plan, const Stage& s) const {
  return s.kept.weights + s.kept.optimizer + s.collectives + step_bytes_ * s.local_params +
         context_ + (plan.gpus() > 1 ? nccl_ : 0) + workspace_;
}

bool MemoryModel::may_fit(const Plan& plan, const States& states) const {
  if (form_ != Form::kTraining) return true;
  const auto has_room = [&](const Stage& s) {
    return before_batch(plan, s) + s.kept.gradients <= usable_.value() * (1 + kRounding);
  };
  return has_room(states.first) && (plan.pipeline <= 1 || has_room(states.last));
}

double MemoryModel::micro_batch_limit(const Plan& plan, const States& states,
                                      double samples) const {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  if (form_ != Form::kTraining) return kAny;
  // At the end of the forward pass activations and logits join what is there before any batch, and
  // gradients where micro-batches or ranks add up; later all gradients do.
  const bool persist =
      !gradients_in_backward_ && (plan.data > 1 || framework_ != Framework::kPytorch);
  Plan one = plan;
  one.micro_batch = one.grad_accumulation = one.interleave = 1;
  const auto limit = [&](const Stage& states_of, bool first) {
    const double room = usable_.value() * (1 + kRounding) - before_batch(plan, states_of);
    if (room < states_of.kept.gradients) return 0.0;
    Stage s = states_of;
    add_batch(one, first, s);
    const double sample = s.activations + (loss_chunk_ > 0 ? 0 : s.logits);
    const double left = room - (persist ? s.kept.gradients : 0);
    // Of a pipeline's first stage as many micro-batches are in flight as there are stages, or all.
    if (!first || plan.pipeline <= 1) return left / sample;
    return samples * sample <= left ? kAny : left / (plan.pipeline * sample);
  };
  const double most = limit(states.first, true);
  return plan.pipeline > 1 && most > 0 ? std::min(most, limit(states.last, false)) : most;
}

MemoryModel::Peak MemoryModel::training_peak(const Plan& plan, const States& states) const {
  Stage front = states.first;
  add_batch(plan, true, front);
  Peak first = moment(plan, front);
  if (loads_whole_ && plan.zero >= 3) {
    // Every GPU holds the whole 16-bit model beside its shard before training starts.
    const double whole =
        compute_bytes_ * (dense_params_ + expert_params_ + first_params_ + last_params_);
    const double loading = whole + first.parts.weights.value() + first.parts.buffers.value() +
                           workspace_ + first.context;
    if (loading > first.parts.sum().value()) {
      first.parts = {};
      first.parts.weights = Bytes(loading - workspace_ - first.context);
      first.parts.overhead = Bytes(workspace_ + first.context);
      first.reserve = 0;
      first.at_load = true;
    }
  }
  if (plan.pipeline <= 1) return first;
  Stage back = states.last;
  add_batch(plan, false, back);
  Peak last = moment(plan, back);
  last.kept = first.kept;
  last.last_stage = true;
  return last.parts.sum() > first.parts.sum() ? last : first;
}

MemoryModel::Peak MemoryModel::serving_peak(const Plan& plan) const {
  const double t = plan.tensor, p = plan.pipeline;
  const double share = stage_share(plan);
  const double batch = std::ceil(concurrency_ / at_least_one(plan.data));
  const double tables = p > 1 ? std::max(first_params_, last_params_ + (tied_ ? first_params_ : 0))
                              : first_params_ + last_params_;
  Peak peak;
  MemoryParts& parts = peak.parts;
  const double experts = share * expert_params_ / (t * plan.expert);
  parts.weights =
      Bytes((share * dense_params_ / t + experts) * weight_bytes_ + tables / t * table_bytes_);
  const double head_shards = std::min(t, kv_heads_);
  const double cache = batch * kv_bytes_seq_ * share / head_shards / plan.context;
  parts.kv_cache = Bytes(cache);
  parts.buffers = Bytes(kv_growth_ * cache + dequantised(t).bytes());
  const double tokens = kv_growth_ > 0 ? batch * prompt_ : std::min(batch * prompt_, 8192.0);
  parts.activations = Bytes(tokens * live_bytes_token_ / t);
  parts.logits = Bytes(batch * logit_width_ * 6 / t);
  if (plan.offload == Offload::kAll) {
    peak.host = parts.weights.value();
    parts.weights = parts.weights * std::min(1.0, 2 / layers_);
  }
  peak.context = context_ + (t * p > 1 ? nccl_ : 0);
  peak.reserve = reserve_ * (parts.activations + parts.buffers).value();
  parts.overhead = Bytes(peak.context + peak.reserve + workspace_);
  return peak;
}

MemoryModel::Peak MemoryModel::measured_peak(const Plan&) const {
  Peak peak;
  const double context = std::min(context_, measured_bytes_);
  peak.context = context;
  peak.parts.overhead = Bytes(context);
  peak.parts.activations = Bytes(measured_bytes_ - context);
  return peak;
}

MemoryModel::Peak MemoryModel::any_peak(const Plan& plan, const States& states) const {
  switch (form_) {
    case Form::kServing:
      return serving_peak(plan);
    case Form::kMeasured:
      return measured_peak(plan);
    case Form::kTraining:
      break;
  }
  return training_peak(plan, states);
}

double MemoryModel::peak(const Plan& plan) const {
  return any_peak(plan, states(plan)).parts.sum().value();
}

Bytes MemoryModel::high(const MemoryParts& parts, Bytes per_gpu) const {
  const Bytes states = parts.weights + parts.gradients + parts.optimizer;
  return states * high_states_ + (per_gpu - states) * high_rest_;
}

MemoryVerdict MemoryModel::judge(Bytes per_gpu, Bytes high) const {
  const double spare = (usable_ - per_gpu).value();
  if (spare < 0) return MemoryVerdict::kDoesNotFit;
  const double tight = std::max(0.05 * usable_.value(), gibibytes(1).value());
  return spare < tight || high > usable_ ? MemoryVerdict::kTight : MemoryVerdict::kFits;
}

MemoryModel::Fit MemoryModel::fit(const Plan& plan, const States& states) const {
  const MemoryParts parts = any_peak(plan, states).parts;
  const Bytes per_gpu = parts.sum();
  return {per_gpu.value(), judge(per_gpu, high(parts, per_gpu))};
}

MemoryEstimate MemoryModel::estimate(const Plan& plan) const {
  const Peak peak = any_peak(plan, states(plan));
  MemoryEstimate e;
  e.parts = peak.parts;
  e.per_gpu = peak.parts.sum();
  e.context = Bytes(peak.context);
  e.reserve = Bytes(peak.reserve);
  e.kept = Bytes(peak.kept);
  const Bytes states = peak.parts.weights + peak.parts.gradients + peak.parts.optimizer;
  const Bytes rest = e.per_gpu - states;
  e.low = states * low_states_ + rest * low_rest_;
  e.high = high(e.parts, e.per_gpu);
  e.usable = usable_;
  e.margin = usable_ - e.per_gpu;
  e.verdict = judge(e.per_gpu, e.high);
  // Host memory of one node: a process a GPU, what is offloaded, and loading the weights: a shard
  // at a time, or once in full where they are sharded from the first rank.
  const double local = std::min(plan.gpus(), gpus_per_node_);
  const double params = dense_params_ + expert_params_ + first_params_ + last_params_;
  double offloaded = peak.host * local;
  if (plan.offload != Offload::kNone && plan.zero < 3 && !frozen_) {
    // Every process builds the model in fp32 before it is split (DeepSpeed's estimator).
    offloaded = std::max(offloaded, 4 * params * local * kHostBuffers);
  }
  const double loading = plan.zero >= 3 || plan.offload == Offload::kAll
                             ? 2 * params
                             : std::min(2 * params, kLoadShard) * local;
  e.host_ram = Bytes(kProcessHostRam.value() * local + std::max(offloaded, loading));
  return e;
}

MemoryEstimate estimate_memory(const Job& job, const Plan& plan, const Gpu& gpu,
                               double gpus_per_node, const EfficiencyModel& model) {
  return MemoryModel(job, gpu, gpus_per_node, model).estimate(plan);
}

}  // namespace xuanka
