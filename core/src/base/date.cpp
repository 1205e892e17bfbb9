#include "xuanka/base/date.hpp"

#include <array>

namespace xuanka {
namespace {

constexpr int kFirstYear = 1900;
constexpr int kLastYear = 2999;

bool is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

int days_in(int year, int month) {
  constexpr std::array<int, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[static_cast<std::size_t>(month - 1)];
}

// `text` as digits only; -1 otherwise.
int digits(std::string_view text) {
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return text.empty() ? -1 : value;
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
  if (text.size() != 4 && text.size() != 7 && text.size() != 10) return std::nullopt;
  Date date{digits(text.substr(0, 4)), 1, 1};
  if (date.year < kFirstYear || date.year > kLastYear) return std::nullopt;
  if (text.size() >= 7) {
    date.month = digits(text.substr(5, 2));
    if (text[4] != '-' || date.month < 1 || date.month > 12) return std::nullopt;
  }
  if (text.size() == 10) {
    date.day = digits(text.substr(8, 2));
    if (text[7] != '-' || date.day < 1 || date.day > days_in(date.year, date.month)) {
      return std::nullopt;
    }
  }
  return date;
}

double day_number(Date date) {
  const int year = date.month <= 2 ? date.year - 1 : date.year;
  const int era = year / 400;  // years are positive
  const int year_of_era = year - era * 400;
  const int month_from_march = (date.month + 9) % 12;
  const int day_of_year = (153 * month_from_march + 2) / 5 + date.day - 1;
  const int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  constexpr int kEpoch = 719468;  // 1970-01-01 counted from 0000-03-01
  return static_cast<double>(era * 146097 + day_of_era - kEpoch);
}

}  // namespace xuanka
