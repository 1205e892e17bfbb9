#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "web/text_wrap.hpp"
#include "xuanka/text/text.hpp"

namespace xuanka::web {
namespace {

float columns(std::string_view text) { return static_cast<float>(display_width(text)); }
std::vector<std::string_view> wrap(std::string_view text, float width) {
  return wrap_cjk(text, width, columns);
}
using Lines = std::vector<std::string_view>;

TEST(WrapCjk, BreaksBetweenIdeographs) {
  EXPECT_EQ(wrap("选对显卡算清时间", 8), (Lines{"选对显卡", "算清时间"}));
}
TEST(WrapCjk, BreaksEnglishAtSpaces) {
  EXPECT_EQ(wrap("fits with three to spare", 11), (Lines{"fits with", "three to", "spare"}));
}
TEST(WrapCjk, ClosingPunctuationStaysWithTheWord) {
  EXPECT_EQ(wrap("放得下，放不下。", 6), (Lines{"放得", "下，放", "不下。"}));
}
TEST(WrapCjk, OpeningPunctuationGoesToTheNextLine) {
  EXPECT_EQ(wrap("显存（每卡）够", 6), (Lines{"显存", "（每", "卡）够"}));
}
TEST(WrapCjk, NumbersAndUnitsAreNotTorn) {
  EXPECT_EQ(wrap("每卡20.6余", 8), (Lines{"每卡20.6", "余"}));
}
TEST(WrapCjk, UnitsStayWithTheirNumber) {
  EXPECT_EQ(wrap("4 × RTX 3080, 24.6 元", 17), (Lines{"4 × RTX 3080,", "24.6 元"}));
  EXPECT_EQ(wrap("within 24 h", 9), (Lines{"within", "24 h"}));
  EXPECT_EQ(wrap("12345 hours", 6), (Lines{"12345", "hours"}));  // where there is no other place
}
TEST(WrapCjk, CurrencySignStaysWithItsAmount) {
  EXPECT_EQ(wrap("费用¥152", 6), (Lines{"费用", "¥152"}));
}
TEST(WrapCjk, LineFeedsBreak) { EXPECT_EQ(wrap("a\n\nb", 9), (Lines{"a", "", "b"})); }
TEST(WrapCjk, AnUnbreakableWordIsCut) {
  EXPECT_EQ(wrap("abcdefgh", 3), (Lines{"abc", "def", "gh"}));
}
TEST(WrapCjk, EmptyIsOneEmptyLine) { EXPECT_EQ(wrap("", 5), (Lines{""})); }

TEST(WrapCjk, LosesNothingAndKeepsTheWidth) {
  rc::check([](const std::vector<std::uint8_t>& letters, std::uint8_t room) {
    static constexpr std::array<std::string_view, 10> kPieces{"显", "存", "，", "。", "（",
                                                              " ",  "a",  "b7", "¥",  "-"};
    std::string text;
    for (const std::uint8_t c : letters) text += kPieces[c % kPieces.size()];
    const auto width = static_cast<float>(4 + room % 30);
    std::string joined, wanted;
    for (const std::string_view line : wrap(text, width)) {
      RC_ASSERT(columns(line) <= width);
      for (const char c : line) {
        if (c != ' ') joined += c;
      }
    }
    for (const char c : text) {
      if (c != ' ') wanted += c;
    }
    RC_ASSERT(joined == wanted);
  });
}

TEST(WrapCjk, MalformedBytesAreHarmless) {
  rc::check([](const std::string& bytes) {
    RC_ASSERT(!wrap_cjk(bytes, 5, [](std::string_view s) {
                 return static_cast<float>(s.size());
               }).empty());
  });
}

}  // namespace
}  // namespace xuanka::web
