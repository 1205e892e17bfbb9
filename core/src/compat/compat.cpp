#include "xuanka/compat/compat.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace xuanka {
namespace {

// Versions of which `architecture` is the first that a guide recommends although older ones work.
// Hopper: the rental guide lists CUDA 12.x for the H100 (guide-aistudio), the toolkit targets it
// from 11.8 on.
struct Recommended {
  std::string_view architecture;
  CudaVersion version;
};
constexpr std::array<Recommended, 1> kRecommended{{{"Hopper", {12, 0}}}};

// The oldest driver that runs what was built with a CUDA of this major version (NVIDIA, CUDA
// Compatibility, table 1 of "Minor Version Compatibility", docs.nvidia.com, read 2026-11-30).
struct Driver {
  int major, driver;
};
constexpr std::array<Driver, 3> kDrivers{{{13, 580}, {12, 525}, {11, 450}}};

// Software that stands in CUDA's place, by vendor, with the architecture where a vendor has two.
struct Stack {
  std::string_view vendor, architecture, name;
};
constexpr std::array<Stack, 9> kStacks{{
    {"AMD", "", "ROCm"},
    {"Intel", "Gaudi", "SynapseAI"},
    {"Intel", "", "oneAPI"},
    {"Huawei", "", "CANN"},
    {"Moore Threads", "", "MUSA"},
    {"Hygon", "", "DTK (ROCm)"},
    {"Cambricon", "", "Neuware"},
    {"Apple", "", "Metal (MPS)"},
    {"", "", "vendor SDK"},
}};

std::string_view stack_of(const Gpu& gpu) {
  for (const Stack& stack : kStacks) {
    const bool vendor = stack.vendor.empty() || stack.vendor == gpu.vendor_name;
    if (vendor && (stack.architecture.empty() || stack.architecture == gpu.architecture)) {
      return stack.name;
    }
  }
  return {};
}

// Compute capability as a version: "8.9" -> {8, 9}; {0, 0} for cards without one.
CudaVersion capability(const Gpu& gpu) {
  if (!gpu.compute_capability) return {};
  return parse_cuda(*gpu.compute_capability).value_or(CudaVersion{});
}

bool is_cuda(const Gpu& gpu) { return gpu.vendor == Vendor::kNvidia; }

bool has_tensor(const Gpu& gpu, PeakFormat format) { return gpu.peak(format).has_value(); }

void add(std::vector<Note>& notes, NoteCode code, Severity severity, Args args = {}) {
  notes.push_back({code, severity, std::move(args)});
}

// The measured rate where the card has one for both formats, else the peaks of the contract's rule.
void note_bf16(const Gpu& gpu, std::vector<Note>& notes) {
  const auto bf16 = peak_at(gpu, Precision::kBf16);
  const auto fp16 = peak_at(gpu, Precision::kFp16);
  if (!bf16 || !bf16->emulated || !fp16) return;
  double bf16_tflops = to_teraflops(bf16->rate);
  double fp16_tflops = to_teraflops(fp16->rate);
  if (gpu.measured_matmul && gpu.measured_matmul->bf16 && gpu.measured_matmul->fp16) {
    bf16_tflops = *gpu.measured_matmul->bf16;
    fp16_tflops = *gpu.measured_matmul->fp16;
  }
  add(notes, NoteCode::kBf16Emulated, Severity::kWarning,
      {{"slowdown", fp16_tflops / bf16_tflops},
       {"bf16_tflops", bf16_tflops},
       {"fp16_tflops", fp16_tflops}});
}

// Figures that are marketed larger than what training reaches: shown, labelled, never computed
// with.
void note_marketed(const Gpu& gpu, Precision precision, std::vector<Note>& notes) {
  const auto used = peak_at(gpu, precision);
  if (!used || !used->tensor) return;
  const double tflops = to_teraflops(used->rate);
  const bool wide = precision == Precision::kTf32 || precision == Precision::kFp32;
  // Data sheets of server cards print FP32 accumulate, dense and sparse, alone.
  const bool server = gpu.form_factor.find("passive") != std::string::npos;
  const auto acc16 = wide || server
                         ? std::nullopt
                         : gpu.peak(precision == Precision::kFp8 ? PeakFormat::kFp8TensorAcc16
                                                                 : PeakFormat::kFp16TensorAcc16);
  const double dense = acc16 ? std::max(tflops, to_teraflops(*acc16)) : tflops;
  if (dense > tflops) {
    add(notes, NoteCode::kPeakAccumulate, Severity::kInfo, {{"marketed", dense}, {"used", tflops}});
  }
  // The largest figure in print: sparse, and with the short accumulator where the card has one.
  const auto factor = gpu.sparse_multiplier.find("tensor");
  if (factor != gpu.sparse_multiplier.end() && factor->second > 1) {
    add(notes, NoteCode::kPeakSparse, Severity::kInfo,
        {{"marketed", dense * factor->second}, {"used", tflops}});
  }
}

bool check_precision(const Gpu& gpu, Precision precision, std::vector<Note>& notes) {
  const auto peak = peak_at(gpu, precision);
  if (!peak) {
    if (precision == Precision::kFp8) {
      add(notes, NoteCode::kFp8Unavailable, Severity::kError, {{"gpu", gpu.name}});
    }
    return false;
  }
  if (precision == Precision::kBf16) note_bf16(gpu, notes);
  if (precision == Precision::kFp16 && !peak->tensor) {
    add(notes, NoteCode::kFp16NoTensor, Severity::kWarning, {{"gpu", gpu.name}});
  }
  const bool single = precision == Precision::kTf32 || precision == Precision::kFp32;
  if (single && is_cuda(gpu) && has_tensor(gpu, PeakFormat::kTf32)) {
    add(notes, NoteCode::kTf32OffByDefault,
        precision == Precision::kTf32 ? Severity::kWarning : Severity::kInfo);
  }
  if (!single && capability(gpu) >= CudaVersion{9, 0}) {
    add(notes, NoteCode::kTransformerEngine, Severity::kInfo);
  }
  note_marketed(gpu, precision, notes);
  return true;
}

bool check_cuda(const Gpu& gpu, std::string_view text, std::vector<Note>& notes) {
  const auto have = parse_cuda(text);
  if (!have) return true;
  const std::string shown(text);
  if (gpu.cuda_min) {
    const auto need = parse_cuda(*gpu.cuda_min);
    if (need && *have < *need) {
      add(notes, NoteCode::kCudaTooOld, Severity::kError,
          {{"have", shown}, {"need", *gpu.cuda_min}});
      return false;
    }
  }
  if (gpu.cuda_last) {
    const auto last = parse_cuda(*gpu.cuda_last);
    if (last && *have > *last) {
      add(notes, NoteCode::kCudaTooNew, Severity::kError,
          {{"have", shown}, {"last", *gpu.cuda_last}});
      return false;
    }
  }
  for (const Driver& entry : kDrivers) {
    if (entry.major != have->major) continue;
    add(notes, NoteCode::kCudaDriver, Severity::kInfo,
        {{"cuda", shown}, {"driver", static_cast<double>(entry.driver)}});
  }
  for (const Recommended& entry : kRecommended) {
    if (entry.architecture == gpu.architecture && *have < entry.version) {
      add(notes, NoteCode::kCudaRecommended, Severity::kWarning,
          {{"have", shown}, {"recommended", std::to_string(entry.version.major) + ".x"}});
    }
  }
  return true;
}

void note_status(const Gpu& gpu, std::vector<Note>& notes) {
  if (gpu.status == GpuStatus::kEol) {
    Args args;
    if (gpu.cuda_last) args.push_back({"last", *gpu.cuda_last});
    add(notes, NoteCode::kEndOfLife, Severity::kInfo, std::move(args));
  }
  if (gpu.status == GpuStatus::kAftermarket) add(notes, NoteCode::kAftermarket, Severity::kWarning);
  if (gpu.low_confidence) add(notes, NoteCode::kLowConfidence, Severity::kWarning);
}

}  // namespace

std::optional<CudaVersion> parse_cuda(std::string_view text) {
  std::array<int, 3> parts{0, 0, 0};
  std::size_t part = 0;
  int length = 0;
  for (const char c : text) {
    if (c == '.') {
      if (length == 0 || ++part == parts.size()) return std::nullopt;
      length = 0;
    } else {
      if (c < '0' || c > '9' || ++length > 4) return std::nullopt;
      parts[part] = parts[part] * 10 + (c - '0');
    }
  }
  if (length == 0) return std::nullopt;
  return CudaVersion{parts[0], parts[1]};
}

bool check_compat(const Gpu& gpu, Precision precision, std::optional<std::string_view> cuda,
                  std::vector<Note>& notes) {
  bool runs = check_precision(gpu, precision, notes);
  if (!is_cuda(gpu)) {
    // A machine set up with CUDA has no use for this card.
    const bool other = !gpu.own || gpu.vendor != Vendor::kOther;
    if (other) {
      add(notes, NoteCode::kVendorStack, cuda ? Severity::kError : Severity::kWarning,
          {{"stack", std::string(stack_of(gpu))}});
      if (cuda) runs = false;
    }
  } else if (cuda && !check_cuda(gpu, *cuda, notes)) {
    runs = false;
  }
  note_status(gpu, notes);
  return runs;
}

bool supports_flash_attention(const Gpu& gpu) {
  if (is_cuda(gpu)) return !gpu.compute_capability || capability(gpu) >= CudaVersion{8, 0};
  constexpr std::array<std::string_view, 5> kFused{"CDNA 2", "CDNA 3", "CDNA 4", "Gaudi",
                                                   "Da Vinci"};
  return gpu.own || std::find(kFused.begin(), kFused.end(), gpu.architecture) != kFused.end();
}

bool has_native_bf16(const Gpu& gpu) { return has_tensor(gpu, PeakFormat::kBf16Tensor); }

}  // namespace xuanka
