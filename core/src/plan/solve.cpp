// Inverse questions: the largest value that still fits.
#include <algorithm>
#include <cmath>

#include "xuanka/plan/planner.hpp"
#include "xuanka/workload/hf_config.hpp"

namespace xuanka {
namespace {

constexpr double kMostCards = 1024;

class Solver {
 public:
  Solver(const WorkloadRequest& workload, const PlanRequest& fixed, const Gpu& gpu, int count,
         const Topology& topology, const HostFeed& feed, const EfficiencyModel& model,
         std::optional<Seconds> limit)
      : workload_(workload),
        fixed_(fixed),
        gpu_(gpu),
        count_(count),
        topology_(topology),
        feed_(feed),
        model_(model),
        limit_(limit) {}

  [[nodiscard]] bool fits(const WorkloadRequest& workload, int count) const {
    std::vector<Note> notes;
    const auto job = make_job(workload, gpu_, notes);
    if (!job) return false;
    const auto planned = plan_candidate(*job, fixed_, gpu_, count, topology_, feed_, model_, 0);
    const bool late = limit_ && planned.time.total && *planned.time.total > *limit_;
    return !planned.mismatch && planned.memory.verdict != MemoryVerdict::kDoesNotFit && !late;
  }

  /// Largest multiple of `unit` up to `most` for which `with(value)` fits; 0 when none does.
  template <class With>
  [[nodiscard]] double largest(double unit, double most, const With& with) const {
    const auto good = [&](double steps) { return fits(with(steps * unit), count_); };
    const double limit = std::floor(most / unit);
    if (limit < 1 || !good(1)) return 0;
    double low = 1, high = 2;
    while (high <= limit && good(high)) {
      low = high;
      high *= 2;
    }
    high = std::min(high, limit + 1);
    while (high - low > 1) {
      const double middle = std::floor((low + high) / 2);
      (good(middle) ? low : high) = middle;
    }
    return low * unit;
  }

  [[nodiscard]] double micro_batch() const {
    return largest(1, 65536, [&](double value) {
      WorkloadRequest w = workload_;
      w.micro_batch = value;
      w.global_batch = std::max(value * count_, w.global_batch.value_or(0));
      return w;
    });
  }
  [[nodiscard]] double seq_len() const {
    const double most = workload_.model.max_seq_len > 0 ? workload_.model.max_seq_len : 1048576;
    const double unit = most >= 1024 ? 64 : 1;
    return largest(unit, most, [&](double value) {
      WorkloadRequest w = workload_;
      (w.kind == JobKind::kInference ? w.inference.prompt_tokens : w.seq_len) = value;
      return w;
    });
  }
  [[nodiscard]] double concurrency() const {
    return largest(1, 65536, [&](double value) {
      WorkloadRequest w = workload_;
      w.inference.concurrency = value;
      return w;
    });
  }
  /// In steps of 0.1 billion parameters, with the typical shape of each size.
  [[nodiscard]] double params() const {
    return largest(1e8, 2e12, [&](double value) {
      WorkloadRequest w = workload_;
      w.model = model_from_params(value, 0);
      return w;
    });
  }
  [[nodiscard]] double count() const {
    double wanted = 1;
    while (wanted <= kMostCards && !fits(workload_, static_cast<int>(wanted))) wanted *= 2;
    if (wanted > kMostCards) return 0;
    // Between powers of two: every count inside a node, eighths beyond it.
    const double step = std::max(1.0, wanted / 8);
    for (double n = wanted / 2 + step; n < wanted; n += step) {
      if (fits(workload_, static_cast<int>(n))) return n;
    }
    return wanted;
  }

 private:
  const WorkloadRequest& workload_;
  const PlanRequest& fixed_;
  const Gpu& gpu_;
  int count_;
  const Topology& topology_;
  const HostFeed& feed_;
  const EfficiencyModel& model_;
  std::optional<Seconds> limit_;
};

}  // namespace

double solve_for(SolveFor what, const WorkloadRequest& workload, const PlanRequest& fixed,
                 const Gpu& gpu, int count, const Topology& topology, const HostFeed& feed,
                 const EfficiencyModel& model, std::optional<Seconds> limit) {
  if (what != SolveFor::kCount) limit.reset();
  const Solver solver(workload, fixed, gpu, count, topology, feed, model, limit);
  switch (what) {
    case SolveFor::kMicroBatch:
      return solver.micro_batch();
    case SolveFor::kSeqLen:
      return solver.seq_len();
    case SolveFor::kConcurrency:
      return solver.concurrency();
    case SolveFor::kCount:
      return solver.count();
    case SolveFor::kParams:
      return solver.params();
  }
  return 0;
}

}  // namespace xuanka
