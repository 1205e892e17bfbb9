// A GPU's JSON object -> Gpu.
#include <string>
#include <utility>

#include "catalog/catalog_json.hpp"
#include "catalog/dates.hpp"
#include "catalog/entry_fields.hpp"

namespace xuanka::catalog_json {
namespace {

using json::View;

std::optional<std::string> text_of(const View& view, std::string_view key) {
  const auto text = view.string(key);
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

Vendor vendor_of(std::string_view name) {
  constexpr std::pair<std::string_view, Vendor> kNames[] = {
      {"NVIDIA", Vendor::kNvidia},      {"AMD", Vendor::kAmd},
      {"Intel", Vendor::kIntel},        {"Huawei", Vendor::kHuawei},
      {"Hygon", Vendor::kHygon},        {"Moore Threads", Vendor::kMooreThreads},
      {"Cambricon", Vendor::kCambricon}};
  for (const auto& [known, vendor] : kNames) {
    if (known == name) return vendor;
  }
  return Vendor::kOther;
}

template <class E, std::size_t n>
std::optional<E> word_of(const View& view, std::string_view key,
                         const std::pair<std::string_view, E> (&words)[n]) {
  const auto text = view.string(key);
  if (!text) return std::nullopt;
  std::string allowed;
  for (const auto& [word, value] : words) {
    if (word == *text) return value;
    allowed += allowed.empty() ? "" : ", ";
    allowed += word;
  }
  view.report(IssueCode::kUnknownValue, key, {{"got", std::string(*text)}, {"allowed", allowed}});
  return std::nullopt;
}

void read_peaks(const View& gpu, Origin origin, Gpu& out) {
  const auto view = gpu.need_object("tflops");
  if (!view) return;
  view->only({"fp64", "fp32", "tf32", "fp16_vector", "fp16_tensor", "fp16_tensor_fp16acc",
              "bf16_tensor", "fp8_tensor", "fp8_tensor_fp16acc", "fp4_tensor", "int8"});
  bool any = false;
  for (std::size_t i = 0; i < out.tflops.size(); ++i) {
    out.tflops[i] = view->number(peak_format_name(static_cast<PeakFormat>(i)), json::kPositive);
    any = any || out.tflops[i].has_value();
  }
  if (!any && origin == Origin::kOwn) gpu.report(IssueCode::kMissing, "tflops");
}

std::optional<MeasuredMatmul> read_measured(const View& gpu) {
  const auto view = gpu.object("matmul_measured_tflops");
  if (!view) return std::nullopt;
  view->only({"fp32", "tf32", "fp16", "bf16", "samples", "bf16_native"});
  MeasuredMatmul out;
  out.fp32 = view->number("fp32", json::kPositive);
  out.tf32 = view->number("tf32", json::kPositive);
  out.fp16 = view->number("fp16", json::kPositive);
  out.bf16 = view->number("bf16", json::kPositive);
  out.samples = static_cast<int>(view->need_integer("samples", {1, 1e6}).value_or(1));
  out.bf16_native = view->boolean("bf16_native").value_or(true);
  return out;
}

std::optional<FastLink> read_nvlink(const View& gpu) {
  const auto view = gpu.object("nvlink");
  if (!view) return std::nullopt;
  view->only({"version", "topology", "total_gb_s"});
  FastLink out;
  out.version = view->need_string("version").value_or("");
  constexpr std::pair<std::string_view, FastLink::Topology> kWords[] = {
      {"switch", FastLink::Topology::kSwitch},
      {"bridge-pair", FastLink::Topology::kBridgePair},
      {"mesh", FastLink::Topology::kMesh}};
  if (!view->has("topology")) view->report(IssueCode::kMissing, "topology");
  out.topology = word_of(*view, "topology", kWords).value_or(FastLink::Topology::kSwitch);
  out.total = gigabytes_per_sec(view->need_number("total_gb_s", json::kPositive).value_or(0));
  return out;
}

std::optional<PcieLink> read_pcie(const View& gpu) {
  const auto view = gpu.object("pcie");
  if (!view) return std::nullopt;
  view->only({"gen", "lanes", "gb_s_bidirectional"});
  PcieLink out;
  out.gen = view->need_string("gen").value_or("");
  out.lanes = static_cast<int>(view->need_integer("lanes", {1, 32}).value_or(16));
  out.bidirectional =
      gigabytes_per_sec(view->need_number("gb_s_bidirectional", json::kPositive).value_or(0));
  return out;
}

void read_board(const View& gpu, Gpu& out) {
  const auto view = gpu.object("board");
  if (!view) return;
  view->only({"gpus", "tdp_w"});
  out.board_gpus = static_cast<int>(view->need_integer("gpus", {1, 16}).value_or(1));
  out.board_tdp_w = view->need_number("tdp_w", json::kPositive);
}

// A value as the catalogue or a source prints it.
std::string printed(const View& view, std::string_view key) {
  const auto value = view.get(key);
  if (!value) return {};
  return value->is_string() ? std::string(value->string()) : to_text(*value);
}

std::vector<Disagreement> read_disagreements(const View& gpu) {
  std::vector<Disagreement> out;
  for (const View& view : gpu.objects("disagreements")) {
    view.only({"field", "catalog", "source", "value"});
    Disagreement entry;
    entry.field = view.need_string("field").value_or("");
    entry.source = view.need_string("source").value_or("");
    if (!view.has("value")) view.report(IssueCode::kMissing, "value");
    entry.catalog_value = printed(view, "catalog");
    entry.source_value = printed(view, "value");
    out.push_back(std::move(entry));
  }
  return out;
}

void read_sources(const View& gpu, Gpu& out) {
  const auto view = gpu.object("sources");
  if (!view) return;
  for (const json::Value entry : view->value().children()) {
    std::string field(entry.key());
    auto ids = view->strings(field);
    out.sources.emplace(std::move(field), std::move(ids));
  }
}

void read_sparse(const View& gpu, Gpu& out) {
  const auto view = gpu.object("sparse_multiplier");
  if (!view) return;
  view->only({"tensor", "fp4", "fp8", "fp16", "bf16", "tf32", "int8"});
  for (const json::Value entry : view->value().children()) {
    if (const auto factor = view->number(entry.key(), {1, 4})) {
      out.sparse_multiplier.emplace(entry.key(), *factor);
    }
  }
}

void read_identity(const View& view, Origin origin, Gpu& out) {
  const bool shipped = origin == Origin::kShipped;
  out.id = view.need_string("id").value_or("");
  out.name = (shipped ? view.need_string("name") : view.string("name")).value_or(out.id);
  out.aliases = view.strings("aliases");
  out.vendor_name = (shipped ? view.need_string("vendor") : view.string("vendor")).value_or("");
  out.vendor = vendor_of(out.vendor_name);
  out.architecture =
      (shipped ? view.need_string("architecture") : view.string("architecture")).value_or("");
  out.launch = date_at(view, "launch").value_or("");
  if (shipped && !view.has("launch")) view.report(IssueCode::kMissing, "launch");
  out.form_factor = text_or_empty(view, "form_factor");
  out.notes = text_or_empty(view, "notes");
}

void read_figures(const View& view, Origin origin, Gpu& out) {
  out.compute_capability = text_of(view, "compute_capability");
  out.cuda_min = text_of(view, "cuda_min");
  out.cuda_last = text_of(view, "cuda_last");
  out.memory_gb = view.need_number("memory_gb", {0.5, 4096}).value_or(0);
  out.memory_type = text_or_empty(view, "memory_type");
  constexpr json::Range kBandwidth{1, 1e6};  // GB/s
  out.bandwidth =
      gigabytes_per_sec((origin == Origin::kOwn ? view.need_number("bandwidth_gb_s", kBandwidth)
                                                : view.number("bandwidth_gb_s", kBandwidth))
                            .value_or(0));
  out.tdp_w = view.number("tdp_w", {1, 20000});
  out.ecc = view.boolean("ecc");
  out.p2p = text_or_empty(view, "p2p");
  out.p2p_ok = view.boolean("p2p_ok").value_or(true);
  out.msrp_usd = view.number("msrp_usd", json::kPositive);
  out.msrp_cny = view.number("msrp_cny", json::kPositive);
  out.verified_by = static_cast<int>(view.integer("verified_by", {0, 1000}).value_or(0));
}

void read_state(const View& view, Gpu& out) {
  constexpr std::pair<std::string_view, GpuStatus> kStatus[] = {
      {"current", GpuStatus::kCurrent},
      {"eol", GpuStatus::kEol},
      {"aftermarket", GpuStatus::kAftermarket},
      {"announced", GpuStatus::kAnnounced},
      {"announced, limited availability", GpuStatus::kAnnounced}};
  out.status = word_of(view, "status", kStatus).value_or(GpuStatus::kCurrent);
  constexpr std::pair<std::string_view, bool> kConfidence[] = {{"normal", false}, {"low", true}};
  out.low_confidence = word_of(view, "confidence", kConfidence).value_or(false);
}

}  // namespace

std::optional<Gpu> read_gpu(const View& view, Origin origin) {
  const std::size_t before = view.issues().size();
  view.only({"id",
             "name",
             "aliases",
             "vendor",
             "architecture",
             "launch",
             "compute_capability",
             "cuda_min",
             "cuda_last",
             "memory_gb",
             "memory_type",
             "bandwidth_gb_s",
             "tflops",
             "sparse_multiplier",
             "matmul_measured_tflops",
             "nvlink",
             "pcie",
             "tdp_w",
             "board",
             "form_factor",
             "ecc",
             "p2p",
             "p2p_ok",
             "msrp_usd",
             "msrp_cny",
             "status",
             "confidence",
             "verified_by",
             "notes",
             "sources",
             "disagreements",
             "exceptions"});
  Gpu out;
  read_identity(view, origin, out);
  read_figures(view, origin, out);
  read_peaks(view, origin, out);
  read_sparse(view, out);
  read_board(view, out);
  read_state(view, out);
  read_sources(view, out);
  out.measured_matmul = read_measured(view);
  out.nvlink = read_nvlink(view);
  out.pcie = read_pcie(view);
  out.disagreements = read_disagreements(view);
  out.exceptions = view.strings("exceptions");
  out.own = origin == Origin::kOwn;
  if (view.issues().size() != before) return std::nullopt;
  return out;
}

}  // namespace xuanka::catalog_json
