#include "web/text_wrap.hpp"

#include <algorithm>

namespace xuanka::web {
namespace {

bool in(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

// Characters that may be broken around: ideographs, kana, hangul, full-width forms and CJK symbols.
bool is_wide(char32_t c) {
  return in(c, 0x2E80, 0x303E) || in(c, 0x3041, 0x33FF) || in(c, 0x3400, 0x4DBF) ||
         in(c, 0x4E00, 0x9FFF) || in(c, 0xA000, 0xA4CF) || in(c, 0xAC00, 0xD7A3) ||
         in(c, 0xF900, 0xFAFF) || in(c, 0xFE30, 0xFE4F) || in(c, 0xFF00, 0xFF60) ||
         in(c, 0xFFE0, 0xFFE6) || in(c, 0x20000, 0x3FFFD);
}

// GB/T 15834 and common practice: never at the beginning of a line.
bool closes(char32_t c) {
  constexpr std::u32string_view kClosing = U"，。、；：？！）》〉」』】〕〗”’…—·％‰℃,.;:?!)]}%°»›";
  return kClosing.find(c) != std::u32string_view::npos;
}

// Never at the end of a line.
bool opens(char32_t c) {
  constexpr std::u32string_view kOpening = U"（《〈「『【〔〖“‘¥$€£([{«‹";
  return kOpening.find(c) != std::u32string_view::npos;
}

// A line may end between `left` and `right`.
bool may_break(char32_t left, char32_t right) {
  if (left == ' ' || left == '\t') return right != ' ' && right != '\t';
  if (right == ' ' || right == '\t') return false;  // the space itself is the place
  if (closes(right) || opens(left)) return false;
  if (left == '-' || left == '/' || left == 0x2013) return is_wide(right);
  return is_wide(left) || is_wide(right);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The space in "24 h" or "4 × RTX": a line ends there only when it can end nowhere else.
bool ties(std::string_view text, std::size_t at) {
  return text[at] == ' ' && at > 0 && is_digit(text[at - 1]) && !is_digit(text[at + 1]);
}

std::string_view trim_end(std::string_view line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::size_t next_character(std::string_view text, std::size_t at) {
  std::size_t next = at + 1;
  while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0U) == 0x80U) ++next;
  return std::min(next, text.size());
}

char32_t code_point(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::size_t length = next_character(text, at) - at;
  const char32_t first = byte(at);
  if (length == 2 && (first & 0xE0U) == 0xC0U) return (first & 0x1FU) << 6 | (byte(at + 1) & 0x3FU);
  if (length == 3 && (first & 0xF0U) == 0xE0U)
    return (first & 0x0FU) << 12 | (byte(at + 1) & 0x3FU) << 6 | (byte(at + 2) & 0x3FU);
  if (length == 4 && (first & 0xF8U) == 0xF0U) {
    return (first & 0x07U) << 18 | (byte(at + 1) & 0x3FU) << 12 | (byte(at + 2) & 0x3FU) << 6 |
           (byte(at + 3) & 0x3FU);
  }
  return first;
}

std::vector<std::string_view> wrap_cjk(std::string_view text, float width,
                                       const MeasureText& measure) {
  std::vector<std::string_view> lines;
  std::size_t begin = 0;       // of the line
  std::size_t last_break = 0;  // where the line could end, 0 = nowhere yet
  std::size_t tie = 0;         // where it could end between a number and its unit
  std::size_t at = 0;
  const auto emit = [&](std::size_t end, std::size_t next) {
    lines.push_back(trim_end(text.substr(begin, end - begin)));
    begin = next;
    while (begin < text.size() && text[begin] == ' ') ++begin;
    last_break = tie = 0;
    at = std::max(at, begin);
  };
  while (at < text.size()) {
    if (text[at] == '\n') {
      emit(at, at + 1);
      at = begin;
      continue;
    }
    const std::size_t next = next_character(text, at);
    if (measure(trim_end(text.substr(begin, next - begin))) > width && at > begin) {
      const std::size_t end = last_break > begin ? last_break : tie > begin ? tie : at;
      emit(end, end);
      at = begin;
      continue;
    }
    if (next < text.size() && may_break(code_point(text, at), code_point(text, next)))
      (ties(text, at) ? tie : last_break) = next;
    at = next;
  }
  if (begin < text.size() || lines.empty()) lines.push_back(trim_end(text.substr(begin)));
  return lines;
}

}  // namespace xuanka::web
