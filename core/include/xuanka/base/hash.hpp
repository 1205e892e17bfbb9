// FNV-1a, 32 bits: for look-ups and for telling versions of the data apart.
#pragma once

#include <cstdint>
#include <string_view>

namespace xuanka {

inline constexpr std::uint32_t kFnvStart = 2166136261U;

/// Hash of `text`, continued from `hash`.
[[nodiscard]] constexpr std::uint32_t fnv1a(std::string_view text, std::uint32_t hash = kFnvStart) {
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 16777619U;
  }
  return hash;
}

}  // namespace xuanka
