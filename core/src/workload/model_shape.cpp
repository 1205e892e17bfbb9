// Models that are not read from a config.json: a shape given in numbers, or a size alone.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "workload/config_layers.hpp"
#include "workload/model_builder.hpp"
#include "xuanka/workload/hf_config.hpp"

namespace xuanka {
namespace {

std::string joined(std::string_view path, std::string_view key) {
  std::string full(path);
  if (!full.empty()) full += '.';
  full += key;
  return full;
}

// Collects range problems of a shape.
class Checker {
 public:
  explicit Checker(std::string_view path) : path_(path) {}
  void need(std::string_view key, double value, double max) {
    if (value == 0) {
      issues_.push_back({IssueCode::kMissing, joined(path_, key), {}});
    } else {
      whole(key, value, max);
    }
  }
  void whole(std::string_view key, double value, double max) {
    if (!(value >= 0 && value <= max)) {
      issues_.push_back({IssueCode::kOutOfRange,
                         joined(path_, key),
                         {{"min", 0.0}, {"max", max}, {"got", value}}});
    } else if (std::floor(value) != value) {
      issues_.push_back({IssueCode::kNotInteger, joined(path_, key), {{"got", value}}});
    }
  }
  void conflict(std::string_view key, std::string_view other) {
    issues_.push_back(
        {IssueCode::kConflict, joined(path_, key), {{"other", joined(path_, other)}}});
  }
  [[nodiscard]] std::vector<Issue>& issues() { return issues_; }

 private:
  std::string path_;
  std::vector<Issue> issues_;
};

void check_shape(const TransformerShape& s, Checker& check) {
  check.need("layers", s.layers, kMaxLayers);
  check.need("hidden", s.hidden, kMaxHidden);
  check.need("heads", s.heads, kMaxHeads);
  check.whole("kv_heads", s.kv_heads, kMaxHeads);
  check.whole("head_dim", s.head_dim, kMaxHeads);
  check.whole("ffn", s.ffn, kMaxFfn);
  check.whole("vocab", s.vocab, kMaxVocab);
  check.whole("encoder_layers", s.encoder_layers, kMaxLayers);
  check.whole("window", s.window, kMaxPositions);
  check.whole("window_every", s.window_every, kMaxLayers);
  check.whole("moe.experts", s.experts, kMaxExperts);
  check.whole("moe.top_k", s.top_k, kMaxExperts);
  check.whole("moe.ffn", s.expert_ffn, kMaxFfn);
  check.whole("moe.shared", s.shared_ffn, kMaxFfn);
  check.whole("moe.dense_layers", s.dense_layers, kMaxLayers);
  check.whole("params", s.params, 1e15);
  if (!check.issues().empty()) return;
  if (s.kv_heads > s.heads) check.conflict("kv_heads", "heads");
  if (s.top_k > s.experts) check.conflict("moe.top_k", "moe.experts");
  if (s.dense_layers > s.layers) check.conflict("moe.dense_layers", "layers");
  if (s.head_dim == 0 && std::floor(s.hidden / s.heads) * s.heads != s.hidden) {
    check.conflict("heads", "hidden");
  }
}

BlockSpec block_of(const TransformerShape& s) {
  BlockSpec block;
  block.hidden = s.hidden;
  block.attention.heads = s.heads;
  block.attention.kv_heads = s.kv_heads > 0 ? s.kv_heads : s.heads;
  block.attention.head_dim = s.head_dim > 0 ? s.head_dim : s.hidden / s.heads;
  block.ffn.width = s.ffn > 0 ? s.ffn : 4 * s.hidden;
  block.ffn.gated = s.gated_mlp;
  block.q_bias = block.k_bias = block.v_bias = block.o_bias = block.mlp_bias = s.biases;
  block.norm_bias = s.layer_norm;
  return block;
}

FfnShape experts_of(const TransformerShape& s, const BlockSpec& block) {
  FfnShape moe = block.ffn;
  moe.experts = s.experts;
  moe.top_k = s.top_k > 0 ? s.top_k : std::min(2.0, s.experts);
  moe.expert_width = s.expert_ffn > 0 ? s.expert_ffn : block.ffn.width;
  moe.shared_width = s.shared_ffn;
  return moe;
}

// Layers by (mixture or dense, windowed or global), as a shape's `window_every` and
// `moe.dense_layers` lay them out.
void add_decoder_layers(const TransformerShape& s, const BlockSpec& block, Model& model) {
  std::array<double, 4> counts{};
  for (double i = 0; i < s.layers; ++i) {
    const bool moe = s.experts > 1 && i >= s.dense_layers;
    const bool global =
        s.window_every > 1 && std::floor((i + 1) / s.window_every) * s.window_every == i + 1;
    counts[(moe ? 2U : 0U) + (s.window > 0 && !global ? 1U : 0U)] += 1;
  }
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    if (counts[kind] == 0) continue;
    BlockSpec layer = block;
    if (kind % 2 == 1) layer.attention.window = s.window;
    if (kind >= 2) layer.ffn = experts_of(s, block);
    model.groups.push_back(make_group(layer, counts[kind]));
  }
}

// Makes the total equal to `params`: the layers take the difference, all tables keep their size
// unless they alone are larger.
void scale_to(double params, Model& model) {
  const double tables =
      model.embedding_params + model.position_params + model.head_params + model.final_norm_params;
  const double layers = model.params - tables;
  const bool tables_fit = params > tables && layers > 0;
  const double factor = tables_fit ? (params - tables) / layers : params / model.params;
  for (LayerGroup& group : model.groups) {
    group.params *= factor;
    group.active_params *= factor;
    group.matmul_params *= factor;
    group.expert_params *= factor;
  }
  if (!tables_fit) {
    model.embedding_params *= factor;
    model.position_params *= factor;
    model.head_params *= factor;
    model.final_norm_params *= factor;
  }
  sum_model(model);
  model.params = params;  // without the rounding of the sum
}

// Hidden size of a typical decoder of `params` parameters: depth h / 128 (Llama 7B and 13B, GPT-3
// 6.7B), SwiGLU of 8/3 h, untied vocabulary of 32,000: N = 12 h^3 / 128 + 64,000 h, by bisection.
double typical_hidden(double params) {
  double low = 1, high = 1 << 20;
  for (int i = 0; i < 60; ++i) {
    const double h = (low + high) / 2;
    (12 * h * h * h / 128 + 64000 * h < params ? low : high) = h;
  }
  return std::max(64.0, std::round(low / 64) * 64);
}

}  // namespace

Result<Model> model_from_shape(const TransformerShape& s, std::string_view path) {
  Checker check(path);
  check_shape(s, check);
  if (!check.issues().empty()) return tl::unexpected(std::move(check.issues()));

  Model model;
  model.model_type = "transformer";
  model.name = "transformer";
  model.hidden = s.hidden;
  model.vocab = s.vocab;
  model.tied_embeddings = s.tied_embeddings;
  model.layer_norm = s.layer_norm;
  model.max_seq_len = s.max_seq_len;
  BlockSpec block = block_of(s);
  if (s.encoder_layers > 0) {
    BlockSpec encoder = block;
    encoder.encoder = true;
    encoder.attention.causal = false;
    model.groups.push_back(make_group(encoder, s.encoder_layers));
    block.cross = encoder.attention;
    block.cross->cross = true;
    block.norms = 3;
  }
  add_decoder_layers(s, block, model);
  const double norm = s.layer_norm ? 2 * s.hidden : s.hidden;
  model.embedding_params = s.vocab * s.hidden;
  model.position_params = s.learned_positions * s.hidden;
  model.final_norm_params = s.encoder_layers > 0 ? 2 * norm : norm;
  if (!s.tied_embeddings) model.head_params = model.embedding_params;
  sum_model(model);
  if (s.params > 0) scale_to(s.params, model);
  return model;
}

Model model_from_params(double params, double active_params) {
  const double active = active_params > 0 ? std::min(active_params, params) : params;
  const double h = typical_hidden(active);
  BlockSpec block;
  block.hidden = h;
  block.attention.head_dim = h >= 2048 ? 128 : 64;
  block.attention.heads = block.attention.kv_heads =
      std::max(1.0, std::round(h / block.attention.head_dim));
  block.ffn.width = std::max(64.0, std::round(8 * h / 3 / 64) * 64);
  const double layers = std::max(1.0, std::round(h / 128));

  Model model;
  model.kind = ModelKind::kSizeOnly;
  model.name = "by size";
  model.hidden = h;
  model.vocab = 32000;
  model.embedding_params = model.head_params = model.vocab * h;
  model.final_norm_params = h;
  if (active < params) {
    // What is not active sits in experts: two of E are used, E from the ratio of the FFN shares.
    const double shared = layers * 4 * h * h + 2 * model.vocab * h;
    const double used = std::max(active - shared, 0.3 * active);
    const double experts = std::max(3.0, std::round(2 * (params - active + used) / used));
    block.ffn.experts = experts;
    block.ffn.top_k = 2;
    block.ffn.expert_width = block.ffn.width / 2;
  }
  model.groups.push_back(make_group(block, layers));
  sum_model(model);
  scale_to(params, model);
  if (active < params) {
    // The total is exact above; the active count is what was said, whatever the experts' rounding.
    const double ratio = active / model.active_params;
    for (LayerGroup& group : model.groups) {
      group.active_params *= ratio;
      group.matmul_params *= ratio;
    }
    model.matmul_params *= ratio;
    model.active_params = active;
  }
  return model;
}

}  // namespace xuanka
