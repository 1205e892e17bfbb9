#include "workload/model_builder.hpp"

namespace xuanka {
namespace {

// Multi-head latent attention: low-rank query and key-value projections with a norm inside each,
// a rotary part shared by the heads (DeepSeek-V2, arXiv 2405.04434, section 2.1).
AttentionCount count_mla(double hidden, double heads, const MlaShape& mla) {
  const double query_width = heads * (mla.nope_dim + mla.rope_dim);
  AttentionCount sum;
  if (mla.q_rank > 0) {
    sum.matmul += hidden * mla.q_rank + mla.q_rank * query_width;
    sum.all += mla.q_rank;
  } else {
    sum.matmul += hidden * query_width;
  }
  sum.matmul += hidden * (mla.kv_rank + mla.rope_dim);
  sum.matmul += mla.kv_rank * heads * (mla.nope_dim + mla.v_dim);
  sum.matmul += heads * mla.v_dim * hidden;
  sum.all += mla.kv_rank + sum.matmul;
  return sum;
}

// Matrices of one feed-forward of width f: gate, up and down, or up and down.
double mlp_matrices(double hidden, double width, bool gated) {
  return (gated ? 3 : 2) * hidden * width;
}

double mlp_biases(double hidden, double width, bool gated) {
  return (gated ? 2 : 1) * width + hidden;
}

}  // namespace

AttentionCount count_attention(const BlockSpec& block, const AttentionShape& attention) {
  const double h = block.hidden;
  AttentionCount sum;
  if (attention.mla) {
    sum = count_mla(h, attention.heads, *attention.mla);
  } else {
    const double query = attention.heads * attention.head_dim;
    const double key = attention.kv_heads * attention.head_dim;
    sum.matmul = 2 * h * query + 2 * h * key;
    sum.all = sum.matmul;
    if (block.q_bias) sum.all += query;
    if (block.k_bias) sum.all += key;
    if (block.v_bias) sum.all += key;
  }
  if (block.o_bias) sum.all += h;
  return sum;
}

LayerGroup make_group(const BlockSpec& block, double count) {
  LayerGroup group;
  group.count = count;
  group.attention = block.attention;
  group.cross_attention = block.cross;
  group.ffn = block.ffn;
  group.hidden = block.hidden;
  group.norms = block.norms;
  group.qk_norm = block.qk_norm > 0;
  group.encoder = block.encoder;

  const double h = block.hidden;
  AttentionCount dense = count_attention(block, block.attention);
  if (block.cross) {
    const AttentionCount cross = count_attention(block, *block.cross);
    dense.all += cross.all;
    dense.matmul += cross.matmul;
  }
  dense.all += block.qk_norm + block.extra;
  if (block.norm_weights) dense.all += block.norms * h * (block.norm_bias ? 2 : 1);

  const FfnShape& ffn = block.ffn;
  if (ffn.experts > 0) {
    double expert = mlp_matrices(h, ffn.expert_width, ffn.gated);
    const double expert_matmul = expert;
    if (block.expert_bias) expert += mlp_biases(h, ffn.expert_width, ffn.gated);
    double always = ffn.experts * h;  // router
    if (ffn.shared_width > 0) always += mlp_matrices(h, ffn.shared_width, ffn.gated);
    if (block.shared_gate) always += h;
    dense.matmul += always;
    dense.all += always + (block.router_bias ? ffn.experts : 0);
    group.expert_params = ffn.experts * expert;
    group.params = dense.all + group.expert_params;
    group.active_params = dense.all + ffn.top_k * expert;
    group.matmul_params = dense.matmul + ffn.top_k * expert_matmul;
  } else {
    const double matrices = mlp_matrices(h, ffn.width, ffn.gated);
    dense.matmul += matrices;
    dense.all += matrices;
    if (block.mlp_bias) dense.all += mlp_biases(h, ffn.width, ffn.gated);
    group.params = group.active_params = dense.all;
    group.matmul_params = dense.matmul;
  }
  return group;
}

void sum_model(Model& model) {
  const double tables =
      model.embedding_params + model.position_params + model.head_params + model.final_norm_params;
  model.params = model.active_params = tables;
  for (const LayerGroup& group : model.groups) {
    model.params += group.count * group.params;
    model.active_params += group.count * group.active_params;
  }
  model.matmul_params = model.active_params - model.position_params;
  if (!model.tied_embeddings || model.encoder_only) model.matmul_params -= model.embedding_params;
  if (model.encoder_only) model.matmul_params -= model.head_params;
  model.matmul_params += model.patch_matmul_params;
}

}  // namespace xuanka
