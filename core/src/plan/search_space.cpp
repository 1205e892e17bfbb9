#include "xuanka/plan/search_space.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace xuanka {
namespace {

constexpr double kNoise = 0.005;  // what no estimate tells apart
constexpr double kStage = 0.01;   // a ZeRO stage is a setting, not another way to run the job
constexpr double kOther = 0.03;   // another program or another model code: not for a few percent

/// The divisors of a number of GPUs, ascending: degrees of what is left of it are among them.
class Divisors {
 public:
  explicit Divisors(double n) {
    const std::uint64_t whole = n >= 1 ? static_cast<std::uint64_t>(n) : 0;
    for (std::uint64_t d = 1; d * d <= whole; ++d) {
      if (whole % d == 0) list_.push_back(d);
    }
    for (std::size_t i = list_.size(); i-- > 0;) {
      const std::uint64_t other = whole / list_[i];
      if (other != list_[i]) list_.push_back(other);
    }
  }
  /// Calls `use` with each degree that divides `rest`, in ascending order, until it returns false;
  /// with the fixed one alone where there is one.
  template <class Use>
  void each(double rest, const std::optional<double>& fixed, const Use& use) const {
    if (fixed) {
      if (*fixed >= 1 && std::fmod(rest, *fixed) == 0) use(*fixed);
      return;
    }
    const auto whole = static_cast<std::uint64_t>(rest);
    for (const std::uint64_t d : list_) {
      if (d > whole) return;
      if (whole % d == 0 && !use(static_cast<double>(d))) return;
    }
  }

 private:
  std::vector<std::uint64_t> list_;
};

struct Shape {
  double heads = 1, layers = 1, experts = 0, kv_heads = 1;
  bool splits = false;  // tensor, pipeline and context parallelism exist for it
};
Shape shape_of(const Job& job) {
  Shape shape;
  const Model& model = *job.model;
  shape.splits = !model.groups.empty();
  shape.layers = std::max(1.0, model.layers());
  for (const LayerGroup& group : model.groups) {
    shape.heads = std::max(shape.heads, group.attention.heads);
    shape.experts = std::max(shape.experts, group.ffn.experts);
  }
  return shape;
}

bool divides(double whole, double part) {
  return static_cast<std::uint64_t>(whole) % static_cast<std::uint64_t>(part) == 0;
}

/// Adds the layouts of a job over a count of GPUs, in ascending order of their degrees.
class Layouts {
 public:
  Layouts(const Job& job, const PlanRequest& fixed, const Shape& shape, double count,
          std::vector<Layout>& out)
      : fixed_(fixed), shape_(shape), divisors_(count), out_(out) {
    const bool serving = job.kind == JobKind::kInference;
    most_context_ = shape.splits && !serving ? job.seq_len / 1024 : 1;
    if (serving && shape.splits) {
      // More replicas than requests would stand idle; ordinary code (device_map) puts layers on
      // cards, not shares of them.
      most_data_ = std::max(1.0, job.inference.concurrency);
      whole_layers_ = job.framework == Framework::kPytorch;
    }
    divisors_.each(count, fixed.tensor, [&](double tensor) {
      if (!fixed.tensor && (tensor > shape.heads || (whole_layers_ && tensor > 1))) return false;
      if (fixed.tensor || divides(shape.heads, tensor)) add_tensor(count, tensor);
      return true;
    });
  }

 private:
  void add_tensor(double count, double tensor) {
    divisors_.each(count / tensor, fixed_.pipeline, [&](double pipeline) {
      if (!fixed_.pipeline && pipeline > (shape_.splits ? shape_.layers : 1)) return false;
      const double rest = count / tensor / pipeline;
      divisors_.each(rest, fixed_.context, [&](double context) {
        if (!fixed_.context && context > most_context_ && context > 1) return false;
        add_data({rest / context, tensor, pipeline, context, 1});
        return true;
      });
      return true;
    });
  }
  void add_data(Layout layout) {
    if (fixed_.data ? *fixed_.data != layout.data : layout.data > most_data_) return;
    const double most = shape_.experts > 0 ? shape_.experts : 1;
    divisors_.each(layout.data, fixed_.expert, [&](double expert) {
      if (!fixed_.expert && expert > most) return false;
      layout.expert = expert;
      if (fixed_.expert || divides(most, expert)) out_.push_back(layout);
      return true;
    });
  }

  const PlanRequest& fixed_;
  const Shape& shape_;
  const Divisors divisors_;
  std::vector<Layout>& out_;
  double most_context_ = 1;
  double most_data_ = std::numeric_limits<double>::infinity();
  bool whole_layers_ = false;
};

// Every diffusion trainer has gradient checkpointing as a switch.
bool checkpoints_blocks(const Job& job) {
  return job.model->vision && job.model->vision->family == VisionFamily::kDiffusion;
}

}  // namespace

double default_global_batch(const Job& job, double gpus) {
  const Model& model = *job.model;
  if (model.kind == ModelKind::kMeasured) return 1;
  if (model.vision || model.patches > 0) {
    const bool detector = model.vision && model.vision->family == VisionFamily::kDetector;
    return std::ceil((detector ? 16 : 256) * (gpus + 1) / 2);
  }
  if (job.kind != JobKind::kTrain) return 64;
  const double tokens = std::min(16777216.0, std::max(524288.0, 16384 * gpus));
  double batch = 1;
  while (batch * 2 * job.seq_len <= tokens) batch *= 2;
  return batch;
}

SearchSpace make_search_space(const Job& job, const PlanRequest& fixed, int count, bool splits) {
  Shape shape = shape_of(job);
  const bool layered = shape.splits;
  if (!splits) shape = {.layers = shape.layers};
  const bool training = job.kind != JobKind::kInference && job.model->kind != ModelKind::kMeasured;
  SearchSpace space;
  space.layers = shape.layers;
  Layouts(job, fixed, shape, count, space.layouts);
  if (fixed.zero) {
    space.zero = {*fixed.zero};
  } else if (training && count > 1) {
    space.zero = {0, 1, 2, 3};
  } else {
    space.zero = {0};
  }
  if (job.recompute) {
    space.recompute = {*job.recompute};
  } else if (training && layered) {
    space.recompute = {Recompute::kNone, Recompute::kSelective, Recompute::kFull};
  } else if (training && checkpoints_blocks(job)) {
    space.recompute = {Recompute::kNone, Recompute::kFull};
  } else {
    space.recompute = {Recompute::kNone};
  }
  if (fixed.offload) {
    space.offload = {*fixed.offload};
  } else if (training && !job.frozen_base) {
    space.offload = {Offload::kNone, Offload::kOptimizer, Offload::kAll};
  } else {
    space.offload = {Offload::kNone};
  }
  space.micro_batch = training ? job.micro_batch : std::optional<double>(1);
  space.global_batch = training ? job.global_batch.value_or(default_global_batch(job, count)) : 1;
  space.sequence_parallel = fixed.sequence_parallel;
  if (fixed.interleave) {
    space.interleave = {*fixed.interleave};
  } else if (training) {
    space.interleave = {1, 2, 4};
  }
  return space;
}

double accumulation(const SearchSpace& space, double data, double micro_batch) {
  return std::max(1.0, std::ceil(space.global_batch / (micro_batch * data)));
}

Plan make_plan(const SearchSpace& space, const Layout& layout, int zero, Recompute recompute,
               Offload offload, double micro_batch, double interleave) {
  Plan plan;
  plan.data = layout.data;
  plan.tensor = layout.tensor;
  plan.pipeline = layout.pipeline;
  plan.context = layout.context;
  plan.expert = layout.expert;
  plan.zero = zero;
  plan.sequence_parallel = layout.tensor > 1 && space.sequence_parallel.value_or(true);
  plan.interleave = layout.pipeline > 1 ? interleave : 1;
  plan.offload = offload;
  plan.micro_batch = micro_batch;
  plan.grad_accumulation = accumulation(space, layout.data, micro_batch);
  plan.recompute = recompute;
  return plan;
}

double complexity(const Plan& plan) {
  double kinds = plan.tensor > 1 ? 1 : 0;
  kinds += plan.pipeline > 1 ? 1 : 0;
  kinds += plan.context > 1 ? 1 : 0;
  kinds += plan.expert > 1 ? 1 : 0;
  const double pieces = 1 - 1 / plan.grad_accumulation;
  const auto again = static_cast<double>(plan.recompute);
  const auto away = static_cast<double>(plan.offload);
  return 1 + kOther * (kinds + away) + kNoise * (again + pieces) + kStage * plan.zero;
}

double plan_cost(const StepModel& time, const Plan& plan, MemoryVerdict verdict) {
  const double risk = verdict == MemoryVerdict::kTight ? kTightRisk : 1;
  return time.step(plan).sum().value() * complexity(plan) * risk;
}

bool may_shard(const SearchSpace& space, const Layout& layout, int zero) {
  if (zero == 0 || space.zero.size() == 1) return true;
  if (layout.data * layout.context <= 1) return false;
  return zero != 2 || layout.pipeline <= 1;
}

bool may_interleave(const SearchSpace& space, const Layout& layout, double interleave) {
  if (space.interleave.size() == 1 || interleave == 1) return true;
  return layout.pipeline > 1 && layout.pipeline * interleave <= space.layers;
}

std::vector<double> micro_batches(const SearchSpace& space, const Layout& layout) {
  if (space.micro_batch) return {*space.micro_batch};
  const double most = std::max(1.0, std::ceil(space.global_batch / layout.data));
  std::vector<double> list;
  for (double b = 1; b < most; b *= 2) list.push_back(b);
  list.push_back(most);
  return list;
}

}  // namespace xuanka
