// What must lie on each card at the peak, part by part.
#include <algorithm>
#include <cmath>

#include "present/explain.hpp"

namespace xuanka::present_detail {
namespace {

bool gives(double product, Bytes part) {
  return product > 0 && std::fabs(product / part.value() - 1) <= 0.02;
}

std::string bytes_each(double bytes) { return format_number(bytes) + " B"; }

std::string over(double shards) { return shards > 1 ? " / " + format_exact(shards) : ""; }

// "6.74 B × 2 B / 8", shown only where it gives the part (within rounding): what a plan gathers or
// spreads unevenly has no such short form.
std::string state_product(double params, double each, double shards, Bytes part) {
  if (!gives(params * each / shards, part)) return {};
  return times({format_si(params), bytes_each(each)}) + over(shards);
}

// "12.7 B × 0.516 B + 328 M × 2 B": tables stay in 16 bits beside quantised matrices.
std::string quantised_product(const Job& job, double bits, double shards, Bytes part) {
  const Model& model = *job.model;
  const double tables =
      model.embedding_params + model.position_params + model.head_params + model.final_norm_params;
  const double matrices = model.params - tables;
  const double adapters = job.frozen_base ? job.adapter_params * job.grad_bytes : 0;
  if (bits >= 16 || !gives((matrices * bits / 8 + tables * 2 + adapters) / shards, part)) return {};
  std::string text = times({format_si(matrices), bytes_each(bits / 8)}) + " + " +
                     times({format_si(tables), "2 B"});
  if (adapters > 0) {
    text += " + " + times({format_si(job.adapter_params), bytes_each(job.grad_bytes)});
  }
  return shards > 1 ? "(" + text + ")" + over(shards) : text;
}

// "2 × 40 × 40 × 128 × 1024 × 16 × 2 B", shown only where it gives the part: layers that are alike,
// with keys and values of every token.
std::string cache_product(const Candidate& c, Bytes part) {
  const Model& model = *c.job.model;
  if (model.groups.size() != 1) return {};
  const LayerGroup& group = model.groups.front();
  const AttentionShape& shape = group.attention;
  if (shape.linear || shape.mla || shape.window > 0 || group.encoder) return {};
  const double each = 2 * shape.kv_heads * shape.head_dim;
  const double bytes = c.job.kv_bits / 8;
  const double tokens = c.job.inference.prompt_tokens + c.job.inference.output_tokens;
  const double requests = requests_at_once(c);
  const double shards = std::min(c.planned.plan.tensor, shape.kv_heads);
  if (!gives(each * group.count * tokens * requests * bytes / shards, part)) return {};
  return times({"2", format_exact(group.count), format_exact(shape.kv_heads),
                format_exact(shape.head_dim), format_exact(tokens), format_exact(requests),
                bytes_each(bytes)}) +
         over(shards);
}

void explain_states(Explanation& out) {
  const Candidate& c = out.candidate();
  const Job& job = c.job;
  const Plan& plan = c.planned.plan;
  const MemoryParts& parts = c.planned.memory.parts;
  const double model_shards = plan.tensor * plan.pipeline;
  const double data_shards = plan.data * plan.context;
  const double params = job.model->params;
  const auto part = [&](std::string_view id, Bytes bytes, double count, double each, int stage) {
    if (bytes.value() <= 0) return;
    const double shards = model_shards * (plan.zero >= stage ? data_shards : 1);
    std::string numbers = state_product(count * job.copies, each, shards, bytes);
    if (numbers.empty() && id == "memory.weights") {
      numbers = quantised_product(job, each * 8, shards, bytes);
    }
    out.add(id, bytes.value(), std::move(numbers), format_gib(bytes));
  };
  if (out.context().inference()) {
    part("memory.weights", parts.weights, params, job.weight_bits / 8, 4);
    if (parts.kv_cache.value() > 0) {
      out.add("memory.kv_cache", parts.kv_cache.value(), cache_product(c, parts.kv_cache),
              format_gib(parts.kv_cache));
    }
    return;
  }
  const double trained = job.frozen_base ? job.adapter_params : params;
  const double weight_bytes = job.frozen_base ? job.base_bits / 8 : job.weight_bytes;
  // Adapters in fp32 have no second copy.
  const double states = job.optimizer_bytes - (job.frozen_base && job.master_weights ? 4 : 0);
  part("memory.weights", parts.weights, params, weight_bytes, 3);
  part("memory.gradients", parts.gradients, trained, job.grad_bytes, 2);
  part("memory.optimizer", parts.optimizer, trained, states, 1);
}

// What one sample, or one token of the sequence, keeps.
std::string activations_product(const Explanation& out, Bytes part) {
  const Candidate& c = out.candidate();
  const Plan& plan = c.planned.plan;
  const bool serves = out.context().inference();
  const bool picture = c.job.model->vision.has_value();
  const double samples = serves ? requests_at_once(c) : plan.micro_batch;
  const double length = picture ? 1 : serves ? c.job.inference.prompt_tokens : c.job.seq_len;
  if (!(samples > 0) || !(length > 0)) return {};
  const double each = part.value() * plan.context / (samples * length);
  const std::string size = format_unit(each, "B");
  if (picture) return times({format_exact(samples), size});
  return times({format_exact(samples), format_exact(length) + over(plan.context), size});
}

std::string logits_product(const Explanation& out, Bytes part) {
  const Candidate& c = out.candidate();
  const Plan& plan = c.planned.plan;
  const bool serves = out.context().inference();
  const double vocab = c.job.model->vocab;
  const double rows = serves ? requests_at_once(c)
                      : c.job.loss_chunk_tokens > 0
                          ? c.job.loss_chunk_tokens
                          : plan.micro_batch * c.job.seq_len / plan.context;
  if (!(rows > 0) || !(vocab > 0)) return {};
  const double each = part.value() * plan.tensor / (rows * vocab);
  return times({format_exact(rows), format_exact(vocab), bytes_each(each)}) + over(plan.tensor);
}

// Copies of gradients and the temporaries of an optimizer step, where these are all there is; of a
// cache that grows, its copy.
std::string buffers_product(const Explanation& out, Bytes part) {
  const Candidate& c = out.candidate();
  const Job& job = c.job;
  const Plan& plan = c.planned.plan;
  const EfficiencyModel& model = out.context().knowledge.efficiency;
  const MemoryParts& parts = c.planned.memory.parts;
  if (out.context().inference()) {
    return gives(model.memory_kv_growth * parts.kv_cache.value(), part)
               ? times({format_number(model.memory_kv_growth), format_gib(parts.kv_cache)})
               : std::string();
  }
  const double ranks = plan.data * plan.context;
  const double trained = (job.frozen_base ? job.adapter_params : job.model->params) * job.copies /
                         (plan.tensor * plan.pipeline);
  const double local = trained / (plan.zero >= 1 ? ranks : 1);
  const double copy = ranks > 1 && plan.zero == 0 ? trained * job.grad_bytes : 0;
  const double step = local * model.memory_foreach_bytes;
  const std::string as_copy = times({format_si(trained), bytes_each(job.grad_bytes)});
  const std::string as_step = times({format_si(local), bytes_each(model.memory_foreach_bytes)});
  if (gives(copy, part)) return as_copy;
  if (gives(step, part)) return as_step;
  if (copy > 0 && gives(copy + step, part)) return as_copy + " + " + as_step;
  return {};
}

}  // namespace

void explain_memory(Explanation& out) {
  const MemoryEstimate& memory = out.candidate().planned.memory;
  const MemoryParts& parts = memory.parts;
  explain_states(out);
  const auto part = [&out](std::string_view id, Bytes bytes, auto numbers) {
    if (bytes.value() > 0) out.add(id, bytes.value(), numbers(out, bytes), format_gib(bytes));
  };
  part("memory.activations", parts.activations, activations_product);
  part("memory.logits", parts.logits, logits_product);
  part("memory.buffers", parts.buffers, buffers_product);
  part("memory.overhead", parts.overhead, [&memory](const Explanation&, Bytes bytes) {
    return format_gib(memory.context) + " + " +
           format_gib(bytes - memory.context - memory.reserve) + " + " + format_gib(memory.reserve);
  });
  std::string sum;
  for (const Bytes bytes : {parts.weights, parts.gradients, parts.optimizer, parts.activations,
                            parts.logits, parts.kv_cache, parts.buffers, parts.overhead}) {
    if (bytes.value() <= 0) continue;
    sum += (sum.empty() ? "" : " + ") + format_number(to_gibibytes(bytes));
  }
  ExplainStep& peak =
      out.add("memory.sum", memory.per_gpu.value(), std::move(sum), format_gib(memory.per_gpu));
  peak.note = out.context().say("explain.memory.sum.range",
                                {{"low", memory.low.value()}, {"high", memory.high.value()}});
  const Gpu* gpu = find_gpu(out.context(), out.candidate().gpu);
  const std::string marketed = gpu == nullptr ? "" : format_exact(gpu->memory_gb) + " GiB";
  ExplainStep& usable =
      out.add("memory.usable", memory.usable.value(), marketed, format_gib(memory.usable));
  usable.note = out.context().say(
      "explain.memory.usable.verdict",
      {{"verdict", out.context().say("memory." + std::string(name_of(memory.verdict)))},
       {"margin", memory.margin.value()}});
}

}  // namespace xuanka::present_detail
