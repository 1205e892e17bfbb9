// The CSV forms: step times of GPT models under Megatron-DeepSpeed (VIA-Research/vTrain, data/).
#include <algorithm>
#include <map>

#include "validate/case_json.hpp"
#include "validate/case_text.hpp"
#include "xuanka/workload/hf_config.hpp"

namespace xuanka {
namespace {

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto at = text.find(by);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

/// A decimal number; nullopt for anything else.
std::optional<double> decimal(std::string_view text) {
  while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
  if (text.empty()) return std::nullopt;
  double value = 0, scale = 1;
  bool point = false;
  for (const char c : text) {
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9') {
      value = value * 10 + (c - '0');
      if (point) scale *= 10;
    } else {
      return std::nullopt;
    }
  }
  return value / scale;
}

std::string whole(double value) { return std::to_string(static_cast<long long>(value)); }

using Row = std::map<std::string_view, double>;

MeasuredCase read_row(const Catalog& catalog, const Row& row, const std::string& source,
                      const std::string& id) {
  MeasuredCase out;
  const auto at = [&](std::string_view key, double without = 0) {
    const auto hit = row.find(key);
    return hit == row.end() ? without : hit->second;
  };
  out.id = id;
  out.kind = "step_time";
  out.source = source;
  out.group =
      "megatron " + whole(at("hidden")) + "x" + whole(at("layers")) + "x" + whole(at("heads"));
  out.family = "decoder";
  out.gpu_text = "A100-SXM4-80GB";
  const auto gpu = gpu_from_printed_name(catalog, out.gpu_text);
  if (!gpu) {
    out.skipped = "the card is not in the catalog";
    return out;
  }
  out.gpu = gpu->id;
  TransformerShape shape;
  shape.layers = at("layers");
  shape.hidden = at("hidden");
  shape.heads = at("heads");
  shape.ffn = 4 * shape.hidden;
  shape.vocab = 51200;
  shape.gated_mlp = false;
  shape.biases = true;
  shape.layer_norm = true;
  shape.tied_embeddings = true;
  shape.learned_positions = at("seq_len");
  auto model = model_from_shape(shape, "model");
  if (!model) {
    out.skipped = "the model's shape does not add up";
    return out;
  }
  WorkloadRequest& w = out.workload;
  w.model = *model;
  w.seq_len = at("seq_len");
  w.micro_batch = at("micro_batch", 1);
  w.precision = Precision::kFp16;
  w.grad_precision = StorageType::kFp16;
  w.recompute = Recompute::kFull;
  w.flash_attention = false;
  w.framework = Framework::kMegatron;
  out.count = static_cast<int>(at("gpus"));
  out.gpus_per_node = 8;
  out.network_gbit_s = 100;  // 800 Gbit/s InfiniBand per node of 8
  out.plan.tensor = at("tensor", 1);
  out.plan.pipeline = at("pipeline", 1);
  out.plan.data =
      at("data", std::max(1.0, at("gpus") / std::max(1.0, *out.plan.tensor * *out.plan.pipeline)));
  w.global_batch = at("global_batch", *w.micro_batch * *out.plan.data);
  out.plan.context = 1;
  out.plan.expert = 1;
  out.plan.interleave = 1;
  out.plan.zero = 0;
  out.plan.sequence_parallel = false;
  out.plan.offload = Offload::kNone;
  out.quantity = MeasuredQuantity::kSecondsPerStep;
  out.unit = "ms/step";
  out.unit_scale = 1e-3;
  out.measured = at("step_ms");
  if (!(out.measured > 0)) out.skipped = "no positive number is measured";
  return out;
}

/// "megatron_a100_multi_node" of a path.
std::string stem_of(std::string name) {
  if (const auto slash = name.rfind('/'); slash != std::string::npos) name.erase(0, slash + 1);
  if (const auto dot = name.rfind('.'); dot != std::string::npos) name.erase(dot);
  return name;
}

bool has_needed_columns(const std::vector<std::string_view>& keys, const std::string& name,
                        std::vector<Issue>& issues) {
  for (const std::string_view key : {"gpus", "hidden", "layers", "heads", "seq_len", "step_ms"}) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    issues.push_back({IssueCode::kMissing, name + "." + std::string(key), {}, 1, 1});
  }
  return issues.empty();
}

MeasuredCase unreadable(const std::string& stem, const std::string& id) {
  MeasuredCase bad;
  bad.id = id;
  bad.kind = "step_time";
  bad.source = stem;
  bad.skipped = "the row is not numbers under every heading";
  return bad;
}

}  // namespace

Result<std::vector<MeasuredCase>> read_csv_cases(const Catalog& catalog,
                                                 const MeasurementText& text) {
  const auto lines = split(text.text, '\n');
  std::vector<std::string_view> keys = split(lines.front(), ',');
  if (!keys.back().empty() && keys.back().back() == '\r') keys.back().remove_suffix(1);
  std::vector<Issue> issues;
  if (!has_needed_columns(keys, text.name, issues)) return tl::unexpected(std::move(issues));
  const std::string stem = stem_of(text.name);
  std::vector<MeasuredCase> cases;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].empty() || lines[i] == "\r") continue;
    const auto cells = split(lines[i], ',');
    Row row;
    bool good = cells.size() == keys.size();
    for (std::size_t k = 0; good && k < keys.size(); ++k) {
      const auto value = decimal(cells[k]);
      good = value.has_value();
      if (good) row.emplace(keys[k], *value);
    }
    const std::string id = stem + "-" + std::to_string(i);
    cases.push_back(good ? read_row(catalog, row, stem, id) : unreadable(stem, id));
  }
  return cases;
}

Result<std::vector<MeasuredCase>> read_table_cases(const Catalog& catalog, const std::string& name,
                                                   json::Value table) {
  const auto columns = table.find("columns");
  const auto rows = table.find("rows");
  std::vector<std::string_view> keys;
  if (columns) {
    for (const json::Value key : columns->children()) keys.push_back(key.string());
  }
  std::vector<Issue> issues;
  if (!has_needed_columns(keys, name, issues)) return tl::unexpected(std::move(issues));
  const std::string stem = stem_of(name);
  std::vector<MeasuredCase> cases;
  if (!rows) return cases;
  for (const json::Value line : rows->children()) {
    Row row;
    std::size_t k = 0;
    for (const json::Value cell : line.children()) {
      if (k < keys.size() && cell.is_number()) row.emplace(keys[k], cell.number());
      ++k;
    }
    const std::string id = stem + "-" + std::to_string(cases.size() + 1);
    const bool good = k == keys.size() && row.size() == keys.size();
    cases.push_back(good ? read_row(catalog, row, stem, id) : unreadable(stem, id));
  }
  return cases;
}

}  // namespace xuanka
