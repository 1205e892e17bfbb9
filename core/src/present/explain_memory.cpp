// What must lie on each card at the peak, part by part.
#include <algorithm>
#include <array>
#include <cmath>

#include "present/explain.hpp"
#include "xuanka/memory/memory_model.hpp"

namespace xuanka::present_detail {
namespace {

bool gives(double product, Bytes part) {
  return product > 0 && std::fabs(product / part.value() - 1) <= 0.02;
}

std::string bytes_each(double bytes) { return format_number(bytes) + " B"; }

std::string over(double shards) { return shards > 1 ? " / " + format_exact(shards) : ""; }

constexpr auto kTermNames = std::to_array<std::string_view>(
    {"", "stage", "experts", "tables", "adapters", "staging", "largest", "layers", "table",
     "reduction", "whole", "model", "dequantised", "copy", "buckets", "sends", "step", "cache"});

// "6.74 B × 2 B / 8 + 131 M × 2 B (gathered embedding or head)".
std::string sum_of(const Explanation& out, const std::vector<MemoryTerm>& terms) {
  std::string text;
  for (const MemoryTerm& term : terms) {
    if (!text.empty()) text += " + ";
    if (term.count != 1) text += times({format_number(term.count), ""});
    text += term.kind == TermKind::kCache
                ? format_gib(Bytes(term.elements))
                : times({format_si(term.elements), bytes_each(term.element_bytes)});
    text += over(term.shards);
    const std::string_view name = kTermNames[static_cast<std::size_t>(term.kind)];
    if (!name.empty()) {
      text += " (" + out.context().say("explain.term." + std::string(name)) + ")";
    }
  }
  return text;
}

// "2 × 40 × 40 × 128 × 1024 × 16 × 2 B" where layers are alike and keep keys and values of every
// token; otherwise what one request keeps, as often as there are requests.
std::string cache_product(const Explanation& out, Bytes part) {
  const Candidate& c = out.candidate();
  const Plan& plan = c.planned.plan;
  const double requests = requests_at_once(c);
  const LayerGroup& group = c.job.model->groups.front();
  const AttentionShape& shape = group.attention;
  const double each = 2 * shape.kv_heads * shape.head_dim;
  const double bytes = c.job.kv_bits / 8;
  const double tokens = c.job.inference.prompt_tokens + c.job.inference.output_tokens;
  const double shards = std::min(plan.tensor, shape.kv_heads);
  if (gives(each * group.count * tokens * requests * bytes / shards, part)) {
    return times({"2", format_exact(group.count), format_exact(shape.kv_heads),
                  format_exact(shape.head_dim), format_exact(tokens), format_exact(requests),
                  bytes_each(bytes)}) +
           over(shards);
  }
  return times({format_exact(requests), format_unit(part.value() / requests, "B")});
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

}  // namespace

void explain_memory(Explanation& out) {
  const MemoryEstimate& memory = out.candidate().planned.memory;
  const MemoryParts& parts = memory.parts;
  const Gpu* gpu = find_gpu(out.context(), out.candidate().gpu);
  MemoryTerms terms;
  if (gpu != nullptr && !out.candidate().job.model->measured) {
    const MemoryModel model(out.candidate().job, *gpu, 1, out.context().knowledge.efficiency);
    terms = model.terms(out.candidate().planned.plan);
  }
  const auto part = [&out](std::string_view id, Bytes bytes, auto numbers) {
    if (bytes.value() > 0) out.add(id, bytes.value(), numbers(out, bytes), format_gib(bytes));
  };
  const auto summed = [&part](std::string_view id, Bytes bytes, const std::vector<MemoryTerm>& of) {
    part(id, bytes, [&of](const Explanation& e, Bytes) { return sum_of(e, of); });
  };
  summed("memory.weights", parts.weights, terms.weights);
  summed("memory.gradients", parts.gradients, terms.gradients);
  summed("memory.optimizer", parts.optimizer, terms.optimizer);
  part("memory.kv_cache", parts.kv_cache, cache_product);
  part("memory.activations", parts.activations, activations_product);
  part("memory.logits", parts.logits, logits_product);
  summed("memory.buffers", parts.buffers, terms.buffers);
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
  const std::string marketed = gpu == nullptr ? "" : format_exact(gpu->memory_gb) + " GiB";
  ExplainStep& usable =
      out.add("memory.usable", memory.usable.value(), marketed, format_gib(memory.usable));
  usable.note = out.context().say(
      "explain.memory.usable.verdict",
      {{"verdict", out.context().say("memory." + std::string(name_of(memory.verdict)))},
       {"margin", memory.margin.value()}});
}

}  // namespace xuanka::present_detail
