// Pieces of the wire format that several texts share.
#pragma once

#include <string_view>
#include <vector>

#include "api/json_writer.hpp"
#include "xuanka/base/issues.hpp"

namespace xuanka::wire {

/// `"args":{...}`
void write_args(JsonWriter& out, const Args& args);
/// `"notes":[{"code","severity","args"}]`
void write_notes(JsonWriter& out, const std::vector<Note>& notes);
/// `"id":` as it came in, null when there was none.
void write_id(JsonWriter& out, std::string_view id, bool has_id, bool is_number);

}  // namespace xuanka::wire
