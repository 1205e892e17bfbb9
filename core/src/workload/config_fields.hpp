// The fields of a config.json by their many spellings: one list of aliases per quantity.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "json/json_view.hpp"

namespace xuanka {

/// Spellings of one quantity, the commonest first; a missing one is reported by the first.
using Names = std::span<const std::string_view>;

namespace keys {
inline constexpr auto kLayers = std::to_array<std::string_view>(
    {"num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_decoder_layers",
     "decoder_layers", "encoder_layers", "depth"});
inline constexpr auto kHidden = std::to_array<std::string_view>(
    {"hidden_size", "n_embd", "n_embed", "d_model", "model_dim", "dim", "embed_dim", "hidden_dim"});
inline constexpr auto kHeads = std::to_array<std::string_view>(
    {"num_attention_heads", "n_head", "n_heads", "num_heads", "decoder_attention_heads",
     "encoder_attention_heads", "attention_heads"});
inline constexpr auto kKvHeads = std::to_array<std::string_view>(
    {"num_key_value_heads", "num_kv_heads", "n_head_kv", "n_kv_heads", "kv_n_heads",
     "multi_query_group_num", "num_query_groups", "num_kv_groups"});
inline constexpr auto kHeadDim =
    std::to_array<std::string_view>({"head_dim", "kv_channels", "d_kv", "attention_head_dim",
                                     "attention_head_size", "head_size", "d_head"});
inline constexpr auto kFfn = std::to_array<std::string_view>(
    {"intermediate_size", "n_inner", "ffn_dim", "d_ff", "ffn_hidden_size", "decoder_ffn_dim",
     "encoder_ffn_dim", "feed_forward_dim", "mlp_hidden_size", "mlp_dim", "inner_dim", "d_inner"});
inline constexpr auto kVocab =
    std::to_array<std::string_view>({"padded_vocab_size", "vocab_size", "n_vocab"});
inline constexpr auto kVocabNeeded = std::to_array<std::string_view>({"vocab_size"});
inline constexpr auto kPositions = std::to_array<std::string_view>(
    {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "max_sequence_length",
     "n_ctx", "max_target_positions", "model_max_length"});
inline constexpr auto kExperts = std::to_array<std::string_view>(
    {"num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts", "num_moe_experts"});
inline constexpr auto kTopK = std::to_array<std::string_view>(
    {"num_experts_per_tok", "num_experts_per_token", "experts_per_token", "moe_top_k", "moe_topk",
     "moe_k", "num_selected_experts", "top_k_experts"});
inline constexpr auto kExpertWidth = std::to_array<std::string_view>(
    {"moe_intermediate_size", "moe_ffn_hidden_size", "expert_intermediate_size", "expert_ffn_dim",
     "ffn_hidden_size_moe"});
inline constexpr auto kSharedExperts = std::to_array<std::string_view>(
    {"n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts"});
inline constexpr auto kSharedWidth =
    std::to_array<std::string_view>({"shared_expert_intermediate_size", "shared_intermediate_size",
                                     "moe_shared_expert_intermediate_size"});
inline constexpr auto kDenseLayers = std::to_array<std::string_view>(
    {"first_k_dense_replace", "num_dense_layers", "moe_layer_start_index"});
inline constexpr auto kWindow = std::to_array<std::string_view>(
    {"sliding_window", "sliding_window_size", "window_size", "attention_window_size"});
}  // namespace keys

/// Alias-aware reading of one config object. Wrong types and absurd sizes are reported once.
class ConfigFields {
 public:
  explicit ConfigFields(json::View view) : view_(view) {}
  [[nodiscard]] const json::View& view() const { return view_; }

  /// The first spelling that is present and not null; 0 when none is. A whole number in
  /// [`min`, `max`], otherwise it is reported and 0 returned.
  [[nodiscard]] double count(Names names, double max, double min = 1) const;
  [[nodiscard]] double count(std::string_view name, double max, double min = 1) const {
    return count(Names(&name, 1), max, min);
  }
  /// As `count`; reports the first spelling as missing when none is present.
  [[nodiscard]] double need(Names names, double max) const;
  [[nodiscard]] bool has(Names names) const;
  [[nodiscard]] bool has(std::string_view name) const { return view_.has(name); }
  /// A boolean, or `fallback` when absent. A value of another kind counts as absent.
  [[nodiscard]] bool flag(std::string_view name, bool fallback) const;
  [[nodiscard]] std::string_view text(std::string_view name) const;
  /// A number in [min, max], or `fallback` when absent.
  [[nodiscard]] double number(std::string_view name, double fallback, double min, double max) const;
  void report_conflict(std::string_view key, std::string_view other) const;

 private:
  json::View view_;
};

}  // namespace xuanka
