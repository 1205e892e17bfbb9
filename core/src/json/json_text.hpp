// JSON values back to text.
#pragma once

#include <string>
#include <string_view>

#include "json/json_document.hpp"

namespace xuanka::json {

/// Characters that cannot stand for themselves in a JSON string.
[[nodiscard]] constexpr bool needs_escape(char c) {
  return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
}

/// Appends `text` as a JSON string, quotes included; control characters are escaped, the rest is
/// copied as UTF-8.
void append_string(std::string_view text, std::string& out);

/// Appends the shortest decimal text that reads back as `number` (always finite here).
void append_number(double number, std::string& out);

/// Appends `value` without white space, members in their order.
void append_text(Value value, std::string& out);

}  // namespace xuanka::json
