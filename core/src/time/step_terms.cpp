// The plan-dependent half of a training step, in three parts that plans share: what the parallel
// degrees decide, one micro-batch's pass, the step. A planner asks for each as seldom as it can.
#include <algorithm>
#include <cmath>

#include "time/step_math.hpp"
#include "xuanka/time/step_model.hpp"

namespace xuanka {

StepModel::Spread StepModel::spread(const Plan& plan) const {
  Spread s;
  s.per_t = 1 / plan.tensor;
  s.per_sp = plan.sequence_parallel ? s.per_t : 1;
  s.per_e = s.per_t / std::max(1.0, plan.expert);
  s.gpus = plan.gpus();
  s.slow = 1 + straggler_ * doublings(s.gpus / gpus_per_node_);
  s.nodes = std::max(1.0, s.gpus / gpus_per_node_);
  if (plan.tensor > 1) {
    s.tensor_ring = 2 * (plan.tensor - 1) / plan.tensor;
    s.tensor = link(plan.tensor, 1);
  }
  if (plan.expert > 1 && expert_bytes_token_ > 0) {
    s.expert = link(plan.expert, plan.tensor * plan.context);
  }
  if (plan.context > 1) s.context = link(plan.context, plan.tensor);
  if (plan.pipeline > 1) {
    s.stages = link(2, plan.tensor * plan.context * plan.data);
    s.fullest = std::ceil(layers_ / plan.pipeline) / layers_;
  }
  s.replicas = plan.data * plan.context;
  // Expert weights are replicated over data / expert ranks only; the rest over data x context.
  s.params = dense_params_ + expert_params_ / std::max(1.0, plan.expert);
  s.trained = s.params / (plan.tensor * plan.pipeline);
  if (s.replicas > 1) {
    s.data = link(s.replicas, plan.tensor);
    s.data_ring = (s.replicas - 1) / s.replicas * s.data.seconds_per_byte;
  }
  return s;
}

StepModel::Pass StepModel::pass(const Spread& s, const Plan& plan) const {
  Pass pass;
  if (!trains()) return pass;
  const auto mode = static_cast<std::size_t>(plan.recompute);
  const double t = plan.tensor;
  const double tokens = plan.micro_batch * seq_ / plan.context;

  // One micro-batch through all layers, and through the head on the last stage.
  pass.compute = pass_seconds(compute_[mode], tokens, s.per_t, s.per_sp, s.per_e);
  pass.memory = pass_seconds(memory_[mode], tokens, s.per_t, s.per_sp, s.per_e);
  pass.head_compute = (tokens * head_compute_token_ + head_fixed_) * s.per_t;
  pass.head_memory = tokens * head_memory_token_ * s.per_t;

  // Collectives inside the pass.
  const double tensor = t > 1 ? tensor_exposed_ * tensor_reduces_[mode] *
                                    (s.tensor_ring * tokens * tensor_bytes_token_ *
                                         s.tensor.seconds_per_byte / switch_gain_ +
                                     s.tensor.latency)
                              : 0;
  // What the host needs to launch it all, collectives included; the GPU waits for the rest of it.
  // Every further rank is one more that may come late to a collective.
  const double host = launch_[mode] + expert_launch_[mode] / std::max(1.0, plan.expert) +
                      pass_host_ + tensor_reduces_[mode] * collective_seconds_ * (t - 1);
  // The host runs ahead while the head works.
  const double busy = pass.compute + pass.memory + tensor +
                      (plan.pipeline > 1 ? 0 : pass.head_compute + pass.head_memory);
  pass.launch = soft_max(host, busy) - busy;
  double expert = 0;
  if (plan.expert > 1 && expert_bytes_token_ > 0) {
    expert =
        expert_exposed_ * (plan.expert - 1) / plan.expert *
        (tokens * expert_bytes_token_ * s.per_t * s.expert.seconds_per_byte + 4 * s.expert.latency);
  }
  double context = 0;
  if (plan.context > 1) {
    const double ring =
        (plan.context - 1) * tokens * context_bytes_token_ * s.per_t * s.context.seconds_per_byte;
    context = std::max(0.0, ring - 0.5 * pass.compute) + gather_exposed_ * ring;
  }
  pass.traffic = tensor + expert + context;
  pass.tokens = tokens;
  return pass;
}

double StepModel::data_traffic(const Spread& s, const Plan& plan, double pass,
                               double backward) const {
  if (s.replicas <= 1) return 0;
  const double share = 1 / (plan.tensor * plan.pipeline);
  const double ring = s.data_ring;
  const double trained = s.params * share;
  const double gradient = trained * grad_comm_bytes_;
  const double m = plan.grad_accumulation;
  if (plan.zero >= 3) {
    const double expert_share =
        (dense_params_ + expert_params_) > 0
            ? (dense_params_ + expert_params_ / plan.expert) / (dense_params_ + expert_params_)
            : 1;
    const double gather = gather_bytes_ * share * expert_share;
    const double micro =
        ring * (2 * gather + gradient) + 3 * s.data.latency * layers_ / plan.pipeline;
    return m * exposed(micro, gather_exposed_, pass);
  }
  // An all-reduce of the gradients; sharded optimizers scatter them and gather the weights.
  const double second = plan.zero >= 1 ? trained * weight_comm_bytes_ : gradient;
  const double once = ring * (gradient + second) / switch_gain_ + 2 * s.data.latency;
  double each = 0;
  if (plan.zero == 2) {  // gradients are scattered after every micro-batch
    each = (m - 1) * exposed(ring * gradient + s.data.latency, data_exposed_, backward);
  }
  return each + exposed(once, data_exposed_, backward);
}

// Optimizer step and gradient accumulation, on what this rank holds.
StepModel::Update StepModel::update(const Spread& s, const Plan& plan) const {
  const double m = plan.grad_accumulation;
  const double states = s.trained / (plan.zero >= 1 ? s.replicas : 1);
  const double accumulated = s.trained / (plan.zero >= 3 ? s.replicas : 1);
  Update by;
  by.optimizer = states * optimizer_seconds_;
  by.accumulation = m > 1 ? m * accumulated * accumulate_seconds_ : 0;
  by.overhead = overhead_;
  if (plan.offload == Offload::kNone) return by;
  const double ranks_in_node = std::min(s.gpus, gpus_per_node_);
  by.optimizer = states * ranks_in_node * host_adam_seconds_;
  by.overhead += states * 4 / host_beta_;
  if (plan.offload == Offload::kAll) {
    const double shard =
        gather_bytes_ / (plan.tensor * plan.pipeline) / (plan.zero >= 3 ? s.replicas : 1);
    by.overhead += m * (2 * shard + accumulated * grad_comm_bytes_) / host_beta_;
  }
  return by;
}

StepTerms StepModel::terms(const Plan& plan, const Spread& s, const Pass& pass) const {
  if (!trains()) return other_terms(plan);
  StepTerms terms;
  const double p = plan.pipeline;
  const double m = plan.grad_accumulation;

  // Pipeline: the slowest stage sets the pace, the others wait; filling and draining is the bubble.
  const double layer_pass = pass.compute + pass.memory + pass.launch + pass.traffic;
  const double head_pass = pass.head_compute + pass.head_memory;
  const double whole = layer_pass + head_pass;
  double bubble = 0, sends = 0, fill = 0, slowest = whole;
  if (p > 1) {
    slowest = std::max(layer_pass * s.fullest, layer_pass / p + head_pass);
    const double mean = whole / p;
    fill = (p - 1) / plan.interleave * mean;
    bubble = m * (slowest - mean) + fill;
    // Megatron sends every tensor rank's share and gathers it behind (arXiv 2104.04473,
    // section 4.1).
    const double sent = splits_sends_ ? s.per_t : s.per_sp;
    const double boundary =
        pass.tokens * tensor_bytes_token_ * sent * s.stages.seconds_per_byte + s.stages.latency;
    sends = pipeline_exposed_ * 2 * plan.interleave * (m + p - 1) * boundary;
  }
  const double per_stage = m / p;
  // Gradients and weights travel while a stage computes, or waits for the slowest one.
  const double communication =
      per_stage * pass.traffic + sends + data_traffic(s, plan, slowest, slowest * 2 / 3);
  const Update by = update(s, plan);
  TimeParts& parts = terms.parts;
  parts.compute = Seconds(per_stage * (pass.compute + pass.head_compute) * s.slow);
  parts.memory = Seconds(
      (per_stage * (pass.memory + pass.head_memory) + by.optimizer + by.accumulation) * s.slow);
  parts.communication = Seconds(communication * s.slow);
  parts.bubble = Seconds(bubble * s.slow);
  terms.sends = sends * s.slow;
  terms.fill = fill * s.slow;
  parts.overhead = Seconds((per_stage * pass.launch + by.overhead) * s.slow);
  if (input_seconds_ > 0) {
    const double feed = plan.global_batch() / s.nodes * input_seconds_;
    parts.input = Seconds(std::max(0.0, feed - parts.sum().value()));
  }
  return terms;
}

StepTerms StepModel::terms(const Plan& plan) const {
  if (!trains()) return other_terms(plan);
  const Spread by = spread(plan);
  return terms(plan, by, pass(by, plan));
}

StepTerms StepModel::other_terms(const Plan& plan) const {
  StepTerms terms;
  TimeParts& parts = terms.parts;
  if (measured_seconds_ > 0) {
    const double n = plan.gpus();
    const double one = measured_seconds_ / n;
    parts.compute = Seconds(one);
    parts.communication = Seconds(one * measured_scale_ * (1 - 1 / n));
  } else if (kind_ == JobKind::kInference) {
    const Serve by = serve(plan);
    parts.compute = Seconds(by.prefill);
    parts.memory = Seconds(by.decode - by.host);
    parts.overhead = Seconds(by.host);
  } else {
    parts = by_own_efficiency(plan);
  }
  return terms;
}

}  // namespace xuanka
