#include "web/widgets.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "imgui_internal.h"
#include "web/text_wrap.hpp"

namespace xuanka::web {
namespace {

constexpr float kTooltipDelay = 0.45F;

void focus_ring(const Ui& ui, const Rect& r, float radius) {
  if (!ImGui::IsItemFocused() || !ImGui::GetCurrentContext()->NavCursorVisible) return;
  const float ring = ui.theme.focus_ring, out = ring + 1;
  const Rect outer = r.inset(-out, -out);
  // Above everything else of the window: neighbours must not cover it.
  ImDrawList* top = ImGui::GetForegroundDrawList();
  const ImRect& window = ImGui::GetCurrentWindow()->ClipRect;
  top->PushClipRect(ImVec2(window.Min.x - out, window.Min.y - out),
                    ImVec2(window.Max.x + out, window.Max.y + out));
  top->AddRect(ImVec2(outer.x, outer.y), ImVec2(outer.right(), outer.bottom()),
               ui.color(Color::kAccent), ui.u(radius) + out, ring);
  top->PopClipRect();
}

Rect icon_room(const Ui& ui, const Rect& r, float size) {
  const float s = ui.u(size);
  return {r.x + (r.w - s) / 2, r.y + (r.h - s) / 2, s, s};
}

}  // namespace

void tab_stop(const Ui& ui) {
  const ImGuiID id = ImGui::GetItemID();
  if ((ImGui::GetItemFlags() & ImGuiItemFlags_Disabled) != 0) return;  // Tab passes it by
  if (ui.log.first_stop == 0) ui.log.first_stop = id;
  ui.log.last_stop = id;
  if (ui.log.focus == id || std::exchange(ui.log.take_focus, false))
    ImGui::SetKeyboardFocusHere(-1);
}

Hit hit(const Ui& ui, std::string_view id, const Rect& r, float ring_radius, bool under) {
  ImGui::SetCursorScreenPos(ImVec2(r.x, r.y));
  const std::string name(id);
  Hit result;
  result.pressed = ImGui::InvisibleButton(
      name.c_str(), ImVec2(std::max(r.w, 1.0F), std::max(r.h, 1.0F)),
      ImGuiButtonFlags_EnableNav | (under ? ImGuiButtonFlags_AllowOverlap : 0));
  result.hovered = ImGui::IsItemHovered();
  result.held = ImGui::IsItemActive();
  tab_stop(ui);
  if (result.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  focus_ring(ui, r, ring_radius);
  return result;
}

bool button(const Ui& ui, std::string_view id, const Rect& r, std::string_view label,
            ButtonKind kind) {
  const Hit h = hit(ui, id, r);
  TextStyle text{
      .size = 13, .face = Face::kRegular, .color = Color::kText, .align = Align::kCenter};
  if (kind == ButtonKind::kPrimary) {
    fill(ui, r, ui.color(Color::kAccent, h.held ? 0.8F : h.hovered ? 0.9F : 1), 8);
    text.color = Color::kOnAccent;
  } else if (kind == ButtonKind::kPlain) {
    fill(ui, r, ui.color(h.hovered ? Color::kAccentSoft : Color::kPanel), 8);
    frame(ui, r, ui.color(Color::kLine), 8);
  } else if (h.hovered) {
    fill(ui, r, ui.color(Color::kAccentSoft), 8);
  }
  draw_line(ui, r.inset(ui.u(6), 0), label, text);
  return h.pressed;
}

bool icon_button(const Ui& ui, std::string_view id, const Rect& r, Icon icon,
                 std::string_view label, ButtonKind kind) {
  const Hit h = hit(ui, id, r);
  if (h.hovered) fill(ui, r, ui.color(Color::kAccentSoft), 8);
  if (kind == ButtonKind::kPlain) {
    if (!h.hovered) fill(ui, r, ui.color(Color::kPanel), 8);
    frame(ui, r, ui.color(Color::kLine), 8);
  }
  const Rect room = icon_room(ui, r, 12);
  draw_icon(ui, icon, ImVec2(room.x + room.w / 2, room.y + room.h / 2), 12, ui.color(Color::kText));
  tooltip(ui, label);
  return h.pressed;
}

bool link(const Ui& ui, std::string_view id, float x, float y, std::string_view label, float* width,
          float size) {
  const float w = text_width(ui, label, size);
  const Rect r{x, y, w, ui.u(size) * 1.6F};
  const Hit h = hit(ui, id, r, 4);
  draw_line(ui, r, label, {.size = size, .color = Color::kAccent});
  if (h.hovered) hairline(ui, x, y + ui.u(size) * 1.4F, w, Color::kAccent);
  if (width != nullptr) *width = w;
  return h.pressed;
}

int segmented(const Ui& ui, std::string_view id, const Rect& r, const std::vector<Option>& options,
              std::string_view chosen, float size) {
  int pressed = -1;
  fill(ui, r, ui.color(Color::kPanel), 8);
  const float part = r.w / static_cast<float>(options.size());
  ImGui::PushID(std::string(id).c_str());
  for (std::size_t i = 0; i < options.size(); ++i) {
    const Rect cell{r.x + part * static_cast<float>(i), r.y, part, r.h};
    const Hit h = hit(ui, "###" + options[i].value, cell);
    const bool on = options[i].value == chosen;
    if (on || h.hovered) {
      const ImDrawFlags corners =
          (i == 0 ? ImDrawFlags_RoundTopLeft | ImDrawFlags_RoundBottomLeft : 0) |
          (i + 1 == options.size() ? ImDrawFlags_RoundTopRight | ImDrawFlags_RoundBottomRight : 0);
      ImGui::GetWindowDrawList()->AddRectFilled(
          ImVec2(cell.x, cell.y), ImVec2(cell.right(), cell.bottom()),
          ui.color(Color::kAccentSoft, on ? 1 : 0.5F), ui.u(8),
          corners == 0 ? ImDrawFlags_RoundNone : corners);
    }
    draw_line(ui, cell.inset(ui.u(4), 0), options[i].label,
              {.size = size,
               .face = on ? Face::kBold : Face::kRegular,
               .color = on ? Color::kAccent : Color::kDim,
               .align = Align::kCenter});
    if (!options[i].detail.empty()) tooltip(ui, options[i].detail);
    if (h.pressed) pressed = static_cast<int>(i);
  }
  ImGui::PopID();
  frame(ui, r, ui.color(Color::kLine), 8);
  return pressed;
}

Rect Flow::next(float w) {
  if (x > left && x + w > left + width + 0.5F) {
    x = left;
    y += line + gap;
  }
  const Rect place{x, y, std::min(w, width), line};
  x += w + gap;
  return place;
}

bool chip(const Ui& ui, std::string_view id, Flow& flow, std::string_view label, bool on) {
  const Rect r = flow.next(text_width(ui, label, kSmallSize) + ui.u(21));
  const Hit h = hit(ui, id, r, 14);
  const float radius = r.h / 2 / ui.u(1);
  if (on || h.hovered) fill(ui, r, ui.color(Color::kAccentSoft, on ? 1 : 0.6F), radius);
  frame(ui, r, ui.color(on ? Color::kAccent : Color::kLine), radius);
  draw_line(
      ui, r, label,
      {.size = kSmallSize, .color = on ? Color::kAccent : Color::kDim, .align = Align::kCenter});
  return h.pressed;
}

float pill_width(const Ui& ui, std::string_view text, Tone tone, float size) {
  const bool icon = tone == Tone::kOk || tone == Tone::kWarn || tone == Tone::kBad;
  return text_width(ui, text, size) + ui.u(18) + (icon ? ui.u(14) : 0);
}

float pill_at(const Ui& ui, float x, float center_y, std::string_view text, Tone tone, float size) {
  const float w = pill_width(ui, text, tone, size), h = ui.u(size) * 1.45F + ui.u(6);
  const Rect r{x, center_y - h / 2, w, h};
  fill(ui, r, ui.color(tone_ground(tone)), 6);
  float left = r.x + ui.u(9);
  if (tone == Tone::kOk || tone == Tone::kWarn || tone == Tone::kBad) {
    const Icon icon = tone == Tone::kOk     ? Icon::kCheck
                      : tone == Tone::kWarn ? Icon::kAlert
                                            : Icon::kCross;
    draw_icon(ui, icon, ImVec2(left + ui.u(4.5F), center_y), 9, ui.color(tone_color(tone)));
    left += ui.u(14);
  }
  draw_line(ui, {left, r.y, r.right() - ui.u(9) - left, h}, text,
            {.size = size, .color = tone_color(tone)});
  return w;
}

void pill(const Ui& ui, std::string_view id, Flow& flow, const Pill& p, float size) {
  const Rect r = flow.next(pill_width(ui, p.text, p.tone, size));
  if (!p.detail.empty()) {
    hit(ui, id, r, 6);
    tooltip(ui, p.detail);
  }
  if (r.w + 0.5F < pill_width(ui, p.text, p.tone, size)) {
    // Longer than a line: the ground spans the line and the text is shortened with a tooltip.
    fill(ui, r, ui.color(tone_ground(p.tone)), 6);
    draw_line(ui, r.inset(ui.u(9), 0), p.text, {.size = size, .color = tone_color(p.tone)});
    return;
  }
  pill_at(ui, r.x, r.y + r.h / 2, p.text, p.tone, size);
}

int tabs(const Ui& ui, std::string_view id, float x, float y, float width,
         const std::vector<Option>& options, std::string_view chosen, float* height) {
  const float h = ui.u(ui.fingers() ? 44 : 38), gap = ui.u(ui.phone() ? 16 : 20);
  int pressed = -1;
  hairline(ui, x, y + h - 1, width);
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  const bool open =
      ImGui::BeginChild(std::string(id).c_str(), ImVec2(width, h), ImGuiChildFlags_NavFlattened,
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground |
                            ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PopStyleVar();
  if (open) {
    float at = x - ImGui::GetScrollX();
    for (std::size_t i = 0; i < options.size(); ++i) {
      const bool on = options[i].value == chosen;
      const Face face = on ? Face::kBold : Face::kRegular;
      const Rect r{at, y, text_width(ui, options[i].label, 14, face), h};
      const Hit press = hit(ui, "###" + options[i].value, r, 4);
      draw_line(
          ui, r, options[i].label,
          {.size = 14, .face = face, .color = on || press.hovered ? Color::kText : Color::kDim});
      if (on) {
        fill(ui, {r.x, y + h - ui.u(2.5F), r.w, ui.u(2.5F)}, ui.color(Color::kAccent));
        if (ImGui::IsWindowAppearing()) ImGui::SetScrollHereX();
      }
      if (press.pressed) pressed = static_cast<int>(i);
      at += r.w + gap;
    }
    // Where tabs go on beyond an edge they fade out.
    const float fade = ui.u(28);
    const auto veil = [&](float left, bool right_edge) {
      const ImU32 solid = ui.color(Color::kBackground), clear = ui.color(Color::kBackground, 0);
      ImGui::GetWindowDrawList()->AddRectFilledMultiColor(
          ImVec2(left, y), ImVec2(left + fade, y + h - 1), right_edge ? clear : solid,
          right_edge ? solid : clear, right_edge ? solid : clear, right_edge ? clear : solid);
    };
    if (at - gap > x + width + 1) veil(x + width - fade, true);
    if (ImGui::GetScrollX() > 1) veil(x, false);
  }
  ImGui::EndChild();
  if (height != nullptr) *height = h;
  return pressed;
}

void tooltip(const Ui& ui, std::string_view text) {
  if (text.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort | ImGuiHoveredFlags_NoSharedDelay |
                            ImGuiHoveredFlags_AllowWhenDisabled)) {
    ui.platform.request_frame_after(kTooltipDelay);
    return;
  }
  show_tooltip(ui, text);
}

void show_tooltip(const Ui& ui, std::string_view text) {
  const TextStyle style{.size = 13};
  const auto measure = [&](std::string_view piece) { return text_width(ui, piece, style.size); };
  float width = 0;
  const auto lines = wrap_cjk(text, std::min(ui.u(360), ui.width - ui.u(40)), measure);
  for (const auto& line : lines) width = std::max(width, measure(line));
  const float height = static_cast<float>(lines.size()) * ui.u(13) * 1.45F;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.u(10), ui.u(8)));
  if (ImGui::BeginTooltip()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy(ImVec2(width + 1, height));
    draw_wrapped(ui, at.x, at.y, width + 1, text, style);
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar();
}

Card::Card(const Ui& ui, float x, float y, float width, Color ground, Color line, float radius)
    : ui_(ui), x_(x), y_(y), width_(width), radius_(radius), ground_(ground), line_(line) {
  splitter_.Split(ImGui::GetWindowDrawList(), 2);
  splitter_.SetCurrentChannel(ImGui::GetWindowDrawList(), 1);
}

float Card::close(float bottom) {
  splitter_.SetCurrentChannel(ImGui::GetWindowDrawList(), 0);
  const Rect r{x_, y_, width_, bottom - y_};
  fill(ui_, r, ui_.color(ground_), radius_);
  frame(ui_, r, ui_.color(line_), radius_);
  splitter_.Merge(ImGui::GetWindowDrawList());
  return bottom;
}

}  // namespace xuanka::web
