// Decoder-only configs: attention variants, experts, windows, biases.

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "workload/config_layers.hpp"

namespace xuanka {
namespace {

using json::View;

bool starts_with(std::string_view text, std::string_view head) {
  return text.substr(0, head.size()) == head;
}

struct Decoder {
  const ConfigFields& fields;
  Family family;
  CommonSizes size;
  BlockSpec block{};        // of a dense, unwindowed layer
  FfnShape moe{};           // experts > 0 when some layers are mixtures
  double dense_layers = 0;  // leading layers without experts
  double moe_every = 1;     // of the others every n-th is a mixture
  double moe_offset = 0;
  std::vector<double> dense_list{};
  double window = 0;

  [[nodiscard]] bool is(std::string_view type) const { return family.type == type; }
};

// Falcon: one flag per generation. New architecture: grouped heads and two parallel norms.
void apply_falcon(Decoder& d) {
  const ConfigFields& f = d.fields;
  const bool grouped =
      f.flag("new_decoder_architecture", d.size.kv_heads > 1 && d.size.kv_heads < d.size.heads);
  const bool parallel = f.flag("parallel_attn", true);
  if (!grouped) {
    const bool multi_query = f.flag("multi_query", true);
    d.size.kv_heads = multi_query ? 1 : d.size.heads;
  }
  d.block.norms = parallel && !grouped ? 1 : 2;
  if (grouped) {
    const double norms = f.count("num_ln_in_parallel_attn", 2);
    if (norms > 0) d.block.norms = norms;
  }
  const bool bias = f.flag("bias", false);
  d.family.qkv_bias = d.family.o_bias = d.family.mlp_bias = bias;
}

// ChatGLM-6B (the first one) is a plain LayerNorm model; 2 and 3 are the family's row.
void apply_chatglm(Decoder& d) {
  const ConfigFields& f = d.fields;
  if (f.has("inner_hidden_size")) {
    d.family.gated = false;
    d.family.layer_norm = d.family.norm_bias = true;
    d.family.qkv_bias = d.family.o_bias = d.family.mlp_bias = true;
    d.family.tied = true;
    d.size.ffn = f.count("inner_hidden_size", kMaxFfn);
    return;
  }
  d.family.qkv_bias = f.flag("add_qkv_bias", true);
  if (f.flag("add_bias_linear", false)) d.family.o_bias = d.family.mlp_bias = true;
  if (!f.flag("multi_query_attention", true)) d.size.kv_heads = d.size.heads;
}

// Biases that a config switches on or off, by the names families use.
void apply_bias_flags(Decoder& d) {
  const ConfigFields& f = d.fields;
  Family& family = d.family;
  if (f.has("attention_bias")) {
    const bool bias = f.flag("attention_bias", family.qkv_bias);
    family.qkv_bias = bias;
    const bool output_too =
        !starts_with(d.family.type, "glm") && !starts_with(d.family.type, "qwen2");
    if (output_too) family.o_bias = bias;
  }
  family.qkv_bias = f.flag("use_qkv_bias", family.qkv_bias);
  family.qkv_bias = f.flag("qkv_bias", family.qkv_bias);
  family.mlp_bias = f.flag("mlp_bias", family.mlp_bias);
  if (d.is("internlm")) family.qkv_bias = family.o_bias = f.flag("bias", true);
  if (d.is("internlm2") || d.is("internlm3")) {
    family.qkv_bias = family.o_bias = f.flag("bias", false);
  }
  if (d.is("starcoder2")) {
    family.qkv_bias = family.o_bias = family.mlp_bias = f.flag("use_bias", true);
  }
  if (d.is("mpt") && !f.flag("no_bias", true)) {
    family.qkv_bias = family.o_bias = family.mlp_bias = family.norm_bias = true;
  }
  if (d.is("gpt_neo")) family.qkv_bias = false;
  family.head_bias = f.flag("lm_head_bias", family.head_bias);
}

void apply_quirks(Decoder& d) {
  const ConfigFields& f = d.fields;
  if (d.is("falcon")) apply_falcon(d);
  if (d.is("chatglm")) apply_chatglm(d);
  if (d.is("gpt_bigcode") && f.flag("multi_query", true)) d.size.kv_heads = 1;
  if (d.is("qwen")) d.size.ffn /= 2;  // the first Qwen stores gate and up together
  if (d.is("mpt") || d.is("dbrx")) {
    if (const auto attention = f.view().object("attn_config")) {
      const double kv = ConfigFields(*attention).count("kv_n_heads", kMaxHeads);
      if (kv > 0) d.size.kv_heads = kv;
    }
  }
  if (starts_with(d.family.type, "gemma") && !f.has(keys::kHeadDim)) d.size.head_dim = 256;
  apply_bias_flags(d);
}

// Norms of queries and keys: one vector of width d each, or over all heads at once (OLMo 2).
double qk_norm_params(const Decoder& d) {
  const double all = (d.size.heads + d.size.kv_heads) * d.size.head_dim;
  if (d.is("olmo2") || d.is("olmo3") || d.is("olmoe")) return all;
  const bool asked = d.fields.flag("use_qk_norm", false) || d.fields.flag("qk_layernorm", false);
  if ((d.is("cohere") || d.is("cohere2")) && asked) return all;
  return d.family.qk_norm || (asked && !d.is("llama4_text")) ? 2 * d.size.head_dim : 0;
}

void read_mla(Decoder& d) {
  const ConfigFields& f = d.fields;
  if (!f.has("kv_lora_rank")) return;
  MlaShape mla;
  mla.q_rank = f.count("q_lora_rank", kMaxHidden, 0);
  mla.kv_rank = f.count("kv_lora_rank", kMaxHidden);
  mla.nope_dim = f.count("qk_nope_head_dim", kMaxHeads);
  mla.rope_dim = f.count("qk_rope_head_dim", kMaxHeads);
  mla.v_dim = f.count("v_head_dim", kMaxHeads);
  if (mla.nope_dim == 0) f.view().report(IssueCode::kMissing, "qk_nope_head_dim");
  if (mla.v_dim == 0) f.view().report(IssueCode::kMissing, "v_head_dim");
  d.block.attention.mla = mla;
  d.block.attention.kv_heads = d.size.heads;
}

// Which layers are mixtures: `num_dense` leading dense ones, then every n-th.
void read_moe_layers(Decoder& d) {
  const ConfigFields& f = d.fields;
  d.dense_layers = f.count(keys::kDenseLayers, kMaxLayers, 0);
  const double step =
      f.count(std::array<std::string_view, 4>{"decoder_sparse_step", "moe_layer_freq",
                                              "interleave_moe_layer_step", "moe_layer_interval"},
              kMaxLayers, 0);
  if (step > 0) d.moe_every = step;
  // Qwen counts from 1 (layer i + 1 divides), DeepSeek from 0, Llama 4 from step - 1.
  d.moe_offset =
      d.is("deepseek_v2") || d.is("deepseek_v3") || d.is("deepseek") ? 0 : d.moe_every - 1;
  if (const auto list = f.view().array("mlp_only_layers")) {
    for (const json::Value item : list->children()) d.dense_list.push_back(item.number());
  }
}

void read_moe(Decoder& d) {
  const ConfigFields& f = d.fields;
  if (d.is("dbrx")) {
    if (const auto ffn = f.view().need_object("ffn_config")) {
      const ConfigFields g(*ffn);
      d.moe.experts = g.count("moe_num_experts", kMaxExperts);
      d.moe.top_k = g.count("moe_top_k", kMaxExperts);
      d.moe.expert_width = g.count("ffn_hidden_size", kMaxFfn);
    }
    d.moe.gated = true;
    return;
  }
  d.moe.experts = f.count(keys::kExperts, kMaxExperts, 0);
  if (d.moe.experts <= 1) {
    d.moe.experts = 0;
    return;
  }
  d.moe.gated = d.family.gated;
  d.moe.top_k =
      f.has(keys::kTopK) ? f.count(keys::kTopK, kMaxExperts) : (d.is("llama4_text") ? 1 : 2);
  if (d.moe.top_k > d.moe.experts) {
    f.report_conflict(keys::kTopK.front(), keys::kExperts.front());
    d.moe.top_k = d.moe.experts;
  }
  d.moe.expert_width = f.count(keys::kExpertWidth, kMaxFfn);
  if (d.moe.expert_width == 0) d.moe.expert_width = d.size.ffn;
  d.moe.shared_width = f.count(keys::kSharedWidth, kMaxFfn, 0);
  if (d.moe.shared_width == 0) {
    d.moe.shared_width = f.count(keys::kSharedExperts, kMaxExperts, 0) * d.moe.expert_width;
  }
  if (d.is("llama4_text")) {
    d.moe.shared_width = d.moe.expert_width;
    const double dense = f.count("intermediate_size_mlp", kMaxFfn);
    if (dense > 0) d.block.ffn.width = dense;
  }
  read_moe_layers(d);
  d.block.shared_gate = d.is("qwen2_moe");
  d.block.router_bias =
      d.is("deepseek_v3") || d.is("kimi_k2") || d.is("glm4_moe") || d.is("gpt_oss");
  d.block.expert_bias = d.is("gpt_oss");
}

// Local attention: the width, and a rule by layer where the config has no `layer_types`.
void read_window(Decoder& d) {
  const ConfigFields& f = d.fields;
  d.window = f.count(keys::kWindow, kMaxPositions, 0);
  if (starts_with(d.family.type, "qwen") && !f.flag("use_sliding_window", false)) d.window = 0;
  const bool local_family =
      d.is("gemma2") || starts_with(d.family.type, "gemma3") || d.is("cohere2");
  if (d.window == 0 && local_family && !f.has(keys::kWindow)) d.window = 4096;
  if (d.is("gpt_oss") && !f.has(keys::kWindow)) d.window = 128;
  if (d.is("gpt_neo") && d.window == 0) d.window = 256;
  if (d.is("llama4_text")) d.window = f.count("attention_chunk_size", kMaxPositions, 0);
}

bool layer_is_local(const Decoder& d, double index) {
  if (d.window == 0) return false;
  const auto every = [index](double n) { return std::floor((index + 1) / n) * n == index + 1; };
  if (d.is("gemma2") || d.is("gpt_oss")) return !every(2);
  if (d.is("gpt_neo")) return every(2);
  if (d.is("llama4_text")) return !every(4);
  double pattern = d.fields.count("sliding_window_pattern", kMaxLayers, 0);
  if (pattern == 0 && starts_with(d.family.type, "gemma3")) pattern = 6;
  if (pattern == 0 && d.is("cohere2")) pattern = 4;
  if (pattern > 1) return !every(pattern);
  if (starts_with(d.family.type, "qwen")) {
    return index >= d.fields.count("max_window_layers", kMaxLayers, 0);
  }
  return true;
}

// Local or not per layer; reports layer kinds that cannot be counted.
std::vector<bool> local_layers(const Decoder& d) {
  std::vector<bool> local;
  if (const auto types = d.fields.view().array("layer_types")) {
    if (static_cast<double>(types->size()) == d.size.layers) {
      for (const json::Value type : types->children()) {
        const bool known = type.string() == "full_attention" ||
                           type.string() == "sliding_attention" ||
                           type.string() == "chunked_attention";
        if (!known) {
          d.fields.view().report(IssueCode::kUnsupportedModel, "layer_types",
                                 {{"what", std::string(type.string())}});
          break;
        }
        local.push_back(type.string() != "full_attention" && d.window > 0);
      }
      if (static_cast<double>(local.size()) == d.size.layers) return local;
    }
  }
  local.clear();
  for (double i = 0; i < d.size.layers; ++i) local.push_back(layer_is_local(d, i));
  return local;
}

bool layer_is_moe(const Decoder& d, double index) {
  if (d.moe.experts == 0 || index < d.dense_layers) return false;
  for (const double dense : d.dense_list) {
    if (dense == index) return false;
  }
  const double turn = index - d.moe_offset;
  return std::floor(turn / d.moe_every) * d.moe_every == turn;
}

void add_layers(const Decoder& d, Model& model) {
  const std::vector<bool> local = local_layers(d);
  double counts[2][2] = {{0, 0}, {0, 0}};
  for (std::size_t i = 0; i < local.size(); ++i) {
    counts[layer_is_moe(d, static_cast<double>(i)) ? 1 : 0][local[i] ? 1 : 0] += 1;
  }
  for (int moe = 0; moe < 2; ++moe) {
    for (int windowed = 0; windowed < 2; ++windowed) {
      if (counts[moe][windowed] == 0) continue;
      BlockSpec block = d.block;
      if (windowed == 1) block.attention.window = d.window;
      if (moe == 1) block.ffn = d.moe;
      model.groups.push_back(make_group(block, counts[moe][windowed]));
    }
  }
}

// Tables around the layers: embedding (with OPT's projection), positions, head, final norm.
void add_tables(const Decoder& d, Model& model) {
  const ConfigFields& f = d.fields;
  const double h = d.size.hidden;
  model.embedding_params = d.size.vocab * h;
  if (d.is("opt")) {
    const double width = f.count("word_embed_proj_dim", kMaxHidden);
    if (width > 0 && width != h) {
      model.embedding_params = d.size.vocab * width;
      model.position_params += 2 * width * h;
    }
  }
  if (d.family.learned_positions) {
    const double rows = f.count(keys::kPositions, kMaxPositions);
    model.position_params += (rows + d.family.position_offset) * h;
  }
  if (d.is("bloom")) model.position_params += 2 * h;  // norm of the embedding
  const double norm = d.block.norm_weights ? (d.block.norm_bias ? 2 * h : h) : 0;
  // OLMo normalises without parameters; OPT without pre-normalisation has no final norm.
  const bool final_norm = !d.is("olmo") && !(d.is("opt") && !f.flag("do_layer_norm_before", true));
  model.final_norm_params = final_norm ? norm : 0;
  if (!model.tied_embeddings) model.head_params += d.size.vocab * h;
  if (d.family.head_bias) model.head_params += d.size.vocab;
}

}  // namespace

CommonSizes read_common(const ConfigFields& f, const Family& family) {
  CommonSizes size;
  size.layers = f.need(keys::kLayers, kMaxLayers);
  size.hidden = f.need(keys::kHidden, kMaxHidden);
  size.heads = f.need(keys::kHeads, kMaxHeads);
  size.head_dim = f.count(keys::kHeadDim, kMaxHeads);
  if (size.head_dim == 0 && size.heads > 0 && size.hidden > 0 && !f.has("kv_lora_rank")) {
    size.head_dim = std::floor(size.hidden / size.heads);
    if (size.head_dim * size.heads != size.hidden) {
      f.report_conflict(keys::kHeads.front(), keys::kHidden.front());
    }
  }
  size.kv_heads = f.count(keys::kKvHeads, kMaxHeads);
  if (size.kv_heads == 0) size.kv_heads = size.heads;
  if (size.kv_heads > size.heads && size.heads > 0) {
    f.report_conflict(keys::kKvHeads.front(), keys::kHeads.front());
    size.kv_heads = size.heads;
  }
  if (f.has(keys::kFfn)) {
    size.ffn = f.count(keys::kFfn, kMaxFfn);
  } else if (f.has("expansion_ratio")) {
    size.ffn = size.hidden * f.number("expansion_ratio", 4, 0.01, 1024);
  } else if (family.ffn_is_4h) {
    size.ffn = 4 * size.hidden;
  } else if (!f.has("ffn_config") && !f.has("inner_hidden_size")) {
    f.view().report(IssueCode::kMissing, keys::kFfn.front());
  }
  if (f.has(keys::kVocab)) {
    size.vocab = f.count(keys::kVocab, kMaxVocab);
  } else if (family.layout != ModelLayout::kVit) {
    size.vocab = f.need(keys::kVocabNeeded, kMaxVocab);
  }
  return size;
}

void read_decoder(const ConfigFields& fields, const Family& family, Model& model) {
  Decoder d{.fields = fields, .family = family, .size = read_common(fields, family)};
  d.block.norms = family.norms;
  apply_quirks(d);

  BlockSpec& block = d.block;
  block.hidden = d.size.hidden;
  block.attention.heads = d.size.heads;
  block.attention.kv_heads = d.size.kv_heads;
  block.attention.head_dim = d.size.head_dim;
  block.ffn.width = d.size.ffn;
  block.ffn.gated = d.family.gated;
  block.q_bias = block.k_bias = block.v_bias = d.family.qkv_bias;
  block.o_bias = d.family.o_bias;
  block.mlp_bias = d.family.mlp_bias;
  block.norm_bias = d.family.norm_bias;
  block.qk_norm = qk_norm_params(d);
  if (d.is("gpt_oss")) block.extra = d.size.heads;  // attention sinks
  if (d.is("gpt_neo")) block.o_bias = true;
  read_mla(d);
  read_moe(d);
  read_window(d);

  model.hidden = d.size.hidden;
  model.vocab = d.size.vocab;
  model.layer_norm = d.family.layer_norm;
  model.dropout = d.family.dropout;
  model.tied_embeddings = fields.flag("tie_word_embeddings", d.family.tied);
  model.max_seq_len = fields.count(keys::kPositions, kMaxPositions);
  if (!fields.view().issues().empty()) return;
  add_layers(d, model);
  add_tables(d, model);
}

}  // namespace xuanka
