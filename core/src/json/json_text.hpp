// JSON values back to text.
#pragma once

#include <string>
#include <string_view>

#include "json/json_document.hpp"

namespace xuanka::json {

/// Appends `text` as a JSON string, quotes included; control characters are escaped, the rest is
/// copied as UTF-8.
void append_string(std::string_view text, std::string& out);

/// Appends the shortest decimal text that reads back as `number` (always finite here).
void append_number(double number, std::string& out);

/// Appends `value` without white space, members in their order.
void append_text(Value value, std::string& out);

}  // namespace xuanka::json
