// What a model is made of, as the estimates need it: groups of equal layers, embeddings and heads,
// with exact parameter counts. Symbols follow the literature: L layers, h hidden, a query heads,
// k KV heads, d head dim, f FFN width, V vocabulary, s sequence length.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "xuanka/base/enums.hpp"
#include "xuanka/base/issues.hpp"
#include "xuanka/catalog/catalog.hpp"

namespace xuanka {

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434). q_rank 0 = no query compression.
struct MlaShape {
  double q_rank = 0, kv_rank = 0, nope_dim = 0, rope_dim = 0, v_dim = 0;
};
/// Attention of one layer. `window` 0 = whole sequence. `cross` = keys and values come from the
/// encoder.
struct AttentionShape {
  double heads = 0, kv_heads = 0, head_dim = 0;  ///< a, k, d
  double window = 0;
  bool cross = false;
  bool causal = true;
  bool linear = false;  ///< linear/recurrent mixer: cost linear in s, fixed state
  std::optional<MlaShape> mla{};
  /// Width of queries and keys per head (score product) and of values per head.
  [[nodiscard]] double qk_dim() const { return mla ? mla->nope_dim + mla->rope_dim : head_dim; }
  [[nodiscard]] double v_dim() const { return mla ? mla->v_dim : head_dim; }
};
/// Feed-forward of one layer: dense (experts == 0) or mixture of experts.
struct FfnShape {
  double width = 0;    ///< f of a dense layer
  bool gated = true;   ///< SwiGLU/GeGLU: three matrices, else two
  double experts = 0;  ///< E, routed
  double top_k = 0;
  double expert_width = 0;
  double shared_width = 0;  ///< total width of the shared experts
};
/// `count` equal layers. Parameters are exact per layer, biases and norms included.
struct LayerGroup {
  double count = 0;
  AttentionShape attention;
  std::optional<AttentionShape> cross_attention;  ///< decoder of an encoder-decoder
  FfnShape ffn;
  double hidden = 0;         ///< h of these layers
  double params = 0;         ///< of one layer, all experts
  double active_params = 0;  ///< of one layer, experts used by one token
  double matmul_params =
      0;  ///< of one layer, active and used in matrix products (no norms, biases)
  double expert_params = 0;  ///< of one layer, routed experts only (what expert parallelism shards)
  double norms = 2;          ///< norms over the hidden width (1 = parallel block, 4 = sandwich)
  bool qk_norm = false;      ///< queries and keys are normalised per head
  bool encoder = false;
};

enum class ModelKind {
  kTransformer,  ///< groups filled: decoder, encoder, encoder-decoder, ViT
  kVision,       ///< by MACs: convolutional, detector, diffusion, audio
  kSizeOnly,     ///< only a parameter count; groups hold a typical shape, ranges are wider
  kMeasured,     ///< a job the user has timed
};

/// Vision by counts, at `image_height` x `image_width`.
struct VisionShape {
  double macs_per_sample = 0;
  double activations_per_sample = 0;  ///< elements kept by the forward pass
  double image_height = 224, image_width = 224;
  VisionFamily family = VisionFamily::kConv;
  double kept_share =
      1;  ///< bytes kept per element beside the family's usual (ModelPreset::Vision)
};
/// A job the user has timed: other cards and counts follow by ratio.
struct MeasuredJob {
  std::string gpu;
  double count = 1, hours = 0;
  std::optional<double> memory_gb;
  VisionFamily family = VisionFamily::kConv;
  std::optional<Gpu> reference;  ///< the card `gpu` names; absent: each card takes `hours`
};

struct Model {
  std::string id, name, name_zh;
  ModelKind kind = ModelKind::kTransformer;
  std::string model_type;          ///< as the config says
  std::vector<LayerGroup> groups;  ///< encoder groups first
  double hidden = 0, vocab = 0;
  double embedding_params = 0;  ///< input table (once, also when tied)
  double position_params = 0;  ///< learned positions, token types, patch embedding, embedding norms
  double head_params = 0;      ///< untied output head and other top layers
  double final_norm_params = 0;
  bool tied_embeddings = false;
  bool encoder_only = false;  ///< BERT, ViT
  double params = 0;          ///< N, exact when the structure is known
  double active_params = 0;   ///< N_a per token
  double matmul_params = 0;   ///< N_x per token: head once, lookup not
  double max_seq_len = 0;     ///< 0 = unknown
  double patches = 0;         ///< ViT: tokens per image at image_size (class token included)
  double image_size = 0;      ///< ViT: the image size of the config
  double patch_size = 0;
  double patch_matmul_params = 0;  ///< ViT: the patch projection, part of position_params
  bool layer_norm = false;         ///< LayerNorm instead of RMSNorm
  bool dropout = false;            ///< trained with dropout by default (GPT-2, BERT, OPT, T5)
  std::optional<StorageType> published_weights;  ///< absent: 16 bits
  std::optional<VisionShape> vision;
  std::optional<MeasuredJob> measured;
  std::vector<Note> notes;  ///< fall-backs taken while reading

  /// Sum of layer counts.
  [[nodiscard]] double layers() const {
    double sum = 0;
    for (const auto& g : groups) sum += g.count;
    return sum;
  }
};

}  // namespace xuanka
