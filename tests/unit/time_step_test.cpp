// The time model by its parts, and the mistakes of other calculators that concern time, by number.
#include "unit/time_fixture.hpp"

namespace xuanka {
namespace {

using testing::llama_7b;
using testing::resnet_50;
using testing::shipped_gpu;
using testing::time_of;

TEST(TimeStep, PartsAddUpToTheStep) {
  auto c = time_of(llama_7b(), 2048, 2, 4);
  c.plan.data = 4;
  c.plan.tensor = 2;
  c.plan.pipeline = 2;
  c.plan.zero = 1;
  c.plan.recompute = Recompute::kFull;
  const TimeEstimate t = c.estimate();
  EXPECT_DOUBLE_EQ(t.step.value(), t.parts.sum().value());
  for (const Seconds part :
       {t.parts.compute, t.parts.memory, t.parts.communication, t.parts.bubble, t.parts.overhead}) {
    EXPECT_GT(part.value(), 0);
  }
  EXPECT_DOUBLE_EQ(t.units_per_second, 2 * 4 * 4 * 2048 / t.step.value());
}

TEST(TimeStep, UtilisationFollowsFromWorkAndPeak) {
  const auto c = time_of(llama_7b(), 4096, 4, 8);
  const TimeEstimate t = c.estimate();
  EXPECT_NEAR(t.mfu, 46.09e9 * t.units_per_second / 312e12, 1e-3);
  EXPECT_DOUBLE_EQ(t.hfu, t.mfu);
  EXPECT_GT(t.mfu, 0.35);
  EXPECT_LT(t.mfu, 0.87);  // no matrix product alone reaches more on this card
}

TEST(TimeStep, FullRecomputationRepeatsTheForward) {
  auto c = time_of(llama_7b(), 2048, 4, 8);
  const double none = c.seconds();
  c.plan.recompute = Recompute::kFull;
  const TimeEstimate full = c.estimate();
  EXPECT_GT(full.step.value() / none, 1.2);
  EXPECT_LT(full.step.value() / none, 1.4);
  EXPECT_DOUBLE_EQ(full.hfu, full.mfu * 4 / 3);
}

// D7: another calculator multiplies the recomputed attention by the layer count once more.
TEST(TimeStep, D7SelectiveRecomputationCostsOneAttentionCore) {
  auto c = time_of(llama_7b(), 4096, 2, 8);
  const double none = c.seconds();
  c.plan.recompute = Recompute::kSelective;
  const double selective = c.seconds();
  EXPECT_GT(selective, none);
  EXPECT_LT(selective / none, 1.12);
}

// D13: vector peaks taken for the peaks of training.
TEST(TimeStep, D13TrainingUsesTheTensorPeak) {
  auto c = time_of(llama_7b(), 2048, 4, 8);
  const double half = c.seconds();
  c.workload.precision = Precision::kFp32;
  EXPECT_GT(c.seconds() / half, 5);
  EXPECT_DOUBLE_EQ(c.job().peak.rate.value(), 19.5e12);
}

// D16: another calculator multiplies by a "quantisation speed-up" what is already faster because it
// is smaller. Decoding gains the bytes that are not read, never more.
TEST(TimeStep, D16QuantisationSpeedsDecodingByTheBytesSavedAtMost) {
  for (const Framework framework :
       {Framework::kPytorch, Framework::kMegatron, Framework::kMlperf}) {
    auto c = time_of(llama_7b(), 2048);
    c.workload.kind = JobKind::kInference;
    c.workload.framework = framework;
    const double half = c.estimate().per_output_token.value();
    for (const StorageType type : {StorageType::kInt8, StorageType::kInt4, StorageType::kNf4Dq}) {
      c.workload.inference.weights = type;
      const double gain = half / c.estimate().per_output_token.value();
      EXPECT_LE(gain, 16 / storage_bits(type) * (1 + 1e-9)) << name_of(framework);
    }
    c.workload.inference.weights = StorageType::kInt8;
    EXPECT_GE(half / c.estimate().per_output_token.value(), 1) << name_of(framework);
  }
}

// The kernels of a prefill leave the masked half out: utilisation counts what is done, so that no
// length of the prompt brings it above what products reach.
TEST(TimeStep, UtilisationOfALongPrefillStaysBelowOne) {
  for (const char* gpu : {"a100-sxm-80gb", "h100-sxm-80gb", "rtx-4090-24gb"}) {
    auto c = time_of(llama_7b(), 2048);
    c.gpu = shipped_gpu(gpu);
    c.workload.kind = JobKind::kInference;
    c.workload.framework = Framework::kMegatron;
    c.workload.inference.output_tokens = 1;
    for (const double prompt : {2048.0, 100000.0, 1e6}) {
      c.workload.inference.prompt_tokens = prompt;
      EXPECT_LT(c.estimate().mfu, 0.95) << gpu << " " << prompt;
      EXPECT_GT(c.estimate().mfu, 0.2) << gpu << " " << prompt;
    }
  }
}

// The board's power holds the matrix units back: the same chip reaches less of its peak at 350 W.
TEST(TimeStep, ThePowerLimitSlowsProducts) {
  auto c = time_of(llama_7b(), 2048, 2, 8);
  c.gpu = shipped_gpu("h100-sxm-80gb");
  const double full = c.seconds();
  c.gpu.tdp_w = 350;
  EXPECT_GT(c.seconds() / full, 1.1);
  EXPECT_LT(c.seconds() / full, 1.42);  // no more than the square root of two
  c.gpu.tdp_w.reset();
  EXPECT_LE(c.seconds(), full);
}

// D21: weight-only int4 does not speed the products of a prefill; it speeds decoding.
TEST(TimeStep, D21FourBitWeightsSpeedDecodingNotPrefill) {
  auto c = time_of(llama_7b(), 2048);
  c.workload.kind = JobKind::kInference;
  c.workload.framework = Framework::kMlperf;
  c.workload.inference.prompt_tokens = 2048;
  const TimeEstimate half = c.estimate();
  c.workload.inference.weights = StorageType::kInt4;
  const TimeEstimate four = c.estimate();
  EXPECT_DOUBLE_EQ(half.prefill.value(), four.prefill.value());
  EXPECT_LT(four.per_output_token.value(), half.per_output_token.value());
}

// D25: a TFLOPS figure is 10^12, not 2^40.
TEST(TimeStep, D25TeraIsDecimal) {
  auto c = time_of(llama_7b(), 4096, 4, 8);
  c.own_efficiency = 0.5;
  const TimeEstimate t = c.estimate();
  EXPECT_NEAR(t.units_per_second, 0.5 * 312e12 / c.job().flops_per_unit.value(), 1e-6);
  EXPECT_TRUE(t.own_efficiency);
  EXPECT_NEAR(t.mfu, 0.5, 1e-12);
}

TEST(TimeStep, ThePipelineWaitsAtItsEnds) {
  auto c = time_of(llama_7b(), 2048, 1, 8);
  c.plan.pipeline = 4;
  const double few = c.estimate().parts.bubble / c.estimate().step;
  c.plan.grad_accumulation = 64;
  const double many = c.estimate().parts.bubble / c.estimate().step;
  EXPECT_GT(few, 0.2);  // (p - 1) / m = 3 / 8 of the work
  EXPECT_LT(many, few / 3);
  c.plan.grad_accumulation = 8;
  c.plan.interleave = 4;
  EXPECT_LT(c.estimate().parts.bubble / c.estimate().step, few);
}

TEST(TimeStep, ShardedWeightsCostGathers) {
  auto c = time_of(llama_7b(), 2048, 1, 4);
  c.gpu = shipped_gpu("rtx-4090-24gb");
  c.plan.data = 8;
  const double ddp = c.estimate().parts.communication.value();
  c.plan.zero = 3;
  EXPECT_GT(c.estimate().parts.communication.value(), ddp);
}

TEST(TimeStep, AdaptersSkipTheWeightGradients) {
  auto c = time_of(llama_7b(), 2048, 4, 8);
  const double full = c.seconds();
  c.workload.kind = JobKind::kLora;
  const double lora = c.seconds();
  EXPECT_LT(lora / full, 0.9);
  EXPECT_GT(lora / full, 0.6);
  c.workload.kind = JobKind::kQlora;
  EXPECT_GT(c.seconds(), lora);  // weights are unpacked again and again
}

TEST(TimeStep, SmallKernelsAreBoundByTheHost) {
  TransformerShape shape;
  shape.layers = 12;
  shape.hidden = 256;
  shape.heads = 4;
  auto c = time_of(model_from_shape(shape, "").value(), 128);
  const TimeEstimate t = c.estimate();
  EXPECT_GT(t.parts.overhead.value(), t.parts.compute.value());
}

TEST(TimeStep, TheInputPipelineIsAFloor) {
  auto c = time_of(resnet_50(), 1, 256);
  c.gpu = shipped_gpu("h100-sxm-80gb");
  const TimeEstimate free = c.estimate();
  c.feed.cores = 4;
  const TimeEstimate bound = c.estimate();
  EXPECT_EQ(free.parts.input.value(), 0);
  EXPECT_GT(bound.parts.input.value(), 0);
  EXPECT_DOUBLE_EQ(bound.step.value(), bound.parts.sum().value());
  c.feed.cores = 256;
  EXPECT_DOUBLE_EQ(c.seconds(), free.step.value());
}

TEST(TimeStep, ChannelsLastIsFasterForConvolutions) {
  auto c = time_of(resnet_50(), 1, 256);
  const double first = c.seconds();
  c.workload.channels_last = true;
  EXPECT_LT(c.seconds(), first);
}

TEST(TimeStep, TunedSoftwareIsFasterThanOrdinary) {
  auto c = time_of(resnet_50(), 1, 256);
  const double ordinary = c.seconds();
  c.workload.framework = Framework::kMlperf;
  EXPECT_GT(ordinary / c.seconds(), 1.2);
}

TEST(TimeStep, OffloadTakesTimeOnTheHost) {
  auto c = time_of(llama_7b(), 2048, 1, 8);
  c.plan.data = 8;
  c.plan.zero = 2;
  const double without = c.seconds();
  c.plan.offload = Offload::kOptimizer;
  const double optimizer = c.seconds();
  c.plan.zero = 3;
  c.plan.offload = Offload::kAll;
  EXPECT_GT(optimizer, without);
  EXPECT_GT(c.seconds(), optimizer);
}

TEST(TimeStep, AMeasuredJobFollowsTheCard) {
  Model timed;
  timed.kind = ModelKind::kMeasured;
  timed.measured = MeasuredJob{};
  timed.measured->gpu = "rtx-3090-24gb";
  timed.measured->hours = 40;
  timed.measured->reference = shipped_gpu("rtx-3090-24gb");
  auto c = time_of(timed, 1);
  c.gpu = shipped_gpu("rtx-3090-24gb");
  EXPECT_NEAR(to_hours(*c.estimate().total), 40, 1e-9);
  c.plan.data = 2;
  EXPECT_GT(to_hours(*c.estimate().total), 20);
  EXPECT_LT(to_hours(*c.estimate().total), 24);
  c.plan.data = 1;
  c.gpu = shipped_gpu("h100-sxm-80gb");
  EXPECT_LT(to_hours(*c.estimate().total), 20);
}

TEST(TimeStep, ASizeAloneGivesAWiderRange) {
  const auto known = time_of(llama_7b(), 2048).estimate();
  const auto guess = time_of(model_from_params(7e9, 0), 2048).estimate();
  EXPECT_GT(guess.high_factor / guess.low_factor, known.high_factor / known.low_factor);
}

TEST(TimeStep, ACardWithoutCasesGivesAWiderRange) {
  auto c = time_of(llama_7b(), 2048);
  const auto known = c.estimate();
  c.gpu = shipped_gpu("mi300x-192gb");
  const auto relative = c.estimate();
  EXPECT_GT(relative.high_factor / relative.low_factor, known.high_factor / known.low_factor);
}

TEST(TimeStep, DecodingReadsWeightsAndCache) {
  auto c = time_of(llama_7b(), 2048);
  c.workload.kind = JobKind::kInference;
  c.workload.framework = Framework::kMlperf;
  c.workload.inference.concurrency = 1;
  const TimeEstimate one = c.estimate();
  // 13.2 GB of weights at the reached bandwidth, and the cache of about a thousand tokens
  const double floor = 13.2e9 / (2039e9 * c.constants.decode_bandwidth[0]);
  EXPECT_GT(one.per_output_token.value(), floor);
  EXPECT_LT(one.per_output_token.value(), 1.3 * floor + 32 * c.constants.decode_gap_seconds);
  c.workload.inference.concurrency = 16;
  EXPECT_GT(c.estimate().units_per_second / one.units_per_second, 8);
}

}  // namespace
}  // namespace xuanka
