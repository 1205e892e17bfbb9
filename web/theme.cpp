#include "web/theme.hpp"

#include <algorithm>
#include <cmath>

namespace xuanka::web {
namespace {

// Columns as in Color: background panel line text dim accent soft on-accent
//                      ok warn bad ok-soft warn-soft bad-soft  series 1-4 track
constexpr std::array<Theme, 4> kThemes{{
    {.id = ThemeId::kLight,
     .dark = false,
     .contrast = false,
     .focus_ring = 2,
     .rgb = {0xf6f7f9, 0xffffff, 0xe3e6eb, 0x1b2330, 0x667085, 0x0f766e, 0xe3f2f0, 0xffffff,
             0x15803d, 0xb45309, 0xb42318, 0xecf7ef, 0xfdf3e4, 0xfbe9e7, 0x0f766e, 0x3b6fd4,
             0xc2701c, 0x8a4fbe, 0xeceff3}},
    {.id = ThemeId::kDark,
     .dark = true,
     .contrast = false,
     .focus_ring = 2,
     .rgb = {0x11151b, 0x181d25, 0x2a313c, 0xe6eaf0, 0x94a0b2, 0x3fc1b0, 0x17322f, 0x06231f,
             0x5cc27c, 0xe2a24b, 0xef7b6f, 0x173021, 0x33280f, 0x361c19, 0x3fc1b0, 0x7ea6f0,
             0xe2a24b, 0xbd92e6, 0x242b35}},
    {.id = ThemeId::kContrastLight,
     .dark = false,
     .contrast = true,
     .focus_ring = 3,
     .rgb = {0xffffff, 0xffffff, 0x6b7280, 0x000000, 0x2f3746, 0x00504a, 0xd7efec, 0xffffff,
             0x0b5c2b, 0x7a3600, 0x8f1208, 0xe2f3e6, 0xfbeed9, 0xfae4e1, 0x00504a, 0x1d4fb8,
             0x8f4a06, 0x6a2fa0, 0xd5d9e0}},
    {.id = ThemeId::kContrastDark,
     .dark = true,
     .contrast = true,
     .focus_ring = 3,
     .rgb = {0x000000, 0x000000, 0x8b95a5, 0xffffff, 0xd0d6df, 0x5fe3d1, 0x0c2b28, 0x000000,
             0x7ddf9b, 0xffc069, 0xff9b90, 0x0c2616, 0x2b2008, 0x2e1512, 0x5fe3d1, 0x9dbdff,
             0xffc069, 0xd3aef5, 0x333b47}},
}};

constexpr auto kPairs = std::to_array<ColorPair>({
    {Color::kText, Color::kBackground},
    {Color::kText, Color::kPanel},
    {Color::kText, Color::kAccentSoft},
    {Color::kDim, Color::kBackground},
    {Color::kDim, Color::kPanel},
    {Color::kAccent, Color::kPanel},
    {Color::kAccent, Color::kBackground},
    {Color::kAccent, Color::kAccentSoft},
    {Color::kOnAccent, Color::kAccent},
    {Color::kOk, Color::kOkSoft},
    {Color::kWarn, Color::kWarnSoft},
    {Color::kBad, Color::kBadSoft},
    {Color::kBad, Color::kPanel},
    {Color::kWarn, Color::kPanel},
    {Color::kText, Color::kTrack},
    {Color::kText, Color::kWarnSoft},
    {Color::kText, Color::kBadSoft},
});

double channel(std::uint32_t value) {
  const double c = value / 255.0;
  return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(std::uint32_t rgb) {
  return 0.2126 * channel(rgb >> 16 & 255U) + 0.7152 * channel(rgb >> 8 & 255U) +
         0.0722 * channel(rgb & 255U);
}

}  // namespace

const Theme& theme_of(ThemeId id) { return kThemes[static_cast<std::size_t>(id)]; }

std::span<const ColorPair> text_pairs() { return kPairs; }

double contrast_ratio(std::uint32_t a, std::uint32_t b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace xuanka::web
