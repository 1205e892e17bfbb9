#include <algorithm>
#include <array>
#include <cstdint>

#include "xuanka/text/text.hpp"

namespace xuanka {
namespace {

struct Span {
  std::uint32_t first, last;
};
// Unicode 15.1, UAX #11: the wide and full-width blocks that names and messages can hold.
constexpr std::array<Span, 13> kWide{{{0x1100, 0x115F},
                                      {0x2E80, 0x303E},
                                      {0x3041, 0x33FF},
                                      {0x3400, 0x4DBF},
                                      {0x4E00, 0x9FFF},
                                      {0xA000, 0xA4CF},
                                      {0xAC00, 0xD7A3},
                                      {0xF900, 0xFAFF},
                                      {0xFE30, 0xFE4F},
                                      {0xFF00, 0xFF60},
                                      {0xFFE0, 0xFFE6},
                                      {0x1F300, 0x1FAFF},
                                      {0x20000, 0x3FFFD}}};
constexpr std::array<Span, 5> kNone{
    {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x202A, 0x202E}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}}};

template <std::size_t N>
bool within(const std::array<Span, N>& spans, std::uint32_t code) {
  return std::any_of(spans.begin(), spans.end(),
                     [code](const Span& span) { return code >= span.first && code <= span.last; });
}

}  // namespace

std::size_t display_width(std::string_view utf8) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t code = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (std::size_t k = 1; k < length && i + k < utf8.size(); ++k) {
      code = (code << 6U) | (static_cast<unsigned char>(utf8[i + k]) & 0x3FU);
    }
    i += length;
    if (code < 0x20 || within(kNone, code)) continue;
    width += within(kWide, code) ? 2U : 1U;
  }
  return width;
}

}  // namespace xuanka
