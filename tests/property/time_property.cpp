// What must hold of time and planner for every job, card and plan.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "unit/time_fixture.hpp"
#include "xuanka/memory/memory_model.hpp"

namespace xuanka {
namespace {

using testing::shipped_efficiency;
using testing::shipped_gpu;
using testing::TimeCase;

constexpr double kRounding = 1 + 1e-12;

double pick(const std::vector<double>& values) { return *rc::gen::elementOf(values); }

Model any_model() {
  TransformerShape shape;
  shape.layers = *rc::gen::inRange(1, 64);
  shape.heads = pick({8, 16, 32});
  shape.hidden = pick({512, 1024, 4096});
  shape.kv_heads = shape.heads / pick({1, 4});
  shape.ffn = pick({1024, 11008});
  shape.vocab = pick({1000, 32000, 128256});
  shape.gated_mlp = *rc::gen::arbitrary<bool>();
  if (*rc::gen::inRange(0, 4) == 0) {
    shape.experts = pick({4, 8});
    shape.top_k = 2;
    shape.expert_ffn = pick({512, 2048});
  }
  auto model = model_from_shape(shape, "");
  RC_ASSERT(model);
  return std::move(*model);
}

Gpu any_gpu() {
  return shipped_gpu(*rc::gen::elementOf(std::vector<std::string>{"a100-sxm-80gb", "h100-sxm-80gb",
                                                                  "rtx-4090-24gb", "rtx-3090-24gb",
                                                                  "v100-sxm-32gb", "l40s-48gb"}));
}

TimeCase any_case() {
  TimeCase c;
  c.gpu = any_gpu();
  c.workload.model = any_model();
  c.workload.kind = static_cast<JobKind>(*rc::gen::inRange(0, 4));
  c.workload.seq_len = pick({128, 1024, 4096});
  c.workload.framework = static_cast<Framework>(*rc::gen::inRange(0, 3));
  c.workload.compile = *rc::gen::arbitrary<bool>();
  c.plan.data = pick({1, 2, 8});
  c.plan.tensor = pick({1, 2, 4});
  c.plan.pipeline = pick({1, 2});
  c.plan.zero = *rc::gen::inRange(0, 4);
  c.plan.micro_batch = pick({1, 2, 4});
  c.plan.grad_accumulation = pick({1, 4, 16});
  c.plan.recompute = static_cast<Recompute>(*rc::gen::inRange(0, 3));
  c.plan.sequence_parallel = c.plan.tensor > 1 && *rc::gen::arbitrary<bool>();
  return c;
}

RC_GTEST_PROP(TimeProperty, PartsAreNotNegativeAndAddUp, ()) {
  const TimeEstimate t = any_case().estimate();
  const TimeParts& p = t.parts;
  for (const Seconds part : {p.compute, p.memory, p.communication, p.bubble, p.input, p.overhead}) {
    RC_ASSERT(part.value() >= 0);
    RC_ASSERT(std::isfinite(part.value()));
  }
  RC_ASSERT(t.step.value() == p.sum().value());
  RC_ASSERT(t.low_factor > 0 && t.low_factor <= 1);
  RC_ASSERT(t.high_factor >= 1);
}

RC_GTEST_PROP(TimeProperty, MoreTokensAreNeverFaster, ()) {
  TimeCase c = any_case();
  c.workload.tokens = 1e9;
  const double less = c.estimate().total->value();
  c.workload.tokens = 1.5e9;
  RC_ASSERT(c.estimate().total->value() >= less);
  const double step = c.seconds();
  c.workload.seq_len *= 2;
  RC_ASSERT(c.seconds() * kRounding >= step);
}

RC_GTEST_PROP(TimeProperty, ServingMoreIsNeverFaster, ()) {
  TimeCase c = any_case();
  c.workload.kind = JobKind::kInference;
  c.workload.inference.prompt_tokens = pick({1, 512, 8192});
  c.workload.inference.output_tokens = pick({1, 128, 1024});
  c.workload.inference.concurrency = pick({1, 7, 64});
  c.workload.inference.weights = pick({0, 1}) > 0 ? StorageType::kBf16 : StorageType::kInt4;
  const TimeEstimate one = c.estimate();
  RC_ASSERT(one.step.value() == one.parts.sum().value());
  RC_ASSERT(one.mfu >= 0 && one.mfu < 1);
  const double batch = one.step.value() * (1 - 1e-12);
  TimeCase longer = c;
  longer.workload.inference.prompt_tokens *= 2;
  RC_ASSERT(longer.seconds() >= batch);
  longer = c;
  longer.workload.inference.output_tokens *= 2;
  RC_ASSERT(longer.seconds() >= batch);
  longer = c;
  longer.workload.inference.concurrency *= 2;
  RC_ASSERT(longer.seconds() >= batch);
}

RC_GTEST_PROP(TimeProperty, ALargerStepIsNeverFaster, ()) {
  TimeCase c = any_case();
  const double step = c.seconds() / kRounding;
  TimeCase micro = c;
  micro.plan.micro_batch *= 2;
  RC_ASSERT(micro.seconds() >= step);
  TimeCase more = c;
  more.plan.grad_accumulation += 1;
  RC_ASSERT(more.seconds() >= step);
}

RC_GTEST_PROP(TimeProperty, AFasterCardIsNeverSlower, ()) {
  TimeCase c = any_case();
  const double before = c.seconds() * kRounding;
  TimeCase memory = c;
  memory.gpu.bandwidth = memory.gpu.bandwidth * 2;
  RC_ASSERT(memory.seconds() <= before);
  TimeCase peak = c;
  for (auto& tflops : peak.gpu.tflops) {
    if (tflops) *tflops *= 2;
  }
  RC_ASSERT(peak.seconds() <= before);
  TimeCase network = c;
  network.network_gbit_s *= 4;
  RC_ASSERT(network.seconds() <= before);
  if (c.gpu.nvlink) {
    TimeCase link = c;
    link.gpu.nvlink->total = link.gpu.nvlink->total * 2;
    RC_ASSERT(link.seconds() <= before);
  }
}

RC_GTEST_PROP(TimeProperty, RecomputationIsNeverFaster, ()) {
  TimeCase c = any_case();
  c.plan.recompute = Recompute::kNone;
  const double none = c.seconds();
  c.plan.recompute = Recompute::kSelective;
  const double selective = c.seconds();
  c.plan.recompute = Recompute::kFull;
  RC_ASSERT(none <= selective * kRounding);
  RC_ASSERT(selective <= c.seconds() * kRounding);
}

RC_GTEST_PROP(TimeProperty, TheBoundIsABound, ()) {
  const TimeCase c = any_case();
  const StepModel model = c.model();
  RC_ASSERT(model.seconds_per_unit_bound(c.plan.gpus()) <=
            model.seconds_per_unit(c.plan) * (1 + 1e-9));
}

/// Every plan of the space, tried one by one.
double best_by_force(const Job& job, const SearchSpace& space, const StepModel& time,
                     const MemoryModel& memory) {
  double best = std::numeric_limits<double>::infinity();
  for (const Layout& layout : space.layouts) {
    for (const int zero : space.zero) {
      if (!may_shard(space, layout, zero)) continue;
      for (const Recompute recompute : space.recompute) {
        for (const Offload offload : space.offload) {
          for (const double b : micro_batches(space, layout)) {
            for (const double v : space.interleave) {
              if (v > 1 && (layout.pipeline == 1 || layout.pipeline * v > job.model->layers()))
                continue;
              const Plan plan = make_plan(space, layout, zero, recompute, offload, b, v);
              const MemoryVerdict verdict = memory.estimate(plan).verdict;
              if (verdict == MemoryVerdict::kDoesNotFit) continue;
              best = std::min(best, plan_cost(time, plan, verdict));
            }
          }
        }
      }
    }
  }
  return best;
}

RC_GTEST_PROP(PlannerProperty, NothingBetterIsMissed, ()) {
  TimeCase c = any_case();
  c.workload.global_batch = pick({1, 6, 16, 64});
  if (*rc::gen::inRange(0, 4) == 0) {
    c.workload.model = testing::resnet_50();
    c.workload.seq_len = 1;
    c.feed.cores = pick({0, 2, 64});
    c.workload.global_batch = pick({48, 500, 4096});
  }
  c.gpu.memory_gb *= pick({0.25, 0.5, 1});  // much does not fit
  const int count = static_cast<int>(pick({1, 2, 3, 4, 8}));
  const Job job = c.job();
  const StepModel time = c.model();
  const MemoryModel memory(job, c.gpu, c.gpus_per_node, c.constants);
  const PlannedCandidate planned =
      plan_candidate(job, {}, c.gpu, count, c.topology(), c.feed, c.constants, 0);
  // Adapters are trained on copies and shards of the whole model where it fits so.
  const Plan& chosen = planned.plan;
  const bool split = chosen.tensor * chosen.pipeline * chosen.context * chosen.expert > 1;
  const bool adapters = job.frozen_base && job.framework == Framework::kPytorch;
  const SearchSpace space = make_search_space(job, {}, count, !adapters || split);
  const double best = best_by_force(job, space, time, memory);
  if (planned.memory.verdict == MemoryVerdict::kDoesNotFit) {
    RC_ASSERT(std::isinf(best));
    return;
  }
  const double found = plan_cost(time, planned.plan, planned.memory.verdict);
  RC_ASSERT(found <= best * (1 + 1e-9));
}

}  // namespace
}  // namespace xuanka
