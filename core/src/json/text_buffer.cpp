#include "json/text_buffer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "json/json_text.hpp"
#include "xuanka/base/math.hpp"

namespace xuanka::json {
namespace {

constexpr int kDigits = 12;
constexpr double kExact = 9007199254740992.0;  // 2^53: below it every integer is a double

template <std::size_t kBytes>
void copy_ends(const char* from, std::size_t size, char* to) {
  std::memcpy(to, from, kBytes);
  std::memcpy(to + size - kBytes, from + size - kBytes, kBytes);
}

// Most texts are shorter than a call of memcpy is long: two copies that overlap.
void copy_short(const char* from, std::size_t size, char* to) {
  if (size > 32) {
    std::memcpy(to, from, size);
  } else if (size > 16) {
    copy_ends<16>(from, size, to);
  } else if (size >= 8) {
    copy_ends<8>(from, size, to);
  } else if (size >= 4) {
    copy_ends<4>(from, size, to);
  } else if (size > 0) {
    to[0] = from[0];
    to[size / 2] = from[size / 2];
    to[size - 1] = from[size - 1];
  }
}

using Digits = std::array<char, 20>;

/// The decimal digits of a number, at the end of `digits`.
std::string_view digits_of(std::uint64_t number, Digits& digits) {
  std::size_t at = digits.size();
  do {
    digits[--at] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return {digits.data() + at, digits.size() - at};
}

}  // namespace

void TextBuffer::grow(std::size_t bytes) {
  bytes_ = std::max(bytes_ * 2, size_ + bytes);
  std::unique_ptr<char[]> larger(new char[bytes_]);
  std::memcpy(larger.get(), text_.get(), size_);
  text_ = std::move(larger);
}

void TextBuffer::put(std::string_view text) {
  copy_short(text.data(), text.size(), room(text.size()));
  size_ += text.size();
}

void TextBuffer::put_string(std::string_view text) {
  put('"');
  if (std::any_of(text.begin(), text.end(), needs_escape)) {
    std::string escaped;
    append_string(text, escaped);
    put(std::string_view(escaped).substr(1));
    return;
  }
  put(text);
  put('"');
}

void TextBuffer::put_number(double number) {
  Digits digits;
  if (number == std::floor(number) && std::abs(number) < kExact) {
    if (number < 0) put('-');
    put(digits_of(static_cast<std::uint64_t>(std::abs(number)), digits));
    return;
  }
  if (put_rounded(number)) return;
  std::string text;
  append_number(round_significant(number, kDigits), text);
  put(text);
}

/// Rounding leaves the digits at hand: of as few, no shorter text reads back as the same number.
/// False for what is written as a whole number or with an exponent.
bool TextBuffer::put_rounded(double number) {
  const Decimal decimal = to_decimal(number, kDigits);
  Digits digits;
  const std::string_view text = digits_of(decimal.digits, digits);
  const int point = static_cast<int>(text.size()) + decimal.exponent;
  if (decimal.exponent >= 0 || point <= -4) return false;
  if (decimal.negative) put('-');
  if (point <= 0) {
    put(std::string_view("0.000").substr(0, static_cast<std::size_t>(2 - point)));
    put(text);
    return true;
  }
  const auto whole = static_cast<std::size_t>(point);
  put(text.substr(0, whole));
  put('.');
  put(text.substr(whole));
  return true;
}

}  // namespace xuanka::json
