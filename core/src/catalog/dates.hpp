// Dates in data files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "json/json_view.hpp"
#include "xuanka/base/date.hpp"

namespace xuanka {

/// The text of `key` when it is YYYY, YYYY-MM or YYYY-MM-DD; another text is reported as kBadDate.
/// nullopt when absent or wrong.
[[nodiscard]] inline std::optional<std::string> date_at(const json::View& view,
                                                        std::string_view key) {
  const auto text = view.string(key);
  if (!text) return std::nullopt;
  if (parse_date(*text)) return std::string(*text);
  view.report(IssueCode::kBadDate, key, {{"got", std::string(text->substr(0, 40))}});
  return std::nullopt;
}

}  // namespace xuanka
