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
  MemoryVerdict least = MemoryVerdict::kFits;  ///< of its smallest micro-batch, once known

  /// The order of the space: of equal plans the first is taken.
  [[nodiscard]] auto rank() const { return std::tie(layout, offload, recompute, zero); }
  /// Heaps keep the largest in front: that of the smallest bound.
  bool operator<(const Combination& other) const {
    return bound != other.bound ? bound > other.bound : rank() > other.rank();
  }
};

/// What all plans of a layout share.
struct Shape {
  Plan plan;                   ///< with the largest micro-batch
  double least = 1, most = 1;  ///< micro-batches
  StepModel::Spread spread;
  StepModel::Pass pass;  ///< of `plan`
};

bool same_shape(const Plan& a, const Plan& b) {
  return a.data == b.data && a.tensor == b.tensor && a.pipeline == b.pipeline &&
         a.context == b.context && a.expert == b.expert && a.zero == b.zero &&
         a.recompute == b.recompute && a.offload == b.offload;
}

/// Looks for the cheapest plan that fits: combinations in the order of their bounds, until the next
/// bound is no better than the best plan. When nothing fits, for the smallest.
class Search {
 public:
  Search(const SearchSpace& space, const StepModel& time, const MemoryModel& memory,
         const Plan* excluded = nullptr)
      : space_(space), time_(time), memory_(memory), excluded_(excluded) {}

  void run() {
    make_shapes();
    host_is_faster_ = host_outruns_gpu();
    add_roots();
    while (!open_.empty()) {
      std::pop_heap(open_.begin(), open_.end());
      const Combination next = open_.back();
      open_.pop_back();
      if (next.bound >= cost_) break;
      visit(next);
    }
    if (!found() && excluded_ == nullptr) find_smallest();
  }
  [[nodiscard]] bool found() const { return cost_ < kInfinity; }
  [[nodiscard]] const Plan& best() const { return best_; }

 private:
  void make_shapes() {
    shapes_.resize(space_.layouts.size());
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const Layout& layout = space_.layouts[i];
      Shape& shape = shapes_[i];
      const double whole = std::max(1.0, std::ceil(space_.global_batch / layout.data));
      shape.most = space_.micro_batch.value_or(whole);
      shape.least = space_.micro_batch.value_or(1);
      shape.plan = make_plan(space_, layout, space_.zero.front(), space_.recompute.front(),
                             space_.offload.front(), shape.most, 1);
      shape.spread = time_.spread(shape.plan);
      shape.pass = time_.pass(shape.spread, shape.plan);
    }
  }
  void add_roots() {
    open_.reserve(space_.layouts.size() * space_.zero.size() * 2);
    for (std::uint32_t i = 0; i < space_.layouts.size(); ++i) {
      double stage_one = 0;
      for (std::uint8_t z = 0; z < space_.zero.size(); ++z) {
        Combination root{0, i, 0, 0, z};
        // Stage 2 only adds traffic to stage 1.
        root.bound = space_.zero[z] == 2 && stage_one > 0 ? stage_one : bound(root);
        if (space_.zero[z] == 1) stage_one = root.bound;
        push(root);
        if (host_is_faster_) add({0, i, 1, 0, z});
      }
    }
  }

  /// The plans of a combination, and those that take more time: recomputation and offloading. Of
  /// what memory rules out whatever the batch not even the time is looked at.
  void visit(const Combination& next) {
    const MemoryModel::States states = memory_.states(plan_of(next));
    if (next.recompute == 0) {
      add_offloaded(next, states);
      if (!memory_.may_fit(plan_of(next), states)) return;
    }
    Combination c = next;
    if (next.recompute > 0 || some_fit(c, states)) try_plans(c, states);
    for (++c.recompute; c.recompute < space_.recompute.size(); ++c.recompute) {
      if (!some_fit(c, states)) continue;
      add(c);
      return;
    }
  }
  void add_offloaded(Combination c, const MemoryModel::States& states) {
    if (host_is_faster_ && c.offload == 0) return;  // a root of its own
    for (++c.offload; c.offload < space_.offload.size(); ++c.offload) {
      if (!memory_.may_fit(plan_of(c), states)) continue;
      add(c);
      return;
    }
  }

  [[nodiscard]] Plan plan_of(const Combination& c) const {
    Plan plan = shapes_[c.layout].plan;
    plan.zero = space_.zero[c.zero];
    plan.recompute = space_.recompute[c.recompute];
    plan.offload = space_.offload[c.offload];
    return plan;
  }
  void set_micro_batch(double micro_batch, Plan& plan) const {
    plan.micro_batch = micro_batch;
    plan.grad_accumulation = accumulation(space_, plan.data, micro_batch);
  }

  /// Whether Adam on the host takes less time than on the GPU: both are linear in the states, so
  /// one plan tells it for all.
  [[nodiscard]] bool host_outruns_gpu() const {
    if (space_.offload.size() < 2) return false;
    Plan host = plan_of({});
    const Seconds own = time_.step(host).memory;
    host.offload = space_.offload[1];
    return time_.step(host).memory < own;
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
    const Shape& shape = shapes_[c.layout];
    const Plan plan = plan_of(c);
    const StepTerms terms = time_.terms(
        plan, shape.spread, c.recompute == 0 ? shape.pass : time_.pass(shape.spread, plan));
    double seconds = terms.parts.sum().value();
    if (plan.pipeline > 1) {
      const double p = plan.pipeline;
      const double smallest = shape.least / shape.most;
      const double fixed = space_.interleave.front();
      double v = fixed;
      for (const double more : space_.interleave) {
        if (may_interleave(space_, space_.layouts[c.layout], more)) v = std::max(v, more);
      }
      const double pipelined = seconds - terms.parts.input.value() -
                               terms.fill * (1 - smallest / v) -
                               terms.sends * (1 - fixed * (1 + (p - 1) * smallest) / p);
      // A starved step takes what feeding it takes.
      seconds = terms.parts.input.value() > 0 ? std::max(pipelined, seconds) : pipelined;
    }
    return seconds * complexity(plan) * kSlack;
  }

  /// Whether any micro-batch of a combination may fit. Memory grows with the micro-batch, or is in
  /// flight at once anyway; only a single micro-batch on a single rank keeps no gradients between
  /// passes, so that it may fit where smaller ones do not.
  [[nodiscard]] bool some_fit(Combination& c, const MemoryModel::States& states) const {
    const Shape& shape = shapes_[c.layout];
    Plan plan = plan_of(c);
    plan.interleave = first_interleave(plan);
    set_micro_batch(shape.least, plan);
    c.least = memory_.fit(plan, states).verdict;
    if (c.least != MemoryVerdict::kDoesNotFit) return true;
    if (plan.data > 1 || shape.least == shape.most) return false;
    set_micro_batch(shape.most, plan);
    return memory_.fit(plan, states).verdict != MemoryVerdict::kDoesNotFit;
  }
  [[nodiscard]] double first_interleave(const Plan& plan) const {
    return plan.pipeline > 1 ? space_.interleave.front() : 1;
  }

  /// The micro-batches that fit with the fewest stages interleaved, ascending, in `fitting_`.
  void find_fitting(const Combination& c, Plan plan, const MemoryModel::States& states) {
    const Shape& shape = shapes_[c.layout];
    const double share = space_.global_batch / plan.data;
    fitting_.clear();
    const auto look = [&](double b, MemoryVerdict verdict) {
      if (verdict != MemoryVerdict::kDoesNotFit) fitting_.push_back({b, verdict});
      return verdict != MemoryVerdict::kDoesNotFit;
    };
    const auto measure = [&](double b) {
      set_micro_batch(b, plan);
      return look(b, memory_.fit(plan, states).verdict);
    };
    bool grows = look(shape.least, c.least) || plan.pipeline * shape.least > share;
    for (double b = shape.least; grows && b < shape.most;) {
      b = std::min(b * 2, shape.most);
      grows = measure(b) || plan.pipeline * b > share;
    }
    const bool reached = !fitting_.empty() && fitting_.back().micro_batch == shape.most;
    if (!grows && plan.data == 1 && !reached) measure(shape.most);
  }

  /// All plans of a combination that may be the best.
  void try_plans(const Combination& c, const MemoryModel::States& states) {
    Plan plan = plan_of(c);
    if (excluded_ != nullptr && same_shape(plan, *excluded_)) return;
    plan.interleave = first_interleave(plan);
    find_fitting(c, plan, states);
    if (plan.pipeline > 1) {
      for (const Fitting& fitting : fitting_) try_interleavings(c, plan, fitting, states);
      return;
    }
    // From the largest down: the same work in smaller pieces takes longer.
    const double least_work = shapes_[c.layout].most;
    for (auto it = fitting_.rbegin(); it != fitting_.rend(); ++it) {
      set_micro_batch(it->micro_batch, plan);
      take(c, plan, seconds(c, plan) * complexity(plan), it->verdict);
      const bool rounded_up = plan.micro_batch * plan.grad_accumulation > least_work;
      if (it->verdict == MemoryVerdict::kFits && !rounded_up) return;
    }
  }
  [[nodiscard]] double seconds(const Combination& c, const Plan& plan) const {
    const StepModel::Spread& spread = shapes_[c.layout].spread;
    return time_.terms(plan, spread, time_.pass(spread, plan)).parts.sum().value();
  }

  struct Fitting {
    double micro_batch = 1;
    MemoryVerdict verdict = MemoryVerdict::kFits;
  };
  /// Memory is looked at only where the time would win.
  void try_interleavings(const Combination& c, Plan plan, const Fitting& fitting,
                         const MemoryModel::States& states) {
    const StepModel::Spread& spread = shapes_[c.layout].spread;
    set_micro_batch(fitting.micro_batch, plan);
    const StepModel::Pass pass = time_.pass(spread, plan);
    const double factor = complexity(plan);
    StepTerms first;
    for (const double interleave : space_.interleave) {
      if (!may_interleave(space_, space_.layouts[c.layout], interleave)) continue;
      plan.interleave = interleave;
      const double more = interleave / space_.interleave.front();
      if (more > 1) {  // sends grow with it, filling shrinks: the same to rounding
        const double about = first.parts.sum().value() - first.parts.input.value() +
                             first.sends * (more - 1) + first.fill * (1 / more - 1);
        if (about * factor * kSlack >= cost_) continue;
      }
      const StepTerms terms = time_.terms(plan, spread, pass);
      if (!(more > 1)) first = terms;
      const double cost = terms.parts.sum().value() * factor;
      if (!wins(cost, c)) continue;
      take(c, plan, cost, more > 1 ? memory_.fit(plan, states).verdict : fitting.verdict);
    }
  }
  void take(const Combination& c, const Plan& plan, double cost, MemoryVerdict verdict) {
    if (verdict == MemoryVerdict::kDoesNotFit) return;
    if (verdict == MemoryVerdict::kTight) cost *= kTightRisk;
    if (!wins(cost, c)) return;
    cost_ = cost;
    best_ = plan;
    winner_ = c;
  }
  [[nodiscard]] bool wins(double cost, const Combination& c) const {
    return cost < cost_ || (cost == cost_ && c.rank() < winner_.rank());
  }

  /// When nothing fits: the plan with the least memory, the first of equals.
  void find_smallest() {
    double least = kInfinity;
    for (std::uint32_t i = 0; i < space_.layouts.size(); ++i) {
      for (std::uint8_t o = 0; o < space_.offload.size(); ++o) {
        for (std::uint8_t r = 0; r < space_.recompute.size(); ++r) {
          for (std::uint8_t z = 0; z < space_.zero.size(); ++z) {
            Plan plan = plan_of({0, i, o, r, z});
            plan.interleave = first_interleave(plan);
            set_micro_batch(shapes_[i].least, plan);
            const double bytes = memory_.peak(plan);
            if (bytes >= least) continue;
            least = bytes;
            best_ = plan;
          }
        }
      }
    }
  }

  const SearchSpace& space_;
  const StepModel& time_;
  const MemoryModel& memory_;
  const Plan* excluded_;
  bool host_is_faster_ = false;
  std::vector<Shape> shapes_;
  std::vector<Combination> open_;
  std::vector<Fitting> fitting_;
  double cost_ = kInfinity;
  Plan best_;
  Combination winner_;
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
