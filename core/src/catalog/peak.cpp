// Which stored peak a precision runs at.
#include <algorithm>

#include "xuanka/catalog/catalog.hpp"

namespace xuanka {
namespace {

EffectivePeak tensor_peak(FlopPerSec rate, PeakFormat format) {
  return {.rate = rate, .format = format, .tensor = true};
}

std::optional<EffectivePeak> fp32_peak(const Gpu& gpu) {
  const auto rate = gpu.peak(PeakFormat::kFp32);
  if (!rate) return std::nullopt;
  return EffectivePeak{.rate = *rate, .format = PeakFormat::kFp32};
}

// Without matrix units: packed FP16 where it is faster than FP32 (P100), else FP32 (P40, GTX 10).
std::optional<EffectivePeak> fp16_peak(const Gpu& gpu) {
  if (const auto rate = gpu.peak(PeakFormat::kFp16Tensor)) {
    return tensor_peak(*rate, PeakFormat::kFp16Tensor);
  }
  const auto vector = gpu.peak(PeakFormat::kFp16Vector);
  const auto fp32 = fp32_peak(gpu);
  if (vector && (!fp32 || *vector > fp32->rate)) {
    return EffectivePeak{.rate = *vector, .format = PeakFormat::kFp16Vector};
  }
  return fp32;
}

// Without bf16 units: the rate measured on the card, else half of FP32 (convert, compute, convert).
std::optional<EffectivePeak> bf16_peak(const Gpu& gpu) {
  if (const auto rate = gpu.peak(PeakFormat::kBf16Tensor)) {
    return tensor_peak(*rate, PeakFormat::kBf16Tensor);
  }
  auto emulated = fp32_peak(gpu);
  if (gpu.measured_matmul && gpu.measured_matmul->bf16) {
    emulated = EffectivePeak{.rate = teraflops(*gpu.measured_matmul->bf16)};
  } else if (emulated) {
    emulated->rate = emulated->rate / 2.0;
  }
  if (emulated) emulated->emulated = true;
  return emulated;
}

}  // namespace

std::string_view peak_format_name(PeakFormat format) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(PeakFormat::kCount_)> kNames{
      "fp64",        "fp32",        "tf32",
      "fp16_vector", "fp16_tensor", "fp16_tensor_fp16acc",
      "bf16_tensor", "fp8_tensor",  "fp8_tensor_fp16acc",
      "fp4_tensor",  "int8"};
  return kNames[static_cast<std::size_t>(format)];
}

std::optional<EffectivePeak> peak_at(const Gpu& gpu, Precision precision) {
  switch (precision) {
    case Precision::kFp32:
      return fp32_peak(gpu);
    case Precision::kTf32:
      if (const auto rate = gpu.peak(PeakFormat::kTf32))
        return tensor_peak(*rate, PeakFormat::kTf32);
      return fp32_peak(gpu);
    case Precision::kFp16:
      return fp16_peak(gpu);
    case Precision::kBf16:
      return bf16_peak(gpu);
    case Precision::kFp8:
      if (const auto rate = gpu.peak(PeakFormat::kFp8Tensor)) {
        return tensor_peak(*rate, PeakFormat::kFp8Tensor);
      }
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace xuanka
