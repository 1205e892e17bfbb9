// GPU names as sources print them -> cards.
#include <algorithm>
#include <array>
#include <cctype>

#include "validate/case_text.hpp"
#include "xuanka/validate/validate.hpp"

namespace xuanka {
namespace {

struct Printed {
  std::string_view name;  // lower case, letters and digits only
  std::string_view id;
};
// Where a source does not say which variant, the one most clouds rent.
constexpr auto kPrinted = std::to_array<Printed>({
    {"a100", "a100-sxm-80gb"},
    {"a10080gb", "a100-sxm-80gb"},
    {"a10040gb", "a100-sxm-40gb"},
    {"a100sxm480gb", "a100-sxm-80gb"},
    {"a100sxm440gb", "a100-sxm-40gb"},
    {"a100pcie4080gb", "a100-pcie-80gb"},
    {"a100pcie80gb", "a100-pcie-80gb"},
    {"a100pcie40gb", "a100-pcie-40gb"},
    {"a800", "a800-sxm-80gb"},
    {"a80080gb", "a800-sxm-80gb"},
    {"a30", "a30-24gb"},
    {"a40", "a40-48gb"},
    {"a10", "a10-24gb"},
    {"a10g", "a10g-24gb"},
    {"a10g24gb", "a10g-24gb"},
    {"a1024gb", "a10-24gb"},
    {"a4000", "rtx-a4000-16gb"},
    {"a5000", "rtx-a5000-24gb"},
    {"a6000", "rtx-a6000-48gb"},
    {"rtxa4000", "rtx-a4000-16gb"},
    {"rtxa5000", "rtx-a5000-24gb"},
    {"rtxa6000", "rtx-a6000-48gb"},
    {"l4", "l4-24gb"},
    {"l20", "l20-48gb"},
    {"l40", "l40-48gb"},
    {"l40s", "l40s-48gb"},
    {"rtx6000ada", "rtx-6000-ada-48gb"},
    {"h100", "h100-sxm-80gb"},
    {"h10080gb", "h100-sxm-80gb"},
    {"h100sxm", "h100-sxm-80gb"},
    {"h100sxm580gb", "h100-sxm-80gb"},
    {"h100pcie80gb", "h100-pcie-80gb"},
    {"h100pcie", "h100-pcie-80gb"},
    {"h100nvl94gb", "h100-nvl-94gb"},
    {"h100nvl", "h100-nvl-94gb"},
    {"h800", "h800-sxm-80gb"},
    {"h800sxm80gb", "h800-sxm-80gb"},
    {"h20", "h20-96gb"},
    {"h200", "h200-sxm-141gb"},
    {"h200sxm", "h200-sxm-141gb"},
    {"h200sxm141gb", "h200-sxm-141gb"},
    {"gh200", "gh200-96gb"},
    {"b200", "b200-sxm-180gb"},
    {"b200sxm", "b200-sxm-180gb"},
    {"b300", "b300-sxm-270gb"},
    {"b300sxm", "b300-sxm-270gb"},
    {"gb200", "gb200-186gb"},
    {"gb300", "gb300-279gb"},
    {"v100", "v100-sxm-32gb"},
    {"v10016gb", "v100-sxm-16gb"},
    {"v10032gb", "v100-sxm-32gb"},
    {"v100sxm216gb", "v100-sxm-16gb"},
    {"v100sxm232gb", "v100-sxm-32gb"},
    {"v100pcie16gb", "v100-pcie-16gb"},
    {"v100pcie32gb", "v100-pcie-32gb"},
    {"p100", "p100-pcie-16gb"},
    {"p4", "p4-8gb"},
    {"p40", "p40-24gb"},
    {"t4", "t4-16gb"},
    {"titanrtx", "titan-rtx-24gb"},
    {"titanv", "titan-v-12gb"},
    {"gtx1080ti", "gtx-1080-ti-11gb"},
    {"1080ti", "gtx-1080-ti-11gb"},
    {"rtx2080ti", "rtx-2080-ti-11gb"},
    {"2080ti", "rtx-2080-ti-11gb"},
    {"rtx3060", "rtx-3060-12gb"},
    {"rtx3070", "rtx-3070-8gb"},
    {"rtx3080", "rtx-3080-10gb"},
    {"3080", "rtx-3080-10gb"},
    {"rtx3080ti", "rtx-3080-ti-12gb"},
    {"rtx3090", "rtx-3090-24gb"},
    {"3090", "rtx-3090-24gb"},
    {"rtx3090ti", "rtx-3090-ti-24gb"},
    {"rtx4060ti", "rtx-4060-ti-16gb"},
    {"rtx4070tisuper", "rtx-4070-ti-super-16gb"},
    {"rtx4080", "rtx-4080-16gb"},
    {"rtx4090", "rtx-4090-24gb"},
    {"4090", "rtx-4090-24gb"},
    {"rtx4090d", "rtx-4090-d-24gb"},
    {"rtx5090", "rtx-5090-32gb"},
    {"mi100", "mi100-32gb"},
    {"mi210", "mi210-64gb"},
    {"mi250", "mi250-128gb"},
    {"mi250x", "mi250x-128gb"},
    {"mi300x", "mi300x-192gb"},
    {"mi325x", "mi325x-256gb"},
    {"mi355x", "mi355x-288gb"},
    {"gaudi2", "gaudi2-96gb"},
    {"gaudi3", "gaudi3-128gb"},
    // memory estimates do not depend on the card
    {"any", "a100-sxm-80gb"},
    {"singlegpuunspecified", "a100-sxm-80gb"},
    {"48gbgpu", "rtx-a6000-48gb"},
    {"48gbclass", "rtx-a6000-48gb"},
    {"24gbclass", "rtx-3090-24gb"},
    {"h80080gb", "h800-sxm-80gb"},
    {"h2096gb", "h20-96gb"},
});

std::string folded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u) != 0) out.push_back(static_cast<char>(std::tolower(u)));
  }
  return out;
}

void set_peak(Gpu& gpu, PeakFormat format, std::optional<double> tflops) {
  gpu.tflops[static_cast<std::size_t>(format)] = tflops;
}

std::optional<Gpu> variant(const Catalog& catalog, std::string_view base, std::string_view name) {
  const Gpu* gpu = catalog.find_gpu(base);
  if (gpu == nullptr) return std::nullopt;
  Gpu copy = *gpu;
  copy.id = std::string(name);
  copy.name = std::string(name);
  copy.own = true;
  return copy;
}

/// Cards that were measured and are not sold or rented any more, or never were.
std::optional<Gpu> outside_catalog(const Catalog& catalog, std::string_view name) {
  if (name == "h10096gbhbm2e500w") {
    // pytorch/torchtitan benchmarks: HBM2e at 2.4 TB/s, capped at 500 W.
    auto gpu = variant(catalog, "h100-sxm-80gb", "h100-sxm-96gb-500w");
    if (!gpu) return gpu;
    gpu->memory_gb = 96;
    gpu->bandwidth = gigabytes_per_sec(2400);
    gpu->tdp_w = 500;
    return gpu;
  }
  if (name == "gh200141gb") {
    auto gpu = variant(catalog, "gh200-96gb", "gh200-141gb");
    if (!gpu) return gpu;
    gpu->memory_gb = 141;
    gpu->bandwidth = gigabytes_per_sec(4900);
    return gpu;
  }
  if (name == "quadrortx8000") {  // TU102: 16.3 FP32, 130.5 FP16 tensor TFLOPS, 672 GB/s, 48 GB
    auto gpu = variant(catalog, "titan-rtx-24gb", "quadro-rtx-8000-48gb");
    if (!gpu) return gpu;
    gpu->memory_gb = 48;
    gpu->bandwidth = gigabytes_per_sec(672);
    set_peak(*gpu, PeakFormat::kFp32, 16.3);
    set_peak(*gpu, PeakFormat::kFp16Tensor, 130.5);
    return gpu;
  }
  if (name == "titanx12gb" || name == "titanx") {  // GP102: 10.97 FP32 TFLOPS, 480 GB/s, 12 GB
    auto gpu = variant(catalog, "gtx-1080-ti-11gb", "titan-x-12gb");
    if (!gpu) return gpu;
    gpu->memory_gb = 12;
    gpu->bandwidth = gigabytes_per_sec(480);
    set_peak(*gpu, PeakFormat::kFp32, 10.97);
    return gpu;
  }
  return std::nullopt;
}

/// Words of a name without the maker's: letters and digits, "SXM4" as "sxm", "80G" as "80gb".
std::vector<std::string> name_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const auto finish = [&] {
    if (word.starts_with("sxm")) word = "sxm";
    if (word.size() > 1 && word.ends_with("g") &&
        std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
      word += "b";
    }
    constexpr std::array<std::string_view, 10> kMakers{
        "nvidia", "geforce", "tesla", "amd", "instinct", "huawei", "gpu", "gb", "x", ""};
    if (std::ranges::find(kMakers, std::string_view(word)) == kMakers.end()) words.push_back(word);
    word.clear();
  };
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u) != 0) {
      word.push_back(static_cast<char>(std::tolower(u)));
    } else if (c == ' ' && !word.empty() &&
               std::ranges::all_of(word, [](unsigned char d) { return std::isdigit(d) != 0; })) {
      continue;  // "80 GB"
    } else {
      finish();
    }
  }
  finish();
  return words;
}

/// The one card of the catalog whose id has all words of a printed name, in whatever order.
const Gpu* by_words(const Catalog& catalog, std::string_view printed) {
  const std::vector<std::string> words = name_words(printed);
  if (words.empty()) return nullptr;
  const Gpu* found = nullptr;
  for (const Gpu& gpu : catalog.gpus) {
    const std::vector<std::string> own = name_words(gpu.id);
    const bool all = std::ranges::all_of(
        words, [&](const std::string& word) { return std::ranges::find(own, word) != own.end(); });
    if (!all) continue;
    if (found != nullptr) return nullptr;  // several cards: not said which
    found = &gpu;
  }
  return found;
}

}  // namespace

std::optional<Gpu> gpu_from_printed_name(const Catalog& catalog, std::string_view printed) {
  const std::string name = folded(printed);
  if (auto gpu = outside_catalog(catalog, name)) return gpu;
  const auto hit = std::ranges::find(kPrinted, std::string_view(name), &Printed::name);
  if (hit != kPrinted.end()) {
    if (const Gpu* gpu = catalog.find_gpu(hit->id)) return *gpu;
  }
  if (const Gpu* gpu = catalog.find_gpu(printed)) return *gpu;
  for (const Gpu& gpu : catalog.gpus) {
    if (folded(gpu.id) == name || folded(gpu.name) == name) return gpu;
  }
  if (const Gpu* gpu = by_words(catalog, printed)) return *gpu;
  return std::nullopt;
}

}  // namespace xuanka
