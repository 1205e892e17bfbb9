// Operations per token against the closed forms of their sources.
#include "workload_fixture.hpp"
#include "xuanka/workload/flops.hpp"

namespace xuanka {
namespace {

using testing::model_from_file;
using testing::model_of;

double gflop(const Model& model, double seq, FlopsConvention convention, bool frozen = false) {
  return training_flops(model, seq, convention, frozen).value() / 1e9;
}

// 6 N_x + 12 L a d s per token, attention counted without and with the causal mask
// (PaLM, arXiv 2204.02311, appendix B; Megatron-LM training.py for the mask).
TEST(WorkloadFlops, LlamaPerToken) {
  const Model llama2 = model_from_file("llama-2-7b");
  EXPECT_NEAR(gflop(llama2, 4096, FlopsConvention::kFull), 46.09, 0.005);
  EXPECT_NEAR(gflop(llama2, 4096, FlopsConvention::kCausal), 42.87, 0.005);
  const Model llama3 = model_from_file("llama-3-8b");
  EXPECT_NEAR(gflop(llama3, 8192, FlopsConvention::kFull), 57.91, 0.005);
  EXPECT_NEAR(gflop(llama3, 8192, FlopsConvention::kCausal), 51.47, 0.005);
}

// GPT-3 175B, 72 B s L h^2 (1 + s/6h + V/12Lh) per step (arXiv 2104.04473 without recomputation);
// tolerance: biases and norms, which the closed form leaves out.
TEST(WorkloadFlops, Gpt3ClosedForm) {
  const Model gpt3 = model_of(
      "{'model_type':'gpt2','n_embd':12288,'n_layer':96,'n_head':96,'n_positions':2048,"
      "'vocab_size':51200}");
  const double per_token = training_flops(gpt3, 2048, FlopsConvention::kFull, false).value();
  EXPECT_NEAR(per_token / 1.0764e12, 1, 2e-4);
  EXPECT_NEAR(per_token * 300e9 / 3.229e23, 1, 2e-4);
}

// Equal to 6 (N - V h) + 12 L a d s for untied models, 6 N for tied ones: no tolerance beyond
// rounding.
TEST(WorkloadFlops, DefinitionHoldsForEveryPlainDecoder) {
  for (const char* name :
       {"llama-2-13b", "llama-3.1-405b", "qwen2.5-7b", "mistral-7b-v0.3", "qwen3-8b"}) {
    const Model m = model_from_file(name);
    const AttentionShape& a = m.groups.at(0).attention;
    const double table = m.tied_embeddings ? 0 : m.vocab * m.hidden;
    const double want = 6 * (m.params - table) + 12 * m.layers() * a.heads * a.head_dim * 4096;
    EXPECT_NEAR(training_flops(m, 4096, FlopsConvention::kFull, false).value() / want, 1, 1e-12)
        << name;
  }
}

TEST(WorkloadFlops, FrozenWeightsHaveNoWeightGradient) {
  const Model m = model_from_file("llama-2-7b");
  const ForwardFlops forward = forward_flops(m, 2048, FlopsConvention::kFull);
  const Flop lora = training_flops(m, 2048, FlopsConvention::kFull, true);
  EXPECT_DOUBLE_EQ(lora.value(), (2.0 * forward.matmul + 3.0 * forward.attention).value());
  EXPECT_DOUBLE_EQ((2.0 * forward.matmul).value(), 4 * m.matmul_params);
}

TEST(WorkloadFlops, WindowBoundsTheContext) {
  const Model gemma = model_from_file("gemma-2-9b");
  const double at4k = forward_flops(gemma, 4096, FlopsConvention::kFull).attention.value();
  const double at32k = forward_flops(gemma, 32768, FlopsConvention::kFull).attention.value();
  EXPECT_NEAR(at32k / at4k, (8 + 1) / 2.0, 1e-9);  // half of the layers keep 4096
}

TEST(WorkloadFlops, ExpertsCountByTopK) {
  const Model mixtral = model_from_file("mixtral-8x7b");
  const double flops = forward_flops(mixtral, 1, FlopsConvention::kFull).matmul.value();
  EXPECT_LT(flops, 2 * mixtral.active_params);
  EXPECT_GT(flops, 2 * 0.95 * mixtral.active_params);
}

TEST(WorkloadFlops, MlaUsesItsTwoWidths) {
  const Model v3 = model_from_file("deepseek-v3");
  const double attention = forward_flops(v3, 1000, FlopsConvention::kFull).attention.value();
  EXPECT_DOUBLE_EQ(attention, 61 * 2.0 * 128 * (192 + 128) * 1000);
}

// ViT-B/16 at 224 px: 17.58 GMAC in the papers; tolerance 0.5 %: the classifier and what is counted
// of the patch projection.
TEST(WorkloadFlops, VitPerImage) {
  const Model vit = model_from_file("vit-base-patch16-224");
  const double forward = forward_flops(vit, vit.patches, FlopsConvention::kFull).total().value();
  EXPECT_EQ(vit.patches, 197);
  EXPECT_NEAR(forward / (2 * 17.58e9), 1, 0.005);
}

// D5 (cookbook): the width of the feed-forward is used, not 4 h.
TEST(WorkloadMistakes, D5FeedForwardWidthIsUsed) {
  EXPECT_NEAR(model_from_file("llama-2-7b").matmul_params, 6.607e9, 1e6);
}
// D6 (llm-analysis): embeddings are not tied unless the model ties them.
TEST(WorkloadMistakes, D6EmbeddingsAreNotTiedByDefault) {
  EXPECT_EQ(model_from_file("llama-2-7b").params, 6738415616);
}
// D19 (llm-resource-planner): not 12 h^2 L.
TEST(WorkloadMistakes, D19NotTwelveSquares) {
  EXPECT_EQ(model_from_file("llama-3-8b").params, 8030261248);
}
// D22 (mlsysim): exact counts, not nominal sizes.
TEST(WorkloadMistakes, D22CountsAreNotNominal) {
  EXPECT_NE(model_from_file("llama-2-70b").params, 70e9);
}
// D23 (GenZ): an unknown architecture has a manual path.
TEST(WorkloadMistakes, D23UnknownArchitectureIsComputed) {
  const TransformerShape shape{.layers = 10, .hidden = 512, .heads = 8};
  EXPECT_TRUE(model_from_shape(shape, ""));
  EXPECT_GT(model_from_params(3e9, 0).layers(), 0);
}

}  // namespace
}  // namespace xuanka
