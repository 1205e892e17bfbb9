#include "unit/time_fixture.hpp"

#include "xuanka/plan/planner.hpp"
#include "xuanka/plan/search_space.hpp"

namespace xuanka {
namespace {

using testing::llama_7b;
using testing::shipped_efficiency;
using testing::shipped_gpu;

struct Question {
  WorkloadRequest workload;
  PlanRequest fixed;
  Gpu gpu = shipped_gpu("a100-sxm-80gb");
  int count = 8;
  std::optional<Seconds> limit;
  HostFeed feed;

  [[nodiscard]] PlannedCandidate answer() const {
    std::vector<Note> notes;
    const auto job = make_job(workload, gpu, notes);
    EXPECT_TRUE(job);
    return plan_candidate(*job, fixed, gpu, count, topology(), feed, shipped_efficiency(), 0);
  }
  [[nodiscard]] std::optional<PlannedCandidate> next_best() const {
    std::vector<Note> notes;
    const auto job = make_job(workload, gpu, notes);
    return runner_up(*job, fixed, gpu, count, topology(), {}, shipped_efficiency(), 0,
                     answer().plan);
  }
  [[nodiscard]] Topology topology() const { return make_topology(gpu, LinkChoice::kAuto, 8, 100); }
  [[nodiscard]] std::vector<FitChange> changes() const {
    return fit_changes(workload, fixed, gpu, count, topology(), {}, shipped_efficiency());
  }
  [[nodiscard]] double solve(SolveFor what) const {
    return solve_for(what, workload, fixed, gpu, count, topology(), {}, shipped_efficiency(),
                     limit);
  }
};

Question finetuning(Model model, double seq_len = 4096) {
  Question q;
  q.workload.kind = JobKind::kFinetune;
  q.workload.model = std::move(model);
  q.workload.seq_len = seq_len;
  return q;
}

TEST(Planner, AFittingPlanUsesEveryCard) {
  const PlannedCandidate planned = finetuning(llama_7b()).answer();
  EXPECT_FALSE(planned.mismatch);
  EXPECT_EQ(planned.plan.gpus(), 8);
  EXPECT_NE(planned.memory.verdict, MemoryVerdict::kDoesNotFit);
  EXPECT_GE(planned.plan.zero, 1);  // 7B in mixed precision does not fit on 80 GB unsharded
  const auto next = finetuning(llama_7b()).next_best();
  ASSERT_TRUE(next);
  EXPECT_FALSE(next->plan == planned.plan);
  EXPECT_GE(next->time.step.value(), planned.time.step.value());
}

// Where the host feeds images too slowly all micro-batches take the same time.
TEST(Planner, OfEqualMicroBatchesTheLargestThatFits) {
  Question q;
  q.workload.model = testing::resnet_50();
  q.workload.global_batch = 4096;
  q.gpu = shipped_gpu("rtx-3080-10gb");
  q.count = 1;
  q.feed.cores = 4;
  q.fixed.offload = Offload::kNone;  // which would make room for more
  const PlannedCandidate planned = q.answer();
  ASSERT_GT(planned.time.parts.input.value(), 0);
  EXPECT_EQ(planned.memory.verdict, MemoryVerdict::kFits);
  ASSERT_GT(planned.plan.grad_accumulation, 1);
  q.workload.micro_batch = planned.plan.micro_batch * 2;
  EXPECT_NE(q.answer().memory.verdict, MemoryVerdict::kFits);
}

// Settings count for the noise of an estimate, other code for a few percent.
TEST(Planner, TiesGoToTheSimplerPlan) {
  const Plan plain;
  const auto costs_more = [&](auto Plan::* what, auto value, double most) {
    Plan other = plain;
    other.*what = value;
    return complexity(other) > complexity(plain) && complexity(other) <= most;
  };
  constexpr double kSetting = 1.0051, kOtherCode = 1.0301;
  EXPECT_EQ(complexity(plain), 1);
  EXPECT_TRUE(costs_more(&Plan::tensor, 2.0, kOtherCode));
  EXPECT_TRUE(costs_more(&Plan::pipeline, 2.0, kOtherCode));
  EXPECT_TRUE(costs_more(&Plan::context, 2.0, kOtherCode));
  EXPECT_TRUE(costs_more(&Plan::expert, 2.0, kOtherCode));
  EXPECT_TRUE(costs_more(&Plan::offload, Offload::kOptimizer, kOtherCode));
  EXPECT_TRUE(costs_more(&Plan::zero, 1, 1.0101));
  EXPECT_TRUE(costs_more(&Plan::recompute, Recompute::kSelective, kSetting));
  EXPECT_TRUE(costs_more(&Plan::grad_accumulation, 8.0, kSetting));
  Plan pieces = plain, more = plain;
  pieces.grad_accumulation = 8;
  more.grad_accumulation = 64;
  EXPECT_LT(complexity(pieces), complexity(more));
}

TEST(Planner, FixedDegreesAreKept) {
  auto q = finetuning(llama_7b());
  q.fixed.tensor = 4;
  q.fixed.zero = 2;
  const PlannedCandidate planned = q.answer();
  EXPECT_EQ(planned.plan.tensor, 4);
  EXPECT_EQ(planned.plan.data, 2);
  EXPECT_EQ(planned.plan.zero, 2);
}

TEST(Planner, DegreesThatDoNotDivideAreAMismatch) {
  auto q = finetuning(llama_7b());
  q.fixed.tensor = 3;
  EXPECT_TRUE(q.answer().mismatch);
  q.fixed.tensor.reset();
  q.fixed.data = 5;
  EXPECT_TRUE(q.answer().mismatch);
}

TEST(Planner, WhatDoesNotFitComesWithTheSmallestPlan) {
  auto q = finetuning(llama_7b());
  q.count = 1;
  q.gpu = shipped_gpu("rtx-4090-24gb");
  q.fixed.offload = Offload::kNone;
  const PlannedCandidate planned = q.answer();
  EXPECT_EQ(planned.memory.verdict, MemoryVerdict::kDoesNotFit);
  EXPECT_EQ(planned.plan.micro_batch, 1);
}

TEST(Planner, ChangesAreAppliedAndSuffice) {
  auto q = finetuning(llama_7b(), 2048);
  q.count = 1;
  q.gpu = shipped_gpu("rtx-4090-24gb");
  q.fixed.offload = Offload::kNone;
  const auto changes = q.changes();
  ASSERT_FALSE(changes.empty());
  std::vector<std::string> paths;
  for (const FitChange& change : changes) {
    paths.push_back(change.path);
    EXPECT_LT(change.memory.value(), q.answer().memory.usable.value()) << change.path;
  }
  EXPECT_NE(std::find(paths.begin(), paths.end(), "workload.kind"), paths.end());
  // More hardware comes after what one can change oneself.
  const auto cards = std::find(paths.begin(), paths.end(), "hardware.counts");
  if (cards != paths.end()) {
    EXPECT_EQ(cards, paths.end() - 1);
  }
}

// 7B in mixed precision needs 113 GiB unsharded: no batch helps, the next stage does.
TEST(Planner, TheSmallestChangeThatIsEnoughComesFirst) {
  auto q = finetuning(llama_7b());
  q.fixed.zero = 0;
  q.fixed.tensor = q.fixed.pipeline = q.fixed.context = 1;
  q.fixed.offload = Offload::kNone;
  q.workload.recompute = Recompute::kFull;
  q.workload.micro_batch = 1;
  const auto changes = q.changes();
  ASSERT_FALSE(changes.empty());
  EXPECT_EQ(changes.front().path, "hardware.plan.zero");
}

// D8: a largest batch is never negative; 0 says that not even one fits.
TEST(Solve, D8NothingThatFitsIsZero) {
  auto q = finetuning(testing::model_of(
      "{'model_type':'gpt2','n_embd':12288,'n_layer':96,'n_head':96,'vocab_size':50257}"));
  q.count = 1;
  q.fixed.offload = Offload::kNone;
  EXPECT_EQ(q.solve(SolveFor::kMicroBatch), 0);
  EXPECT_EQ(q.solve(SolveFor::kSeqLen), 0);
}

TEST(Solve, TheLargestBatchFitsAndTheNextDoesNot) {
  auto q = finetuning(llama_7b(), 2048);
  q.workload.recompute = Recompute::kNone;
  q.fixed.zero = 3;
  q.fixed.tensor = q.fixed.pipeline = q.fixed.context = 1;
  q.fixed.offload = Offload::kNone;
  const double b = q.solve(SolveFor::kMicroBatch);
  ASSERT_GE(b, 1);
  q.workload.micro_batch = b;
  q.workload.global_batch = b * 8;
  EXPECT_NE(q.answer().memory.verdict, MemoryVerdict::kDoesNotFit);
  q.workload.micro_batch = b + 1;
  q.workload.global_batch = (b + 1) * 8;
  EXPECT_EQ(q.answer().memory.verdict, MemoryVerdict::kDoesNotFit);
}

TEST(Solve, FewestCardsForAModel) {
  auto q = finetuning(llama_7b());
  q.fixed.offload = Offload::kNone;
  const double n = q.solve(SolveFor::kCount);
  EXPECT_GE(n, 2);
  EXPECT_LE(n, 4);
}

// One card takes the job's hours; the fewest for a deadline end in time, one fewer would not.
TEST(Solve, FewestCardsForADeadline) {
  auto q = finetuning(llama_7b());
  q.workload.tokens = 2e8;
  const double any = q.solve(SolveFor::kCount);
  q.limit = hours(4);
  const double n = q.solve(SolveFor::kCount);
  ASSERT_GT(n, any);
  const auto total = [&](double count) {
    q.count = static_cast<int>(count);
    return q.answer().time.total->value();
  };
  EXPECT_LE(total(n), 4 * 3600);
  EXPECT_GT(total(n - 1), 4 * 3600);
  q.limit = Seconds(1);
  EXPECT_EQ(q.solve(SolveFor::kCount), 0);
}

TEST(Solve, ALargerCardHoldsALargerModel) {
  auto q = finetuning(llama_7b(), 2048);
  q.count = 1;
  const double large = q.solve(SolveFor::kParams);
  q.gpu = shipped_gpu("rtx-4090-24gb");
  const double small = q.solve(SolveFor::kParams);
  EXPECT_GT(small, 0);
  EXPECT_GT(large, 2 * small);
}

TEST(SearchSpace, ExpertsNeedExperts) {
  auto q = finetuning(llama_7b());
  std::vector<Note> notes;
  const auto job = make_job(q.workload, q.gpu, notes);
  for (const Layout& layout : make_search_space(*job, {}, 16).layouts) {
    EXPECT_EQ(layout.expert, 1);
    EXPECT_EQ(layout.data * layout.tensor * layout.pipeline * layout.context, 16);
  }
}

}  // namespace
}  // namespace xuanka
