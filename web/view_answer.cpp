// The answer card.
#include <algorithm>
#include <cmath>

#include "imgui_internal.h"
#include "web/views.hpp"

namespace xuanka::web {
namespace {

// The sentence large and bold, the range smaller behind it or below it when there is no room.
float sentence(const Ui& ui, float x, float y, float width) {
  const AnswerView& a = ui.computed.answer;
  const TextStyle large{.size = ui.phone() ? 21.0F : kAnswerSize, .face = Face::kBold};
  const float head = text_width(ui, a.headline, large.size, large.face),
              range = text_width(ui, a.range, 15);
  const float line = ui.u(large.size) * 1.45F;
  if (head <= width) {
    draw_line(ui, {x, y, width, line}, a.headline, large);
  } else {
    y += draw_wrapped(ui, x, y, width, a.headline, large, 1.3F) - line;
  }
  if (head + ui.u(8) + range <= width && !a.range.empty()) {
    draw_line(ui, {x + head + ui.u(8), y + ui.u(2), range + 1, line}, a.range,
              {.size = 15, .color = Color::kDim});
    return y + line;
  }
  if (a.range.empty()) return y + line;
  return y + line +
         draw_wrapped(ui, x, y + line, width, a.range, {.size = 15, .color = Color::kDim});
}

bool is_stale(const Ui& ui) { return !ui.computed.issues.empty(); }

// What was answered before an input went wrong steps back.
void veil(const Ui& ui, const Rect& r, float rounding = 0) {
  if (is_stale(ui)) fill(ui, r, ui.color(Color::kPanel, 0.55F), rounding);
}

// Three other plans, each a click.
float alternatives(const Ui& ui, float x, float y, float width) {
  const auto& list = ui.computed.answer.alternatives;
  if (list.empty()) return y;
  // As many as there are share the width; on a phone the next one looks in from the right.
  const float gap = ui.u(10), n = static_cast<float>(list.size());
  const float card = ui.phone() && list.size() > 1 ? std::min(ui.u(216), width * 0.68F)
                                                   : (width - (n - 1) * gap) / n;
  float height = 0;
  for (const Alternative& a : list) {
    const float inner = card - ui.u(26);
    height = std::max(
        height, ui.u(10 + 19 + 10) +
                    wrapped_height(ui, inner, a.headline, {.size = 14.5F, .face = Face::kBold}) +
                    wrapped_height(ui, inner, a.detail, {.size = 13}));
  }
  height = std::ceil(height) + 1;
  y = std::round(y);
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  const bool open =
      ImGui::BeginChild("alternatives", ImVec2(width, height), ImGuiChildFlags_NavFlattened,
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground |
                            ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PopStyleVar();
  if (open) {
    float left = x - ImGui::GetScrollX();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Alternative& a = list[i];
      const Rect r{left, y, card, height};
      ImGui::PushID(static_cast<int>(i));
      const Hit h = hit(ui, "###alternative", r.inset(2, 2), 10);
      if (h.hovered) fill(ui, r, ui.color(Color::kAccentSoft), 10);
      frame(ui, r, ui.color(h.hovered ? Color::kAccent : Color::kLine), 10);
      const float tx = left + ui.u(13), inner = card - ui.u(26);
      draw_line(ui, {tx, y + ui.u(10), inner, ui.u(19)}, a.title,
                {.size = 13, .color = h.hovered ? Color::kText : Color::kDim});
      float ty = y + ui.u(29);
      ty += draw_wrapped(ui, tx, ty, inner, a.headline, {.size = 14.5F, .face = Face::kBold});
      draw_wrapped(ui, tx, ty, inner, a.detail,
                   {.size = 13, .color = h.hovered ? Color::kText : Color::kDim});
      veil(ui, r, 10);
      ImGui::PopID();
      if (h.pressed && a.candidate < ui.computed.view.rows.size()) {
        const CandidateRow& row = ui.computed.view.rows[a.candidate];
        ui.set(FieldId::kSelected, row_name(row.gpu, row.count));
      }
      left += card + gap;
    }
  }
  ImGui::EndChild();
  return y + height;
}

float watch_lines(const Ui& ui, float x, float y, float width) {
  std::size_t shown = 0;
  for (const NoteLine& note : ui.computed.answer.watch) {
    if (note.severity == Severity::kInfo || shown >= 4) continue;
    const Color color = note.severity == Severity::kError ? Color::kBad : Color::kWarn;
    draw_icon(ui, Icon::kAlert, ImVec2(x + ui.u(5), y + ui.u(10)), 9, ui.color(color));
    y += draw_wrapped(ui, x + ui.u(16), y, width - ui.u(16), note.text,
                      {.size = 13, .color = Color::kDim}) +
         ui.u(3);
    ++shown;
  }
  return y;
}

float fault_lines(const Ui& ui, float x, float y, float width) {
  for (const Issue& issue : ui.computed.issues) {
    const std::string text = fault_text(ui.api.messages(), ui.lang, issue);
    const float height = wrapped_height(ui, width - ui.u(34), text, {.size = 13.5F}) + ui.u(12);
    fill(ui, {x, y, width, height}, ui.color(Color::kBadSoft), 8);
    draw_icon(ui, Icon::kCross, ImVec2(x + ui.u(14), y + height / 2), 9, ui.color(Color::kBad));
    draw_wrapped(ui, x + ui.u(26), y + ui.u(6), width - ui.u(34), text, {.size = 13.5F});
    y += height + ui.u(8);
  }
  return y;
}

// How it was computed, side by side with others, back to the recommended one.
float links(const Ui& ui, float x, float y, float width) {
  if (!ui.computed.candidate) return y;
  Flow flow(x, y, width, ui.u(16), ui.u(ui.fingers() ? 36 : 22));
  const auto entry = [&](std::string_view id, const std::string& label) {
    const Rect r = flow.next(text_width(ui, label, 13));
    return link(ui, id, r.x, r.y + (r.h - ui.u(13) * 1.6F) / 2, label, nullptr, 13);
  };
  if (entry("###how", ui.tr("ui.tab.how"))) ui.set(FieldId::kView, "how");
  const CandidateRow& row = ui.computed.view.rows[*ui.computed.candidate];
  const std::string name = row_name(row.gpu, row.count);
  const auto compared = ui.state.many(FieldId::kCompare);
  const bool in = std::find(compared.begin(), compared.end(), name) != compared.end();
  if ((in || compared.size() < 4) &&
      entry("###compare", ui.tr(in ? "ui.compare.drop" : "ui.compare.add"))) {
    ui.act(ToggleWord{FieldId::kCompare, name});
    ui.set(FieldId::kView, "plans");
  }
  if (ui.computed.candidate != ui.computed.report.recommended &&
      entry("###to-recommended", ui.tr("ui.to_recommended")))
    ui.set(FieldId::kSelected, "");
  return flow.bottom();
}

}  // namespace

float view_answer(const Ui& ui, float x, float y, float width) {
  const float pad = ui.u(18), inner = width - 2 * pad;
  const AnswerView& a = ui.computed.answer;
  ImGui::PushID("answer");
  Card card(ui, x, y, width);
  float at = y + pad;
  at = fault_lines(ui, x + pad, at, inner);
  if (is_stale(ui))
    at += draw_wrapped(ui, x + pad, at, inner, ui.tr("ui.stale"), {.size = 13.5F}) + ui.u(6);
  const float kept = at;
  at = sentence(ui, x + pad, at, inner) + ui.u(4);
  at += draw_wrapped(ui, x + pad, at, inner, a.why, {.size = 15, .color = Color::kDim});
  if (!a.pills.empty()) {
    Flow flow(x + pad, at + ui.u(10), inner, ui.u(8), ui.u(kSmallSize) * 1.45F + ui.u(6));
    for (std::size_t i = 0; i < a.pills.size(); ++i)
      pill(ui, "###pill" + std::to_string(i), flow, a.pills[i]);
    at = flow.bottom();
  }
  at = alternatives(ui, x + pad, at + ui.u(14), inner);
  at = watch_lines(ui, x + pad, at + ui.u(10), inner);
  at = links(ui, x + pad, at + ui.u(2), inner);
  veil(ui, {x + 1, kept, width - 2, at - kept});
  at = card.close(at + pad - ui.u(6));
  ImGui::PopID();
  return at;
}

float view_answer_line(const Ui& ui, float x, float y, float width) {
  const AnswerView& a = ui.computed.answer;
  const bool bad = !ui.computed.issues.empty();
  fill(ui, {x, y, width, ui.u(44)}, ui.color(bad ? Color::kBadSoft : Color::kAccentSoft));
  const std::string text =
      bad ? fault_text(ui.api.messages(), ui.lang, ui.computed.issues[0]) : a.headline;
  draw_line(ui, Rect{x, y, width, ui.u(44)}.inset(ui.u(16), 0), text,
            {.size = 15, .face = bad ? Face::kRegular : Face::kBold});
  return y + ui.u(44);
}

}  // namespace xuanka::web
