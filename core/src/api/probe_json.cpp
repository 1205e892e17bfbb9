// The probe's JSON as an overlay.
#include "xuanka/api/probe.hpp"

#include <algorithm>
#include <cmath>

#include "api/json_writer.hpp"
#include "json/json_view.hpp"
#include "xuanka/base/clip.hpp"
#include "xuanka/base/date.hpp"
#include "xuanka/base/math.hpp"
#include "xuanka/base/nearest.hpp"
#include "xuanka/time/link.hpp"

namespace xuanka {
namespace {

constexpr double kMostOfPeak = 1.2;  // beyond the published rate by more: forged, or another card
constexpr double kWideDimension = 4096;  // from which a product counts as wide
constexpr double kMemorySlack = 0.12;    // of the memory: what drivers and ECC keep
constexpr double kGib = 1073741824.0;

// "NVIDIA A100-SXM4-80GB" -> "a100", "sxm4", "80", "gb".
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  int kind = 0;  // of the character before: 0 other, 1 letter, 2 digit after a letter or digit
  for (const char raw : name) {
    const char c = raw >= 'A' && raw <= 'Z' ? static_cast<char>(raw - 'A' + 'a') : raw;
    const bool digit = c >= '0' && c <= '9';
    const bool letter = c >= 'a' && c <= 'z';
    if (!digit && !letter) {
      kind = 0;
      continue;
    }
    const bool unit = letter && kind == 2 && (c == 'g') && !words.empty() &&
                      std::all_of(words.back().begin(), words.back().end(),
                                  [](char one) { return one >= '0' && one <= '9'; });
    if (kind == 0 || unit) words.emplace_back();
    words.back() += c;
    kind = digit ? 2 : 1;
  }
  return words;
}

bool has_word(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool starts_a_word(const std::vector<std::string>& words, std::string_view begin) {
  return std::any_of(words.begin(), words.end(),
                     [begin](const std::string& word) { return word.rfind(begin, 0) == 0; });
}

// Words of a catalog name that a driver's name has to hold too; -1: another card.
int likeness(const Gpu& gpu, const std::vector<std::string>& printed) {
  int shared = 0;
  std::string_view name = gpu.name;
  name = name.substr(0, name.find('('));
  for (const std::string& word : words_of(name)) {
    const bool size = word == "gb" || std::all_of(word.begin(), word.end(),
                                                  [](char c) { return c >= '0' && c <= '9'; });
    const bool maker = word == "geforce" || word == "tesla" || word == "generation";
    const bool form = word.rfind("sxm", 0) == 0 || word == "pcie" || word == "nvl";
    if (maker || form) continue;
    if (has_word(printed, word)) {
      ++shared;
    } else if (!size || word.size() > 3) {  // "4090" names the card, "80" its memory
      return -1;
    }
  }
  for (const std::string& word : printed) {  // "ti", "super", "d" make another card
    const bool suffix = word == "ti" || word == "super" || word == "d" || word == "ada";
    if (suffix && !has_word(words_of(name), word)) return -1;
  }
  return shared;
}

// Drivers write "PCIe" or "NVL" where it is one; a server card without either is the SXM one.
bool same_form(const Gpu& gpu, const std::vector<std::string>& printed) {
  const auto id = words_of(gpu.id);
  const bool variants = has_word(id, "sxm") || has_word(id, "pcie") || has_word(id, "nvl");
  if (!variants) return true;
  if (starts_a_word(printed, "pcie")) return has_word(id, "pcie");
  if (has_word(printed, "nvl")) return has_word(id, "nvl");
  return has_word(id, "sxm");
}

const Gpu* find_card(const Catalog& catalog, std::string_view name, double memory) {
  const auto printed = words_of(name);
  const Gpu* best = nullptr;
  int most = 0;
  for (const Gpu& gpu : catalog.gpus) {
    const double whole = gpu.memory_gb * kGib;
    if (memory > whole * (1 + kMemorySlack / 2) || memory < whole * (1 - kMemorySlack)) continue;
    const int shared = same_form(gpu, printed) ? likeness(gpu, printed) : -1;
    if (shared > most) {
      most = shared;
      best = &gpu;
    }
  }
  return best;
}

// A rate in the time model's symbols: t = (2mnk + 2w(mk + kn + mn)) / (peak x reached),
// w = gemm_roof x peak / bandwidth + gemm_tile. Solved for what was reached.
std::optional<double> product_reached(const EfficiencyModel& model, const Gpu& gpu, double peak,
                                      const json::View& row, double seconds) {
  const double m = row.need_number("m", json::kPositive).value_or(0);
  const double n = row.need_number("n", json::kPositive).value_or(0);
  const double k = row.need_number("k", json::kPositive).value_or(0);
  if (std::min({m, n, k}) < kWideDimension || !(seconds > 0) || !(peak > 0)) return std::nullopt;
  const double width = model.gemm_roof * peak / gpu.bandwidth.value() + model.gemm_tile;
  return (2 * m * n * k + 2 * width * (m * k + k * n + m * n)) / (peak * seconds);
}

struct Reached {
  std::vector<double> matrix, fp8, vector, bandwidth, host, link;
};

std::optional<double> middle(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void put(const json::View& row, std::string_view key, double value, std::vector<double>& to) {
  if (!(value > 0) || value > kMostOfPeak) {
    row.report(IssueCode::kOutOfRange, key, {{"above", 0.0}, {"max", kMostOfPeak}, {"got", value}});
    return;
  }
  to.push_back(value);
}

void read_products(const Knowledge& known, const Gpu& gpu, const json::View& card, Reached& out) {
  const auto peak_of = [&gpu](PeakFormat format) {
    const auto peak = gpu.peak(format);
    return peak ? peak->value() : 0;
  };
  for (const json::View& row : card.objects("matmul")) {
    const auto format = row.need_string("format").value_or("");
    const auto accumulate = row.string("accumulate").value_or("fp32");
    const double seconds = row.need_number("seconds", json::kPositive).value_or(0);
    std::vector<double>* to = nullptr;
    double peak = 0;
    if ((format == "fp16" || format == "bf16") && accumulate == "fp32") {
      peak = peak_of(format == "fp16" ? PeakFormat::kFp16Tensor : PeakFormat::kBf16Tensor);
      to = &out.matrix;
    } else if (format == "fp8") {
      peak = peak_of(PeakFormat::kFp8Tensor);
      to = &out.fp8;
    } else if (format == "fp32") {
      peak = peak_of(PeakFormat::kFp32);
      to = &out.vector;
    }
    if (to == nullptr || peak <= 0) continue;
    if (const auto reached = product_reached(known.efficiency, gpu, peak, row, seconds)) {
      put(row, "seconds", *reached, *to);
    }
  }
}

void read_copies(const Gpu& gpu, const json::View& card, Reached& out) {
  for (const json::View& row : card.objects("memory")) {
    if (row.need_string("kind") != "triad") continue;
    const double rate = row.need_number("gb_s", json::kPositive).value_or(0) * 1e9;
    if (gpu.bandwidth.value() > 0) put(row, "gb_s", rate / gpu.bandwidth.value(), out.bandwidth);
  }
  const double host = make_topology(gpu, LinkChoice::kAuto, 8, 100).host.value();
  for (const json::View& row : card.objects("host_copies")) {
    if (!row.boolean("pinned").value_or(false)) continue;
    const double rate = row.need_number("gb_s", json::kPositive).value_or(0) * 1e9;
    if (host > 0 && rate > 0) put(row, "gb_s", rate / host, out.host);
  }
}

// What an all-reduce reaches is what training uses; a pair's copies stand in for it.
void read_links(const Gpu& gpu, const json::View& root, Reached& out) {
  const Topology topology = make_topology(gpu, LinkChoice::kAuto, 8, 100);
  const double link = topology.inside_bandwidth.value();
  if (!(link > 0)) return;
  double largest = 0;
  for (const json::View& row : root.objects("all_reduce")) {
    const double bytes = row.need_number("bytes", json::kPositive).value_or(0);
    const double rate = row.need_number("bus_gb_s", json::kPositive).value_or(0) * 1e9;
    if (bytes < largest || !(rate > 0)) continue;
    largest = bytes;
    out.link.clear();
    put(row, "bus_gb_s", rate / link, out.link);
  }
  if (largest > 0) return;
  for (const json::View& row : root.objects("links")) {
    const auto rate = row.number("gb_s", json::kPositive);
    if (rate) put(row, "gb_s", *rate * 1e9 / link, out.link);
  }
}

MeasuredGpu measured_of(const Gpu& gpu, const json::View& root, const Reached& reached) {
  MeasuredGpu out;
  out.gpu = gpu.id;
  out.date = root.string("date").value_or("");
  out.made_up = root.boolean("made_up").value_or(false);
  out.matmul_peak = middle(reached.matrix);
  out.vector_peak = middle(reached.vector);
  out.bandwidth_reached = middle(reached.bandwidth);
  out.host_copy = middle(reached.host);
  out.link_reached = middle(reached.link);
  const auto fp8 = middle(reached.fp8);
  // The constant is a share of what 16-bit products reach.
  if (fp8 && out.matmul_peak) out.fp8_peak = std::min(kMostOfPeak, *fp8 / *out.matmul_peak);
  return out;
}

const Gpu* card_of(const Knowledge& known, const json::View& card, std::string_view id) {
  const auto name = card.need_string("name").value_or("");
  const double memory = card.need_number("memory_bytes", json::kPositive).value_or(0);
  const Gpu* gpu = id.empty() ? find_card(known.catalog, name, memory) : known.catalog.find_gpu(id);
  if (gpu == nullptr && !name.empty()) {
    card.report(IssueCode::kUnknownId, "name",
                {{"kind", std::string("gpu")}, {"got", clip(id.empty() ? name : id)}});
  }
  return gpu;
}

void check_head(const json::View& root) {
  const auto version = root.need_number("xuanka_probe");
  if (version && *version != kProbeVersion) {
    root.report(IssueCode::kUnsupportedVersion, "xuanka_probe",
                {{"got", *version}, {"supported", static_cast<double>(kProbeVersion)}});
  }
  const auto date = root.string("date");
  if (date && !parse_date(*date)) root.report(IssueCode::kBadDate, "date", {{"got", clip(*date)}});
  if (root.objects("gpus").empty()) root.report(IssueCode::kMissing, "gpus");
}

}  // namespace

Result<std::vector<MeasuredGpu>> read_probe(const Knowledge& knowledge, std::string_view probe_json,
                                            std::string_view gpu) {
  XUANKA_TRY(document, json::parse_strict(probe_json));
  json::Issues issues;
  std::vector<MeasuredGpu> out;
  if (const auto root = json::object_at(document.root(), issues)) {
    check_head(*root);
    std::vector<std::pair<const Gpu*, Reached>> cards;
    for (const json::View& card :
         issues.empty() ? root->objects("gpus") : std::vector<json::View>{}) {
      const Gpu* model = card_of(knowledge, card, gpu);
      if (model == nullptr) continue;
      auto it = std::find_if(cards.begin(), cards.end(),
                             [model](const auto& entry) { return entry.first == model; });
      if (it == cards.end()) it = cards.insert(it, {model, Reached{}});
      read_products(knowledge, *model, card, it->second);
      read_copies(*model, card, it->second);
    }
    for (auto& [model, reached] : cards) {
      read_links(*model, *root, reached);
      out.push_back(measured_of(*model, *root, reached));
    }
  }
  if (!issues.empty()) return tl::unexpected(issues.take());
  return out;
}

std::string measured_json(const std::vector<MeasuredGpu>& measured) {
  JsonWriter out;
  out.begin_array();
  for (const MeasuredGpu& one : measured) {
    out.begin_object().field("gpu", std::string_view(one.gpu));
    if (!one.date.empty()) out.field("date", std::string_view(one.date));
    if (one.made_up) out.field("made_up", true);
    const auto put_share = [&out](std::string_view name, const std::optional<double>& value) {
      if (value) out.field(name, round_significant(*value, 4));
    };
    put_share("matmul_peak", one.matmul_peak);
    put_share("fp8_peak", one.fp8_peak);
    put_share("vector_peak", one.vector_peak);
    put_share("bandwidth_reached", one.bandwidth_reached);
    put_share("host_copy", one.host_copy);
    put_share("link_reached", one.link_reached);
    out.end_object();
  }
  return out.end_array().take();
}

}  // namespace xuanka
