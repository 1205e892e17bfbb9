#include "xuanka/plan/search_space.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace xuanka {
namespace {

/// Degrees that divide n: all divisors, in ascending order, or the fixed one when it divides.
std::vector<double> degrees(double n, const std::optional<double>& fixed) {
  std::vector<double> list;
  if (fixed) {
    if (*fixed >= 1 && std::fmod(n, *fixed) == 0) list.push_back(*fixed);
    return list;
  }
  if (!(n >= 1)) return list;
  const auto whole = static_cast<std::uint64_t>(n);
  std::vector<double> large;
  for (std::uint64_t d = 1; d * d <= whole; ++d) {
    if (whole % d != 0) continue;
    list.push_back(static_cast<double>(d));
    if (d * d != whole) large.push_back(static_cast<double>(whole / d));
  }
  list.insert(list.end(), large.rbegin(), large.rend());
  return list;
}

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

bool divides(double whole, double part) { return std::fmod(whole, part) == 0; }

void add_layouts(const Job& job, const PlanRequest& fixed, const Shape& shape, double count,
                 double tensor, std::vector<Layout>& out) {
  const bool serving = job.kind == JobKind::kInference;
  for (const double pipeline : degrees(count / tensor, fixed.pipeline)) {
    if (!fixed.pipeline && pipeline > (shape.splits ? shape.layers : 1)) break;
    const double rest = count / tensor / pipeline;
    for (const double context : degrees(rest, fixed.context)) {
      if (!fixed.context && context > (shape.splits && !serving ? job.seq_len / 1024 : 1) &&
          context > 1) {
        break;
      }
      const double data = rest / context;
      if (fixed.data && *fixed.data != data) continue;
      const double most = shape.experts > 0 ? shape.experts : 1;
      for (const double expert : degrees(data, fixed.expert)) {
        if (!fixed.expert && (expert > most || !divides(most, expert))) continue;
        out.push_back({data, tensor, pipeline, context, expert});
      }
    }
  }
}

}  // namespace

double default_global_batch(const Job& job, double gpus) {
  const Model& model = *job.model;
  if (model.kind == ModelKind::kMeasured) return 1;
  if (model.vision || model.patches > 0) {
    const bool detector = model.vision && model.vision->family == VisionFamily::kDetector;
    const double batch = detector ? 16 : 256;
    return std::max(batch, batch / 4 * gpus);
  }
  if (job.kind != JobKind::kTrain) return 64;
  const double tokens = std::min(16777216.0, std::max(524288.0, 16384 * gpus));
  double batch = 1;
  while (batch * 2 * job.seq_len <= tokens) batch *= 2;
  return batch;
}

SearchSpace make_search_space(const Job& job, const PlanRequest& fixed, int count) {
  const Shape shape = shape_of(job);
  const bool training = job.kind != JobKind::kInference && job.model->kind != ModelKind::kMeasured;
  SearchSpace space;
  space.layers = shape.layers;
  for (const double tensor : degrees(count, fixed.tensor)) {
    if (!fixed.tensor && (tensor > shape.heads || !divides(shape.heads, tensor))) continue;
    add_layouts(job, fixed, shape, count, tensor, space.layouts);
  }
  if (fixed.zero) {
    space.zero = {*fixed.zero};
  } else if (training && count > 1) {
    space.zero = {0, 1, 2, 3};
  } else {
    space.zero = {0};
  }
  if (job.recompute) {
    space.recompute = {*job.recompute};
  } else if (training && shape.splits) {
    space.recompute = {Recompute::kNone, Recompute::kSelective, Recompute::kFull};
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
  double devices = plan.zero;
  devices += plan.tensor > 1 ? 1 : 0;
  devices += plan.pipeline > 1 ? 1 : 0;
  devices += plan.context > 1 ? 1 : 0;
  devices += plan.expert > 1 ? 1 : 0;
  return 1 + 0.002 * devices;
}

double plan_cost(const StepModel& time, const Plan& plan, MemoryVerdict verdict) {
  const double risk = verdict == MemoryVerdict::kTight ? kTightRisk : 1;
  return time.step(plan).sum().value() * complexity(plan) * risk;
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
