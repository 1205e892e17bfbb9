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
  double bound = 0;  ///< never more than the cost of any of its plans
  std::uint32_t layout = 0;
  std::uint8_t offload = 0, recompute = 0, zero = 0;
  /// Once memory was looked at: where its states are and the largest micro-batch that may fit.
  /// Before, it stands for those with more recomputation and offloading too.
  std::optional<std::uint32_t> states;
  double largest = 0;  ///< 0: not known

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
  double interleave = 1;       ///< the most
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
      next.states ? try_plans(next) : open(next);
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
      shape.interleave = space_.interleave.front();
      for (const double more : space_.interleave) {
        if (may_interleave(space_, layout, more)) {
          shape.interleave = std::max(shape.interleave, more);
        }
      }
      shape.spread = time_.spread(shape.plan);
      shape.pass = time_.pass(shape.spread, shape.plan);
    }
  }
  void add_roots() {
    open_.reserve(space_.layouts.size() * space_.zero.size() * 2);
    states_.reserve(space_.layouts.size() * space_.zero.size());
    for (std::uint32_t i = 0; i < space_.layouts.size(); ++i) {
      double stage_one = 0;
      for (std::uint8_t z = 0; z < space_.zero.size(); ++z) {
        if (!may_shard(space_, space_.layouts[i], space_.zero[z])) continue;
        Combination root;
        root.layout = i;
        root.zero = z;
        // Stage 2 only adds traffic to stage 1.
        root.bound = space_.zero[z] == 2 && stage_one > 0 ? stage_one : bound(root);
        if (space_.zero[z] == 1) stage_one = root.bound;
        push(root);
        if (!host_is_faster_) continue;
        root.offload = 1;
        root.bound = bound(root);
        push(root);
      }
    }
  }

  /// Bounds of all combinations that differ only in recomputation, each with the largest
  /// micro-batch that memory leaves it, and of those that offload more, which takes more time. Of
  /// what memory rules out the time is not looked at.
  void open(Combination c) {
    MemoryModel::States states = memory_.states(plan_of(c));
    if (memory_.may_fit(plan_of(c), states)) add_recomputed(c, states);
    if (host_is_faster_ && c.offload == 0) return;  // the next is a root of its own
    for (++c.offload; c.offload < space_.offload.size(); ++c.offload) {
      memory_.offload(plan_of(c), states);
      if (!memory_.may_fit(plan_of(c), states)) continue;
      c.bound = bound(c);
      push(c);
      return;
    }
  }
  void add_recomputed(Combination c, const MemoryModel::States& states) {
    const Shape& shape = shapes_[c.layout];
    const double samples = space_.global_batch / shape.plan.data;
    for (c.recompute = 0; c.recompute < space_.recompute.size(); ++c.recompute) {
      const double limit = memory_.micro_batch_limit(plan_of(c), states, samples);
      if (limit < shape.least) continue;
      c.largest = shape.most;
      while (c.largest > limit) c.largest = smaller(c.largest);
      c.bound = bound(c);
      if (c.bound >= cost_) continue;
      if (!c.states) {
        c.states = static_cast<std::uint32_t>(states_.size());
        states_.push_back(states);
      }
      push(c);
    }
  }
  /// The next smaller micro-batch: powers of two below the largest.
  [[nodiscard]] static double smaller(double micro_batch) {
    double b = 1;
    while (b * 2 < micro_batch) b *= 2;
    return b;
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
    const double largest = c.largest > 0 ? c.largest : shape.most;
    Plan plan = plan_of(c);
    if (largest < shape.most) {
      plan.micro_batch = largest;
      plan.grad_accumulation = std::max(1.0, space_.global_batch / (largest * plan.data));
    }
    const bool known = c.recompute == 0 && largest == shape.most;
    const StepTerms terms =
        time_.terms(plan, shape.spread, known ? shape.pass : time_.pass(shape.spread, plan));
    double seconds = terms.parts.sum().value();
    if (plan.pipeline > 1) {
      const double p = plan.pipeline;
      const double m = plan.grad_accumulation;
      const double smallest = shape.least / largest;
      const double fixed = space_.interleave.front();
      const double pipelined = seconds - terms.parts.input.value() -
                               terms.fill * (1 - smallest / shape.interleave) -
                               terms.sends * (1 - fixed * (m + (p - 1) * smallest) / (m + p - 1));
      // A starved step takes what feeding it takes.
      seconds = terms.parts.input.value() > 0 ? std::max(pipelined, seconds) : pipelined;
    }
    return seconds * complexity(plan) * kSlack;
  }

  [[nodiscard]] double first_interleave(const Plan& plan) const {
    return plan.pipeline > 1 ? space_.interleave.front() : 1;
  }

  /// All plans of a combination that may be the best.
  void try_plans(const Combination& c) {
    Plan plan = plan_of(c);
    if (excluded_ != nullptr && same_shape(plan, *excluded_)) return;
    if (plan.pipeline > 1) {
      try_pipelines(c, plan);
    } else {
      try_downwards(c, plan);
    }
  }

  /// Without a pipeline: from the largest micro-batch down, for the same work in smaller pieces
  /// takes longer. A single micro-batch on a single rank keeps no gradients between passes; with
  /// all others memory grows with the micro-batch.
  void try_downwards(const Combination& c, Plan plan) {
    const Shape& shape = shapes_[c.layout];
    for (double b = c.largest;; b = smaller(b)) {
      set_micro_batch(b, plan);
      const MemoryVerdict verdict = memory_.fit(plan, states_[*c.states]).verdict;
      if (verdict != MemoryVerdict::kDoesNotFit) {
        const StepModel::Pass pass = time_.pass(shape.spread, plan);
        const double seconds = time_.terms(plan, shape.spread, pass).parts.sum().value();
        take(c, plan, seconds * complexity(plan), verdict);
        const bool rounded_up = plan.micro_batch * plan.grad_accumulation > shape.most;
        if (verdict == MemoryVerdict::kFits && !rounded_up) return;
      }
      if (b <= shape.least) return;
    }
  }

  /// With a pipeline: from the smallest micro-batch up, until memory has no room for the next.
  /// Memory grows with it, unless the whole batch is in flight at once anyway.
  void try_pipelines(const Combination& c, Plan plan) {
    const Shape& shape = shapes_[c.layout];
    for (double b = shape.least;; b = std::min(b * 2, shape.most)) {
      set_micro_batch(b, plan);
      const bool grows = plan.pipeline * b <= space_.global_batch / plan.data;
      if (!try_interleavings(c, plan) && grows && plan.data > 1) return;
      if (b >= c.largest) return;
    }
  }

  /// False when a plan that would win does not fit, however few stages are interleaved. Memory is
  /// looked at only where the time would win.
  bool try_interleavings(const Combination& c, Plan plan) {
    const Shape& shape = shapes_[c.layout];
    const StepModel::Pass pass = time_.pass(shape.spread, plan);
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
      const StepTerms terms = time_.terms(plan, shape.spread, pass);
      if (!(more > 1)) first = terms;
      const double cost = terms.parts.sum().value() * factor;
      if (!wins(cost, c)) continue;
      const MemoryVerdict verdict = memory_.fit(plan, states_[*c.states]).verdict;
      if (verdict == MemoryVerdict::kDoesNotFit && !(more > 1)) return false;  // it keeps least
      take(c, plan, cost, verdict);
    }
    return true;
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
            if (!may_shard(space_, space_.layouts[i], space_.zero[z])) continue;
            Plan plan = plan_of({0, i, o, r, z, std::nullopt, 0});
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
  std::vector<MemoryModel::States> states_;
  double cost_ = kInfinity;
  Plan best_;
  Combination winner_;
};

}  // namespace

namespace {

/// The best plan; with `excluded`, the best of another shape.
std::optional<Plan> search(const Job& job, const PlanRequest& fixed, int count,
                           const StepModel& time, const MemoryModel& memory, const Plan* excluded) {
  // Programs that train adapters copy or shard the model; few split it.
  if (job.frozen_base && job.framework == Framework::kPytorch && count > 1) {
    const SearchSpace whole = make_search_space(job, fixed, count, false);
    Search search(whole, time, memory, excluded);
    if (!whole.layouts.empty()) search.run();
    if (search.found() && memory.estimate(search.best()).verdict == MemoryVerdict::kFits) {
      return search.best();
    }
  }
  const SearchSpace space = make_search_space(job, fixed, count);
  Search search(space, time, memory, excluded);
  if (space.layouts.empty()) return std::nullopt;
  search.run();
  if (excluded != nullptr && !search.found()) return std::nullopt;
  return search.best();
}

}  // namespace

PlannedCandidate plan_candidate(const Job& job, const PlanRequest& fixed, const Gpu& gpu, int count,
                                const Topology& topology, const HostFeed& feed,
                                const EfficiencyModel& model, double own_efficiency) {
  const StepModel time(job, gpu, topology, feed, model, own_efficiency);
  const MemoryModel memory(job, gpu, topology.gpus_per_node, model);
  PlannedCandidate planned;
  const auto best = search(job, fixed, count, time, memory, nullptr);
  planned.mismatch = !best;
  if (best) {
    planned.plan = *best;
  } else {
    planned.plan.data = count;
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
  const auto next = search(job, fixed, count, time, memory, &best);
  if (!next) return std::nullopt;
  PlannedCandidate planned;
  planned.plan = *next;
  planned.memory = memory.estimate(planned.plan);
  planned.time = time.estimate(planned.plan);
  return planned;
}

}  // namespace xuanka
