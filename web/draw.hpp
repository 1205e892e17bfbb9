// Shapes and texts on the current window's draw list. Nothing here takes input.
#pragma once

#include <string_view>

#include "web/ui.hpp"

namespace xuanka::web {

enum class Icon {
  kCheck,
  kAlert,
  kCross,
  kDown,
  kRight,
  kPlus,
  kMinus,
  kTheme,
  kSearch,
  kCopy,
  kUp,
  kInfo,
  kBack,
  kSave
};
enum class Align { kLeft, kRight, kCenter };

/// Width of one line in CSS px; `size` in units.
[[nodiscard]] float text_width(const Ui& ui, std::string_view text, float size,
                               Face face = Face::kRegular);

/// How a text is set. `room` is where it may stand; a text that is wider is shortened with an
/// ellipsis (and says so to the log).
struct TextStyle {
  float size = kBodySize;  ///< units
  Face face = Face::kRegular;
  Color color = Color::kText;
  Align align = Align::kLeft;
};
/// One line, vertically centred in `room`. Returns the width drawn.
float draw_line(const Ui& ui, const Rect& room, std::string_view text, const TextStyle& style = {});
/// Tells the log of a text that Dear ImGui draws itself, on one line in `room`.
void note_text(const Ui& ui, const Rect& room, std::string_view text, float size);
/// As many lines as needed from the top of (x, y), `width` wide, `leading` times the size apart.
/// Returns the height.
float draw_wrapped(const Ui& ui, float x, float y, float width, std::string_view text,
                   const TextStyle& style = {}, float leading = 1.45F);
/// Height that draw_wrapped would take.
[[nodiscard]] float wrapped_height(const Ui& ui, float width, std::string_view text,
                                   const TextStyle& style = {}, float leading = 1.45F);

void fill(const Ui& ui, const Rect& r, ImU32 color, float radius = 0);
void frame(const Ui& ui, const Rect& r, ImU32 color, float radius = 0, float thickness = 1);
void hairline(const Ui& ui, float x, float y, float width, Color color = Color::kLine);
void dashed_line(const Ui& ui, ImVec2 from, ImVec2 to, ImU32 color, float thickness, float dash,
                 float gap);
/// An icon in a square of `size` units around the centre.
void draw_icon(const Ui& ui, Icon icon, ImVec2 center, float size, ImU32 color);

/// hours between `low` and `high` as a bar with a dot at `mid`, and the deadline as a line; all as
/// fractions of the width. Negative `deadline` = none.
void interval_mark(const Ui& ui, const Rect& r, float low, float mid, float high, float deadline);
/// Memory against a card: fraction used (above 1 = does not fit).
void memory_bar(const Ui& ui, const Rect& r, float fraction, Color color);

[[nodiscard]] Color tone_color(Tone tone);
[[nodiscard]] Color tone_ground(Tone tone);

}  // namespace xuanka::web
