#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "xuanka/base/math.hpp"
#include "xuanka/text/text.hpp"

namespace xuanka {
namespace {

constexpr std::string_view kNoNumber = "–";

/// A number as d.ddd x 10^exponent: the digits, without the point.
struct Digits {
  std::array<char, 16> text{};
  int size = 0;
  int exponent = 0;
  bool negative = false;
};

// The decimal nearest to the number, the same everywhere; beyond 15 digits nobody reads.
Digits digits_of(double value) {
  const Decimal decimal = to_decimal(value, 15);
  Digits d;
  std::array<char, 16> backwards{};
  std::uint64_t rest = decimal.digits;
  do {
    backwards[static_cast<std::size_t>(d.size++)] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  std::reverse_copy(backwards.begin(), backwards.begin() + d.size, d.text.begin());
  d.exponent = d.size - 1 + decimal.exponent;
  d.negative = decimal.negative;
  return d;
}

void drop_zeros(Digits& d) {
  while (d.size > 1 && d.text[static_cast<std::size_t>(d.size - 1)] == '0') --d.size;
}

// Keeps `count` digits, halves rounded up; none may remain of a number that is too small.
void round_to(Digits& d, int count) {
  if (count < 0) {
    d.size = 0;
    return;
  }
  if (d.size <= count) return;
  const bool up = d.text[static_cast<std::size_t>(count)] >= '5';
  d.size = count;
  if (!up) return;
  auto i = static_cast<std::size_t>(count);
  while (i > 0 && d.text[i - 1] == '9') d.text[--i] = '0';
  if (i > 0) {
    ++d.text[i - 1];
    return;
  }
  d.text[0] = '1';  // 99.9 is 100
  if (d.size == 0) d.size = 1;
  ++d.exponent;
}

// Written out with at least `decimals` digits behind the point.
std::string plain(const Digits& d, bool grouped, int decimals = 0) {
  const int whole = std::max(d.exponent, 0) + 1;  // digits before the point
  const int behind = std::max({d.size - 1 - d.exponent, decimals, 0});
  const int commas = grouped && whole > 4 ? (whole - 1) / 3 : 0;
  const int length = (d.negative ? 1 : 0) + whole + commas + (behind > 0 ? 1 + behind : 0);
  std::string text(static_cast<std::size_t>(length), '0');
  char* to = text.data();
  if (d.negative) *to++ = '-';
  for (int place = whole - 1; place >= -behind; --place) {  // of 10^place
    if (place == -1) *to++ = '.';
    const int i = d.exponent - place;
    if (i >= 0 && i < d.size) *to = d.text[static_cast<std::size_t>(i)];
    ++to;
    if (commas > 0 && place > 0 && place % 3 == 0) *to++ = ',';
  }
  return text;
}

std::string significant(double value, int digits, bool grouped) {
  if (!std::isfinite(value)) return std::string(kNoNumber);
  if (value == 0) return "0";
  Digits d = digits_of(value);
  round_to(d, digits);
  drop_zeros(d);
  if (d.exponent >= -4 && d.exponent < 15) return plain(d, grouped);
  const int exponent = d.exponent;
  d.exponent = 0;
  return plain(d, false) + "e" + std::to_string(exponent);
}

std::string fixed(double value, int decimals, bool grouped) {
  if (!std::isfinite(value)) return std::string(kNoNumber);
  Digits d = digits_of(value);
  round_to(d, d.exponent + 1 + decimals);
  if (d.size == 0 || d.text[0] == '0') d = digits_of(0);
  return plain(d, grouped, decimals);
}

// At most `decimals` digits behind the point, zeros at the end dropped.
std::string at_most(double value, int decimals, bool grouped = false) {
  std::string text = fixed(value, decimals, grouped);
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

// Two significant digits, or the whole number when that has more.
std::string rough(double value) {
  if (!std::isfinite(value)) return std::string(kNoNumber);
  return std::fabs(value) < 9.95 ? significant(value, 2, false) : fixed(value, 0, true);
}

struct TimeUnit {
  double seconds;
  double below;  // in this unit; the last one has no limit
  std::string_view en, zh;
};
constexpr TimeUnit kTimeUnits[] = {
    {1e-3, 1000, "ms", "毫秒"}, {1, 100, "s", "秒"},      {60, 100, "min", "分钟"},
    {3600, 48, "h", "小时"},    {86400, 1000, "d", "天"}, {365.25 * 86400, 0, "y", "年"},
};

const TimeUnit& time_unit(double seconds) {
  for (const TimeUnit& unit : kTimeUnits) {
    if (unit.below == 0 || seconds < unit.below * unit.seconds) return unit;
  }
  return kTimeUnits[3];
}

std::string with_unit(Lang lang, std::string text, const TimeUnit& unit) {
  return std::move(text) + " " + std::string(lang == Lang::kZh ? unit.zh : unit.en);
}

// Three significant digits, but no more than two behind the point: nobody knows a thousandth.
std::string estimate(double value) {
  return std::fabs(value) < 1 ? at_most(value, 2) : format_grouped(value, 3);
}

// Digits of money, written out however small or large: nobody reads "2e-7".
std::string written_out(double value, int digits) {
  if (!std::isfinite(value)) return std::string(kNoNumber);
  if (std::fabs(value) < 1e-9) return "0";
  Digits d = digits_of(value);
  round_to(d, digits);
  drop_zeros(d);
  return plain(d, true);
}

// Cents matter below one, and amounts below a cent keep their digits.
std::string amount(double value) {
  const double size = std::fabs(value);
  return size >= 0.1 && size < 1 ? at_most(value, 2) : written_out(value, size < 0.1 ? 2 : 3);
}

// nullptr when the language has no word for the currency.
const char* currency_word(Lang lang, Currency currency) {
  if (lang != Lang::kZh) return nullptr;
  if (currency == kCny) return "元";
  if (currency == kUsd) return "美元";
  if (currency.code() == "EUR") return "欧元";
  if (currency.code() == "HKD") return "港元";
  if (currency.code() == "JPY") return "日元";
  return nullptr;
}

std::string scaled(double value, int digits, std::string_view prefixes, double base,
                   std::string_view unit) {
  if (!std::isfinite(value)) return std::string(kNoNumber);
  double scale = 1;
  std::size_t step = 0;
  // The rounded number decides: 999.9e6 is 1 B, not 1000 M.
  double rounding = 0.5;
  for (int i = 0; i < digits; ++i) rounding /= 10;
  rounding = 1 - rounding;
  while (step < prefixes.size() && std::fabs(value) / scale >= base * rounding) {
    scale *= base;
    ++step;
  }
  std::string text = significant(value / scale, digits, true);
  if (step == 0 && unit.empty()) return text;
  text += ' ';
  if (step > 0) text += prefixes[step - 1];
  return text.append(unit);
}

}  // namespace

std::string format_number(double value, int digits) { return significant(value, digits, false); }
std::string format_grouped(double value, int digits) { return significant(value, digits, true); }
std::string format_exact(double value) { return significant(value, 15, true); }

std::string format_fixed(double value, int decimals) { return fixed(value, decimals, false); }

std::string format_gb(Bytes bytes) { return estimate(to_gigabytes(bytes)) + " GB"; }
std::string format_gib(Bytes bytes) { return estimate(to_gibibytes(bytes)) + " GiB"; }

std::string format_duration(Lang lang, Seconds seconds) {
  const TimeUnit& unit = time_unit(seconds.value());
  return with_unit(lang, rough(seconds.value() / unit.seconds), unit);
}

std::string format_duration_range(Lang lang, Seconds low, Seconds high) {
  const TimeUnit& unit = time_unit(high.value());
  const std::string from = rough(low.value() / unit.seconds);
  const std::string to = rough(high.value() / unit.seconds);
  return with_unit(lang, from == to ? from : from + "–" + to, unit);
}

std::string format_hours(Seconds seconds) { return rough(to_hours(seconds)); }

std::string currency_symbol(Currency currency) {
  if (currency == kCny) return "¥";
  if (currency == kUsd) return "$";
  if (currency.code() == "EUR") return "€";
  if (currency.code() == "GBP") return "£";
  return std::string(currency.code()) + " ";
}

std::string format_money(Money money) {
  if (!std::isfinite(money.amount)) return std::string(kNoNumber);
  return (money.amount < 0 ? "-" : "") + currency_symbol(money.currency) +
         amount(std::fabs(money.amount));
}

std::string format_price(Money money) {
  if (!std::isfinite(money.amount)) return std::string(kNoNumber);
  const double value = std::fabs(money.amount);
  const std::string text = value < 0.1 ? written_out(value, 3) : at_most(value, 2, true);
  return (money.amount < 0 ? "-" : "") + currency_symbol(money.currency) + text;
}

std::string format_money_words(Lang lang, Money money) {
  const char* word = currency_word(lang, money.currency);
  if (word == nullptr) return format_money(money);
  return amount(money.amount) + " " + word;
}

std::string format_money_range(Lang lang, double low, double high, Currency currency) {
  const std::string from = amount(low), to = amount(high);
  const std::string range = from == to ? from : from + "–" + to;
  if (const char* word = currency_word(lang, currency)) return range + " " + word;
  return currency_symbol(currency) + range;
}

std::string format_percent(double fraction) {
  const double percent = fraction * 100;
  return (std::fabs(percent) < 9.95 ? at_most(percent, 1) : format_fixed(percent, 0)) + " %";
}

std::string format_si(double value, int digits) { return scaled(value, digits, "kMBT", 1000, ""); }

std::string format_unit(double value, std::string_view unit, int digits) {
  return scaled(value, digits, "kMGTPEZY", 1000, unit);
}

}  // namespace xuanka
