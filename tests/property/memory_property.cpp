// What must hold of memory for every job and plan.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "unit/memory_fixture.hpp"

namespace xuanka {
namespace {

using testing::card;
using testing::MemoryCase;

double pick(const std::vector<double>& values) { return *rc::gen::elementOf(values); }

Model any_model() {
  TransformerShape shape;
  shape.layers = *rc::gen::inRange(1, 96);
  shape.head_dim = pick({64, 80, 128, 256});
  shape.heads = pick({8, 16, 32, 64});
  shape.hidden = pick({512, 1024, 4096, 8192});
  shape.kv_heads = shape.heads / pick({1, 4, 8});
  shape.ffn = pick({1024, 11008, 28672});
  shape.vocab = pick({1000, 32000, 128256});
  shape.gated_mlp = *rc::gen::arbitrary<bool>();
  shape.layer_norm = *rc::gen::arbitrary<bool>();
  shape.tied_embeddings = *rc::gen::arbitrary<bool>();
  if (*rc::gen::inRange(0, 3) == 0) {
    shape.experts = pick({4, 8, 64});
    shape.top_k = 2;
    shape.expert_ffn = pick({512, 2048});
  }
  auto model = model_from_shape(shape, "");
  RC_ASSERT(model);
  return std::move(*model);
}

MemoryCase any_case() {
  MemoryCase c;
  c.workload.model = any_model();
  c.workload.kind = static_cast<JobKind>(*rc::gen::inRange(0, 5));
  c.workload.seq_len = pick({128, 2048, 8192, 131072});
  c.workload.precision = pick({0, 1}) > 0 ? Precision::kBf16 : Precision::kFp32;
  c.workload.optimizer = static_cast<Optimizer>(*rc::gen::inRange(0, 8));
  c.workload.framework = static_cast<Framework>(*rc::gen::inRange(0, 3));
  c.workload.compile = *rc::gen::arbitrary<bool>();
  c.workload.optimizer_in_backward = *rc::gen::arbitrary<bool>();
  c.workload.activation_offload = *rc::gen::arbitrary<bool>();
  c.workload.flash_attention = *rc::gen::arbitrary<bool>();
  c.workload.lora.targets = static_cast<LoraTargets>(*rc::gen::inRange(0, 3));
  c.workload.inference.concurrency = pick({1, 8, 256});
  c.plan.data = pick({1, 2, 8, 64});
  c.plan.tensor = pick({1, 2, 8});
  c.plan.pipeline = pick({1, 2, 4});
  c.plan.context = pick({1, 2});
  c.plan.zero = *rc::gen::inRange(0, 4);
  c.plan.sequence_parallel = *rc::gen::arbitrary<bool>();
  c.plan.micro_batch = pick({1, 2, 16});
  c.plan.grad_accumulation = pick({1, 4, 32});
  c.plan.recompute = static_cast<Recompute>(*rc::gen::inRange(0, 3));
  c.plan.offload = static_cast<Offload>(*rc::gen::inRange(0, 3));
  c.gpu = card(pick({16, 24, 80}));
  return c;
}

std::vector<double> parts_of(const MemoryParts& p) {
  return {p.weights.value(), p.gradients.value(), p.optimizer.value(), p.activations.value(),
          p.logits.value(),  p.kv_cache.value(),  p.buffers.value(),   p.overhead.value()};
}

double states(const MemoryEstimate& m) {
  return (m.parts.weights + m.parts.gradients + m.parts.optimizer).value();
}

RC_GTEST_PROP(MemoryProperty, PartsSumAndNothingIsNegative, ()) {
  const MemoryEstimate m = any_case().estimate();
  double sum = 0;
  for (const double part : parts_of(m.parts)) {
    RC_ASSERT(std::isfinite(part));
    RC_ASSERT(part >= 0);
    sum += part;
  }
  RC_ASSERT(std::abs(sum - m.per_gpu.value()) <= 1e-9 * sum);
  RC_ASSERT(m.low <= m.per_gpu);
  RC_ASSERT(m.per_gpu <= m.high);
  RC_ASSERT((m.margin.value() < 0) == (m.verdict == MemoryVerdict::kDoesNotFit));
  RC_ASSERT(m.context + m.reserve <= m.parts.overhead * (1 + 1e-9));
  RC_ASSERT(std::isfinite(m.host_ram.value()) && m.host_ram.value() > 0);
}

RC_GTEST_PROP(MemoryProperty, MoreMemoryNeverUnfits, ()) {
  MemoryCase c = any_case();
  const MemoryEstimate small = c.estimate();
  c.gpu.memory_gb *= pick({1.01, 1.5, 4});
  const MemoryEstimate large = c.estimate();
  RC_ASSERT(large.per_gpu >= small.per_gpu);  // the allocator's reserve takes only free room
  RC_ASSERT(static_cast<int>(large.verdict) <= static_cast<int>(small.verdict));
}

RC_GTEST_PROP(MemoryProperty, ShardingNeverAddsStates, ()) {
  MemoryCase c = any_case();
  RC_PRE(c.workload.kind != JobKind::kInference);
  c.workload.optimizer_in_backward = false;
  c.plan.grad_accumulation = 4;  // gradients are there at the peak
  c.plan.offload = Offload::kNone;
  MemoryCase base = c;
  c.plan.pipeline *= 2;
  RC_ASSERT(states(c.estimate()) <= states(base.estimate()) * (1 + 1e-12));
  // Estimates are of the fullest stage; one stage, so that it is the same one before and after.
  base.plan.pipeline = 1;
  c = base;
  const double before = states(c.estimate());
  c.plan.zero = 0;
  double last = states(c.estimate());
  for (int zero = 1; zero < 4; ++zero) {
    c.plan.zero = zero;
    const double now = states(c.estimate());
    RC_ASSERT(now <= last * (1 + 1e-12));
    last = now;
  }
  c = base;
  c.plan.data *= 2;
  RC_ASSERT(states(c.estimate()) <= before * (1 + 1e-12));
  c = base;
  c.plan.tensor *= 2;
  RC_ASSERT(states(c.estimate()) <= before * (1 + 1e-12));
  c = base;
  c.plan.context *= 2;
  RC_ASSERT(states(c.estimate()) <= before * (1 + 1e-12));
}

RC_GTEST_PROP(MemoryProperty, FewerBitsNeverTakeMore, ()) {
  MemoryCase c = any_case();
  c.workload.kind = JobKind::kInference;
  c.workload.framework = Framework::kMegatron;
  double last = std::numeric_limits<double>::infinity();
  for (const StorageType type : {StorageType::kBf16, StorageType::kInt8, StorageType::kInt4}) {
    c.workload.inference.weights = type;
    const double now = c.estimate().parts.weights.value();
    RC_ASSERT(now <= last);
    last = now;
  }
  const double wide = c.estimate().parts.kv_cache.value();
  c.workload.inference.kv_cache = StorageType::kInt8;
  RC_ASSERT(c.estimate().parts.kv_cache.value() <= wide);
}

// Between the two lie ZeRO-1 and 2, where wide adapters, held whole by every GPU, can outweigh
// states that are spread over many.
RC_GTEST_PROP(MemoryProperty, AdaptersNeverTakeMoreThanFullTraining, ()) {
  MemoryCase c = any_case();
  c.plan.zero = pick({0, 3}) > 0 ? 3 : 0;
  c.workload.precision = Precision::kBf16;
  c.workload.optimizer = Optimizer::kAdamw;
  c.workload.kind = JobKind::kFinetune;
  c.workload.lora.rank = pick({4, 16, 64});
  c.plan.grad_accumulation = 4;
  c.plan.offload = Offload::kNone;
  c.workload.optimizer_in_backward = false;
  const double full = states(c.estimate());
  c.workload.kind = JobKind::kLora;
  const double lora = states(c.estimate());
  c.workload.kind = JobKind::kQlora;
  const double qlora = states(c.estimate());
  RC_ASSERT(qlora <= lora * (1 + 1e-12));
  RC_ASSERT(lora <= full * (1 + 1e-12));
}

RC_GTEST_PROP(MemoryProperty, MoreWorkAtOnceNeverTakesLess, ()) {
  MemoryCase c = any_case();
  const double before = c.estimate().per_gpu.value();
  c.plan.micro_batch *= 2;
  c.workload.inference.concurrency *= 2;
  RC_ASSERT(c.estimate().per_gpu.value() >= before * (1 - 1e-12));
}

RC_GTEST_PROP(MemoryProperty, RecomputationNeverKeepsMore, ()) {
  MemoryCase c = any_case();
  RC_PRE(c.workload.kind == JobKind::kTrain || c.workload.kind == JobKind::kFinetune);
  c.plan.recompute = Recompute::kNone;
  const Bytes none = c.estimate().kept;
  c.plan.recompute = Recompute::kSelective;
  const Bytes selective = c.estimate().kept;
  c.plan.recompute = Recompute::kFull;
  const Bytes full = c.estimate().kept;
  RC_ASSERT(full <= selective);
  RC_ASSERT(selective <= none);
}

}  // namespace
}  // namespace xuanka
