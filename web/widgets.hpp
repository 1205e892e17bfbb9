// Controls: each takes a rectangle and an id, draws itself and says what happened. All of them can
// be reached by keyboard and show a focus ring.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "web/draw.hpp"

namespace xuanka::web {

struct Hit {
  bool pressed = false, hovered = false, held = false;
};
/// Notes the item just submitted as one that Tab reaches.
void tab_stop(const Ui& ui);
/// An area that can be clicked, tapped, or focused and activated by Enter or Space.
/// `under`: things drawn later inside it take the pointer first.
Hit hit(const Ui& ui, std::string_view id, const Rect& r, float ring_radius = 8,
        bool under = false);

enum class ButtonKind { kPlain, kPrimary, kGhost };
bool button(const Ui& ui, std::string_view id, const Rect& r, std::string_view label,
            ButtonKind kind = ButtonKind::kPlain);
/// A square button with an icon; `label` is its tooltip.
bool icon_button(const Ui& ui, std::string_view id, const Rect& r, Icon icon,
                 std::string_view label, ButtonKind kind = ButtonKind::kPlain);
/// A text that acts like a link. Returns true when pressed; `width` receives what it took.
bool link(const Ui& ui, std::string_view id, float x, float y, std::string_view label,
          float* width = nullptr, float size = kSmallSize);

/// A word of a choice and what it is called.
struct Option {
  std::string value, label;
  std::string detail;  ///< dim, at the right
};
/// The label, the value or the detail holds every word of `filter`, case of ASCII letters aside.
[[nodiscard]] bool matches(const Option& option, std::string_view filter);
/// Options side by side, one chosen. Returns the index pressed or -1.
int segmented(const Ui& ui, std::string_view id, const Rect& r, const std::vector<Option>& options,
              std::string_view chosen, float size = 13);

/// Puts things one after another and onto the next line when there is no room.
struct Flow {
  float left, width, gap, line;
  float x, y;
  Flow(float left_, float top, float width_, float gap_, float line_)
      : left(left_), width(width_), gap(gap_), line(line_), x(left_), y(top) {}
  /// The place of the next thing of this width.
  Rect next(float w);
  [[nodiscard]] float bottom() const { return y + line; }
};
/// A rounded choice; returns true when pressed.
bool chip(const Ui& ui, std::string_view id, Flow& flow, std::string_view label, bool on);
/// A verdict or a checked fact: coloured ground, icon and words.
void pill(const Ui& ui, std::string_view id, Flow& flow, const Pill& pill, float size = kSmallSize);
/// The same, at a place; returns the width.
float pill_at(const Ui& ui, float x, float center_y, std::string_view text, Tone tone,
              float size = kSmallSize);
[[nodiscard]] float pill_width(const Ui& ui, std::string_view text, Tone tone,
                               float size = kSmallSize);

/// Tabs with an underline. Returns the index pressed or -1. Scrolls sideways when there is no room.
int tabs(const Ui& ui, std::string_view id, float x, float y, float width,
         const std::vector<Option>& options, std::string_view chosen, float* height);

/// A longer explanation of the item just drawn, when the pointer rests or the keyboard is on it.
void tooltip(const Ui& ui, std::string_view text);
/// The box itself, at once.
void show_tooltip(const Ui& ui, std::string_view text);

/// Card: a panel whose height is known only after its content is drawn.
class Card {
 public:
  Card(const Ui& ui, float x, float y, float width, Color ground = Color::kPanel,
       Color line = Color::kLine, float radius = 12);
  /// Draws the panel behind what was drawn since; `bottom` is its lower edge. Returns `bottom`.
  float close(float bottom);

 private:
  const Ui& ui_;
  float x_, y_, width_, radius_;
  Color ground_, line_;
  ImDrawListSplitter splitter_;
};

// -- inputs bound to a field (input.cpp)
/// Options of a choice: "" (decided by the tool) first when `automatic`, then the table's words.
[[nodiscard]] std::vector<Option> field_options(const Ui& ui, FieldId id, bool automatic);
/// `ui.f.<key>`.
[[nodiscard]] std::string field_label(const Ui& ui, FieldId id);
/// The label, marked when the page around this one has fixed the field.
[[nodiscard]] std::string with_lock(const Ui& ui, FieldId id, const std::string& label);
/// The value as it is shown when nobody types: "50 M".
[[nodiscard]] std::string shown_number(std::string_view text);

struct InputStyle {
  std::string label{};        ///< instead of ui.f.<key>; "-" = none
  std::string unit{};         ///< instead of the table's
  std::string placeholder{};  ///< instead of "automatic"
  bool required = false;      ///< a choice without "automatic"
};
/// Label, control and, under it, what is wrong with the entry. The kind follows from the table.
/// Returns the lower edge.
float field_input(const Ui& ui, FieldId id, float x, float y, float width,
                  const InputStyle& style = {});
/// A box that opens a list; returns the value chosen, if any. `shown` is what stands in it.
[[nodiscard]] std::optional<std::string> select_box(const Ui& ui, std::string_view id,
                                                    const Rect& r, std::string_view shown,
                                                    std::string_view detail,
                                                    const std::vector<Option>& options,
                                                    std::string_view chosen,
                                                    bool searchable = false);
/// Several lines of text, for pasted JSON; true when `text` changed.
bool multiline_box(const Ui& ui, std::string_view id, const Rect& r, std::string& text);
/// A line of text in a box; true when `text` changed. On touch devices a press opens the sheet
/// `sheet` instead.
bool text_box(const Ui& ui, std::string_view id, const Rect& r, std::string& text,
              std::string_view placeholder, const SheetRequest& sheet, float suffix_width = 0,
              bool bad = false);

}  // namespace xuanka::web
