// What each model_type means: the facts its config.json leaves unsaid. One row per family, taken
// from the defaults and the module definitions of huggingface/transformers
// (src/transformers/models).
#pragma once

#include <span>
#include <string_view>

namespace xuanka {

enum class ModelLayout {
  kDecoder,
  kEncoder,      ///< BERT-like: token types, pooler
  kT5,           ///< encoder-decoder with relative positions
  kBart,         ///< encoder-decoder with learned positions
  kWhisper,      ///< two convolutions before the encoder
  kVit,          ///< patches and a class token
  kMamba,        ///< selective state space, no attention
  kUnsupported,  ///< mixes layers that cannot be counted from the config
};

struct Family {
  std::string_view type;
  ModelLayout layout = ModelLayout::kDecoder;
  bool gated = true;        ///< three matrices in the feed-forward
  bool layer_norm = false;  ///< LayerNorm, two vectors
  bool norm_bias = false;
  double norms = 2;
  bool qkv_bias = false, o_bias = false, mlp_bias = false, head_bias = false;
  bool tied = false;       ///< tie_word_embeddings when the config does not say
  bool ffn_is_4h = false;  ///< feed-forward width may be absent: 4 h
  bool qk_norm = false;    ///< one norm of width d for queries and one for keys
  bool learned_positions = false;
  double position_offset = 0;  ///< extra rows of the position table
  bool dropout = false;        ///< trained with dropout by default
};

/// The row of `type`; the plain decoder (llama) for an unknown one, with `known` false.
struct FamilyMatch {
  Family family;
  bool known = false;
};
[[nodiscard]] FamilyMatch find_family(std::string_view type);

/// All rows, for tests.
[[nodiscard]] std::span<const Family> families();

}  // namespace xuanka
