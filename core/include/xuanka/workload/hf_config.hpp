// A Hugging Face config.json -> Model, with exact parameter counts. The JSON side is in core/src.
#pragma once

#include <string_view>

#include "xuanka/base/result.hpp"
#include "xuanka/workload/model.hpp"

namespace xuanka {

/// Shape given directly in a request (`workload.model.transformer`); 0 = the default in brackets.
struct TransformerShape {
  double layers = 0, hidden = 0, heads = 0;
  double kv_heads = 0;  ///< [heads]
  double head_dim = 0;  ///< [hidden / heads]
  double ffn = 0;       ///< [4 x hidden]
  double vocab = 32000;
  bool gated_mlp = true, tied_embeddings = false, biases = false;
  bool layer_norm = false;       ///< norm "layer" (two vectors) instead of "rms"
  double learned_positions = 0;  ///< table length, 0 = rope or none
  double encoder_layers = 0;
  double window = 0,
         window_every = 1;  ///< every n-th layer is global when > 1 (1: all are windowed)
  double experts = 0, top_k = 0, expert_ffn = 0, shared_ffn = 0, dense_layers = 0;
  double params = 0;  ///< overrides the count when > 0
  double max_seq_len = 0;
};
[[nodiscard]] Result<Model> model_from_shape(const TransformerShape& shape, std::string_view path);

/// Reads the text of a config.json. `path` prefixes issue paths. Accepts the original spellings
/// (n_embd, n_layer, d_model, ffn_dim, num_experts, ...), keys that begin with "_" are notes.
/// An unknown model_type is read as a plain decoder when the needed fields are there (note
/// kModelFallback), else refused with the field that is missing.
[[nodiscard]] Result<Model> read_hf_config(std::string_view json_text, std::string_view path);

/// A model known by size only: a typical decoder of that size (GPT-like aspect, documented in
/// core/docs/model.md); ranges are wider. `active_params` 0 = dense.
[[nodiscard]] Model model_from_params(double params, double active_params);

}  // namespace xuanka
