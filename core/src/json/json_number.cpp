#include "json/json_number.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#ifdef __EMSCRIPTEN__
// What JavaScript reads a number with (json_number.js): it is there already, and strtod would bring
// arithmetic of 128 bits with it. `text` is UTF-8, `size` in bytes; infinite when too large.
extern "C" double xuanka_number_of(const char* text, std::size_t size);
#else
#ifndef JSON_NOEXCEPTION
#define JSON_NOEXCEPTION
#endif
#include <nlohmann/json.hpp>
#endif

namespace xuanka::json {
namespace {

// Any number, however long; slower. Both ways round to nearest, so the results are the same.
std::optional<double> number_by_library(std::string_view text) {
#ifdef __EMSCRIPTEN__
  const double number = xuanka_number_of(text.data(), text.size());
#else
  const auto value = nlohmann::json::parse(text, nullptr, false);
  if (!value.is_number()) return std::nullopt;
  const double number = value.get<double>();
#endif
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

// Up to 15 digits and powers of ten up to 10^22 are doubles, so one product or quotient of the two
// is rounded once and exact (W. D. Clinger, "How to read floating point numbers accurately", 1990).
std::optional<double> number_of(std::string_view text) {
  constexpr std::array<double, 23> kPowers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                           1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr int kMaxDigits = 15;
  std::size_t i = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) ++i;
  std::uint64_t mantissa = 0;
  int digits = 0;
  int exponent = 0;
  for (bool fraction = false; i < text.size(); ++i) {
    if (text[i] == '.') {
      fraction = true;
    } else if (is_digit(text[i])) {
      if (mantissa != 0 || text[i] != '0') ++digits;
      if (digits > kMaxDigits) return number_by_library(text);
      mantissa = mantissa * 10 + static_cast<std::uint64_t>(text[i] - '0');
      if (fraction) --exponent;
    } else {
      break;
    }
  }
  if (i < text.size()) {  // e or E
    ++i;
    const bool minus = i < text.size() && text[i] == '-';
    if (i < text.size() && !is_digit(text[i])) ++i;
    int written = 0;
    for (; i < text.size(); ++i) {
      written = written * 10 + (text[i] - '0');
      if (written > 1000) return number_by_library(text);
    }
    exponent += minus ? -written : written;
  }
  const auto value = static_cast<double>(mantissa);
  const auto power = static_cast<std::size_t>(exponent < 0 ? -exponent : exponent);
  if (power >= kPowers.size()) return number_by_library(text);
  const double scaled = exponent < 0 ? value / kPowers[power] : value * kPowers[power];
  return negative ? -scaled : scaled;
}

}  // namespace xuanka::json
