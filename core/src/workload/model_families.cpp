#include "workload/model_families.hpp"

#include <array>
#include <utility>

namespace xuanka {
namespace {

constexpr Family llama_like(std::string_view type, bool tied = false) {
  return {.type = type, .tied = tied};
}

// GPT-2's kind: LayerNorm, biases everywhere, plain MLP.
constexpr Family gpt_like(std::string_view type, bool tied, bool learned) {
  return {.type = type,
          .gated = false,
          .layer_norm = true,
          .norm_bias = true,
          .qkv_bias = true,
          .o_bias = true,
          .mlp_bias = true,
          .tied = tied,
          .ffn_is_4h = true,
          .learned_positions = learned};
}

constexpr Family encoder(std::string_view type, double offset = 0) {
  Family f = gpt_like(type, true, true);
  f.layout = ModelLayout::kEncoder;
  f.position_offset = offset;
  f.dropout = true;
  return f;
}

constexpr Family with_dropout(Family f) {
  f.dropout = true;
  return f;
}

constexpr Family sequence_to_sequence(std::string_view type, ModelLayout layout) {
  Family f = gpt_like(type, true, true);
  f.layout = layout;
  f.dropout = true;
  return f;
}

constexpr Family t5_like(std::string_view type, bool gated, bool tied) {
  return {.type = type, .layout = ModelLayout::kT5, .gated = gated, .tied = tied, .dropout = true};
}

constexpr Family opt() {
  Family f = gpt_like("opt", true, true);
  f.position_offset = 2;
  f.dropout = true;
  return f;
}

constexpr Family unsupported(std::string_view type) {
  return {.type = type, .layout = ModelLayout::kUnsupported};
}

constexpr auto kFamilies = std::to_array<Family>({
    llama_like("llama"),
    llama_like("mistral"),
    llama_like("ministral"),
    llama_like("mixtral"),
    llama_like("baichuan"),
    {.type = "internlm", .qkv_bias = true, .o_bias = true},
    llama_like("internlm2"),
    llama_like("internlm3"),
    llama_like("yi"),
    llama_like("Yi"),
    llama_like("xverse"),
    llama_like("aquila"),
    llama_like("orion"),
    llama_like("skywork"),
    {.type = "qwen", .qkv_bias = true},
    {.type = "qwen2", .qkv_bias = true},
    {.type = "qwen2_moe", .qkv_bias = true},
    {.type = "qwen3", .qk_norm = true},
    {.type = "qwen3_moe", .qk_norm = true},
    {.type = "chatglm", .qkv_bias = true},
    {.type = "glm", .qkv_bias = true},
    {.type = "glm4", .norms = 4, .qkv_bias = true},
    {.type = "glm4_moe", .qkv_bias = true},
    llama_like("gemma", true),
    {.type = "gemma2", .norms = 4, .tied = true},
    {.type = "gemma3", .norms = 4, .tied = true, .qk_norm = true},
    {.type = "gemma3_text", .norms = 4, .tied = true, .qk_norm = true},
    {.type = "phi",
     .gated = false,
     .layer_norm = true,
     .norm_bias = true,
     .norms = 1,
     .qkv_bias = true,
     .o_bias = true,
     .mlp_bias = true,
     .head_bias = true,
     .ffn_is_4h = true},
    llama_like("phi3"),
    {.type = "phimoe",
     .layer_norm = true,
     .norm_bias = true,
     .qkv_bias = true,
     .o_bias = true,
     .head_bias = true},
    with_dropout(gpt_like("gpt2", true, true)),
    with_dropout(gpt_like("gpt_bigcode", true, true)),
    with_dropout(gpt_like("gpt_neo", true, true)),
    gpt_like("gpt_neox", false, false),
    {.type = "gptj",
     .gated = false,
     .layer_norm = true,
     .norm_bias = true,
     .norms = 1,
     .mlp_bias = true,
     .head_bias = true,
     .ffn_is_4h = true},
    {.type = "codegen",
     .gated = false,
     .layer_norm = true,
     .norm_bias = true,
     .norms = 1,
     .mlp_bias = true,
     .head_bias = true,
     .ffn_is_4h = true},
    opt(),
    gpt_like("bloom", true, false),
    {.type = "falcon",
     .gated = false,
     .layer_norm = true,
     .norm_bias = true,
     .norms = 1,
     .tied = true,
     .ffn_is_4h = true},
    {.type = "mpt", .gated = false, .layer_norm = true, .tied = true, .ffn_is_4h = true},
    {.type = "stablelm", .layer_norm = true, .norm_bias = true},
    {.type = "starcoder2",
     .gated = false,
     .layer_norm = true,
     .norm_bias = true,
     .qkv_bias = true,
     .o_bias = true,
     .mlp_bias = true,
     .tied = true},
    {.type = "nemotron", .gated = false, .layer_norm = true, .norm_bias = true},
    {.type = "cohere", .layer_norm = true, .norms = 1, .tied = true},
    {.type = "cohere2", .layer_norm = true, .norms = 1, .tied = true},
    {.type = "olmo", .layer_norm = true, .norms = 0},
    llama_like("olmo2"),
    llama_like("olmo3"),
    llama_like("olmoe"),
    llama_like("granite"),
    llama_like("granitemoe"),
    llama_like("smollm3", true),
    llama_like("exaone"),
    llama_like("minicpm", true),
    llama_like("seed_oss"),
    llama_like("ernie4_5", true),
    llama_like("ernie4_5_moe", true),
    llama_like("hunyuan_v1_dense"),
    {.type = "gpt_oss", .qkv_bias = true, .o_bias = true},
    llama_like("deepseek"),
    llama_like("deepseek_v2"),
    llama_like("deepseek_v3"),
    llama_like("kimi_k2"),
    llama_like("minicpm3", true),
    {.type = "dbrx", .layer_norm = true},
    llama_like("llama4_text"),
    encoder("bert"),
    encoder("roberta"),
    encoder("xlm-roberta"),
    encoder("camembert"),
    encoder("electra"),
    encoder("distilbert"),
    t5_like("t5", false, true),
    t5_like("mt5", true, false),
    t5_like("umt5", true, true),
    t5_like("longt5", false, true),
    sequence_to_sequence("bart", ModelLayout::kBart),
    sequence_to_sequence("mbart", ModelLayout::kBart),
    sequence_to_sequence("whisper", ModelLayout::kWhisper),
    {.type = "vit",
     .layout = ModelLayout::kVit,
     .gated = false,
     .layer_norm = true,
     .norm_bias = true,
     .qkv_bias = true,
     .o_bias = true,
     .mlp_bias = true,
     .ffn_is_4h = true},
    {.type = "deit",
     .layout = ModelLayout::kVit,
     .gated = false,
     .layer_norm = true,
     .norm_bias = true,
     .qkv_bias = true,
     .o_bias = true,
     .mlp_bias = true,
     .ffn_is_4h = true},
    {.type = "mamba", .layout = ModelLayout::kMamba, .norms = 1, .tied = true},
    {.type = "falcon_mamba", .layout = ModelLayout::kMamba, .norms = 1, .tied = true},
    unsupported("mamba2"),
    unsupported("jamba"),
    unsupported("zamba"),
    unsupported("zamba2"),
    unsupported("bamba"),
    unsupported("falcon_h1"),
    unsupported("granitemoehybrid"),
    unsupported("nemotron_h"),
    unsupported("qwen3_next"),
    unsupported("recurrent_gemma"),
    unsupported("rwkv"),
    unsupported("albert"),
    unsupported("reformer"),
    unsupported("minimax"),
});

// Types that checkpoints carried before their family got its own name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kFormerNames{
    {{"RefinedWeb", "falcon"},
     {"RefinedWebModel", "falcon"},
     {"mixformer-sequential", "phi"},
     {"phi-msft", "phi"}}};

}  // namespace

std::span<const Family> families() { return kFamilies; }

FamilyMatch find_family(std::string_view type) {
  for (const auto& [former, name] : kFormerNames) {
    if (type == former) type = name;
  }
  for (const Family& family : kFamilies) {
    if (family.type == type) return {family, true};
  }
  return {kFamilies.front(), false};
}

}  // namespace xuanka
