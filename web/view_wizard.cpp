#include <utility>

#include "web/views.hpp"

namespace xuanka::web {
namespace {

constexpr std::array<std::string_view, kStepCount> kStepNames{"job", "model", "constraints",
                                                              "answer"};

float step_bar(const Ui& ui, float x, float y, float width) {
  const float gap = ui.u(6), part = (width - 3 * gap) / 4, h = ui.u(ui.fingers() ? 44 : 29);
  for (std::size_t i = 0; i < kStepCount; ++i) {
    const auto step = static_cast<Step>(i);
    const bool on = step == ui.state.step, done = step < ui.state.step;
    const Rect r{x + (part + gap) * static_cast<float>(i), y, part, h};
    const Hit press = hit(ui, "###step-" + std::string(kStepNames[i]), r, 4);
    draw_line(ui, {r.x, r.y, r.w, r.h - ui.u(8)}, ui.tr("ui.step." + std::string(kStepNames[i])),
              {.size = kSmallSize,
               .face = on ? Face::kBold : Face::kRegular,
               .color = on || press.hovered ? Color::kText : Color::kDim,
               .align = Align::kCenter});
    fill(ui, {r.x, r.bottom() - ui.u(3), r.w, ui.u(3)},
         ui.color(on || done ? Color::kAccent : Color::kTrack));
    if (press.pressed) ui.act(GoStep{step});
  }
  return y + h;
}

float buttons(const Ui& ui, float x, float y, float width) {
  const float gap = ui.u(10), h = ui.u(ui.fingers() ? 44 : 34), third = (width - gap) / 3;
  const Step step = ui.state.step;
  if (step == Step::kAnswer) {
    if (button(ui, "###again", {x, y, third, h}, ui.tr("ui.again"))) ui.act(StartAgain{});
    if (button(ui, "###copy-link", {x + third + gap, y, width - third - gap, h},
               ui.tr("ui.share.link"), ButtonKind::kPrimary))
      do_share(ui, "link");
    return y + h;
  }
  const std::string next = ui.trf(
      "ui.next",
      {{"step",
        ui.tr("ui.step." + std::string(kStepNames[static_cast<std::size_t>(step_after(step))]))}});
  const float left = step == Step::kJob ? 0 : third + gap;
  if (left > 0 && button(ui, "###back", {x, y, third, h}, ui.tr("ui.back")))
    ui.act(GoStep{step_before(step)});
  if (button(ui, "###next", {x + left, y, width - left, h}, next, ButtonKind::kPrimary))
    ui.act(GoStep{step_after(step)});
  return y + h;
}

}  // namespace

float view_wizard(const Ui& ui, float x, float y, float width) {
  const float pad = ui.u(ui.phone() ? 16 : 18), inner = width - 2 * pad;
  ImGui::PushID("wizard");
  Card card(ui, x, y, width);
  float at = step_bar(ui, x + pad, y + pad, inner) + ui.u(16);
  ImGui::PushID(static_cast<int>(ui.state.step));
  ui.log.take_focus = std::exchange(ui.log.enter_step, false);
  switch (ui.state.step) {
    case Step::kJob:
      at = view_job(ui, x + pad, at, inner);
      break;
    case Step::kModel:
      at = view_model(ui, x + pad, at, inner);
      break;
    case Step::kConstraints:
      at = view_constraints(ui, x + pad, at, inner);
      break;
    case Step::kAnswer:
      at = view_summary(ui, x + pad, at, inner);
      break;
  }
  ImGui::PopID();
  at = buttons(ui, x + pad, at + ui.u(18), inner);
  at = card.close(at + pad);
  ImGui::PopID();
  return at;
}

}  // namespace xuanka::web
