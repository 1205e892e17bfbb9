#include "web/draw.hpp"

#include <algorithm>
#include <cmath>

#include "imgui_internal.h"
#include "web/text_wrap.hpp"

namespace xuanka::web {
namespace {

ImDrawList* list() { return ImGui::GetWindowDrawList(); }

void record(const Ui& ui, std::string_view text, const Rect& box, const Rect& room,
            bool shortened) {
  if (!ui.log.record_texts) return;
  const bool scrolls =
      (ImGui::GetCurrentWindow()->Flags & ImGuiWindowFlags_HorizontalScrollbar) != 0;
  ui.log.texts.push_back({std::string(text), box, room, shortened, scrolls});
}

// The longest beginning of `text` that leaves room for an ellipsis.
std::string shorten(const Ui& ui, std::string_view text, float width, float size, Face face) {
  const float dots = text_width(ui, "…", size, face);
  std::size_t end = 0;
  for (std::size_t next = 0; next < text.size(); end = next) {
    next = next_character(text, next);
    if (text_width(ui, text.substr(0, next), size, face) + dots > width) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

void draw_at(const Ui& ui, ImVec2 at, std::string_view text, const TextStyle& style) {
  list()->AddText(ui.face(style.face), ui.u(style.size), ImVec2(std::round(at.x), std::round(at.y)),
                  ui.color(style.color), text.data(), text.data() + text.size());
}

MeasureText measurer(const Ui& ui, const TextStyle& style) {
  return [&ui, &style](std::string_view piece) {
    return text_width(ui, piece, style.size, style.face);
  };
}

}  // namespace

ImU32 Ui::color(Color c, float alpha) const {
  const std::uint32_t rgb = theme[c];
  return IM_COL32(rgb >> 16 & 255U, rgb >> 8 & 255U, rgb & 255U,
                  static_cast<unsigned>(alpha * 255.0F + 0.5F));
}

float text_width(const Ui& ui, std::string_view text, float size, Face face) {
  if (text.empty()) return 0;
  return ui.face(face)
      ->CalcTextSizeA(ui.u(size), 1e9F, 0, text.data(), text.data() + text.size())
      .x;
}

float draw_line(const Ui& ui, const Rect& room, std::string_view text, const TextStyle& style) {
  float width = text_width(ui, text, style.size, style.face);
  std::string kept;
  const bool shortened = width > room.w + 0.5F;
  if (shortened) {
    kept = shorten(ui, text, room.w, style.size, style.face);
    width = text_width(ui, kept, style.size, style.face);
  }
  const float x = style.align == Align::kLeft    ? room.x
                  : style.align == Align::kRight ? room.right() - width
                                                 : room.x + (room.w - width) / 2;
  const float height = ui.u(style.size);
  const float y = room.y + (room.h - height) / 2;
  draw_at(ui, ImVec2(x, y), shortened ? std::string_view(kept) : text, style);
  record(ui, text, {x, y, width, height}, room, shortened);
  return width;
}

void note_text(const Ui& ui, const Rect& room, std::string_view text, float size) {
  if (!ui.log.record_texts) return;
  const float width = text_width(ui, text, size);
  record(ui, text, {room.x, room.y, width, room.h}, room, width > room.w + 0.5F);
}

float draw_wrapped(const Ui& ui, float x, float y, float width, std::string_view text,
                   const TextStyle& style, float leading) {
  const float step = ui.u(style.size) * leading;
  float at = y;
  for (const std::string_view line : wrap_cjk(text, width, measurer(ui, style))) {
    const float w = text_width(ui, line, style.size, style.face);
    const float left = style.align == Align::kLeft    ? x
                       : style.align == Align::kRight ? x + width - w
                                                      : x + (width - w) / 2;
    draw_at(ui, ImVec2(left, at + (step - ui.u(style.size)) / 2), line, style);
    record(ui, line, {left, at, w, step}, {x, at, width, step}, w > width + 0.5F);
    at += step;
  }
  return at - y;
}

float wrapped_height(const Ui& ui, float width, std::string_view text, const TextStyle& style,
                     float leading) {
  return static_cast<float>(wrap_cjk(text, width, measurer(ui, style)).size()) * ui.u(style.size) *
         leading;
}

void fill(const Ui& ui, const Rect& r, ImU32 color, float radius) {
  list()->AddRectFilled(ImVec2(r.x, r.y), ImVec2(r.right(), r.bottom()), color, ui.u(radius));
}

void frame(const Ui& ui, const Rect& r, ImU32 color, float radius, float thickness) {
  const float half = thickness / 2;
  list()->AddRect(ImVec2(r.x + half, r.y + half), ImVec2(r.right() - half, r.bottom() - half),
                  color, ui.u(radius), thickness);
}

void hairline(const Ui& ui, float x, float y, float width, Color color) {
  const float at = std::round(y);
  list()->AddRectFilled(ImVec2(x, at), ImVec2(x + width, at + 1), ui.color(color));
}

void dashed_line(const Ui&, ImVec2 from, ImVec2 to, ImU32 color, float thickness, float dash,
                 float gap) {
  const float dx = to.x - from.x, dy = to.y - from.y;
  const float length = std::sqrt(dx * dx + dy * dy);
  if (length <= 0) return;
  for (float at = 0; at < length; at += dash + gap) {
    const float end = std::min(at + dash, length);
    list()->AddLine(ImVec2(from.x + dx * at / length, from.y + dy * at / length),
                    ImVec2(from.x + dx * end / length, from.y + dy * end / length), color,
                    thickness);
  }
}

void draw_icon(const Ui& ui, Icon icon, ImVec2 c, float size, ImU32 color) {
  ImDrawList* d = list();
  const float s = ui.u(size) / 2, w = std::max(1.2F, ui.u(1.5F));
  const auto at = [&](float x, float y) { return ImVec2(c.x + x * s, c.y + y * s); };
  const auto path = [&](std::initializer_list<ImVec2> points) {
    for (const ImVec2& p : points) d->PathLineTo(p);
    d->PathStroke(color, w);
  };
  switch (icon) {
    case Icon::kCheck:
      path({at(-0.7F, 0.05F), at(-0.2F, 0.6F), at(0.75F, -0.6F)});
      break;
    case Icon::kCross:
      path({at(-0.6F, -0.6F), at(0.6F, 0.6F)});
      path({at(0.6F, -0.6F), at(-0.6F, 0.6F)});
      break;
    case Icon::kAlert:
      path({at(0, -0.75F), at(0, 0.25F)});
      d->AddCircleFilled(at(0, 0.68F), w * 0.7F, color);
      break;
    case Icon::kInfo:
      path({at(0, -0.15F), at(0, 0.75F)});
      d->AddCircleFilled(at(0, -0.65F), w * 0.7F, color);
      break;
    case Icon::kDown:
      d->AddTriangleFilled(at(-0.6F, -0.35F), at(0.6F, -0.35F), at(0, 0.5F), color);
      break;
    case Icon::kUp:
      d->AddTriangleFilled(at(-0.6F, 0.35F), at(0, -0.5F), at(0.6F, 0.35F), color);
      break;
    case Icon::kRight:
      d->AddTriangleFilled(at(-0.35F, -0.6F), at(0.5F, 0), at(-0.35F, 0.6F), color);
      break;
    case Icon::kBack:
      path({at(0.35F, -0.7F), at(-0.4F, 0), at(0.35F, 0.7F)});
      break;
    case Icon::kPlus:
      path({at(-0.7F, 0), at(0.7F, 0)});
      path({at(0, -0.7F), at(0, 0.7F)});
      break;
    case Icon::kMinus:
      path({at(-0.7F, 0), at(0.7F, 0)});
      break;
    case Icon::kTheme:
      d->AddCircle(c, s * 0.8F, color, 0, w);
      d->PathArcTo(c, s * 0.8F, IM_PI * 0.5F, IM_PI * 1.5F);
      d->PathFillConvex(color);
      break;
    case Icon::kSearch:
      d->AddCircle(at(-0.15F, -0.15F), s * 0.55F, color, 0, w);
      path({at(0.28F, 0.28F), at(0.8F, 0.8F)});
      break;
    case Icon::kSave:
      path({at(0, -0.8F), at(0, 0.3F)});
      path({at(-0.45F, -0.15F), at(0, 0.35F), at(0.45F, -0.15F)});
      path({at(-0.75F, 0.4F), at(-0.75F, 0.8F), at(0.75F, 0.8F), at(0.75F, 0.4F)});
      break;
    case Icon::kCopy:
      d->AddRect(at(-0.7F, -0.3F), at(0.3F, 0.8F), color, w, w);
      d->AddRect(at(-0.3F, -0.8F), at(0.7F, 0.3F), color, w, w);
      break;
  }
}

void interval_mark(const Ui& ui, const Rect& r, float low, float mid, float high, float deadline) {
  ImDrawList* d = list();
  const auto x = [&](float f) { return r.x + std::clamp(f, 0.0F, 1.0F) * r.w; };
  const float y = r.y + r.h / 2;
  if (deadline >= 0 && deadline <= 1) {
    d->AddRectFilled(ImVec2(std::round(x(deadline)), r.y),
                     ImVec2(std::round(x(deadline)) + 1, r.bottom()), ui.color(Color::kBad, 0.75F));
  }
  const float dot = ui.u(4), half = ui.u(1);
  // A range that runs out of the picture on the right ends in an arrow.
  d->AddRectFilled(ImVec2(x(low), y - half), ImVec2(x(high), y + half), ui.color(Color::kDim));
  if (mid <= 1) {
    d->AddCircleFilled(ImVec2(std::clamp(x(mid), r.x + dot, r.right() - dot), y), dot,
                       ui.color(Color::kSeries1));
  } else {
    d->AddTriangleFilled(ImVec2(r.right() - dot, y - dot), ImVec2(r.right() + dot * 0.4F, y),
                         ImVec2(r.right() - dot, y + dot), ui.color(Color::kSeries1));
  }
}

void memory_bar(const Ui& ui, const Rect& r, float fraction, Color color) {
  const float radius = r.h / 2 / ui.u(1);
  fill(ui, r, ui.color(Color::kTrack), radius);
  const float w = std::clamp(fraction, 0.0F, 1.0F) * r.w;
  if (w <= 0.5F) return;
  list()->PushClipRect(ImVec2(r.x, r.y), ImVec2(r.x + w, r.bottom()), true);
  fill(ui, r, ui.color(color), radius);
  list()->PopClipRect();
}

Color tone_color(Tone tone) {
  switch (tone) {
    case Tone::kOk:
      return Color::kOk;
    case Tone::kWarn:
      return Color::kWarn;
    case Tone::kBad:
      return Color::kBad;
    case Tone::kAccent:
      return Color::kAccent;
    case Tone::kNeutral:
      break;
  }
  return Color::kText;
}

Color tone_ground(Tone tone) {
  switch (tone) {
    case Tone::kOk:
      return Color::kOkSoft;
    case Tone::kWarn:
      return Color::kWarnSoft;
    case Tone::kBad:
      return Color::kBadSoft;
    case Tone::kAccent:
      return Color::kAccentSoft;
    case Tone::kNeutral:
      break;
  }
  return Color::kTrack;
}

}  // namespace xuanka::web
