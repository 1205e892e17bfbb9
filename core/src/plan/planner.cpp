// The fastest plan that fits. Plans are left out only when a bound proves that they cannot win.
#include "xuanka/plan/planner.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

#include "xuanka/memory/memory_model.hpp"
#include "xuanka/plan/search_space.hpp"

namespace xuanka {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSlack = 1 - 1e-9;  // what rounding may add to a bound

/// Plans that differ in nothing but their micro-batch and interleaving: indices into the space.
struct Combination {
  double bound = 0;  ///< never more than the cost of any of its plans, or of its children's
  std::uint32_t layout = 0;
  std::uint8_t offload = 0, recompute = 0, zero = 0;

  /// The order of the space: of equal plans the first is taken.
  [[nodiscard]] auto rank() const { return std::tie(layout, offload, recompute, zero); }
  /// Heaps keep the largest in front: that of the smallest bound.
  bool operator<(const Combination& other) const {
    return bound != other.bound ? bound > other.bound : rank() > other.rank();
  }
};

bool same_shape(const Plan& a, const Plan& b) {
  return a.data == b.data && a.tensor == b.tensor && a.pipeline == b.pipeline &&
         a.context == b.context && a.expert == b.expert && a.zero == b.zero &&
         a.recompute == b.recompute && a.offload == b.offload;
}

/// Looks for the cheapest plan that fits and, for when there is none, the smallest: combinations in
/// the order of their bounds, until the next bound is no better than the best plan.
class Search {
 public:
  Search(const SearchSpace& space, const StepModel& time, const MemoryModel& memory,
         const Plan* excluded = nullptr)
      : space_(space), time_(time), memory_(memory), excluded_(excluded) {}

  void run() {
    const bool offload_may_be_faster = host_outruns_gpu();
    open_.reserve(space_.layouts.size() * 8);
    for (std::uint32_t i = 0; i < space_.layouts.size(); ++i) {
      double stage_one = 0;
      for (std::uint8_t z = 0; z < space_.zero.size(); ++z) {
        Combination root{0, i, 0, 0, z};
        // Stage 2 only adds traffic to stage 1.
        root.bound = space_.zero[z] == 2 && stage_one > 0 ? stage_one : bound(root);
        if (space_.zero[z] == 1) stage_one = root.bound;
        push(root);
        if (offload_may_be_faster) add({0, i, 1, 0, z});
      }
    }
    while (!open_.empty()) {
      std::pop_heap(open_.begin(), open_.end());
      const Combination next = open_.back();
      open_.pop_back();
      if (next.bound >= cost_) break;
      try_plans(next);
      // Recomputation and offloading only take time.
      if (next.recompute + 1U < space_.recompute.size()) {
        Combination more = next;
        ++more.recompute;
        add(more);
      }
      const bool last = next.offload + 1U >= space_.offload.size();
      if (next.recompute == 0 && !last && !(offload_may_be_faster && next.offload == 0)) {
        Combination more = next;
        ++more.offload;
        add(more);
      }
    }
  }
  [[nodiscard]] bool found() const { return cost_ < kInfinity; }
  [[nodiscard]] const Plan& best() const { return found() ? best_ : smallest_; }

 private:
  [[nodiscard]] double most_micro(const Layout& layout) const {
    return space_.micro_batch ? *space_.micro_batch
                              : std::max(1.0, std::ceil(space_.global_batch / layout.data));
  }
  [[nodiscard]] Plan plan_of(const Combination& c, double micro_batch, double interleave) const {
    return make_plan(space_, space_.layouts[c.layout], space_.zero[c.zero],
                     space_.recompute[c.recompute], space_.offload[c.offload], micro_batch,
                     interleave);
  }

  /// Whether Adam on the host takes less time than on the GPU: both are linear in the states, so
  /// one plan tells it for all.
  [[nodiscard]] bool host_outruns_gpu() const {
    if (space_.offload.size() < 2) return false;
    const Plan own = plan_of({}, most_micro(space_.layouts.front()), space_.interleave.front());
    Plan host = own;
    host.offload = space_.offload[1];
    return time_.step(host).memory < time_.step(own).memory;
  }

  void add(Combination c) {
    c.bound = bound(c);
    push(c);
  }
  void push(const Combination& c) {
    if (c.bound >= cost_) return;
    open_.push_back(c);
    std::push_heap(open_.begin(), open_.end());
  }

  /// The largest micro-batch does the least work (nothing is rounded up), shares each fixed cost
  /// with most work and hides most communication. Of what a pipeline adds, the stages' imbalance is
  /// least there too; filling takes at least the smallest micro-batch's passes and its sends.
  [[nodiscard]] double bound(const Combination& c) const {
    const Layout& layout = space_.layouts[c.layout];
    const double most = most_micro(layout);
    const Plan plan = plan_of(c, most, 1);
    const StepTerms terms = time_.terms(plan);
    double seconds = terms.parts.sum().value();
    if (layout.pipeline > 1) {
      const double p = layout.pipeline;
      const double smallest = (space_.micro_batch ? most : 1) / most;
      const double fixed = space_.interleave.front();
      double v = fixed;
      for (const double more : space_.interleave) {
        if (may_interleave(space_, layout, more)) v = std::max(v, more);
      }
      const double pipelined = seconds - terms.parts.input.value() -
                               terms.fill * (1 - smallest / v) -
                               terms.sends * (1 - fixed * (1 + (p - 1) * smallest) / p);
      // A starved step takes what feeding it takes.
      seconds = terms.parts.input.value() > 0 ? std::max(pipelined, seconds) : pipelined;
    }
    return seconds * complexity(plan) * kSlack;
  }

  /// All plans of a combination, from the smallest micro-batch up. Memory is looked at only where
  /// the time would win.
  void try_plans(const Combination& c) {
    const Layout& layout = space_.layouts[c.layout];
    const double most = most_micro(layout);
    const double least = space_.micro_batch ? most : 1;
    const Plan first = plan_of(c, least, space_.interleave.front());
    if (excluded_ != nullptr && same_shape(first, *excluded_)) return;
    const MemoryModel::Fit fit = memory_.fit(first);
    if (!found()) remember_smallest(c, first, fit.peak);
    const bool none = fit.verdict == MemoryVerdict::kDoesNotFit;
    // A single micro-batch on a single rank keeps no gradients between passes: it alone may still
    // fit. Everything else grows with the micro-batch, or is in flight at once anyway.
    if (none && (layout.data > 1 || least == most)) return;
    for (double b = none ? most : least;; b = std::min(b * 2, most)) {
      const bool fits = try_interleavings(c, b);
      const bool grows = layout.pipeline * b <= space_.global_batch / layout.data;
      if (b >= most) return;
      if (!fits && grows && layout.data == 1) {
        try_interleavings(c, most);
        return;
      }
      if (!fits && grows) return;
    }
  }

  /// False when a plan that would win does not fit, however few stages are interleaved.
  bool try_interleavings(const Combination& c, double micro_batch) {
    StepTerms first;
    for (const double interleave : space_.interleave) {
      if (!may_interleave(space_, space_.layouts[c.layout], interleave)) continue;
      const Plan plan = plan_of(c, micro_batch, interleave);
      const double more = interleave / space_.interleave.front();
      if (more > 1) {  // sends grow with it, filling shrinks: the same to rounding
        const double about = first.parts.sum().value() - first.parts.input.value() +
                             first.sends * (more - 1) + first.fill * (1 / more - 1);
        if (about * complexity(plan) * kSlack >= cost_) continue;
      }
      const StepTerms terms = time_.terms(plan);
      if (!(more > 1)) first = terms;
      const double seconds = terms.parts.sum().value() * complexity(plan);
      if (!wins(seconds, c)) continue;
      const MemoryVerdict verdict = memory_.fit(plan).verdict;
      if (verdict == MemoryVerdict::kDoesNotFit) {
        if (interleave == space_.interleave.front()) return false;  // it keeps least
        continue;
      }
      const double cost = verdict == MemoryVerdict::kTight ? seconds * kTightRisk : seconds;
      if (!wins(cost, c)) continue;
      cost_ = cost;
      best_ = plan;
      winner_ = c;
    }
    return true;
  }
  [[nodiscard]] bool wins(double cost, const Combination& c) const {
    return cost < cost_ || (cost == cost_ && c.rank() < winner_.rank());
  }

  void remember_smallest(const Combination& c, const Plan& plan, double bytes) {
    if (bytes > least_bytes_) return;
    if (bytes == least_bytes_ && c.rank() > smallest_combination_.rank()) return;
    least_bytes_ = bytes;
    smallest_ = plan;
    smallest_combination_ = c;
  }

  const SearchSpace& space_;
  const StepModel& time_;
  const MemoryModel& memory_;
  const Plan* excluded_;
  std::vector<Combination> open_;
  double cost_ = kInfinity, least_bytes_ = kInfinity;
  Plan best_, smallest_;
  Combination winner_, smallest_combination_;
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
  } else {
    Search search(space, time, memory);
    search.run();
    planned.plan = search.best();
  }
  planned.memory = memory.estimate(planned.plan);
  planned.time = time.estimate(planned.plan);
  return planned;
}

std::optional<PlannedCandidate> runner_up(const Job& job, const PlanRequest& fixed, const Gpu& gpu,
                                          int count, const Topology& topology, const HostFeed& feed,
                                          const EfficiencyModel& model, double own_efficiency,
                                          const Plan& best) {
  const StepModel time(job, gpu, topology, feed, model, own_efficiency);
  const MemoryModel memory(job, gpu, topology.gpus_per_node, model);
  const SearchSpace space = make_search_space(job, fixed, count);
  Search search(space, time, memory, &best);
  if (!space.layouts.empty()) search.run();
  if (!search.found()) return std::nullopt;
  PlannedCandidate planned;
  planned.plan = search.best();
  planned.memory = memory.estimate(planned.plan);
  planned.time = time.estimate(planned.plan);
  return planned;
}

}  // namespace xuanka
