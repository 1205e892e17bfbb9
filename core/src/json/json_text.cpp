#include "json/json_text.hpp"

#include <array>
#include <cmath>

#ifndef JSON_NOEXCEPTION
#define JSON_NOEXCEPTION
#endif
#include <nlohmann/json.hpp>

namespace xuanka::json {

void append_string(std::string_view text, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  std::size_t begin = 0;  // of what needs no escape and has not been copied yet
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (!needs_escape(c)) continue;
    out.append(text, begin, i - begin);
    begin = i + 1;
    if (byte >= 0x20) {
      out += '\\';
      out += c;
    } else {
      out += "\\u00";
      out += kHex[byte >> 4U];
      out += kHex[byte & 15U];
    }
  }
  out.append(text, begin);
  out += '"';
}

void append_number(double number, std::string& out) {
  constexpr double kExact = 9007199254740992.0;  // 2^53: below it every integer is a double
  if (number == std::floor(number) && std::abs(number) < kExact) {
    out += std::to_string(static_cast<long long>(number));
    return;
  }
  std::array<char, 64> buffer{};
  const char* end =
      nlohmann::detail::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  out.append(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
}

void append_text(Value value, std::string& out) {
  switch (value.kind()) {
    case Kind::kNull:
      out += "null";
      return;
    case Kind::kBool:
      out += value.boolean() ? "true" : "false";
      return;
    case Kind::kNumber:
      append_number(value.number(), out);
      return;
    case Kind::kString:
      append_string(value.string(), out);
      return;
    case Kind::kArray:
    case Kind::kObject:
      break;
  }
  out += value.is_array() ? '[' : '{';
  bool first = true;
  for (const Value child : value.children()) {
    if (!first) out += ',';
    first = false;
    if (value.is_object()) {
      append_string(child.key(), out);
      out += ':';
    }
    append_text(child, out);
  }
  out += value.is_array() ? ']' : '}';
}

}  // namespace xuanka::json
