#include "xuanka/time/step_model.hpp"

#include <algorithm>
#include <cmath>

#include "time/step_math.hpp"

namespace xuanka {
namespace {

constexpr std::size_t kForwardOnly = 3;

}  // namespace

LinkCost StepModel::link(double ranks, double stride) const {
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
  const LinkCost by = link(ranks, 1);
  return by.seconds_per_byte > 0 ? switch_gain_ / by.seconds_per_byte : 0;
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
  const LinkCost by = link(plan.tensor, 1);
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
