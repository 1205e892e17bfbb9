#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "catalog/lints.hpp"
#include "json/json_text.hpp"
#include "xuanka/base/date.hpp"

namespace xuanka::catalog_json {
namespace {

using json::View;

// What a chip's generation allows. Ratios are dense FP16 with FP32 accumulate over FP32.
struct Generation {
  std::string_view architecture;
  double max_ratio;     // highest dense FP16 over FP32 of any chip of it
  bool modern_tensor;   // BF16, TF32 and 2:4 sparsity
  bool geforce_halved;  // GeForce runs FP32 accumulate at half rate: exactly 2 x FP32
};
constexpr std::array kGenerations{
    Generation{"Pascal", 2.1, false, false},        Generation{"Volta", 8.5, false, false},
    Generation{"Turing", 8.5, false, false},        Generation{"Ampere (GA100)", 16.5, true, false},
    Generation{"Ampere (GA10x)", 4.3, true, true},  Generation{"Ada", 4.3, true, true},
    Generation{"Hopper", 15.5, true, false},        Generation{"Blackwell", 32, true, true},
    Generation{"Blackwell Ultra", 32, true, false}, Generation{"CDNA 1", 8.5, false, false},
    Generation{"CDNA 2", 8.5, false, false},        Generation{"CDNA 3", 8.5, true, false},
    Generation{"CDNA 4", 16.5, true, false},
};
constexpr double kMaxRatioAny = 32;
constexpr double kMaxRatioConsumer = 8.5;  // Turing's TITAN RTX; newer ones are 2

const Generation* generation_of(const Gpu& gpu) {
  for (const Generation& generation : kGenerations) {
    if (generation.architecture == gpu.architecture) return &generation;
  }
  return nullptr;
}

double peak(const Gpu& gpu, PeakFormat format) {
  return gpu.tflops[static_cast<std::size_t>(format)].value_or(0);
}

bool near(double value, double want, double tolerance) {
  return std::abs(value - want) <= tolerance * want;
}

// One GPU under scrutiny.
class Scrutiny {
 public:
  Scrutiny(const Placed<Gpu>& gpu, std::string_view today)
      : gpu_(gpu.entry),
        view_(gpu.view),
        peaks_(gpu.view.object("tflops").value_or(gpu.view)),
        today_(today),
        generation_(generation_of(gpu.entry)) {}

  void ranges() const {
    bound("memory_gb", gpu_.memory_gb, 2, 1024);
    bound("bandwidth_gb_s", gpu_.bandwidth.value() / 1e9, 50, 20000);
    bound("tdp_w", gpu_.tdp_w.value_or(0), 15, 2500);
    bound("msrp_usd", gpu_.msrp_usd.value_or(0), 50, 200000);
    bound("msrp_cny", gpu_.msrp_cny.value_or(0), 300, 2000000);
    lint_date(view_, "launch", gpu_.launch, today_);
    for (std::size_t i = 0; i < gpu_.tflops.size(); ++i) {
      const double value = gpu_.tflops[i].value_or(0);
      if (value > kMaxTflops) {
        lint(peaks_, peak_format_name(static_cast<PeakFormat>(i)), "peak_range", value,
             "<= " + std::to_string(static_cast<int>(kMaxTflops)) + " TFLOPS dense");
      }
    }
  }

  void dense_ratios() const {
    const double fp32 = peak(gpu_, PeakFormat::kFp32);
    const double fp16 = peak(gpu_, PeakFormat::kFp16Tensor);
    if (fp32 > 0 && fp16 > 0) {
      const double ratio = fp16 / fp32;
      double limit = generation_ != nullptr ? generation_->max_ratio : kMaxRatioAny;
      if (consumer()) limit = std::min(limit, kMaxRatioConsumer);
      if (ratio > limit) {
        lint(peaks_, "fp16_tensor", "dense_fp16_over_fp32", ratio, "<= " + number(limit));
      }
      if (consumer() && generation_ != nullptr && generation_->geforce_halved &&
          !near(ratio, 2, 0.05)) {
        lint(peaks_, "fp16_tensor", "geforce_fp32_accumulate", fp16, number(2 * fp32));
      }
    }
    const double fp64 = peak(gpu_, PeakFormat::kFp64);
    if (fp32 > 0 && fp64 > fp32 * 1.02) {
      lint(peaks_, "fp64", "fp64_over_fp32", fp64, "<= " + number(fp32));
    }
  }

  void format_ratios() const {
    const double fp16 = peak(gpu_, PeakFormat::kFp16Tensor);
    const bool nvidia = gpu_.vendor == Vendor::kNvidia;
    if (nvidia) {
      expect(PeakFormat::kBf16Tensor, "bf16_equals_fp16", fp16, 0.001);
      expect(PeakFormat::kTf32, "tf32_half_of_fp16", fp16 / 2, 0.04);
    }
    if (nvidia || gpu_.vendor == Vendor::kAmd) {
      expect(PeakFormat::kFp8Tensor, "fp8_twice_fp16", fp16 * 2, 0.03);
    }
    once_or_twice(PeakFormat::kFp16TensorAcc16, "fp16_accumulate", fp16);
    const double fp8 = peak(gpu_, PeakFormat::kFp8Tensor);
    once_or_twice(PeakFormat::kFp8TensorAcc16, "fp8_accumulate", fp8);
    const double fp4 = peak(gpu_, PeakFormat::kFp4Tensor);
    if (fp4 > 0 && fp8 > 0 && fp4 < fp8) {
      lint(peaks_, "fp4_tensor", "fp4_below_fp8", fp4, ">= " + number(fp8));
    }
  }

  void formats_of_generation() const {
    if (generation_ == nullptr) return;
    const bool nvidia = gpu_.vendor == Vendor::kNvidia;
    if (nvidia && !generation_->modern_tensor) {
      for (const PeakFormat format : {PeakFormat::kBf16Tensor, PeakFormat::kTf32,
                                      PeakFormat::kFp8Tensor, PeakFormat::kFp4Tensor}) {
        if (peak(gpu_, format) > 0) {
          lint(peaks_, peak_format_name(format), "format_before_its_generation", peak(gpu_, format),
               "absent on " + gpu_.architecture);
        }
      }
    }
    const auto sparse = gpu_.sparse_multiplier.find("tensor");
    if (sparse == gpu_.sparse_multiplier.end()) return;
    const double want = generation_->modern_tensor ? 2 : 1;
    if (sparse->second != want) {
      lint(*view_.object("sparse_multiplier"), "tensor", "sparse_multiplier", sparse->second,
           number(want));
    }
  }

  void measured() const {
    if (!gpu_.measured_matmul) return;
    const auto view = view_.object("matmul_measured_tflops");
    const std::array<std::pair<std::string_view, std::pair<double, double>>, 4> rates{{
        {"fp32", {gpu_.measured_matmul->fp32.value_or(0), peak(gpu_, PeakFormat::kFp32)}},
        {"tf32", {gpu_.measured_matmul->tf32.value_or(0), peak(gpu_, PeakFormat::kTf32)}},
        {"fp16", {gpu_.measured_matmul->fp16.value_or(0), peak(gpu_, PeakFormat::kFp16Tensor)}},
        {"bf16", {gpu_.measured_matmul->bf16.value_or(0), peak(gpu_, PeakFormat::kBf16Tensor)}},
    }};
    if (!view || excepted("measured_against_peak")) return;
    for (const auto& [key, pair] : rates) {
      const auto [got, top] = pair;
      if (got <= 0 || top <= 0 || (got >= 0.3 * top && got <= 1.2 * top)) continue;
      lint(*view, key, "measured_against_peak", got,
           number(0.3 * top) + " to " + number(1.2 * top));
    }
  }

  void links() const {
    if (const auto pcie = view_.object("pcie"); pcie && gpu_.pcie) {
      constexpr std::array<std::pair<std::string_view, double>, 4> kLanes{
          {{"3.0", 2}, {"4.0", 4}, {"5.0", 8}, {"6.0", 16}}};  // GB/s a lane, both ways, rounded
      const double got = gpu_.pcie->bidirectional.value() / 1e9;
      const auto* gen = std::find_if(kLanes.begin(), kLanes.end(), [&](const auto& entry) {
        return entry.first == gpu_.pcie->gen;
      });
      if (gen == kLanes.end()) {
        pcie->report(IssueCode::kUnknownValue, "gen",
                     {{"got", gpu_.pcie->gen}, {"allowed", "3.0, 4.0, 5.0, 6.0"}});
      } else if (!near(got, gen->second * gpu_.pcie->lanes, 0.05)) {
        lint(*pcie, "gb_s_bidirectional", "pcie_rate", got, number(gen->second * gpu_.pcie->lanes));
      }
    }
    if (const auto nvlink = view_.object("nvlink"); nvlink && gpu_.nvlink) {
      const double got = gpu_.nvlink->total.value() / 1e9;
      if (got < 20 || got > 4000) lint(*nvlink, "total_gb_s", "nvlink_rate", got, "20 to 4000");
    }
  }

  void form() const {
    const bool sxm_id = gpu_.id.find("-sxm-") != std::string::npos;
    const bool pcie_id = gpu_.id.find("-pcie-") != std::string::npos;
    const std::string& form = gpu_.form_factor;
    const bool wrong = (sxm_id && !form.empty() && !form.starts_with("SXM")) ||
                       (pcie_id && !form.empty() && form.find("PCIe") == std::string::npos);
    if (wrong) {
      view_.report(IssueCode::kLint, "form_factor",
                   {{"rule", "form_factor"}, {"got", form}, {"want", sxm_id ? "SXM" : "PCIe"}});
    }
    if (pcie_id && gpu_.nvlink && gpu_.nvlink->topology == FastLink::Topology::kSwitch) {
      view_.report(IssueCode::kLint, "nvlink",
                   {{"rule", "form_factor"}, {"got", "switch"}, {"want", "bridge-pair"}});
    }
  }

  void cuda() const {
    if (gpu_.vendor != Vendor::kNvidia) {
      if (gpu_.compute_capability) {
        view_.report(IssueCode::kConflict, "compute_capability", {{"other", "vendor"}});
      }
      return;
    }
    const auto version = [this](std::string_view key, const std::optional<std::string>& text) {
      if (!text || version_number(*text) > 0) return;
      view_.report(IssueCode::kLint, key,
                   {{"rule", "version_form"}, {"got", *text}, {"want", "12.8"}});
    };
    version("compute_capability", gpu_.compute_capability);
    version("cuda_min", gpu_.cuda_min);
    version("cuda_last", gpu_.cuda_last);
    if (gpu_.cuda_min && gpu_.cuda_last &&
        version_number(*gpu_.cuda_last) < version_number(*gpu_.cuda_min)) {
      view_.report(IssueCode::kConflict, "cuda_last", {{"other", "cuda_min"}});
    }
  }

  void completeness() const {
    const std::string size = "-" + number(gpu_.memory_gb) + "gb";
    if (!gpu_.id.ends_with(size)) {
      view_.report(IssueCode::kLint, "id",
                   {{"rule", "id_ends_in_memory"}, {"got", gpu_.id}, {"want", "..." + size}});
    }
    if (gpu_.vendor == Vendor::kNvidia && !gpu_.compute_capability) {
      view_.report(IssueCode::kMissing, "compute_capability");
    }
    for (const std::string_view field :
         {"memory_gb", "bandwidth_gb_s", "memory_type", "tdp_w", "launch", "compute_capability",
          "cuda_min", "cuda_last", "pcie", "ecc", "p2p", "msrp_usd", "msrp_cny",
          "sparse_multiplier", "matmul_measured_tflops"}) {
      if (view_.has(field)) sourced(view_, field, std::string(field));
    }
    for (std::size_t i = 0; i < gpu_.tflops.size(); ++i) {
      const auto name = peak_format_name(static_cast<PeakFormat>(i));
      if (gpu_.tflops[i]) sourced(peaks_, name, "tflops." + std::string(name));
    }
    if (const auto nvlink = view_.object("nvlink")) {
      sourced(*nvlink, "total_gb_s", "nvlink.total_gb_s");
    }
  }

  void id_form() const {
    const std::string& id = gpu_.id;
    const bool good = std::all_of(id.begin(), id.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
    if (!good || id.starts_with('-') || id.ends_with('-') || id.find("--") != std::string::npos) {
      view_.report(IssueCode::kLint, "id",
                   {{"rule", "id_form"}, {"got", id.substr(0, 80)}, {"want", "lower-case-words"}});
    }
  }

 private:
  static constexpr double kMaxTflops = 40000;

  [[nodiscard]] bool consumer() const {
    return gpu_.form_factor.find("consumer") != std::string::npos;
  }
  [[nodiscard]] bool excepted(std::string_view rule) const {
    return std::find(gpu_.exceptions.begin(), gpu_.exceptions.end(), rule) != gpu_.exceptions.end();
  }
  static std::string number(double value) {
    std::string out;
    json::append_number(std::round(value * 1000) / 1000, out);
    return out;
  }
  // "12.8" -> 12008; 0 for anything else.
  static int version_number(std::string_view text) {
    int parts[2] = {0, 0};
    std::size_t part = 0;
    bool digit = false;
    for (const char c : text.substr(0, 8)) {
      if (c == '.' && digit && part == 0) {
        part = 1;
        digit = false;
      } else if (c >= '0' && c <= '9') {
        parts[part] = parts[part] * 10 + (c - '0');
        digit = true;
      } else {
        return 0;
      }
    }
    return digit && part == 1 ? parts[0] * 1000 + parts[1] : 0;
  }

  void bound(std::string_view key, double value, double min, double max) const {
    if (value == 0 || (value >= min && value <= max)) return;
    view_.report(IssueCode::kOutOfRange, key, {{"min", min}, {"max", max}, {"got", value}});
  }
  void expect(PeakFormat format, std::string_view rule, double want, double tolerance) const {
    const double got = peak(gpu_, format);
    if (got <= 0 || want <= 0 || near(got, want, tolerance) || excepted(rule)) return;
    lint(peaks_, peak_format_name(format), rule, got, number(want));
  }
  void once_or_twice(PeakFormat format, std::string_view rule, double base) const {
    const double got = peak(gpu_, format);
    if (got <= 0 || base <= 0 || near(got, base, 0.02) || near(got, 2 * base, 0.02)) return;
    lint(peaks_, peak_format_name(format), rule, got, number(base) + " or " + number(2 * base));
  }
  void sourced(const View& at, std::string_view key, const std::string& field) const {
    const auto found = gpu_.sources.find(field);
    if (found != gpu_.sources.end() && !found->second.empty()) return;
    at.report(IssueCode::kNoSource, key, {{"field", field}});
  }

  const Gpu& gpu_;
  const View& view_;
  View peaks_;
  std::string_view today_;
  const Generation* generation_;
};

}  // namespace

void lint(const View& view, std::string_view key, std::string_view rule, double got,
          std::string_view want) {
  view.report(IssueCode::kLint, key,
              {{"rule", std::string(rule)}, {"got", got}, {"want", std::string(want)}});
}

void lint_date(const View& view, std::string_view key, std::string_view date,
               std::string_view today) {
  const auto day = parse_date(date);
  const auto limit = parse_date(today);
  if (!day || !limit || *day <= *limit) return;
  view.report(IssueCode::kBadDate, key, {{"got", std::string(date)}, {"max", std::string(today)}});
}

void lint_gpu(const Placed<Gpu>& gpu, bool complete, std::string_view today) {
  const Scrutiny scrutiny(gpu, today);
  scrutiny.id_form();
  scrutiny.ranges();
  scrutiny.dense_ratios();
  scrutiny.format_ratios();
  scrutiny.formats_of_generation();
  scrutiny.measured();
  scrutiny.links();
  scrutiny.form();
  scrutiny.cuda();
  if (complete) scrutiny.completeness();
}

}  // namespace xuanka::catalog_json
