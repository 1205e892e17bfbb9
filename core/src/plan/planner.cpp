// The fastest plan that fits. Plans are left out only when a bound proves that they cannot win.
#include "xuanka/plan/planner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "xuanka/base/sort.hpp"
#include "xuanka/memory/memory_model.hpp"
#include "xuanka/plan/search_space.hpp"

namespace xuanka {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Best {
  double cost = kInfinity;
  Plan plan;
  bool found = false;
};

/// Looks for the cheapest plan that fits and, for when there is none, the smallest.
class Search {
 public:
  Search(const SearchSpace& space, const StepModel& time, const MemoryModel& memory)
      : space_(space), time_(time), memory_(memory) {}

  void run() {
    std::vector<std::pair<double, std::size_t>> order;
    order.reserve(space_.layouts.size());
    for (std::size_t i = 0; i < space_.layouts.size(); ++i) {
      order.emplace_back(layout_bound(space_.layouts[i]), i);
    }
    sort_values(order);
    for (const auto& [bound, index] : order) {
      if (bound >= fits_.cost) break;
      layout(space_.layouts[index]);
    }
  }
  [[nodiscard]] const Best& fits() const { return fits_; }
  [[nodiscard]] const Best& second() const { return second_; }
  [[nodiscard]] const Plan& smallest() const { return smallest_; }

 private:
  [[nodiscard]] double most_micro(const Layout& layout) const {
    return space_.micro_batch ? *space_.micro_batch
                              : std::max(1.0, std::ceil(space_.global_batch / layout.data));
  }
  /// A plan of this combination at its largest micro-batch, where every fixed cost is shared by
  /// most work, less the bubble, which smaller micro-batches shrink.
  [[nodiscard]] double combination_bound(const Layout& layout, int zero, Recompute recompute,
                                         Offload offload) const {
    const Plan plan = make_plan(space_, layout, zero, recompute, offload, most_micro(layout));
    const TimeParts parts = time_.step(plan);
    return (parts.sum() - parts.bubble).value() * (1 - 1e-9);
  }
  [[nodiscard]] double layout_bound(const Layout& layout) const {
    double least = kInfinity;
    const Recompute recompute = space_.recompute.front();
    const Offload offload = space_.offload.front();
    for (const int zero : space_.zero) {
      if (zero == 2 && space_.zero.size() > 1) continue;  // never cheaper than stage 1
      least = std::min(least, combination_bound(layout, zero, recompute, offload));
    }
    return least;
  }
  void layout(const Layout& layout) {
    for (const Offload offload : space_.offload) {
      for (const Recompute recompute : space_.recompute) {
        for (const int zero : space_.zero) combination(layout, zero, recompute, offload);
      }
    }
  }

  void combination(const Layout& layout, int zero, Recompute recompute, Offload offload) {
    if (fits_.found && combination_bound(layout, zero, recompute, offload) >= fits_.cost) return;
    // Memory grows with the micro-batch: go up until it no longer fits.
    const double most = most_micro(layout);
    double b = space_.micro_batch ? most : 1;
    while (true) {
      bool any = false;
      for (const double interleave : space_.interleave) {
        if (!may_interleave(layout, interleave)) continue;
        const Plan plan = make_plan(space_, layout, zero, recompute, offload, b, interleave);
        const MemoryEstimate estimate = memory_.estimate(plan);
        remember_smallest(plan, estimate);
        if (estimate.verdict == MemoryVerdict::kDoesNotFit) continue;
        any = true;
        offer(plan, estimate.verdict);
      }
      if (!any || b >= most) break;
      b = std::min(b * 2, most);
    }
  }
  /// Virtual stages need a pipeline and layers to share out.
  [[nodiscard]] bool may_interleave(const Layout& layout, double interleave) const {
    if (space_.interleave.size() == 1 || interleave == 1) return true;
    return layout.pipeline > 1 && layout.pipeline * interleave <= space_.layers;
  }

  void offer(const Plan& plan, MemoryVerdict verdict) {
    const double cost = plan_cost(time_, plan, verdict);
    const bool better = !fits_.found || cost < fits_.cost;
    if (fits_.found && !same_shape(plan, fits_.plan)) {
      if (better) second_ = fits_;
      if (!better) take(second_, cost, plan);
    }
    take(fits_, cost, plan);
  }
  static bool same_shape(const Plan& a, const Plan& b) {
    return a.data == b.data && a.tensor == b.tensor && a.pipeline == b.pipeline &&
           a.context == b.context && a.expert == b.expert && a.zero == b.zero &&
           a.recompute == b.recompute && a.offload == b.offload;
  }
  static void take(Best& best, double cost, const Plan& plan) {
    if (best.found && cost >= best.cost) return;
    best = {cost, plan, true};
  }
  void remember_smallest(const Plan& plan, const MemoryEstimate& estimate) {
    if (estimate.per_gpu.value() >= least_bytes_) return;
    least_bytes_ = estimate.per_gpu.value();
    smallest_ = plan;
  }

  const SearchSpace& space_;
  const StepModel& time_;
  const MemoryModel& memory_;
  Best fits_, second_;
  Plan smallest_;
  double least_bytes_ = kInfinity;
};

}  // namespace

PlannedCandidate plan_candidate(const Job& job, const PlanRequest& fixed, const Gpu& gpu, int count,
                                const Topology& topology, const HostFeed& feed,
                                const EfficiencyModel& model, double own_efficiency) {
  const StepModel time(job, gpu, topology, feed, model, own_efficiency);
  const MemoryModel memory(job, gpu, topology.gpus_per_node, model);
  const SearchSpace space = make_search_space(job, fixed, count);
  PlannedCandidate planned;
  planned.mismatch = space.layouts.empty();
  if (planned.mismatch) {
    planned.plan.data = count;
    planned.memory = memory.estimate(planned.plan);
    planned.time = time.estimate(planned.plan);
    return planned;
  }
  Search search(space, time, memory);
  search.run();
  planned.plan = search.fits().found ? search.fits().plan : search.smallest();
  if (search.fits().found && search.second().found) {
    planned.runner_up = search.second().plan;
    planned.runner_up_step = time.step(*planned.runner_up).sum();
  }
  planned.memory = memory.estimate(planned.plan);
  planned.time = time.estimate(planned.plan);
  return planned;
}

}  // namespace xuanka
