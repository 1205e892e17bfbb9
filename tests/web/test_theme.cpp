#include <gtest/gtest.h>

#include "web/theme.hpp"

namespace xuanka::web {
namespace {

constexpr std::array kAll{ThemeId::kLight, ThemeId::kDark, ThemeId::kContrastLight,
                          ThemeId::kContrastDark};

TEST(Theme, EveryTextReachesFourAndAHalf) {
  for (const ThemeId id : kAll) {
    const Theme& theme = theme_of(id);
    for (const ColorPair& pair : text_pairs()) {
      EXPECT_GE(contrast_ratio(theme[pair.text], theme[pair.ground]), 4.5)
          << "theme " << static_cast<int>(id) << ": colour " << static_cast<int>(pair.text)
          << " on " << static_cast<int>(pair.ground);
    }
  }
}

TEST(Theme, SeriesStandOutFromThePanel) {
  for (const ThemeId id : kAll) {
    for (const Color c :
         {Color::kSeries1, Color::kSeries2, Color::kSeries3, Color::kSeries4, Color::kAccent})
      EXPECT_GE(contrast_ratio(theme_of(id)[c], theme_of(id)[Color::kPanel]), 3.0);
  }
}

TEST(Theme, HighContrastLinesReachThree) {
  for (const ThemeId id : {ThemeId::kContrastLight, ThemeId::kContrastDark}) {
    const Theme& theme = theme_of(id);
    EXPECT_GE(contrast_ratio(theme[Color::kLine], theme[Color::kPanel]), 3.0);
    EXPECT_GE(contrast_ratio(theme[Color::kText], theme[Color::kBackground]), 21.0);
    EXPECT_GE(theme.focus_ring, 3.0F);
  }
}

TEST(Theme, ContrastRatioIsThatOfWcag) {
  EXPECT_NEAR(contrast_ratio(0x000000, 0xffffff), 21.0, 1e-9);
  EXPECT_NEAR(contrast_ratio(0x777777, 0xffffff), 4.48, 0.01);
}

}  // namespace
}  // namespace xuanka::web
