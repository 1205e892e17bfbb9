// Dates, numbers that are the same everywhere, names of codes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "xuanka/base/clip.hpp"
#include "xuanka/base/date.hpp"
#include "xuanka/base/issues.hpp"
#include "xuanka/base/math.hpp"

namespace xuanka {
namespace {

TEST(Date, CountsDays) {
  EXPECT_EQ(day_number({1970, 1, 1}), 0);
  EXPECT_EQ(day_number({1969, 12, 31}), -1);
  EXPECT_EQ(day_number({2000, 3, 1}), 11017);
  EXPECT_EQ(day_number({2026, 11, 30}), 20787);
  double before = day_number({1999, 12, 31});
  for (int year = 2000; year < 2030; ++year) {
    for (int month = 1; month <= 12; ++month) {
      for (int day = 1; day <= 31; ++day) {
        const std::string text = std::to_string(year) + (month < 10 ? "-0" : "-") +
                                 std::to_string(month) + (day < 10 ? "-0" : "-") +
                                 std::to_string(day);
        const auto date = parse_date(text);
        if (!date) continue;
        EXPECT_EQ(day_number(*date), before + 1) << text;
        before = day_number(*date);
      }
    }
  }
}

TEST(Date, RefusesWhatIsNone) {
  for (const std::string_view bad : {"", "26", "2026-1", "2026/01", "2026-02-30", "2023-02-29",
                                     "2026-00", "2026-01-00", "1899", "abcd", "2026-01-01T"}) {
    EXPECT_FALSE(parse_date(bad)) << bad;
  }
  EXPECT_TRUE(parse_date("2024-02-29"));
  EXPECT_EQ(parse_date("2026"), (Date{2026, 1, 1}));
}

TEST(Math, ElementaryFunctionsAgreeWithTheLibrary) {
  for (double x = 1e-300; x < 1e300; x *= 37.3) {
    EXPECT_NEAR(log_exact(x), std::log(x), 1e-15 * std::abs(std::log(x)) + 1e-16) << x;
  }
  for (double x = -700; x < 700; x += 1.37) {
    EXPECT_NEAR(exp_exact(x) / std::exp(x), 1, 1e-14) << x;
  }
  for (const double y : {-2.5, -0.1, 0.3, 0.5, 1.0, 3.7}) {
    EXPECT_NEAR(pow_exact(123.4, y) / std::pow(123.4, y), 1, 1e-13) << y;
  }
  EXPECT_EQ(pow_int(3, 5), 243);
  EXPECT_EQ(pow_int(2, -3), 0.125);
  EXPECT_EQ(pow10_int(22), 1e22);
  EXPECT_EQ(pow10_int(-3), 1e-3);
  EXPECT_EQ(log_exact(1), 0);
  EXPECT_EQ(exp_exact(0), 1);
  EXPECT_TRUE(std::isnan(log_exact(-1)));
}

TEST(Math, RoundsToDigits) {
  EXPECT_EQ(round_significant(123456.789, 3), 123000);
  EXPECT_EQ(round_significant(0.00012345, 2), 0.00012);
  EXPECT_EQ(round_significant(-9.9996, 4), -10);
  EXPECT_EQ(round_significant(0.1 + 0.2, 12), 0.3);
  EXPECT_EQ(round_significant(2.846e17, 12), 2.846e17);
  EXPECT_EQ(round_significant(0, 5), 0);
  EXPECT_NEAR(round_significant(1.234e-310, 3) / 1.23e-310, 1, 1e-9);
  EXPECT_NEAR(round_significant(1.7e308, 2) / 1.7e308, 1, 1e-14);
  for (double x = 1.2345678912345e-200; x < 1e200; x *= 997.3) {
    const double rounded = round_significant(x, 12);
    EXPECT_NEAR(rounded / x, 1, 6e-12);
    EXPECT_EQ(round_significant(rounded, 12), rounded) << x;
  }
  const Decimal d = to_decimal(0.5, 12);
  EXPECT_EQ(d.digits, 5U);
  EXPECT_EQ(d.exponent, -1);
}

TEST(Codes, NamesAreUniqueSnakeCase) {
  std::set<std::string_view> names;
  const auto check = [&names](std::string_view name) {
    EXPECT_FALSE(name.empty());
    EXPECT_TRUE(names.insert(name).second || name == "unknown_field") << name;
    for (const char c : name)
      EXPECT_TRUE((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_');
  };
  for (int i = 0; i < static_cast<int>(IssueCode::kCount_); ++i) {
    check(issue_code_name(static_cast<IssueCode>(i)));
  }
  for (int i = 0; i < static_cast<int>(NoteCode::kCount_); ++i) {
    check(note_code_name(static_cast<NoteCode>(i)));
  }
  EXPECT_EQ(severity_name(Severity::kWarning), "warning");
}

TEST(Clip, CutsBetweenCharacters) {
  EXPECT_EQ(clip("short"), "short");
  const std::string text = std::string(79, 'x') + "\xE4\xB8\xAD\xE6\x96\x87";
  EXPECT_EQ(clip(text), std::string(79, 'x') + "...");
}

}  // namespace
}  // namespace xuanka
