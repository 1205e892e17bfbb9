// The measured.json form: one published measurement per object.
#include "validate/case_json.hpp"

#include "json/json_view.hpp"
#include "validate/case_model.hpp"
#include "validate/case_text.hpp"

namespace xuanka {
namespace {

double number(std::optional<json::Value> object, std::string_view key, double fallback = 0) {
  if (!object) return fallback;
  const auto value = object->find(key);
  return value && value->is_number() ? value->number() : fallback;
}
std::string text(std::optional<json::Value> object, std::string_view key) {
  if (!object) return {};
  const auto value = object->find(key);
  return value && value->is_string() ? std::string(value->string()) : std::string();
}
/// Word, number or boolean as lower-case text.
std::string word(std::optional<json::Value> object, std::string_view key) {
  if (!object) return {};
  const auto value = object->find(key);
  if (!value) return {};
  if (value->is_bool()) return value->boolean() ? "true" : "false";
  return value->is_string() ? lowered(value->string()) : std::string();
}

CaseWords read_words(json::Value row) {
  CaseWords words;
  const auto source = row.find("source");
  const auto parallel = row.find("parallel");
  words.precision = lowered(text(row, "precision"));
  words.method = word(parallel, "method") + " " + word(parallel, "memory_format");
  words.technique = word(parallel, "technique");
  words.recompute = word(parallel, "recompute");
  words.notes = lowered(text(row, "notes"));
  words.title = lowered(text(source, "title"));
  words.where = lowered(text(source, "where"));
  words.interconnect = lowered(text(row, "interconnect"));
  return words;
}

/// Degrees as stated; the data degree is what the count leaves.
void read_parallel(json::Value parallel, MeasuredCase& out) {
  PlanRequest& plan = out.plan;
  const auto degree = [&](std::string_view key) -> std::optional<double> {
    const double value = number(parallel, key);
    return value >= 1 ? std::optional(value) : std::nullopt;
  };
  plan.tensor = degree("tp");
  plan.pipeline = degree("pp");
  plan.context = degree("cp");
  plan.expert = degree("ep");
  plan.interleave = degree("vpp");
  const auto dp = degree("dp");
  const double used =
      plan.tensor.value_or(1) * plan.pipeline.value_or(1) * plan.context.value_or(1);
  if (dp && *dp * used == out.count) plan.data = dp;
  if (dp && !plan.tensor && !plan.pipeline && !plan.context && *dp == out.count) {
    plan.tensor = plan.pipeline = plan.context = 1;
  }
  if (const auto sp = parallel.find("sp"); sp && sp->is_bool())
    plan.sequence_parallel = sp->boolean();
  const auto zero = parallel.find("zero");
  if (zero && zero->is_number()) plan.zero = static_cast<int>(zero->number());
  const auto fsdp = parallel.find("fsdp");
  const std::string fsdp_word = word(parallel, "fsdp");
  if (fsdp && fsdp->is_number()) {
    plan.zero = fsdp->number() > 1 ? 3 : 1;
  } else if (fsdp_word == "shard_grad_op") {
    plan.zero = 2;
  } else if (fsdp_word == "full_shard" || fsdp_word == "true") {
    plan.zero = 3;
  } else if (fsdp_word == "false") {
    plan.zero = 0;
  }
  if (plan.zero == 3 && !plan.tensor) plan.tensor = 1;
  if (plan.zero == 3 && !plan.pipeline) plan.pipeline = 1;
  if (plan.zero == 3 && !plan.context) plan.context = 1;
  const std::string offload = word(parallel, "cpu_offload");
  if (offload == "true") plan.offload = Offload::kAll;
  if (has(word(parallel, "technique"), "interleaved") && !plan.interleave) plan.interleave = 2;
  if (has(word(parallel, "optimizer"), "sgd")) out.workload.optimizer = Optimizer::kSgdMomentum;
}

void read_work(json::Value row, MeasuredCase& out) {
  WorkloadRequest& w = out.workload;
  const auto work = row.find("workload");
  const auto batch = row.find("batch");
  const std::string phase = text(work, "phase");
  if (has(phase, "inference")) {
    w.kind = JobKind::kInference;
    out.forward_only = has(phase, "prefill");
  } else if (has(phase, "lora")) {
    w.kind = JobKind::kLora;
  } else if (has(phase, "finetune")) {
    w.kind = JobKind::kFinetune;
  }
  if (const double tokens = number(work, "tokens"); tokens > 0) w.tokens = tokens;
  if (const double samples = number(work, "samples"); samples > 0) w.samples = samples;
  if (const double sequences = number(work, "sequences"); sequences > 0) w.samples = sequences;
  if (const double epochs = number(work, "epochs"); epochs > 0) w.epochs = epochs;
  if (const double global = number(batch, "global"); global > 0) w.global_batch = global;
  if (const double micro = number(batch, "micro"); micro > 0) w.micro_batch = micro;
  // `local` is the batch of one data rank; its micro-batches are not stated
  if (w.kind == JobKind::kInference) {
    w.inference.concurrency = number(batch, "global", 1);
    w.inference.prompt_tokens = out.forward_only ? number(row.find("model"), "seq", 1024) : 1;
    w.inference.output_tokens = out.forward_only ? 1 : number(row.find("model"), "seq", 2048);
    if (out.forward_only) w.micro_batch = number(batch, "micro", 1);
    w.inference.prompt_tokens = number(work, "prompt_tokens", w.inference.prompt_tokens);
    w.inference.output_tokens = number(work, "output_tokens", w.inference.output_tokens);
  }
}

/// Units of samples: language jobs count tokens, so a sample is one sequence of them.
void settle_units(MeasuredCase& out) {
  const std::string unit = lowered(out.unit);
  const bool samples = has_any(unit, {"samples/s", "sequences/s", "images/s", "seq/s"});
  const bool image = out.workload.model.vision || out.workload.model.patches > 0;
  if (samples && !image && out.workload.model.kind != ModelKind::kMeasured) {
    out.unit_scale *= out.workload.seq_len;  // tokens of one sequence
  }
}

/// MLPerf's BERT and NVIDIA's BERT code leave padding out; Wikipedia pairs fill about half of 512.
void settle_padding(const CaseWords& words, MeasuredCase& out) {
  const bool tuned =
      words.software() == Framework::kMlperf || has(words.title, "deeplearningexamples");
  const bool pretraining = out.workload.kind == JobKind::kTrain;
  if (tuned && pretraining && out.workload.model.encoder_only && out.workload.seq_len == 512) {
    constexpr double kFilled = 0.55;
    out.workload.seq_len *= kFilled;
  }
}

std::string group_of(const CaseWords& words, const MeasuredCase& out) {
  const std::string& where = words.where;
  const auto colon = where.find(':');
  const auto at = where.find('@');
  const auto slash = where.find('/');
  const auto end = std::min(colon, at);
  if (slash != std::string::npos && end != std::string::npos && slash < end) {
    return where.substr(0, end);
  }
  return out.source;
}

}  // namespace

MeasuredCase read_measured_row(const Catalog& catalog, json::Value row) {
  MeasuredCase out;
  out.id = text(row, "id");
  out.kind = text(row, "kind");
  out.gpu_text = text(row, "gpu");
  out.notes = text(row, "notes");
  const CaseWords words = read_words(row);
  const auto source = row.find("source");
  out.source = text(source, "title").empty() ? text(source, "where") : text(source, "title");
  out.group = group_of(words, out);
  const auto exclude = row.find("calibration_exclude");
  out.exclude = exclude && exclude->is_bool() && exclude->boolean();
  const auto measured = row.find("measured");
  out.unit = text(measured, "unit");
  out.measured = number(measured, "value");
  if (!read_case_unit(out.unit, out)) out.skipped = "unit not understood";
  const bool verdict = out.quantity == MeasuredQuantity::kVerdict;
  const bool none_fits = out.quantity == MeasuredQuantity::kMaxMicroBatch && out.measured == 0;
  if (out.skipped.empty() && !verdict && !none_fits && !(out.measured > 0)) {
    out.skipped = "no positive number is measured";
  }
  const double nodes = number(row, "n_nodes");
  out.count = static_cast<int>(number(row, "n_gpus", 0));
  const bool any_count = out.count == 0;
  if (any_count) out.count = 1;
  if (nodes > 1) out.gpus_per_node = std::max(1, static_cast<int>(out.count / nodes));
  auto gpu = gpu_from_printed_name(catalog, out.gpu_text);
  if (!gpu) {
    out.skipped = "the card is not in the catalog";
    return out;
  }
  out.gpu = gpu->id;
  if (gpu->own) out.own_gpu = *gpu;
  if (out.kind == "matmul" || out.kind == "allreduce") {
    read_case_words(words, *gpu, out);
    read_case_links(words, *gpu, out);
    return out;
  }
  const auto model = row.find("model");
  if (!model || !model->is_object()) {
    out.skipped = "no model";
    return out;
  }
  read_work(row, out);
  read_case_model(catalog, *model, words.notes, out);
  if (!out.skipped.empty()) return out;
  const double seq = number(*model, "seq");
  if (seq > 0) {
    out.workload.seq_len = seq;
  } else if (!out.workload.model.vision) {
    out.workload.seq_len = std::min(
        2048.0, out.workload.model.max_seq_len > 0 ? out.workload.model.max_seq_len : 2048.0);
  }
  if (const auto parallel = row.find("parallel"); parallel && parallel->is_object()) {
    read_parallel(*parallel, out);
  }
  read_case_words(words, *gpu, out);
  read_case_links(words, *gpu, out);
  settle_padding(words, out);
  settle_units(out);
  out.family = case_family(out);
  settle_host(words, out);
  // GPU-hours of a run whose size is not stated: 128 of these cards, as such runs have.
  if (any_count && out.quantity == MeasuredQuantity::kGpuHours) {
    out.count = 128;
    out.gpus_per_node = 8;
  }
  return out;
}

}  // namespace xuanka
