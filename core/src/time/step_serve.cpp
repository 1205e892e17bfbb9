// Inference: prefill is a forward pass over the prompts, decode is bound by reading weights and
// cache.
#include <algorithm>
#include <cmath>

#include "xuanka/base/math.hpp"
#include "xuanka/time/step_model.hpp"

namespace xuanka {
namespace {

/// Cache bytes that one layer reads for one sequence of `context` tokens. Ordinary PyTorch code
/// repeats grouped keys and values for every query head first (`repeated`).
double cache_bytes(const LayerGroup& group, double context, double bytes, bool repeated) {
  const AttentionShape& attention = group.attention;
  if (attention.linear) return attention.heads * attention.head_dim * attention.head_dim * bytes;
  if (attention.mla) {  // one latent vector per token, shared by the heads
    return (attention.mla->kv_rank + attention.mla->rope_dim) * context * bytes;
  }
  const double span = attention.window > 0 ? std::min(attention.window, context) : context;
  const double heads = repeated ? attention.heads : attention.kv_heads;
  return heads * (attention.qk_dim() + attention.v_dim()) * span * bytes;
}

}  // namespace

void StepModel::build_serving(const Job& job, const Gpu& gpu, const EfficiencyModel& model) {
  const Model& m = *job.model;
  const auto framework = static_cast<std::size_t>(job.framework);
  prefill_tokens_ = job.inference.prompt_tokens;
  output_tokens_ = std::max(1.0, job.inference.output_tokens);
  concurrency_ = std::max(1.0, job.inference.concurrency);
  const double context = prefill_tokens_ + output_tokens_ / 2;  // the mean over the answer
  // A cache that grows by copies (transformers' default) against one that is written in place.
  const bool grows = job.framework == Framework::kPytorch && !job.software.cache_in_place;
  const double cache_passes = grows ? model.decode_cache_passes[framework] : 1;
  double experts = 0;
  kv_bytes_seq_ = 0;
  for (const LayerGroup& group : m.groups) {
    experts += group.count * group.expert_params;
    experts_ = std::max(experts_, group.ffn.experts);
    top_k_ = std::max(top_k_, group.ffn.top_k);
    if (group.encoder) continue;
    kv_bytes_seq_ +=
        cache_passes * group.count * cache_bytes(group, context, job.kv_bits / 8, grows);
  }
  expert_bytes_ = experts * job.weight_bits / 8;
  weight_bytes_ =
      (m.params - experts - (m.tied_embeddings ? 0 : m.embedding_params)) * job.weight_bits / 8;
  decode_beta_ = gpu.bandwidth.value() *
                 model.decode_bandwidth[gpu.memory_type.find("HBM") == std::string::npos ? 1 : 0];
  if (job.weight_bits < 16 && job.weight_bits != 8) {
    const double unpacked = 1 + model.decode_dequant_bytes[framework] / (job.weight_bits / 8);
    weight_bytes_ *= unpacked;
    expert_bytes_ *= unpacked;
  }
  decode_layer_seconds_ = layers_ * model.decode_layer_seconds[framework];
  decode_gap_seconds_ = layers_ * model.decode_gap_seconds;
  decode_token_compute_ =
      2 * m.matmul_params / product_rate(gpu, job.peak, model, job.framework).value();
}

StepModel::Serve StepModel::serve(const Plan& plan) const {
  Serve by;
  const double replicas = std::max(1.0, plan.data);
  by.batch = std::ceil(concurrency_ / replicas);
  Plan prompt = plan;
  prompt.micro_batch = by.batch;
  prompt.context = 1;
  by.prefill = forward_pass(prompt).value();
  // Experts that at least one token of the batch is sent to.
  double touched = 1;
  if (experts_ > 0) {
    const int tokens = static_cast<int>(std::min(by.batch, 4096.0));
    touched = 1 - pow_int(1 - top_k_ / experts_, tokens);
  }
  const double bytes = (weight_bytes_ + expert_bytes_ * touched) / plan.tensor +
                       by.batch * kv_bytes_seq_ / plan.tensor;
  const double read = bytes / decode_beta_;
  const double compute = by.batch * decode_token_compute_ / plan.tensor;
  const double device = std::max(read, compute) + decode_gap_seconds_;
  double step = std::max(device, decode_layer_seconds_);
  by.host = (step - device) * output_tokens_;
  if (plan.tensor > 1) {
    const LinkCost by_tensor = link(plan.tensor, 1);
    step += tensor_reduces_[3] *
            (by_tensor.latency + 2 * (plan.tensor - 1) / plan.tensor * by.batch *
                                     tensor_bytes_token_ * by_tensor.seconds_per_byte);
  }
  by.decode = step * output_tokens_;  // a token passes every stage, however many there are
  return by;
}

}  // namespace xuanka
