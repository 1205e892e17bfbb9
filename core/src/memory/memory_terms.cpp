// The parts of an estimate, term by term.

#include <algorithm>
#include <cmath>

#include "memory/collective_terms.hpp"

namespace xuanka {
namespace {

using Terms = std::vector<MemoryTerm>;

void add(Terms& terms, const MemoryTerm& term) {
  if (term.bytes() > 0) terms.push_back(term);
}

double sum(const Terms& terms) {
  double bytes = 0;
  for (const MemoryTerm& term : terms) bytes += term.bytes();
  return bytes;
}

void scale(Terms& terms, double factor) {
  for (MemoryTerm& term : terms) term.count *= factor;
}

}  // namespace

// The parameters of a stage with `bytes` for each: one stretch where experts are sharded as the
// rest is.
Terms MemoryModel::parameter_terms(const Plan& plan, const Shards& shards, double tables,
                                   double bytes) const {
  Terms terms;
  const double share = stage_share(plan);
  const TermKind all = plan.pipeline > 1 ? TermKind::kStage : TermKind::kParameters;
  const double dense_shards = plan.tensor * shards.dense;
  const double expert_shards = plan.tensor * plan.expert * shards.experts;
  const double experts = share * expert_params_;
  const bool one = dense_shards == expert_shards;
  add(terms, {all, 1, share * dense_params_ + tables + (one ? experts : 0), bytes, dense_shards});
  if (!one) add(terms, {TermKind::kExperts, 1, experts, bytes, expert_shards});
  return terms;
}

// Weights as they are sharded, before offloading.
Terms MemoryModel::weight_terms(const Plan& plan, const Shards& shards, double tables) const {
  const bool alike = table_bytes_ == weight_bytes_;
  Terms terms = parameter_terms(plan, shards, alike ? tables : 0, weight_bytes_);
  if (!alike) add(terms, {TermKind::kTables, 1, tables, table_bytes_, plan.tensor * shards.dense});
  if (copies_ <= 1) return terms;
  Terms copies = parameter_terms(plan, shards, tables, 2);
  if (alike && weight_bytes_ == 2) {
    scale(terms, copies_);
  } else {
    scale(copies, copies_ - 1);
    terms.insert(terms.end(), copies.begin(), copies.end());
  }
  return terms;
}

MemoryTerms MemoryModel::terms(const Plan& plan) const {
  MemoryTerms out;
  if (form_ == Form::kMeasured) return out;
  const States states = this->states(plan);
  const Peak peak = any_peak(plan, states);
  const double p = plan.pipeline;
  const double both = first_params_ + last_params_;
  const double last = last_params_ + (tied_ ? first_params_ : 0);
  if (form_ == Form::kServing) {
    out.weights = weight_terms(plan, {}, p > 1 ? std::max(first_params_, last) : both);
    if (plan.offload == Offload::kAll) scale(out.weights, std::min(1.0, 2 / layers_));
    add(out.buffers, {TermKind::kCache, kv_growth_, peak.parts.kv_cache.value(), 1});
    add(out.buffers, dequantised(plan.tensor));
    return out;
  }
  const Stage& stage = peak.last_stage ? states.last : states.first;
  const double tables = p <= 1 ? both : peak.last_stage ? last : first_params_;
  const double ranks = std::max(1.0, plan.data * plan.context);
  const double expert_ranks = std::max(1.0, ranks / plan.expert);
  const auto shards_from = [&](int zero) {
    return plan.zero >= zero ? Shards{ranks, expert_ranks} : Shards{};
  };

  out.weights = weight_terms(plan, shards_from(3), tables);
  const double share = stage.share, t = plan.tensor;
  if (frozen_) {
    add(out.weights,
        {TermKind::kAdapters, 1, share * adapter_params_, grad_bytes_, t * shards_from(3).dense});
  }
  if (stage.kept.weights < stage.weights * (1 - 1e-9)) {  // offloaded
    scale(out.weights, 2 / layers_);
    add(out.weights, {TermKind::kStaging, 1, kStagingBytes, 1});
  }

  // Trained parameters, with `bytes` of a state for each.
  const auto trained = [&](double bytes, const Shards& shards) {
    if (!frozen_) return parameter_terms(plan, shards, tables, bytes);
    Terms terms;
    add(terms, {TermKind::kParameters, 1, share * adapter_params_, bytes, t * shards.dense});
    return terms;
  };
  if (peak.parts.gradients.value() > 0) {
    out.gradients = trained(grad_bytes_, shards_from(2));
    const double kept = peak.parts.gradients.value();
    if (kept < sum(out.gradients) * (1 - 1e-9)) {
      const bool bucket = std::fabs(kept - kBucketBytes) < 1;
      out.gradients = {bucket ? MemoryTerm{TermKind::kBuckets, 1, kBucketElements, 2}
                              : MemoryTerm{TermKind::kLargest, 1, kept / grad_bytes_, grad_bytes_}};
    }
  }
  if (peak.parts.optimizer.value() > 0) out.optimizer = trained(optimizer_bytes_, shards_from(1));

  each_collective(plan, stage, [&out](const MemoryTerm& term) { add(out.buffers, term); });
  add(out.buffers, sends(plan));
  const double step = step_bytes_ + (peak.at_step ? step_temporaries(plan) : 0);
  add(out.buffers, {TermKind::kStep, 1, stage.local_params, step});
  if (peak.at_load) {
    // What is in the buffers then counts with the weights.
    const double model = dense_params_ + expert_params_ + both;
    out.weights.insert(out.weights.begin(), {TermKind::kWholeModel, 1, model, compute_bytes_});
    out.weights.insert(out.weights.end(), out.buffers.begin(), out.buffers.end());
    out.gradients = out.optimizer = out.buffers = {};
  }
  return out;
}

}  // namespace xuanka
