// Buffers of collectives, one by one: what the estimate adds up and what its terms name.
#pragma once

#include <algorithm>

#include "xuanka/memory/memory_model.hpp"

namespace xuanka {

inline constexpr double kBucketElements = 5e8;  ///< of a ZeRO bucket (DeepSpeed's default)
inline constexpr double kBucketBytes = 2 * kBucketElements;
inline constexpr double kStagingBytes = 1e8;  ///< for parameters on their way from the host

// The layer at work and the next one, gathered; the tables stay gathered through the pass.
template <class Visit>
void MemoryModel::each_gathered(const Plan& plan, const Stage& s, Visit visit) const {
  const double t = plan.tensor;
  const double both = compute_bytes_ + 4;  // of a weight and of its gradient
  // With a pipeline neither weights nor gradients are resharded between micro-batches.
  if (plan.pipeline > 1 && !frozen_) {
    visit(MemoryTerm{TermKind::kGatheredStage, 1, s.dense + s.tables, both});
    return;
  }
  const double one = largest_layer_ / t + largest_experts_ / (t * plan.expert);
  const double table = plan.pipeline > 1 ? s.tables : std::max(first_params_, last_params_) / t;
  const double bytes = frozen_ && quantised_ ? weight_bytes_ : compute_bytes_;
  const MemoryTerm layers{TermKind::kGatheredLayers, 2, one, bytes};
  const MemoryTerm tables{TermKind::kGatheredTables, 1, table, 2};
  const MemoryTerm reduction{TermKind::kReduction, 1, frozen_ ? 0 : one, compute_bytes_};
  const MemoryTerm whole{TermKind::kGatheredStage, 1, s.dense + s.tables + s.experts, both};
  if (layers.bytes() + tables.bytes() + reduction.bytes() > whole.bytes()) {
    visit(whole);
    return;
  }
  visit(layers);
  visit(tables);
  visit(reduction);
}

// Buffers that are there whatever the batch.
template <class Visit>
void MemoryModel::each_collective(const Plan& plan, const Stage& s, Visit visit) const {
  const double shards = plan.data * plan.context;
  if (plan.zero >= 3 && shards > 1) each_gathered(plan, s, visit);
  visit(dequantised(plan.tensor));
  if (shards <= 1 || framework_ != Framework::kPytorch || plan.zero > 2) return;
  if (plan.zero == 0) {
    visit(MemoryTerm{TermKind::kCopy, 1, s.gradients / grad_bytes_, grad_bytes_});
  } else {
    visit(MemoryTerm{TermKind::kBuckets, 2, std::min(s.local_params * shards, kBucketElements), 2});
  }
}

}  // namespace xuanka
