// Which software a card runs with, and what its formats mean.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "xuanka/base/issues.hpp"
#include "xuanka/catalog/catalog.hpp"

namespace xuanka {

/// Dotted version "12.4" as a pair; nullopt when it is not one.
struct CudaVersion {
  int major = 0, minor = 0;
  auto operator<=>(const CudaVersion&) const = default;
};
[[nodiscard]] std::optional<CudaVersion> parse_cuda(std::string_view text);

/// Notes on the card for a precision and a CUDA version; false = cannot run (verdict unsupported).
[[nodiscard]] bool check_compat(const Gpu& gpu, Precision precision,
                                std::optional<std::string_view> cuda, std::vector<Note>& notes);

/// FlashAttention-2 needs compute capability 8.0 (Dao-AILab/flash-attention README).
[[nodiscard]] bool supports_flash_attention(const Gpu& gpu);
/// bf16 matrix units.
[[nodiscard]] bool has_native_bf16(const Gpu& gpu);

}  // namespace xuanka
