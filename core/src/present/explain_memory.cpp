// What must lie on each card at the peak, part by part.
#include <array>
#include <cmath>

#include "present/explain.hpp"

namespace xuanka::present_detail {
namespace {

// "6.74 B × 2 B / 8", shown only where it gives the part (within rounding): what a plan gathers or
// spreads unevenly has no such short form.
std::string state_product(double params, double bytes_each, double shards, Bytes part) {
  const double product = params * bytes_each / shards;
  if (!(product > 0) || std::fabs(product / part.value() - 1) > 0.02) return {};
  std::string text = format_si(params) + " × " + format_number(bytes_each) + " B";
  if (shards > 1) text += " / " + format_exact(shards);
  return text;
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
    const std::string numbers =
        each > 0 ? state_product(count * job.copies, each, shards, bytes) : std::string();
    out.add(id, bytes.value(), numbers, format_gib(bytes));
  };
  if (out.context().inference()) {
    part("memory.weights", parts.weights, params, job.weight_bits / 8, 4);
    part("memory.kv_cache", parts.kv_cache, 0, 0, 4);
    return;
  }
  const double trained = job.frozen_base ? job.adapter_params : params;
  const double weight_bytes = job.frozen_base ? job.base_bits / 8 : job.weight_bytes;
  part("memory.weights", parts.weights, params, weight_bytes, 3);
  part("memory.gradients", parts.gradients, trained, job.grad_bytes, 2);
  part("memory.optimizer", parts.optimizer, trained, job.optimizer_bytes, 1);
}

}  // namespace

void explain_memory(Explanation& out) {
  const MemoryEstimate& memory = out.candidate().planned.memory;
  const MemoryParts& parts = memory.parts;
  explain_states(out);
  const auto part = [&out](std::string_view id, Bytes bytes) {
    if (bytes.value() > 0) out.add(id, bytes.value(), {}, format_gib(bytes));
  };
  part("memory.activations", parts.activations);
  part("memory.logits", parts.logits);
  part("memory.buffers", parts.buffers);
  part("memory.overhead", parts.overhead);
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
