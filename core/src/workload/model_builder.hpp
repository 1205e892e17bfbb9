// Exact parameter counts of a transformer from its shape: the one place where matrices are counted.
#pragma once

#include "xuanka/workload/model.hpp"

namespace xuanka {

/// One layer as its matrices, biases and norms are counted. Symbols as in model.hpp.
struct BlockSpec {
  double hidden = 0;
  AttentionShape attention;
  std::optional<AttentionShape> cross;  ///< cross-attention of a decoder over an encoder
  FfnShape ffn;
  bool q_bias = false, k_bias = false, v_bias = false, o_bias = false;
  bool mlp_bias = false;
  double norms = 2;          ///< norms of width h
  bool norm_bias = false;    ///< two vectors per norm
  bool norm_weights = true;  ///< false: non-parametric
  double qk_norm = 0;        ///< parameters of query and key norms
  double extra = 0;          ///< other vectors of the layer (sinks, layer scale, relative bias)
  bool router_bias = false;  ///< one value per routed expert
  bool expert_bias = false;  ///< biases in the routed experts
  bool shared_gate = false;  ///< scalar gate of the shared expert (h weights)
  bool encoder = false;
};

/// Parameters of `attention`: all, and those in matrix products.
struct AttentionCount {
  double all = 0, matmul = 0;
};
[[nodiscard]] AttentionCount count_attention(const BlockSpec& block,
                                             const AttentionShape& attention);

/// `count` layers of `block` with their parameters counted.
[[nodiscard]] LayerGroup make_group(const BlockSpec& block, double count);

/// Fills params, active_params and matmul_params of `model` from its groups and tables:
/// N_x = N_a less the lookup table (untied) and learned positions; encoders without a language
/// head keep the whole table out.
void sum_model(Model& model);

}  // namespace xuanka
