// What every panel draws with: sizes, colours, texts, and where actions go. Lives for one frame.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "imgui.h"
#include "web/compute.hpp"
#include "web/platform.hpp"
#include "web/state.hpp"
#include "web/theme.hpp"
#include "xuanka/text/text.hpp"

namespace xuanka::web {

enum class Layout { kWide, kMedium, kPhone };
enum class Face { kRegular, kBold };

/// The few sizes of text, in units (1 unit = 1 CSS px at the body size of 15).
inline constexpr float kAnswerSize = 25, kTitleSize = 18, kBodySize = 15, kTableSize = 13.5F,
                       kSmallSize = 12.5F;

struct Rect {
  float x = 0, y = 0, w = 0, h = 0;
  [[nodiscard]] float right() const { return x + w; }
  [[nodiscard]] float bottom() const { return y + h; }
  [[nodiscard]] Rect inset(float dx, float dy) const {
    return {x + dx, y + dy, w - 2 * dx, h - 2 * dy};
  }
};

/// A text as it was drawn; recorded for the test that nothing is clipped.
struct DrawnText {
  std::string text;
  Rect box;                ///< what it covers
  Rect room;               ///< what it may cover
  bool shortened = false;  ///< an ellipsis was put in
  bool scrolls = false;    ///< in a row that scrolls sideways: the rest of it can be reached
};

/// Tab stops and drawn texts of one frame.
struct FrameLog {
  ImGuiID first_stop = 0, last_stop = 0;
  ImGuiID focus = 0;        ///< the item that is to receive the keyboard focus in this frame
  bool enter_step = false;  ///< the step was changed by keyboard: its first item takes the focus
  bool take_focus = false;  ///< the next item that Tab reaches takes it
  bool record_texts = false;
  std::vector<DrawnText> texts;
  std::string popup_filter;  ///< what is typed into the search line of the open list
};

struct Ui {
  const State& state;
  const Computed& computed;
  const Api& api;
  Platform& platform;
  const Theme& theme;
  Lang lang;
  Layout layout;
  ImFont* regular;
  ImFont* bold;
  float width, height;  ///< of the canvas
  float em;             ///< body size
  std::vector<Action>& actions;
  FrameLog& log;
  Rect clip;  ///< the part of the page on screen

  /// Units to CSS px: every size goes through here, so that everything grows with the text.
  [[nodiscard]] float u(float units) const { return units * em / kBodySize; }
  [[nodiscard]] bool wide() const { return layout == Layout::kWide; }
  [[nodiscard]] bool phone() const { return layout == Layout::kPhone; }
  [[nodiscard]] bool fingers() const { return platform.touch() || phone(); }
  /// Height of a control: 36 with a mouse, 44 with a finger.
  [[nodiscard]] float row() const { return u(fingers() ? 44 : 36); }
  [[nodiscard]] ImU32 color(Color c, float alpha = 1) const;
  [[nodiscard]] ImFont* face(Face f) const { return f == Face::kBold ? bold : regular; }
  [[nodiscard]] std::string tr(std::string_view key) const {
    return std::string(api.messages().get(lang, key));
  }
  [[nodiscard]] std::string trf(std::string_view key, const Args& args) const {
    return api.messages().format(lang, key, args);
  }
  [[nodiscard]] bool has(std::string_view key) const { return api.messages().has(lang, key); }
  void act(Action action) const { actions.push_back(std::move(action)); }
  void set(FieldId id, std::string value) const { act(SetField{id, std::move(value)}); }
  [[nodiscard]] bool visible(const Rect& r) const {
    return r.bottom() >= clip.y && r.y <= clip.bottom();
  }
};

}  // namespace xuanka::web
