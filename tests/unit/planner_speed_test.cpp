// How much work a ranking is, in evaluations (memory and time of one plan), so that a slow or busy
// machine changes nothing: both sides of the ratio are timed here and now.
#include <algorithm>
#include <ctime>

#include "unit/decision_support.hpp"
#include "xuanka/memory/memory_model.hpp"
#include "xuanka/plan/search_space.hpp"
#include "xuanka/time/step_model.hpp"

namespace xuanka {
namespace {

constexpr std::string_view kJob =
    "{'version':1,'workload':{'kind':'finetune','model':{'id':'llama-2-7b'},'data':{'tokens':5e7},"
    "'seq_len':4096}";

/// The shortest of a few runs, in seconds of processor time: waiting for others does not count.
template <class Work>
double seconds(int runs, const Work& work) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

double one_evaluation() {
  const Request request = test::request(std::string(kJob) + "}");
  const Knowledge& known = test::api().knowledge();
  const Gpu& gpu = *known.catalog.find_gpu("a100-pcie-40gb");
  std::vector<Note> notes;
  const Job job = *make_job(request.workload, gpu, notes);
  const StepModel time(job, gpu, make_topology(gpu, LinkChoice::kAuto, 8, 100), {},
                       known.efficiency);
  const MemoryModel memory(job, gpu, 8, known.efficiency);
  const SearchSpace space = make_search_space(job, {}, 8);
  std::vector<Plan> plans;
  for (const Layout& layout : space.layouts) {
    for (const int zero : space.zero) {
      for (const double b : micro_batches(space, layout)) {
        plans.push_back(make_plan(space, layout, zero, Recompute::kNone, Offload::kNone, b));
      }
    }
  }
  constexpr int kRounds = 20;
  double sum = 0;
  const double took = seconds(9, [&] {
    for (int round = 0; round < kRounds; ++round) {
      for (const Plan& plan : plans) sum += memory.peak(plan) + time.step(plan).sum().value();
    }
  });
  EXPECT_GT(sum, 0);
  return took / (kRounds * static_cast<double>(plans.size()));
}

double evaluations_in(std::string_view hardware, int runs) {
  const Request request = test::request(std::string(kJob) + std::string(hardware) + "}");
  return seconds(runs, [&] { (void)rank(test::api().knowledge(), request); }) / one_evaluation();
}

// Trying every plan takes 170,000 evaluations here; the bounds leave a fraction of them.
TEST(PlannerSpeed, TheDefaultRankingLooksAtFewPlans) { EXPECT_LT(evaluations_in("", 5), 60e3); }

TEST(PlannerSpeed, CountsToAThousandLookAtFewPlans) {
  EXPECT_LT(evaluations_in(",'hardware':{'counts':[1,2,4,8,16,32,64,128,256,512,1024]}", 3), 400e3);
}

}  // namespace
}  // namespace xuanka
