// The plans that a job may take on a number of GPUs: what the planner searches and what the
// brute-force test enumerates.
#pragma once

#include <vector>

#include "xuanka/plan/planner.hpp"
#include "xuanka/time/step_model.hpp"

namespace xuanka {

/// Parallel degrees of one layout; n = data x tensor x pipeline x context.
struct Layout {
  double data = 1, tensor = 1, pipeline = 1, context = 1, expert = 1;
};
/// Values the planner may choose from, fixed ones alone.
struct SearchSpace {
  std::vector<Layout> layouts;  ///< empty: the fixed degrees do not divide the count
  std::vector<int> zero;
  std::vector<Recompute> recompute;
  std::vector<Offload> offload;
  double global_batch = 1;  ///< sequences or images per step, before rounding up
  std::optional<double> micro_batch;
  double layers = 1;  ///< of the model
  std::optional<bool> sequence_parallel;
  std::vector<double> interleave{1};  ///< virtual stages per GPU, tried with pipelines
};

/// Default batch where a request leaves it open: half a million tokens for training from scratch
/// (16,384 for each GPU where that is more, up to 16 million), 64 sequences for fine-tuning, 256
/// images (16 for detectors) and half as many again for each further GPU.
[[nodiscard]] double default_global_batch(const Job& job, double gpus);

/// Without `splits` every GPU holds the whole model or, with ZeRO, a shard of every tensor.
[[nodiscard]] SearchSpace make_search_space(const Job& job, const PlanRequest& fixed, int count,
                                            bool splits = true);

/// Micro-batches per step on each of `data` ranks: what the batch leaves, rounded up.
[[nodiscard]] double accumulation(const SearchSpace& space, double data, double micro_batch);

/// One plan of the space. Accumulation is what the batch leaves: ceil(B / (b x data)).
[[nodiscard]] Plan make_plan(const SearchSpace& space, const Layout& layout, int zero,
                             Recompute recompute, Offload offload, double micro_batch,
                             double interleave = 1);

/// What a plan must gain to be worth its trouble: 1, and 0.03 for each kind of parallelism beside
/// data and each step of offloading, which take other code; 0.005, the noise of an estimate, for
/// each step of recomputation and in part for a batch in pieces (1 - 1/m); 0.01 for a ZeRO stage.
[[nodiscard]] double complexity(const Plan& plan);

/// What a tight plan's seconds count for.
inline constexpr double kTightRisk = 2;

/// A ZeRO stage needs ranks to shard over, and stage 2 does not go with a pipeline: DeepSpeed
/// refuses it, for gradients add up over micro-batches that are in flight at once. What was asked
/// for is tried.
[[nodiscard]] bool may_shard(const SearchSpace& space, const Layout& layout, int zero);

/// Virtual stages need a pipeline and layers to share out.
[[nodiscard]] bool may_interleave(const SearchSpace& space, const Layout& layout,
                                  double interleave);

/// What the planner minimises: seconds for the batch asked for (a batch that only rounds up to more
/// does not count as more work) times `complexity`, so that ties go to the simpler plan, to less
/// recomputation and to the larger micro-batch.
/// A plan that fits tightly must be twice as fast to be worth its risk.
[[nodiscard]] double plan_cost(const StepModel& time, const Plan& plan, MemoryVerdict verdict);

/// Micro-batches to try, ascending: powers of two up to the batch of one data rank, and that
/// itself.
[[nodiscard]] std::vector<double> micro_batches(const SearchSpace& space, const Layout& layout);

}  // namespace xuanka
