#include <algorithm>
#include <cmath>
#include <string>

#include "json/json_text.hpp"
#include "xuanka/text/text.hpp"

namespace xuanka {
namespace {

constexpr std::string_view kNoNumber = "–";

/// A number as d.ddd x 10^exponent, `digits` without the point.
struct Decimal {
  bool negative = false;
  std::string digits;
  int exponent = 0;
};

// The shortest digits that read back as the number; exact and the same everywhere.
Decimal shortest(double value) {
  std::string text;
  json::append_number(value < 0 ? -value : value, text);
  Decimal result{value < 0, {}, 0};
  int point = 0;  // digits before the decimal point
  bool fraction = false;
  std::size_t i = 0;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.') {
      fraction = true;
    } else {
      result.digits += text[i];
      if (!fraction) ++point;
    }
  }
  if (i < text.size()) {
    const bool minus = text[i + 1] == '-';
    int exponent = 0;
    for (++i; i < text.size(); ++i) {
      if (text[i] >= '0' && text[i] <= '9') exponent = exponent * 10 + (text[i] - '0');
    }
    point += minus ? -exponent : exponent;
  }
  const std::size_t first = std::min(result.digits.find_first_not_of('0'), result.digits.size());
  result.digits.erase(0, first);
  result.exponent = point - static_cast<int>(first) - 1;
  if (result.digits.empty()) result = {false, "0", 0};
  return result;
}

// Keeps `count` digits, halves rounded up; none may remain of a number that is too small.
void round_to(Decimal& d, int count) {
  if (count < 0) {
    d.digits.clear();
    return;
  }
  const auto keep = static_cast<std::size_t>(count);
  if (d.digits.size() <= keep) return;
  const bool up = d.digits[keep] >= '5';
  d.digits.resize(keep);
  if (!up) return;
  std::size_t i = keep;
  while (i > 0 && d.digits[i - 1] == '9') d.digits[--i] = '0';
  if (i > 0) {
    ++d.digits[i - 1];
  } else {
    d.digits.insert(0, 1, '1');
    ++d.exponent;
  }
}

void drop_zeros(std::string& digits) {
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
}

std::string group(std::string whole) {
  if (whole.size() < 5) return whole;
  for (std::size_t i = whole.size(); i > 3;) {
    i -= 3;
    whole.insert(i, 1, ',');
  }
  return whole;
}

std::string plain(const Decimal& d, bool grouped) {
  std::string whole, fraction;
  if (d.exponent < 0) {
    whole = "0";
    fraction = std::string(static_cast<std::size_t>(-d.exponent - 1), '0') + d.digits;
  } else {
    const auto point = static_cast<std::size_t>(d.exponent) + 1;
    whole = d.digits.substr(0, point);
    if (whole.size() < point) whole.append(point - whole.size(), '0');
    if (d.digits.size() > point) fraction = d.digits.substr(point);
  }
  if (grouped) whole = group(whole);
  return (d.negative ? "-" : "") + whole + (fraction.empty() ? "" : "." + fraction);
}

std::string significant(double value, int digits, bool grouped) {
  if (!std::isfinite(value)) return std::string(kNoNumber);
  if (value == 0) return "0";
  Decimal d = shortest(value);
  round_to(d, digits);
  drop_zeros(d.digits);
  if (d.exponent >= -4 && d.exponent < 15) return plain(d, grouped);
  std::string mantissa = d.digits.substr(0, 1);
  if (d.digits.size() > 1) mantissa += "." + d.digits.substr(1);
  return (d.negative ? "-" : "") + mantissa + "e" + std::to_string(d.exponent);
}

// At most `decimals` digits behind the point, zeros at the end dropped.
std::string at_most(double value, int decimals) {
  std::string text = format_fixed(value, decimals);
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

// Two significant digits, or the whole number when that has more.
std::string rough(double value) {
  if (!std::isfinite(value)) return std::string(kNoNumber);
  return std::fabs(value) < 9.95 ? significant(value, 2, false) : group(format_fixed(value, 0));
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
  Decimal d = shortest(value);
  round_to(d, digits);
  drop_zeros(d.digits);
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

std::string format_fixed(double value, int decimals) {
  if (!std::isfinite(value)) return std::string(kNoNumber);
  Decimal d = shortest(value);
  round_to(d, d.exponent + 1 + decimals);
  if (d.digits.empty() || d.digits == "0") d = {false, "0", 0};
  std::string text = plain(d, false);
  if (decimals <= 0) return text;
  std::size_t point = text.find('.');
  if (point == text.npos) {
    point = text.size();
    text += '.';
  }
  text.resize(point + 1 + static_cast<std::size_t>(decimals), '0');
  return text;
}

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
  std::string text = value < 0.1 ? written_out(value, 3) : at_most(value, 2);
  if (const auto point = text.find('.'); point != std::string::npos && point >= 5) {
    text = group(text.substr(0, point)) + text.substr(point);
  } else if (point == std::string::npos) {
    text = group(std::move(text));
  }
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
