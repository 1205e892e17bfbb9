#include "xuanka/time/step_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace xuanka {
namespace {

constexpr std::size_t kForwardOnly = 3;

double pass_seconds(const PassCost& cost, double tokens, double per_tensor, double per_sequence,
                    double per_expert) {
  return tokens * (cost.token_t * per_tensor + cost.token + cost.token_sp * per_sequence) +
         cost.fixed_t * per_tensor + cost.fixed_e * per_expert;
}

/// ceil(log2 n) for n >= 1.
double doublings(double n) {
  if (n <= 1) return 0;
  return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
}

/// The larger of two that wait for one another now and then: (x^4 + y^4)^(1/4). Host and GPU of
/// nearly the same speed leave gaps at both; where one is twice as fast, it is within 2 % of the
/// larger.
double soft_max(double x, double y) {
  const double larger = std::max(x, y);
  if (larger <= 0) return 0;
  const double ratio = std::min(x, y) / larger;
  const double square = ratio * ratio;
  return larger * std::sqrt(std::sqrt(1 + square * square));
}

/// What part of `seconds` stays visible when it runs beside `cover` seconds of compute.
double exposed(double seconds, double share, double cover) {
  const double hidden = (1 - share) * seconds;
  return share * seconds + std::max(0.0, hidden - cover);
}

}  // namespace

StepModel::Link StepModel::link(double ranks, double stride) const {
  if (ranks <= 1) return {};
  const double in_node = std::max(1.0, std::floor(gpus_per_node_ / stride));
  if (ranks <= in_node) {
    if (pair_beta_ > 0 && ranks * stride <= 2) return {1 / pair_beta_, pair_latency_};
    const double reach = mesh_ ? (ranks - 1) / 7 : 1;
    // a ring passes every other rank; NCCL doc/PERFORMANCE.md
    return {1 / (inside_beta_ * std::min(1.0, reach)), inside_latency_ * (ranks - 1)};
  }
  // Between nodes every rank of the group in a node brings its own share of the network.
  const double beta = std::min(inside_beta_, in_node * network_beta_);
  return {1 / beta,
          inside_latency_ * (in_node - 1) + network_latency_ * doublings(ranks / in_node)};
}

double StepModel::all_reduce_bandwidth(double ranks) const {
  const Link by = link(ranks, 1);
  return by.seconds_per_byte > 0 ? switch_gain_ / by.seconds_per_byte : 0;
}

Seconds StepModel::data_traffic(const Plan& plan, double pass, double backward) const {
  // Expert weights are replicated over data / expert ranks only; the rest over data x context.
  const double ranks = plan.data * plan.context;
  if (ranks <= 1) return Seconds(0);
  const double share = 1 / (plan.tensor * plan.pipeline);
  const double stride = plan.tensor;
  const Link by = link(ranks, stride);
  const double ring = (ranks - 1) / ranks * by.seconds_per_byte;
  const double trained = (dense_params_ + expert_params_ / std::max(1.0, plan.expert)) * share;
  const double gradient = trained * grad_comm_bytes_;
  const double m = plan.grad_accumulation;
  if (plan.zero >= 3) {
    const double expert_share =
        (dense_params_ + expert_params_) > 0
            ? (dense_params_ + expert_params_ / plan.expert) / (dense_params_ + expert_params_)
            : 1;
    const double gather = gather_bytes_ * share * expert_share;
    const double micro = ring * (2 * gather + gradient) + 3 * by.latency * layers_ / plan.pipeline;
    return Seconds(m * exposed(micro, gather_exposed_, pass));
  }
  // An all-reduce of the gradients; sharded optimizers scatter them and gather the weights.
  const double second = plan.zero >= 1 ? trained * weight_comm_bytes_ : gradient;
  const double once = ring * (gradient + second) / switch_gain_ + 2 * by.latency;
  double each = 0;
  if (plan.zero == 2) {  // gradients are scattered after every micro-batch
    each = (m - 1) * exposed(ring * gradient + by.latency, data_exposed_, backward);
  }
  return Seconds(each + exposed(once, data_exposed_, backward));
}

TimeParts StepModel::by_own_efficiency(const Plan& plan) const {
  TimeParts parts;
  const double flops = flops_per_unit_ * units_per_step(plan);
  parts.compute = Seconds(flops / (plan.gpus() * peak_ * own_efficiency_));
  return parts;
}

double StepModel::units_per_step(const Plan& plan) const {
  if (measured_seconds_ > 0) return 1;
  if (kind_ == JobKind::kInference) return concurrency_ * output_tokens_;
  return plan.global_batch() * units_per_sample_;
}

StepTerms StepModel::terms(const Plan& plan) const {
  StepTerms terms;
  TimeParts& parts = terms.parts;
  if (measured_seconds_ > 0) {
    const double n = plan.gpus();
    const double one = measured_seconds_ / n;
    parts.compute = Seconds(one);
    parts.communication = Seconds(one * measured_scale_ * (1 - 1 / n));
    return terms;
  }
  if (kind_ == JobKind::kInference) {
    const Serve by = serve(plan);
    parts.compute = Seconds(by.prefill);
    parts.memory = Seconds(by.decode);
    return terms;
  }
  if (own_efficiency_ > 0 && flops_per_unit_ > 0) return {by_own_efficiency(plan)};

  const auto mode = static_cast<std::size_t>(plan.recompute);
  const double t = plan.tensor;
  const double p = plan.pipeline;
  const double m = plan.grad_accumulation;
  const double per_t = 1 / t;
  const double per_sp = plan.sequence_parallel ? per_t : 1;
  const double per_e = per_t / std::max(1.0, plan.expert);
  const double tokens = plan.micro_batch * seq_ / plan.context;

  // One micro-batch through all layers, and through the head on the last stage.
  const double compute = pass_seconds(compute_[mode], tokens, per_t, per_sp, per_e);
  const double memory = pass_seconds(memory_[mode], tokens, per_t, per_sp, per_e);
  const double head_compute = (tokens * head_compute_token_ + head_fixed_) * per_t;
  const double head_memory = tokens * head_memory_token_ * per_t;

  // Collectives inside the pass.
  const double tensor_ring = t > 1 ? 2 * (t - 1) / t : 0;
  const Link tensor_link = link(t, 1);
  const double tensor = t > 1 ? tensor_exposed_ * tensor_reduces_[mode] *
                                    (tensor_ring * tokens * tensor_bytes_token_ *
                                         tensor_link.seconds_per_byte / switch_gain_ +
                                     tensor_link.latency)
                              : 0;
  // What the host needs to launch it all, collectives included; the GPU waits for the rest of it.
  // Every further rank is one more that may come late to a collective.
  const double host = launch_[mode] + expert_launch_[mode] / std::max(1.0, plan.expert) +
                      pass_host_ + tensor_reduces_[mode] * collective_seconds_ * (t - 1);
  // The host runs ahead while the head works.
  const double busy = compute + memory + tensor + (p > 1 ? 0 : head_compute + head_memory);
  const double launch = soft_max(host, busy) - busy;
  double expert = 0;
  if (plan.expert > 1 && expert_bytes_token_ > 0) {
    const Link by = link(plan.expert, t * plan.context);
    expert = expert_exposed_ * (plan.expert - 1) / plan.expert *
             (tokens * expert_bytes_token_ * per_t * by.seconds_per_byte + 4 * by.latency);
  }
  double context = 0;
  if (plan.context > 1) {
    const Link by = link(plan.context, t);
    const double ring =
        (plan.context - 1) * tokens * context_bytes_token_ * per_t * by.seconds_per_byte;
    context = std::max(0.0, ring - 0.5 * compute) + gather_exposed_ * ring;
  }
  const double traffic = tensor + expert + context;

  // Pipeline: the slowest stage sets the pace, the others wait; filling and draining is the bubble.
  const double layer_pass = compute + memory + launch + traffic;
  const double head_pass = head_compute + head_memory;
  const double whole = layer_pass + head_pass;
  double bubble = 0, sends = 0, fill = 0;
  if (p > 1) {
    const double fullest = std::ceil(layers_ / p) / layers_;
    const double slowest = std::max(layer_pass * fullest, layer_pass / p + head_pass);
    const double mean = whole / p;
    fill = (p - 1) / plan.interleave * mean;
    bubble = m * (slowest - mean) + fill;
    const Link by = link(2, t * plan.context * plan.data);
    // Megatron sends every tensor rank's share and gathers it behind (arXiv 2104.04473,
    // section 4.1).
    const double sent = splits_sends_ ? per_t : per_sp;
    const double boundary = tokens * tensor_bytes_token_ * sent * by.seconds_per_byte + by.latency;
    sends = pipeline_exposed_ * 2 * plan.interleave * (m + p - 1) * boundary;
  }
  const double per_stage = m / p;
  const double backward = whole / p * 2 / 3;
  double communication =
      per_stage * traffic + sends + data_traffic(plan, whole / p, backward).value();

  // Optimizer step and gradient accumulation, on what this rank holds.
  const double trained = (dense_params_ + expert_params_ / std::max(1.0, plan.expert)) / (t * p);
  const double replicas = plan.data * plan.context;
  const double states = trained / (plan.zero >= 1 ? replicas : 1);
  const double accumulated = trained / (plan.zero >= 3 ? replicas : 1);
  double optimizer = states * optimizer_seconds_;
  double overhead = overhead_;
  if (plan.offload != Offload::kNone) {
    const double ranks_in_node = std::min(plan.gpus(), gpus_per_node_);
    optimizer = states * ranks_in_node * host_adam_seconds_;
    overhead += states * 4 / host_beta_;
    if (plan.offload == Offload::kAll) {
      const double shard = gather_bytes_ / (t * p) / (plan.zero >= 3 ? replicas : 1);
      overhead += m * (2 * shard + accumulated * grad_comm_bytes_) / host_beta_;
    }
  }
  const double slow = 1 + straggler_ * doublings(plan.gpus() / gpus_per_node_);
  parts.compute = Seconds(per_stage * (compute + head_compute) * slow);
  parts.memory = Seconds((per_stage * (memory + head_memory) + optimizer +
                          (m > 1 ? m * accumulated * accumulate_seconds_ : 0)) *
                         slow);
  parts.communication = Seconds(communication * slow);
  parts.bubble = Seconds(bubble * slow);
  terms.sends = sends * slow;
  terms.fill = fill * slow;
  parts.overhead = Seconds((per_stage * launch + overhead) * slow);
  if (input_seconds_ > 0) {
    const double nodes = std::max(1.0, plan.gpus() / gpus_per_node_);
    const double feed = plan.global_batch() / nodes * input_seconds_;
    parts.input = Seconds(std::max(0.0, feed - parts.sum().value()));
  }
  return terms;
}

double StepModel::seconds_per_unit(const Plan& plan) const {
  return step(plan).sum().value() / units_per_step(plan);
}

double StepModel::seconds_per_unit_bound(double gpus) const {
  if (measured_seconds_ > 0) return measured_seconds_ / gpus;
  if (kind_ == JobKind::kInference) return 0;
  if (own_efficiency_ > 0 && flops_per_unit_ > 0) {
    return flops_per_unit_ / (gpus * peak_ * own_efficiency_);
  }
  // No recomputation, everything divided by all GPUs, nothing exposed.
  const PassCost& c = compute_[0];
  const PassCost& m = memory_[0];
  const double token = c.token_t + c.token + c.token_sp + m.token_t + m.token + m.token_sp +
                       head_compute_token_ + head_memory_token_;
  return token * seq_ / (gpus * units_per_sample_);
}

Seconds StepModel::forward_pass(const Plan& plan) const {
  const double per_t = 1 / plan.tensor;
  const double per_sp = plan.sequence_parallel ? per_t : 1;
  const double tokens = plan.micro_batch * seq_ / plan.context;
  const double per_e = per_t / std::max(1.0, plan.expert);
  const double busy = pass_seconds(compute_[kForwardOnly], tokens, per_t, per_sp, per_e) +
                      pass_seconds(memory_[kForwardOnly], tokens, per_t, per_sp, per_e);
  const Link by = link(plan.tensor, 1);
  const double ring = 2 * (plan.tensor - 1) / plan.tensor;
  const double traffic =
      plan.tensor > 1 ? tensor_reduces_[kForwardOnly] * (ring * tokens * tensor_bytes_token_ *
                                                             by.seconds_per_byte / switch_gain_ +
                                                         by.latency)
                      : 0;
  const double host =
      launch_[kForwardOnly] + expert_launch_[kForwardOnly] / std::max(1.0, plan.expert);
  return Seconds(soft_max(busy, host) + traffic + tokens * head_forward_token_ * per_t);
}

TimeEstimate StepModel::estimate(const Plan& plan) const {
  TimeEstimate estimate;
  estimate.parts = step(plan);
  estimate.step = estimate.parts.sum();
  const double units = units_per_step(plan);
  estimate.units_per_second = units / estimate.step.value();
  const double n = plan.gpus();
  const std::size_t where = n <= 1 ? 0 : n <= gpus_per_node_ ? 1 : 2;
  estimate.low_factor = band_low_[where];
  estimate.high_factor = band_high_[where];
  estimate.evidence_cases = band_cases_[where];
  estimate.evidence_key = band_keys_[where];
  estimate.card_measured = card_measured_;
  estimate.own_efficiency = own_efficiency_ > 0;
  if (kind_ == JobKind::kInference) {
    const Serve by = serve(plan);
    estimate.prefill = Seconds(by.prefill);
    estimate.per_output_token = Seconds(by.decode / std::max(1.0, output_tokens_));
  }
  if (total_units_) {
    estimate.total = Seconds(*total_units_ / estimate.units_per_second);
    estimate.total_low = *estimate.total * estimate.low_factor;
    estimate.total_high = *estimate.total * estimate.high_factor;
  }
  const double rate = flops_per_unit_ * estimate.units_per_second / (n * peak_);
  estimate.mfu = rate;
  estimate.hfu = rate * (1 + recompute_flops_share_[static_cast<std::size_t>(plan.recompute)]);
  return estimate;
}

TimeEstimate estimate_time(const Job& job, const Plan& plan, const Gpu& gpu,
                           const Topology& topology, const HostFeed& feed,
                           const EfficiencyModel& model, double own_efficiency) {
  return StepModel(job, gpu, topology, feed, model, own_efficiency).estimate(plan);
}

}  // namespace xuanka
