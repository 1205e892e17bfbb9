// Colours as data: one table, four themes. No Dear ImGui here, so that a test can check contrasts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace xuanka::web {

enum class Color : std::uint8_t {
  kBackground,
  kPanel,
  kLine,
  kText,
  kDim,
  kAccent,
  kAccentSoft,
  kOnAccent,
  kOk,
  kWarn,
  kBad,
  kOkSoft,
  kWarnSoft,
  kBadSoft,
  kSeries1,
  kSeries2,
  kSeries3,
  kSeries4,
  kTrack,
  kCount_,
};
inline constexpr std::size_t kColorCount = static_cast<std::size_t>(Color::kCount_);

enum class ThemeId : std::uint8_t { kLight, kDark, kContrastLight, kContrastDark };

struct Theme {
  ThemeId id = ThemeId::kLight;
  bool dark = false;
  bool contrast = false;
  float focus_ring = 2;                          ///< CSS px
  std::array<std::uint32_t, kColorCount> rgb{};  ///< 0xRRGGBB
  [[nodiscard]] constexpr std::uint32_t operator[](Color c) const {
    return rgb[static_cast<std::size_t>(c)];
  }
};

[[nodiscard]] const Theme& theme_of(ThemeId id);

/// A text colour and the ground it is drawn on somewhere in the wizard.
struct ColorPair {
  Color text, ground;
};
/// Every pair in use; each must reach 4.5:1 in every theme.
[[nodiscard]] std::span<const ColorPair> text_pairs();

/// Contrast ratio of two colours, 1 to 21 (WCAG 2.1, relative luminance).
[[nodiscard]] double contrast_ratio(std::uint32_t a, std::uint32_t b);

}  // namespace xuanka::web
