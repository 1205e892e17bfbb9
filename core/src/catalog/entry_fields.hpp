// Fields that entries of every data file have: each reported to the view's issues when it is wrong.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/json_view.hpp"

namespace xuanka::catalog_json {

/// The text of `key`, empty when it is absent.
[[nodiscard]] inline std::string text_or_empty(const json::View& view, std::string_view key) {
  return std::string(view.string(key).value_or(std::string_view{}));
}

/// The text of `key`; empty, and reported, when it is absent.
[[nodiscard]] inline std::string needed_text(const json::View& view, std::string_view key) {
  return std::string(view.need_string(key).value_or(std::string_view{}));
}

/// The ids under "sources"; reported when there is none.
[[nodiscard]] inline std::vector<std::string> needed_sources(const json::View& view) {
  auto sources = view.strings("sources");
  if (sources.empty()) view.report(IssueCode::kNoSource, "sources");
  return sources;
}

}  // namespace xuanka::catalog_json
