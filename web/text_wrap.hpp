// Breaking text into lines the way Chinese and English are set: between ideographs, at spaces,
// never before closing punctuation nor after opening punctuation.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

namespace xuanka::web {

/// Width of a piece of text, in any unit.
using MeasureText = std::function<float(std::string_view)>;

/// The lines of `text` (views into it, spaces at the break dropped), none wider than `width` unless
/// a single unbreakable character is. Line feeds break always. Malformed bytes count as letters.
[[nodiscard]] std::vector<std::string_view> wrap_cjk(std::string_view text, float width,
                                                     const MeasureText& measure);

/// Where the UTF-8 character after the one at `at` begins.
[[nodiscard]] std::size_t next_character(std::string_view text, std::size_t at);
/// The code point at `at`; malformed bytes stand for themselves.
[[nodiscard]] char32_t code_point(std::string_view text, std::size_t at);

}  // namespace xuanka::web
