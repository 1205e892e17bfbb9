// What there is to do: parameters, FLOPs per unit, FLOPs of the job.
#include <cmath>

#include "present/explain.hpp"

namespace xuanka::present_detail {
namespace {

std::string flop(double value) { return format_unit(value, "FLOP"); }

// "131,072,000 + 32 × 202,383,360 + ...": the exact count, term by term.
std::string parameter_sum(const Model& model, double& sum) {
  std::string text;
  const auto term = [&](double value, const std::string& shown) {
    if (value == 0) return;
    sum += value;
    if (!text.empty()) text += " + ";
    text += shown;
  };
  const auto plain = [&](double value) { term(value, format_exact(value)); };
  plain(model.embedding_params);
  plain(model.position_params);
  for (const LayerGroup& group : model.groups) {
    term(group.count * group.params,
         format_exact(group.count) + " × " + format_exact(group.params));
  }
  plain(model.final_norm_params);
  plain(model.head_params);
  return text;
}

// "46,702,792,704 − 32 × 6 × 176,160,768": all parameters less the experts that a token passes by.
std::string idle_experts(const Model& model) {
  std::string text = format_exact(model.params);
  double active = model.params;
  for (const LayerGroup& group : model.groups) {
    if (group.ffn.experts <= 0) continue;
    const double idle = group.ffn.experts - group.ffn.top_k;
    const double each = group.expert_params / group.ffn.experts;
    text += " − " + times({format_exact(group.count), format_exact(idle), format_exact(each)});
    active -= group.count * idle * each;
  }
  return active == model.active_params ? text : std::string();
}

void explain_params(Explanation& out) {
  const Model& model = *out.candidate().job.model;
  if (model.kind == ModelKind::kMeasured) return;
  double sum = 0;
  const std::string terms = parameter_sum(model, sum);
  const bool counted = model.kind == ModelKind::kTransformer && sum == model.params;
  out.add(counted ? "params" : "params_given", model.params, counted ? terms : std::string(),
          format_exact(model.params));
  if (model.active_params > 0 && model.active_params != model.params) {
    out.add("active_params", model.active_params, idle_experts(model),
            format_exact(model.active_params));
  }
}

// "2 × 32 × 32 × (128 + 128) × 4096" of `layers` layers and one token.
std::string attention_product(const AttentionShape& shape, double layers, const Job& job) {
  if (shape.linear) {
    return times({"4", format_exact(layers), format_exact(shape.heads),
                  format_exact(shape.head_dim), format_exact(shape.window)});
  }
  const double context = mean_context(shape, job.seq_len, job.convention);
  const std::string widths =
      "(" + format_exact(shape.qk_dim()) + " + " + format_exact(shape.v_dim()) + ")";
  const std::string reach =
      context == job.seq_len / 2 ? format_exact(job.seq_len) + " × 1/2" : format_exact(context);
  return times({"2", format_exact(layers), format_exact(shape.heads), widths, reach});
}

void explain_transformer_flops(Explanation& out) {
  const Job& job = out.candidate().job;
  const Model& model = *job.model;
  const ForwardFlops forward = forward_flops(model, job.seq_len, job.convention);
  const double tokens = model.patches > 0 ? job.seq_len : 1;
  const std::string per_tokens = tokens > 1 ? " × " + format_exact(tokens) : std::string();
  out.add("matmul", forward.matmul.value(), "2 × " + format_exact(model.matmul_params) + per_tokens,
          flop(forward.matmul.value()));
  std::string shapes;
  for (const LayerGroup& group : model.groups) {
    for (const AttentionShape* shape :
         {&group.attention, group.cross_attention ? &*group.cross_attention : nullptr}) {
      if (shape == nullptr) continue;
      if (!shapes.empty()) shapes += " + ";
      shapes += attention_product(*shape, group.count, job) + per_tokens;
    }
  }
  out.add("attention", forward.attention.value(), shapes, flop(forward.attention.value()));
  if (out.context().inference()) return;
  const double matmul_passes = job.frozen_base ? 2 : 3;
  const double total = matmul_passes * forward.matmul.value() + 3 * forward.attention.value();
  out.add(job.frozen_base ? "flops_frozen" : "flops", total,
          format_exact(matmul_passes) + " × " + flop(forward.matmul.value()) + " + 3 × " +
              flop(forward.attention.value()),
          flop(total) + " / " + out.context().word(out.context().report.unit));
}

}  // namespace

void explain_work(Explanation& out) {
  const Job& job = out.candidate().job;
  const Model& model = *job.model;
  explain_params(out);
  if (model.kind == ModelKind::kVision && model.vision) {
    std::string numbers = "3 × 2 × " + format_unit(model.vision->macs_per_sample, "MAC");
    if (job.area_scale != 1) numbers += " × " + format_number(job.area_scale);
    out.add("flops_vision", job.flops_per_unit.value(), numbers,
            flop(job.flops_per_unit.value()) + " / " + out.context().word("sample"));
  } else if (!model.groups.empty()) {
    explain_transformer_flops(out);
  }
  if (!job.total_units || job.flops_per_unit.value() <= 0 || out.context().inference()) return;
  const double total = job.flops_per_unit.value() * *job.total_units;
  out.add("work", total, flop(job.flops_per_unit.value()) + " × " + format_si(*job.total_units),
          flop(total));
}

}  // namespace xuanka::present_detail
