// Texts quoted in messages.
#pragma once

#include <string>
#include <string_view>

namespace xuanka {

/// At most `max` bytes of a UTF-8 text, cut between characters; "..." tells that more followed.
[[nodiscard]] inline std::string clip(std::string_view text, std::size_t max = 80) {
  if (text.size() <= max) return std::string(text);
  std::size_t end = max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace xuanka
