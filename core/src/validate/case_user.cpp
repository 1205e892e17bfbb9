// The user_cases.json form: what a user ran and what happened, partly in prose.
#include "json/json_view.hpp"
#include "validate/case_json.hpp"
#include "validate/case_model.hpp"
#include "validate/case_text.hpp"
#include "xuanka/workload/hf_config.hpp"

namespace xuanka {
namespace {

using Object = std::optional<json::Value>;

double number(const Object& object, std::string_view key, double fallback = 0) {
  if (!object) return fallback;
  const auto value = object->find(key);
  return value && value->is_number() ? value->number() : fallback;
}
std::string text(const Object& object, std::string_view key) {
  if (!object) return {};
  const auto value = object->find(key);
  return value && value->is_string() ? std::string(value->string()) : std::string();
}
bool is_true(const Object& object, std::string_view key) {
  if (!object) return false;
  const auto value = object->find(key);
  return value && value->is_bool() && value->boolean();
}
bool is_false(const Object& object, std::string_view key) {
  if (!object) return false;
  const auto value = object->find(key);
  return value && value->is_bool() && !value->boolean();
}

bool read_model(const Catalog& catalog, const Object& inputs, MeasuredCase& out) {
  const std::string name = text(inputs, "model");
  if (const auto known = model_by_printed_name(catalog, name)) {
    out.workload.model = *known;
    return true;
  }
  double size = number(inputs, "params");
  if (size <= 0) size = number(inputs, "params_b_nominal") * 1e9;
  if (size <= 0) {
    out.skipped = name.empty() ? "no model named" : "the model's structure is not known";
    return false;
  }
  out.workload.model = model_from_params(size, 0);
  out.workload.model.name = name;
  return true;
}

void read_parallel(const std::string& parallel, const std::string& method, MeasuredCase& out) {
  PlanRequest& plan = out.plan;
  const std::string all = parallel + " " + method;
  if (has(all, "zero-1")) plan.zero = 1;
  if (has(all, "zero-2")) plan.zero = 2;
  if (has_any(all, {"zero-3", "full shard", "fsdp"})) plan.zero = 3;
  if (has(all, "ddp") && !plan.zero) plan.zero = 0;
  if (const auto t = number_after(parallel, "tensor parallel ")) plan.tensor = *t;
  if (plan.zero && !plan.tensor) plan.tensor = 1;
  if (plan.zero) plan.pipeline = plan.context = 1;
  if (has_any(all, {"optimizer offload", "offload optimizer"})) plan.offload = Offload::kOptimizer;
  if (has(all, "offload") && has_any(all, {"param", "cpu offload"})) plan.offload = Offload::kAll;
}

void read_settings(const Object& inputs, MeasuredCase& out) {
  WorkloadRequest& w = out.workload;
  double seq = number(inputs, "seq_len");
  if (seq <= 0) seq = number(inputs, "seq_len_max");
  if (seq <= 0) seq = number_after(lowered(text(inputs, "seq_len")), "max ").value_or(0);
  const double longest = w.model.max_seq_len > 0 ? w.model.max_seq_len : 2048;
  w.seq_len = seq > 0 ? seq : std::min(2048.0, longest);
  double micro = number(inputs, "micro_batch");
  if (micro <= 0) micro = number(inputs, "batch");
  if (micro > 0) w.micro_batch = micro;
  if (const double global = number(inputs, "global_batch"); global > 0) w.global_batch = global;
  if (const double tokens = number(inputs, "tokens"); tokens > 0) w.tokens = tokens;
  if (const double samples = number(inputs, "samples"); samples > 0) w.samples = samples;
  if (const double images = number(inputs, "images"); images > 0) w.samples = images;
  if (const double epochs = number(inputs, "epochs"); epochs > 0) w.epochs = epochs;
  if (const double image = number(inputs, "image"); image > 0) {
    w.image_height = image;
    w.image_width = image;
  }
  if (has(lowered(text(inputs, "dataset")), "coco")) w.samples = 118287;
  if (has(lowered(text(inputs, "dataset")), "imagenet")) w.samples = 1281167;
  if (is_true(inputs, "grad_ckpt") || is_true(inputs, "checkpointing"))
    w.recompute = Recompute::kFull;
  if (is_false(inputs, "grad_ckpt")) w.recompute = Recompute::kNone;
  if (is_true(inputs, "compile")) w.compile = true;
  // a table of flags whose first row pads every sequence
  if (has(lowered(text(inputs, "step")), "baseline")) w.packed = false;
  if (is_true(inputs, "cpu_offload")) out.plan.offload = Offload::kAll;
}

/// Preference losses (arXiv 2305.18290) run the chosen and the rejected answer in one pass, and a
/// frozen reference model beside the trained one unless adapters can be switched off for it.
void read_preferences(const std::string& task, MeasuredCase& out) {
  if (!has_any(task, {"preference", "alignment", "dpo", "rlhf"})) return;
  WorkloadRequest& w = out.workload;
  w.micro_batch = 2 * w.micro_batch.value_or(1);
  const bool adapters = w.kind == JobKind::kLora || w.kind == JobKind::kQlora;
  if (!adapters) w.copies = std::max(w.copies, 2.0);
}

JobKind kind_of(const std::string& task, const std::string& method) {
  if (has(task, "inference")) return JobKind::kInference;
  if (has(method, "qlora")) return JobKind::kQlora;
  if (has(method, "lora")) return JobKind::kLora;
  if (has(task, "fine-tune") || has(method, "full")) return JobKind::kFinetune;
  return JobKind::kTrain;
}

/// The outcome in words: fits, out of memory, or not stated.
std::optional<bool> outcome_of(const std::string& outcome) {
  if (outcome.starts_with("fits") || outcome.starts_with("ok")) return true;
  if (outcome.starts_with("oom") || has(outcome, "out of memory")) return false;
  return std::nullopt;
}

bool add_memory(const Object& observed, const MeasuredCase& base, std::vector<MeasuredCase>& out) {
  MeasuredCase one = base;
  const double gb = number(observed, "mem_gb");
  if (gb > 0) {
    one.quantity = MeasuredQuantity::kMemoryBytes;
    one.unit = text(observed, "mem_unit") == "GiB" ? "GiB per GPU" : "GB per GPU";
    one.unit_scale = text(observed, "mem_unit") == "GiB" ? 1073741824.0 : 1e9;
    one.memory_scope = MemoryScope::kReserved;
    one.measured = gb;
    out.push_back(one);
    return true;
  }
  const auto batch = observed ? observed->find("max_batch") : std::nullopt;
  if (batch && batch->is_number()) {
    one.quantity = MeasuredQuantity::kMaxMicroBatch;
    one.workload.micro_batch.reset();
    one.workload.global_batch.reset();
    one.unit = "micro-batch";
    one.measured = batch->number();
    one.measured_fits.reset();
    out.push_back(one);
    return true;
  }
  if (one.measured_fits) {
    one.quantity = MeasuredQuantity::kVerdict;
    one.unit = "verdict";
    out.push_back(one);
    return true;
  }
  return false;
}

struct TimeField {
  std::string_view key, unit;
  MeasuredQuantity quantity;
  double scale;
};
constexpr TimeField kTimeFields[] = {
    {"tokens_per_s_per_gpu", "tokens/s/GPU", MeasuredQuantity::kUnitsPerSecondPerGpu, 1},
    {"tokens_per_s", "tokens/s", MeasuredQuantity::kUnitsPerSecond, 1},
    {"time_s_total", "s", MeasuredQuantity::kSecondsTotal, 1},
    {"time_s", "s", MeasuredQuantity::kSecondsTotal, 1},
    {"time_min", "min", MeasuredQuantity::kSecondsTotal, 60},
    {"time_h", "h", MeasuredQuantity::kSecondsTotal, 3600},
    {"time_days", "days", MeasuredQuantity::kSecondsTotal, 86400},
    {"s_per_iter", "s/iteration", MeasuredQuantity::kSecondsPerStep, 1},
    {"samples_per_s", "samples/s", MeasuredQuantity::kUnitsPerSecond, 1},
};

bool add_time(const Object& observed, const MeasuredCase& base, bool stated_length,
              std::vector<MeasuredCase>& out) {
  const bool inference = base.workload.kind == JobKind::kInference;
  for (const TimeField& field : kTimeFields) {
    const double value = number(observed, field.key);
    if (value <= 0) continue;
    const bool total = field.quantity == MeasuredQuantity::kSecondsTotal;
    if (total && !base.workload.tokens && !base.workload.samples) continue;
    const bool image = base.workload.model.vision.has_value();
    if (total && !image && !base.workload.tokens && !stated_length) continue;
    if (!base.workload.packed && !base.workload.mean_tokens) continue;  // unknown share of padding
    MeasuredCase one = base;
    one.id += "/time";
    one.quantity = inference ? MeasuredQuantity::kOutputTokensPerSecond : field.quantity;
    one.unit = std::string(field.unit);
    one.unit_scale = field.scale;
    if (field.key == "samples_per_s" && !base.workload.model.vision) {
      one.unit_scale = base.workload.seq_len;
    }
    one.measured = value;
    one.measured_fits.reset();
    out.push_back(one);
    return true;
  }
  return false;
}

}  // namespace

std::vector<MeasuredCase> read_user_row(const Catalog& catalog, json::Value row) {
  MeasuredCase base;
  base.id = text(row, "id");
  base.kind = text(row, "category");
  base.source = text(row, "source");
  base.group = text(row, "group").empty() ? base.source : text(row, "group");
  const Object inputs = row.find("inputs");
  const Object observed = row.find("observed");
  base.gpu_text = text(inputs, "gpu");
  base.notes = text(row, "lesson");
  const auto skip = [&](std::string reason) {
    base.skipped = std::move(reason);
    return std::vector<MeasuredCase>{base};
  };
  if (!has_any(base.kind, {"memory", "time", "inference"}) || base.kind == "time+cost") {
    return skip("not a memory, time or inference case");
  }
  if (base.gpu_text.empty()) return skip("no card named");
  auto gpu = gpu_from_printed_name(catalog, base.gpu_text);
  if (!gpu) return skip("the card is not in the catalog, or several are named");
  const double count = number(inputs, "gpu_count");
  if (count < 1) return skip("no number of cards");
  base.gpu = gpu->id;
  if (gpu->own) base.own_gpu = *gpu;
  base.count = static_cast<int>(count);
  base.gpus_per_node = std::min(base.count, 8);
  if (!read_model(catalog, inputs, base)) return {base};

  CaseWords words;
  const std::string task = lowered(text(inputs, "task"));
  words.method = lowered(text(inputs, "method") + " " + text(inputs, "step"));
  if (const std::string quant = lowered(text(inputs, "quant")); !quant.empty() && quant != "none") {
    words.method += " " + quant;
    words.precision = quant + " ";
  }
  words.precision += lowered(text(inputs, "precision"));
  words.interconnect = lowered(text(inputs, "interconnect"));
  words.framework = lowered(text(inputs, "framework"));
  words.where = lowered(base.source);
  base.workload.kind = kind_of(task, words.method);
  read_settings(inputs, base);
  read_preferences(task, base);
  read_parallel(lowered(text(inputs, "parallel")), words.method, base);
  const bool adapters = has(words.method, "lora") || base.workload.kind == JobKind::kInference;
  if (!adapters && has(words.method, "nf4")) base.workload.kind = JobKind::kQlora;
  read_case_words(words, *gpu, base);
  if (has(lowered(text(inputs, "optimizer")), "fp32 states"))
    base.workload.precision = Precision::kFp32;
  if (has(words.method, "8-bit") && base.workload.kind == JobKind::kLora) {
    base.workload.lora.base = StorageType::kInt8;
  }
  read_case_links(words, *gpu, base);
  if (base.workload.kind == JobKind::kInference) {
    base.workload.inference.concurrency = number(inputs, "batch", 1);
    base.workload.inference.prompt_tokens = 1;
    base.workload.inference.output_tokens = number(inputs, "generated_tokens", 256);
    base.workload.micro_batch.reset();
  }
  base.family = case_family(base);
  settle_host(words, base);
  base.measured_fits = outcome_of(lowered(text(observed, "outcome")));
  // Reports that contradict one another say themselves which verdicts are right.
  const std::string right = lowered(text(row.find("check"), "type"));
  if (has(right, "verdict in {")) base.measured_fits = has(right, "fits");
  std::vector<MeasuredCase> out;
  const bool memory = add_memory(observed, base, out);
  const bool stated_length = number(inputs, "seq_len") > 0 || number(inputs, "seq_len_max") > 0;
  const bool time = add_time(observed, base, stated_length, out);
  if (!memory && !time) return skip("no number and no verdict to compare");
  return out;
}

}  // namespace xuanka
