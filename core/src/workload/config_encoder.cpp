// Encoders, encoder-decoders, ViT and Mamba.

#include <array>
#include <cmath>

#include "workload/config_layers.hpp"

namespace xuanka {
namespace {

// A layer with biases everywhere, LayerNorm and a plain MLP (BERT, BART, ViT, Whisper).
BlockSpec biased_block(double hidden, double heads, double ffn) {
  BlockSpec block;
  block.hidden = hidden;
  block.attention.heads = block.attention.kv_heads = heads;
  block.attention.head_dim = heads > 0 ? hidden / heads : 0;
  block.attention.causal = false;
  block.ffn.width = ffn;
  block.ffn.gated = false;
  block.q_bias = block.k_bias = block.v_bias = block.o_bias = block.mlp_bias = true;
  block.norm_bias = true;
  return block;
}

// The decoder's layer for an encoder's: causal, with cross-attention and a third norm.
BlockSpec decoder_of(BlockSpec block) {
  block.cross = block.attention;
  block.cross->cross = true;
  block.attention.causal = true;
  block.norms = 3;
  block.encoder = false;
  return block;
}

double either(double value, double fallback) { return value > 0 ? value : fallback; }

void heads_must_divide(const ConfigFields& f, double hidden, double heads) {
  if (heads > 0 && std::floor(hidden / heads) * heads != hidden) {
    f.report_conflict("num_attention_heads", "hidden_size");
  }
}

}  // namespace

void read_encoder(const ConfigFields& f, const Family& family, Model& model) {
  const bool distil = family.type == "distilbert";
  CommonSizes size;
  if (distil) {
    size.layers = f.need(keys::kLayers, kMaxLayers);
    size.hidden = f.count(std::array<std::string_view, 2>{"dim", "hidden_size"}, kMaxHidden);
    if (size.hidden == 0) f.view().report(IssueCode::kMissing, "dim");
    size.heads = f.need(keys::kHeads, kMaxHeads);
    size.ffn = either(f.count("hidden_dim", kMaxFfn), 4 * size.hidden);
    size.vocab = f.need(keys::kVocabNeeded, kMaxVocab);
  } else {
    size = read_common(f, family);
  }
  heads_must_divide(f, size.hidden, size.heads);
  model.hidden = size.hidden;
  model.vocab = size.vocab;
  model.encoder_only = true;
  model.tied_embeddings = f.flag("tie_word_embeddings", true);
  model.layer_norm = model.dropout = true;
  model.max_seq_len = f.count(keys::kPositions, kMaxPositions);
  if (!f.view().issues().empty()) return;

  BlockSpec block = biased_block(size.hidden, size.heads, size.ffn);
  block.encoder = true;
  model.groups.push_back(make_group(block, size.layers));
  const double h = size.hidden;
  const double width = either(f.count("embedding_size", kMaxHidden), h);  // ELECTRA
  const double types = f.has("type_vocab_size") ? f.count("type_vocab_size", 1e6, 0)
                                                : (distil ? 0 : (family.type == "bert" ? 2 : 1));
  model.embedding_params = size.vocab * width;
  model.position_params = (either(model.max_seq_len, 512) + types + 2) * width;
  if (width != h) model.position_params += width * h + h;
  const bool pooler = !distil && family.type != "electra";
  if (pooler) model.head_params = h * h + h;
}

void read_t5(const ConfigFields& f, const Family& family, Model& model) {
  constexpr auto kEncoderLayers =
      std::to_array<std::string_view>({"num_layers", "num_hidden_layers", "encoder_layers"});
  const double layers = f.need(kEncoderLayers, kMaxLayers);
  const double decoder_layers = either(f.count("num_decoder_layers", kMaxLayers), layers);
  const double h = f.need(keys::kHidden, kMaxHidden);
  const double heads = f.need(keys::kHeads, kMaxHeads);
  const double head_dim =
      either(f.count(keys::kHeadDim, kMaxHeads), heads > 0 ? std::floor(h / heads) : 0);
  const double ffn = f.need(keys::kFfn, kMaxFfn);
  const double vocab = f.need(keys::kVocabNeeded, kMaxVocab);
  const double buckets = either(f.count("relative_attention_num_buckets", 1e6), 32);

  BlockSpec block;
  block.hidden = h;
  block.attention = {.heads = heads, .kv_heads = heads, .head_dim = head_dim, .causal = false};
  block.ffn.width = ffn;
  const std::string_view projection = f.text("feed_forward_proj");
  block.ffn.gated = projection.empty() ? family.gated : projection.substr(0, 5) == "gated";
  block.encoder = true;
  const bool every_layer = family.type == "umt5";
  if (every_layer) block.extra = buckets * heads;

  model.hidden = h;
  model.vocab = vocab;
  model.tied_embeddings = f.flag("tie_word_embeddings", family.tied);
  model.dropout = true;
  model.max_seq_len = f.count(keys::kPositions, kMaxPositions);
  if (!f.view().issues().empty()) return;
  model.groups.push_back(make_group(block, layers));
  model.groups.push_back(make_group(decoder_of(block), decoder_layers));
  model.embedding_params = vocab * h;
  // One table of relative positions for the encoder and one for the decoder.
  if (!every_layer) model.position_params = 2 * buckets * heads;
  model.final_norm_params = 2 * h;
  if (!model.tied_embeddings) model.head_params = vocab * h;
}

void read_bart(const ConfigFields& f, const Family& family, Model& model) {
  const CommonSizes size = read_common(f, family);
  const double h = size.hidden;
  const double encoder_layers = either(f.count("encoder_layers", kMaxLayers), size.layers);
  const double decoder_layers = either(f.count("decoder_layers", kMaxLayers), size.layers);
  const double encoder_heads = either(f.count("encoder_attention_heads", kMaxHeads), size.heads);
  const double decoder_heads = either(f.count("decoder_attention_heads", kMaxHeads), size.heads);
  const double encoder_ffn = either(f.count("encoder_ffn_dim", kMaxFfn), size.ffn);
  const double decoder_ffn = either(f.count("decoder_ffn_dim", kMaxFfn), size.ffn);
  heads_must_divide(f, h, encoder_heads);
  heads_must_divide(f, h, decoder_heads);
  model.hidden = h;
  model.vocab = size.vocab;
  model.tied_embeddings = f.flag("tie_word_embeddings", true);
  model.layer_norm = model.dropout = true;
  model.max_seq_len = f.count(keys::kPositions, kMaxPositions);
  if (!f.view().issues().empty()) return;
  BlockSpec block = biased_block(h, encoder_heads, encoder_ffn);
  block.encoder = true;
  model.groups.push_back(make_group(block, encoder_layers));
  model.groups.push_back(
      make_group(decoder_of(biased_block(h, decoder_heads, decoder_ffn)), decoder_layers));
  model.embedding_params = size.vocab * h;
  // Two tables of learned positions (two extra rows each) and the norms after the embeddings.
  model.position_params = 2 * (either(model.max_seq_len, 1024) + 2) * h + 4 * h;
  if (family.type == "mbart") model.final_norm_params = 4 * h;
  if (!model.tied_embeddings) model.head_params = size.vocab * h;
}

void read_whisper(const ConfigFields& f, const Family&, Model& model) {
  constexpr auto kEncoderLayers =
      std::to_array<std::string_view>({"encoder_layers", "num_hidden_layers"});
  const double layers = f.need(kEncoderLayers, kMaxLayers);
  const double decoder_layers = either(f.count("decoder_layers", kMaxLayers), layers);
  const double h = f.need(std::array<std::string_view, 1>{"d_model"}, kMaxHidden);
  const double heads = f.need(
      std::array<std::string_view, 2>{"encoder_attention_heads", "num_attention_heads"}, kMaxHeads);
  const double ffn = either(f.count("encoder_ffn_dim", kMaxFfn), 4 * h);
  const double decoder_ffn = either(f.count("decoder_ffn_dim", kMaxFfn), ffn);
  const double vocab = f.need(keys::kVocabNeeded, kMaxVocab);
  const double mel = either(f.count("num_mel_bins", 4096), 80);
  const double source = either(f.count("max_source_positions", kMaxPositions), 1500);
  const double target = either(f.count("max_target_positions", kMaxPositions), 448);
  heads_must_divide(f, h, heads);
  model.hidden = h;
  model.vocab = vocab;
  model.tied_embeddings = f.flag("tie_word_embeddings", true);
  model.layer_norm = true;
  model.max_seq_len = target;
  if (!f.view().issues().empty()) return;
  BlockSpec block = biased_block(h, heads, ffn);
  block.k_bias = false;
  block.encoder = true;
  model.groups.push_back(make_group(block, layers));
  BlockSpec decoder = decoder_of(block);
  decoder.ffn.width = decoder_ffn;
  model.groups.push_back(make_group(decoder, decoder_layers));
  model.embedding_params = vocab * h;
  // Positions of both sides and the two convolutions of width 3 before the encoder.
  model.position_params = (source + target) * h + (3 * mel * h + h) + (3 * h * h + h);
  model.final_norm_params = 4 * h;
  if (!model.tied_embeddings) model.head_params = vocab * h;
}

void read_vit(const ConfigFields& f, const Family& family, Model& model) {
  const CommonSizes size = read_common(f, family);
  const double h = size.hidden;
  const double image = either(f.count("image_size", 1e5), 224);
  const double patch = either(f.count("patch_size", 1e4), 16);
  const double channels = either(f.count("num_channels", 1e4), 3);
  double labels = f.count("num_labels", kMaxVocab, 0);
  if (!f.has("num_labels")) {
    labels = 2;  // the library's default
    if (const auto names = f.view().object("id2label")) {
      labels = static_cast<double>(names->value().size());
    }
  }
  if (patch > image) f.report_conflict("patch_size", "image_size");
  heads_must_divide(f, h, size.heads);
  model.hidden = h;
  model.encoder_only = true;
  model.layer_norm = true;
  if (!f.view().issues().empty()) return;
  BlockSpec block = biased_block(h, size.heads, size.ffn);
  block.q_bias = block.k_bias = block.v_bias = f.flag("qkv_bias", true);
  block.encoder = true;
  model.groups.push_back(make_group(block, size.layers));
  const double side = std::floor(image / patch);
  const double extra_tokens = family.type == "deit" ? 2 : 1;
  model.patches = side * side + extra_tokens;
  model.image_size = image;
  model.patch_size = patch;
  model.patch_matmul_params = channels * patch * patch * h;
  model.position_params = model.patch_matmul_params + h + (extra_tokens + model.patches) * h;
  model.final_norm_params = 2 * h;
  model.head_params = labels * h + labels;
  model.max_seq_len = model.patches;
}

// Selective state space layer (arXiv 2312.00752): in-projection, depth-wise convolution, input-
// dependent step, state matrices, out-projection. Cost is linear in the sequence.
void read_mamba(const ConfigFields& f, const Family& family, Model& model) {
  const double layers = f.need(keys::kLayers, kMaxLayers);
  const double h = f.need(keys::kHidden, kMaxHidden);
  const double vocab = f.need(keys::kVocabNeeded, kMaxVocab);
  const double state = either(f.count("state_size", 1e5), 16);
  const double expand = either(f.count("expand", 1024), 2);
  const double inner =
      either(f.count(std::array<std::string_view, 2>{"intermediate_size", "d_inner"}, kMaxFfn),
             expand * h);
  const double kernel = either(f.count("conv_kernel", 1024), 4);
  const auto rank_field = f.view().get("time_step_rank");
  const double rank = rank_field && rank_field->is_number() ? f.count("time_step_rank", kMaxHidden)
                                                            : std::ceil(h / 16);
  model.hidden = h;
  model.vocab = vocab;
  model.tied_embeddings = f.flag("tie_word_embeddings", family.tied);
  if (!f.view().issues().empty()) return;
  LayerGroup group;
  group.count = layers;
  group.hidden = h;
  group.norms = 1;
  group.attention.linear = true;
  group.attention.heads = group.attention.kv_heads = 1;
  group.attention.head_dim = inner;
  group.attention.window = state;
  group.matmul_params = 2 * h * inner + inner * (rank + 2 * state) + rank * inner + inner * h;
  group.params = group.matmul_params + inner * kernel + inner  // convolution and its bias
                 + inner                                       // step bias
                 + inner * state + inner                       // A and D
                 + h;                                          // norm
  if (f.flag("use_bias", false)) group.params += 2 * inner + h;
  if (!f.flag("use_conv_bias", true)) group.params -= inner;
  group.active_params = group.params;
  model.groups.push_back(group);
  model.embedding_params = vocab * h;
  model.final_norm_params = h;
  if (!model.tied_embeddings) model.head_params = vocab * h;
}

}  // namespace xuanka
