// What would make a job fit, in the order a practitioner tries it: what costs nothing first, then
// what costs time, then what changes the result, then more hardware.
#include <algorithm>
#include <cmath>

#include "xuanka/plan/planner.hpp"

namespace xuanka {
namespace {

/// A request with one thing changed, and how the report names it.
struct Trial {
  std::string path;
  std::variant<double, std::string, bool> value;
  WorkloadRequest workload;
  PlanRequest fixed;
  int count = 1;
};

std::string word(std::string_view name) { return std::string(name); }

class Trials {
 public:
  Trials(const WorkloadRequest& workload, const PlanRequest& fixed, int count)
      : workload_(workload), fixed_(fixed), count_(count) {}

  template <class Change>
  void add(std::string path, std::variant<double, std::string, bool> value, const Change& change) {
    Trial trial{std::move(path), std::move(value), workload_, fixed_, count_};
    change(trial);
    list_.push_back(std::move(trial));
  }
  [[nodiscard]] std::vector<Trial> take() { return std::move(list_); }

 private:
  const WorkloadRequest& workload_;
  const PlanRequest& fixed_;
  int count_;
  std::vector<Trial> list_;
};

void add_free_changes(const WorkloadRequest& w, const PlanRequest& fixed, int count,
                      Trials& trials) {
  if (w.micro_batch) {
    for (double b = std::floor(*w.micro_batch / 2); b >= 1; b = std::floor(b / 2)) {
      trials.add("workload.micro_batch", b, [&](Trial& t) { t.workload.micro_batch = b; });
    }
  }
  if (w.flash_attention == false) {
    trials.add("workload.flash_attention", true,
               [](Trial& t) { t.workload.flash_attention = true; });
  }
  if (fixed.zero && count > 1) {
    for (int stage = *fixed.zero + 1; stage <= 3; ++stage) {
      trials.add("hardware.plan.zero", static_cast<double>(stage),
                 [&](Trial& t) { t.fixed.zero = stage; });
    }
  }
}

void add_slower_changes(const WorkloadRequest& w, const PlanRequest& fixed, Trials& trials) {
  const bool layered = !w.model.groups.empty();
  if (w.recompute && *w.recompute != Recompute::kFull && layered) {
    if (*w.recompute == Recompute::kNone) {
      trials.add("workload.recompute", word("selective"),
                 [](Trial& t) { t.workload.recompute = Recompute::kSelective; });
    }
    trials.add("workload.recompute", word("full"),
               [](Trial& t) { t.workload.recompute = Recompute::kFull; });
  }
  if (w.loss_chunk_tokens == 0 && layered && !w.model.encoder_only) {
    trials.add("workload.loss_chunk_tokens", 1024.0,
               [](Trial& t) { t.workload.loss_chunk_tokens = 1024; });
  }
  const bool full = w.kind == JobKind::kTrain || w.kind == JobKind::kFinetune;
  if (full && w.grad_precision.value_or(StorageType::kFp32) == StorageType::kFp32) {
    trials.add("workload.grad_precision", word("bf16"),
               [](Trial& t) { t.workload.grad_precision = StorageType::kBf16; });
  }
  if (full && w.optimizer == Optimizer::kAdamw) {
    trials.add("workload.optimizer", word("adamw-8bit"),
               [](Trial& t) { t.workload.optimizer = Optimizer::kAdamw8bit; });
  }
  if (fixed.offload == Offload::kNone && full) {
    trials.add("hardware.plan.offload", word("optimizer"),
               [](Trial& t) { t.fixed.offload = Offload::kOptimizer; });
    trials.add("hardware.plan.offload", word("all"),
               [](Trial& t) { t.fixed.offload = Offload::kAll; });
  }
}

void add_degree_changes(const PlanRequest& fixed, Trials& trials) {
  const auto free_degree = [&](const char* path, auto PlanRequest::* degree) {
    if (!(fixed.*degree)) return;
    trials.add(path, word("auto"), [&](Trial& t) { (t.fixed.*degree).reset(); });
  };
  free_degree("hardware.plan.data", &PlanRequest::data);
  free_degree("hardware.plan.tensor", &PlanRequest::tensor);
  free_degree("hardware.plan.pipeline", &PlanRequest::pipeline);
}

void add_other_jobs(const WorkloadRequest& w, int count, Trials& trials) {
  if (w.kind == JobKind::kInference) {
    if (!w.inference.weight_bits) {
      for (const StorageType type : {StorageType::kInt8, StorageType::kInt4}) {
        if (storage_bits(type) >= storage_bits(w.inference.weights)) continue;
        trials.add("workload.inference.weights", word(name_of(type)),
                   [&](Trial& t) { t.workload.inference.weights = type; });
      }
    }
    if (w.inference.concurrency > 1) {
      const double half = std::floor(w.inference.concurrency / 2);
      trials.add("workload.inference.concurrency", half,
                 [&](Trial& t) { t.workload.inference.concurrency = half; });
    }
  } else {
    if (w.kind == JobKind::kFinetune) {
      trials.add("workload.kind", word("lora"), [](Trial& t) { t.workload.kind = JobKind::kLora; });
    }
    if (w.kind == JobKind::kFinetune || w.kind == JobKind::kLora) {
      trials.add("workload.kind", word("qlora"),
                 [](Trial& t) { t.workload.kind = JobKind::kQlora; });
    }
    if (!w.model.groups.empty() && w.seq_len >= 1024 && w.model.patches == 0) {
      const double half = std::floor(w.seq_len / 2);
      trials.add("workload.seq_len", half, [&](Trial& t) { t.workload.seq_len = half; });
    }
  }
  for (int more = count * 2; more <= 1024 && more <= count * 64; more *= 2) {
    trials.add("hardware.counts", static_cast<double>(more), [&](Trial& t) {
      t.count = more;
      t.fixed.data.reset();
    });
  }
}

}  // namespace

std::vector<FitChange> fit_changes(const WorkloadRequest& workload, const PlanRequest& fixed,
                                   const Gpu& gpu, int count, const Topology& topology,
                                   const HostFeed& feed, const EfficiencyModel& model) {
  Trials trials(workload, fixed, count);
  add_free_changes(workload, fixed, count, trials);
  add_slower_changes(workload, fixed, trials);
  add_degree_changes(fixed, trials);
  add_other_jobs(workload, count, trials);
  std::vector<FitChange> changes;
  std::vector<std::string> done;  // one answer per path: the smallest change that is enough
  for (const Trial& trial : trials.take()) {
    if (std::find(done.begin(), done.end(), trial.path) != done.end()) continue;
    std::vector<Note> notes;
    const auto job = make_job(trial.workload, gpu, notes);
    if (!job) continue;
    const PlannedCandidate planned =
        plan_candidate(*job, trial.fixed, gpu, trial.count, topology, feed, model, 0);
    if (planned.mismatch || planned.memory.verdict != MemoryVerdict::kFits) continue;
    changes.push_back({trial.path, trial.value, planned.memory.per_gpu, planned.time.total});
    done.push_back(trial.path);
  }
  return changes;
}

}  // namespace xuanka
