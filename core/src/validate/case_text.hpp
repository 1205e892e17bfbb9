// Helpers to read settings that sources state in words.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace xuanka {

/// ASCII lower case.
[[nodiscard]] inline std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}
[[nodiscard]] inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
[[nodiscard]] inline bool has_any(std::string_view text,
                                  std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view p) { return has(text, p); });
}
/// The whole number written directly after `prefix` ("rank 64" -> 64); nullopt when there is none.
[[nodiscard]] inline std::optional<double> number_after(std::string_view text,
                                                        std::string_view prefix) {
  for (std::size_t at = text.find(prefix); at != std::string_view::npos;
       at = text.find(prefix, at + 1)) {
    std::size_t i = at + prefix.size();
    double value = 0;
    bool any = false;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
      value = value * 10 + (text[i] - '0');
      any = true;
    }
    if (any) return value;
  }
  return std::nullopt;
}

}  // namespace xuanka
