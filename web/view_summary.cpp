// Step 4: what was asked and what was assumed, in sentences, with the ways to take it along.
#include "web/views.hpp"

namespace xuanka::web {
namespace {

float paragraph(const Ui& ui, float x, float y, float width, std::string_view title,
                std::string_view text) {
  if (text.empty()) return y;
  draw_line(ui, {x, y, width, ui.u(19)}, title, {.size = 13, .color = Color::kDim});
  return y + ui.u(22) + draw_wrapped(ui, x, y + ui.u(22), width, text, {.size = 14}) + ui.u(12);
}

std::string constraints_line(const Ui& ui) {
  std::string out;
  const auto add = [&](const std::string& part) {
    out += (out.empty() ? "" : ui.tr("ui.list_separator")) + part;
  };
  if (ui.computed.view.deadline_hours)
    add(ui.trf("ui.summary.deadline", {{"hours", *ui.computed.view.deadline_hours}}));
  if (ui.computed.request && ui.computed.request->decision.budget) {
    const Money& budget = *ui.computed.request->decision.budget;
    add(ui.trf("ui.summary.budget", {{"money", format_money(budget)}}));
  }
  add(ui.tr("ui.o.acquire." + ui.state.text(FieldId::kAcquire)));
  std::string counts;
  for (const std::string& count : ui.state.many(FieldId::kCounts))
    counts += (counts.empty() ? "" : ", ") + count;
  add(ui.trf("ui.summary.counts", {{"counts", counts}}));
  return out;
}

}  // namespace

float view_summary(const Ui& ui, float x, float y, float width) {
  const ViewModel& view = ui.computed.view;
  y = paragraph(ui, x, y, width, ui.tr("ui.step.job"),
                ui.tr("ui.kind." + ui.state.text(FieldId::kKind)));
  y = paragraph(ui, x, y, width, ui.tr("ui.f.m"), view.model_line);
  y = paragraph(ui, x, y, width, ui.tr("ui.step.data"), view.data_line);
  y = paragraph(ui, x, y, width, ui.tr("ui.step.constraints"), constraints_line(ui));
  y = paragraph(ui, x, y, width, ui.tr("ui.assumed"), view.assumed_line);
  const float gap = ui.u(8), half = (width - gap) / 2, h = ui.u(ui.fingers() ? 44 : 34);
  std::size_t i = 0;
  for (const std::string_view way : {"markdown", "csv", "json", "print"}) {
    const float left = x + (half + gap) * static_cast<float>(i % 2);
    if (button(ui, "###" + std::string(way), {left, y, half, h},
               ui.tr("ui.share." + std::string(way))))
      do_share(ui, way);
    if (++i % 2 == 0) y += h + gap;
  }
  return y - gap;
}

}  // namespace xuanka::web
