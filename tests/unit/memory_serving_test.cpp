// Caches and weights of inference, adapters, and the mistakes of other calculators.
#include "catalog_fixture.hpp"
#include "memory_fixture.hpp"
#include "xuanka/workload/preset.hpp"

namespace xuanka {
namespace {

using testing::card;
using testing::gpt3;
using testing::MemoryCase;
using testing::model_from_file;
using testing::training;

MemoryCase serving(const char* name, double context, double requests = 1) {
  MemoryCase c;
  c.workload.model = model_from_file(name);
  c.workload.kind = JobKind::kInference;
  c.workload.inference.prompt_tokens = context - 1;
  c.workload.inference.output_tokens = 1;
  c.workload.inference.concurrency = requests;
  return c;
}

double cache_gib(const MemoryCase& c) { return to_gibibytes(c.estimate().parts.kv_cache); }

// 2 L k d s bytes x 2 (hf-mem, llm-analysis and others agree).
TEST(MemoryCache, ClosedForms) {
  EXPECT_NEAR(cache_gib(serving("llama-3-8b", 8192)), 1.0, 1e-9);
  EXPECT_NEAR(cache_gib(serving("llama-2-70b", 8192)), 2.5, 1e-9);  // as Llama-3-70B
  EXPECT_NEAR(cache_gib(serving("llama-2-7b", 4096)), 2.0, 1e-9);
}

// 73,728 bytes per token (vLLM's log for gpt-oss-120b), windows of 128 in every second layer aside.
TEST(MemoryCache, GptOssPerToken) {
  MemoryCase c = serving("llama-2-7b", 100);
  c.workload.model = testing::model_of(
      "{'model_type':'gpt_oss','hidden_size':2880,'num_hidden_layers':36,'num_attention_heads':64,"
      "'num_key_value_heads':8,'head_dim':64,'intermediate_size':2880,'vocab_size':201088,"
      "'num_local_experts':128,'num_experts_per_tok':4}");
  EXPECT_DOUBLE_EQ(c.estimate().parts.kv_cache.value(), 73728.0 * 100);
}

// MLA keeps one latent and one rotary vector per token and layer, shared by heads: no factor 2.
TEST(MemoryCache, LatentAttention) {
  EXPECT_DOUBLE_EQ(serving("deepseek-v3", 1000).estimate().parts.kv_cache.value(),
                   61.0 * (512 + 64) * 1000 * 2);
}

TEST(MemoryCache, SlidingWindowBoundsTheCache) {
  EXPECT_NEAR(cache_gib(serving("gemma-2-9b", 32768)) / cache_gib(serving("gemma-2-9b", 4096)), 4.5,
              1e-9);
}

// GPTQ: 4.25 bits for the matrices, 16 for embeddings, head and norms.
TEST(MemoryWeights, TablesStaySixteenBit) {
  MemoryCase c = serving("llama-3-8b", 16);
  c.workload.inference.weights = StorageType::kInt4;
  const Model& m = c.workload.model;
  const double tables = m.embedding_params + m.head_params + m.final_norm_params;
  EXPECT_NEAR(c.estimate().parts.weights.value(), (m.params - tables) * 4.25 / 8 + tables * 2, 1);
  c.workload.inference.weight_bits = 4.8944;  // the average over a whole file
  EXPECT_NEAR(c.estimate().parts.weights.value(), m.params * 4.8944 / 8, 1);
}

// NF4 with double quantisation, Llama-2-7B: 3.600 GiB (4.127 bits, tables and norms 16-bit).
TEST(MemoryAdapters, QloraBase) {
  MemoryCase c = training(model_from_file("llama-2-7b"), 512);
  c.workload.kind = JobKind::kQlora;
  const MemoryParts parts = c.estimate().parts;
  const double adapters = 4 * 39976960.0;  // rank 16 on all linear layers, fp32
  EXPECT_NEAR(to_gibibytes(parts.weights - Bytes(adapters)), 3.600, 0.003);
  EXPECT_NEAR(parts.optimizer.value(), 8 * 39976960.0, 1);
}

// LoRA on queries and values with eager norms and dropout: 24h + 6f per token and layer.
TEST(MemoryAdapters, FrozenLinearsKeepNoInput) {
  MemoryCase c = training(model_from_file("llama-2-7b"), 1024);
  c.workload.kind = JobKind::kLora;
  c.workload.lora.targets = LoraTargets::kQv;
  c.workload.lora.rank = 0;
  const double per_token = (24.0 * 4096 + 6.0 * 11008 + 4 * 32) * 32;
  const double outer = 8.0 * 4096;
  EXPECT_NEAR(c.estimate().kept.value() / 1024, per_token + outer, 1e-6 * per_token);
  c.workload.lora.targets = LoraTargets::kAllLinear;
  EXPECT_GT(c.estimate().kept.value() / 1024, per_token);
}

// MB kept an image with AMP (channels last) and in fp32, counted with saved-tensor hooks; tolerance
// 16 %: one factor by family stands for networks of many kinds.
TEST(MemoryVision, PerImageAsCounted) {
  struct Row {
    const char* id;
    double amp, fp32;
  };
  const Row rows[] = {
      {"resnet18", 12, 22},        {"resnet50", 44, 86},       {"mobilenet-v3-large", 22, 44},
      {"efficientnet-b0", 44, 88}, {"vgg16", 43, 73},          {"vit-b-16", 66, 118},
      {"swin-t", 62, 107},         {"convnext-tiny", 56, 109}, {"densenet121", 66, 130}};
  for (const Row& row : rows) {
    const ModelPreset* preset = testing::shipped_catalog().find_model(row.id);
    ASSERT_NE(preset, nullptr) << row.id;
    MemoryCase c;
    c.workload.model = model_from_vision(*preset->vision);
    c.workload.channels_last = true;
    c.plan.micro_batch = 32;
    EXPECT_NEAR(c.estimate().kept.value() / 32e6 / row.amp, 1, 0.17) << row.id;
    c.workload.precision = Precision::kFp32;
    EXPECT_NEAR(c.estimate().kept.value() / 32e6 / row.fp32, 1, 0.17) << row.id;
  }
}

// The YOLOv5 README's batches for a V100 of 16 GB, AMP, 640 px: they fit, twice as much does not.
TEST(MemoryVision, YoloBatchesOfTheReadme) {
  for (const auto& [id, batch] :
       {std::pair{"yolov5s", 64.0}, {"yolov5m", 40.0}, {"yolov5l", 24.0}}) {
    MemoryCase c;
    c.gpu = card(16);
    c.workload.model = model_from_vision(*testing::shipped_catalog().find_model(id)->vision);
    c.workload.optimizer = Optimizer::kSgdMomentum;
    c.plan.micro_batch = batch;
    EXPECT_NE(c.estimate().verdict, MemoryVerdict::kDoesNotFit) << id;
    EXPECT_GT(c.gib(), 10) << id;
    c.plan.micro_batch = 2 * batch;
    EXPECT_EQ(c.estimate().verdict, MemoryVerdict::kDoesNotFit) << id;
  }
}

// detectron2's model zoo: 3.0 and 3.4 GB for two images a GPU in FP32; tolerance 25 %: the context
// and workspace that its figure leaves out, proposals by image.
TEST(MemoryVision, DetectorsWithFrozenStages) {
  for (const auto& [id, gb] :
       {std::pair{"fasterrcnn-resnet50-fpn", 3.0}, {"maskrcnn-resnet50-fpn", 3.4}}) {
    MemoryCase c;
    c.workload.model = model_from_vision(*testing::shipped_catalog().find_model(id)->vision);
    c.workload.precision = Precision::kFp32;
    c.workload.optimizer = Optimizer::kSgdMomentum;
    c.plan.micro_batch = 2;
    const MemoryEstimate m = c.estimate();
    EXPECT_NEAR(to_gigabytes(m.per_gpu - m.parts.overhead) / gb, 1, 0.25) << id;
  }
}

TEST(MemoryVision, ActivationsScaleWithAreaPrecisionAndLayout) {
  MemoryCase c;
  c.workload.model.kind = ModelKind::kVision;
  c.workload.model.params = 25.6e6;
  c.workload.model.vision = VisionShape{4.09e9, 11.1e6, 224, 224, VisionFamily::kConv};
  c.workload.channels_last = true;
  c.plan.micro_batch = 64;
  const auto per_image = [&] { return c.estimate().kept.value() / 64 / 1e6; };
  EXPECT_NEAR(per_image(), 44, 3);  // MB, counted on ResNet-50: 44 with AMP, 86 in fp32
  const double amp = per_image();
  c.workload.channels_last = false;
  EXPECT_GT(per_image(), amp);
  c.workload.precision = Precision::kFp32;
  EXPECT_NEAR(per_image(), 86, 6);
  const double square = per_image();
  c.workload.image_height = 448;
  c.workload.image_width = 448;
  EXPECT_NEAR(per_image() / square, 4, 1e-9);
}

// ViT-B/16 at 224 px: 118 MB an image in fp32, 66 with AMP (counted with saved-tensor hooks).
TEST(MemoryVision, VitPerImage) {
  MemoryCase c;
  c.workload.model = model_from_file("vit-base-patch16-224");
  c.plan.micro_batch = 32;
  const auto per_image = [&] { return c.estimate().kept.value() / 32 / 1e6; };
  EXPECT_NEAR(per_image() / 66, 1, 0.03);
  c.workload.precision = Precision::kFp32;
  EXPECT_NEAR(per_image() / 118, 1, 0.03);
}

// Mistakes of other calculators, by their number in the comparison.
TEST(MemoryMistakes, D1GradientsAreDividedByTensorAndPipeline) {
  MemoryCase c = training(gpt3(), 2048);
  c.workload.framework = Framework::kMegatron;
  c.plan.tensor = c.plan.pipeline = 8;
  c.plan.grad_accumulation = 8;
  EXPECT_LT(to_gibibytes(c.estimate().parts.gradients), 1.1 * 652.8 / 64);
}
TEST(MemoryMistakes, D2CacheHasKeysAndValuesOfTheKvHeads) {
  EXPECT_NEAR(cache_gib(serving("llama-3-8b", 8192)), 1.0, 1e-9);
}
TEST(MemoryMistakes, D3ZeroDividesByDataParallelOnly) {
  MemoryCase c = training(model_from_file("llama-2-7b"), 2048, 2);
  c.plan.tensor = 4;
  c.plan.zero = 3;
  c.plan.grad_accumulation = 2;
  EXPECT_NEAR(c.estimate().parts.weights.value(), 2 * c.workload.model.params / 8, 1);
}
TEST(MemoryMistakes, D4FullRecomputeKeepsOnlyCheckpoints) {
  MemoryCase c = training(model_from_file("llama-2-7b"), 4096);
  c.plan.recompute = Recompute::kFull;
  EXPECT_LT(to_gibibytes(c.estimate().kept), 1.2);
}
TEST(MemoryMistakes, D9GradientsCountBesideActivations) {
  MemoryCase c = training(model_from_file("llama-2-7b"), 4096);
  c.plan.grad_accumulation = 4;
  const MemoryParts parts = c.estimate().parts;
  EXPECT_GT(parts.gradients.value(), 3.9 * c.workload.model.params);
  EXPECT_GT(parts.activations.value(), 0);
}
TEST(MemoryMistakes, D10ActivationsKnowTheGateAndTheKvHeads) {
  MemoryCase c = training(model_from_file("llama-2-7b"), 4096);
  c.workload.framework = Framework::kMegatron;
  EXPECT_NEAR(to_gibibytes(c.estimate().kept), 18.8, 0.2);  // not 14.9
}
TEST(MemoryMistakes, D11MixedPrecisionIsASumOfEighteenBytes) {
  MemoryCase c = training(model_from_file("llama-2-7b"), 128);
  c.plan.grad_accumulation = 2;
  EXPECT_GT(testing::states_gib(c.estimate()), 110);
}
TEST(MemoryMistakes, D12ScoresAreNotMaterialised) {
  EXPECT_LT(training(model_from_file("llama-2-7b"), 4096).estimate().kept.value(),
            gibibytes(30).value());
}
TEST(MemoryMistakes, D12CacheAndAttentionWeightsFollowTheKvHeads) {
  EXPECT_NEAR(cache_gib(serving("llama-3-8b", 8192)), 1.0, 1e-9);        // not 8.0
  EXPECT_NEAR(model_from_file("llama-2-70b").params, 68976648192.0, 1);  // not 78.4e9
}
// D14: the coefficient 34 bytes is used once, for every layer.
TEST(MemoryMistakes, D14ActivationsCountEveryLayerOnce) {
  MemoryCase c = training(gpt3(), 2048);
  c.workload.framework = Framework::kMegatron;
  const double layers = 96, h = 12288;
  EXPECT_NEAR(c.estimate().kept.value() / (2048 * layers * 34 * h), 1, 0.02);
}
TEST(MemoryMistakes, D14TrainingHasNoCache) {
  EXPECT_EQ(training(model_from_file("llama-2-7b"), 4096).estimate().parts.kv_cache.value(), 0);
}
TEST(MemoryMistakes, D15AllExpertsAreResident) {
  MemoryCase c = serving("deepseek-v3", 1024);
  c.workload.inference.weights = StorageType::kFp8;
  EXPECT_GT(to_gigabytes(c.estimate().parts.weights), 670);
}
TEST(MemoryMistakes, D17InferenceGrowsWithBatchAndContext) {
  const double one = serving("llama-3-8b", 1024, 1).gib();
  EXPECT_GT(serving("llama-3-8b", 1024, 16).gib(), one + 1);
  EXPECT_GT(serving("llama-3-8b", 16384, 1).gib(), one + 1);
}
TEST(MemoryMistakes, D17FullTrainingDoesNotShrinkWithAQuantisedBase) {
  MemoryCase c = training(model_from_file("llama-2-7b"), 1024);
  const double full = c.gib();
  c.workload.lora.base = StorageType::kInt4;
  EXPECT_EQ(c.gib(), full);
}
TEST(MemoryMistakes, D18CachePrecisionIsItsOwn) {
  MemoryCase c = serving("llama-3-8b", 8192);
  c.workload.inference.weights = StorageType::kInt4;
  EXPECT_NEAR(cache_gib(c), 1.0, 1e-9);
  c.workload.inference.kv_cache = StorageType::kInt8;
  EXPECT_NEAR(cache_gib(c), 0.5, 1e-9);
}
TEST(MemoryMistakes, D20TablesAreInTheWeights) {
  EXPECT_NEAR(serving("llama-3-8b", 16).estimate().parts.weights.value(), 2 * 8030261248.0, 1);
}

}  // namespace
}  // namespace xuanka
