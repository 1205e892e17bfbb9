// How the plan shown was computed: every formula with its numbers, result and source.
#include "web/views.hpp"

namespace xuanka::web {

namespace {

float step_card(const Ui& ui, const ExplainStep& step, float x, float y, float width) {
  const float pad = ui.u(14), inner = width - 2 * pad;
  Card card(ui, x, y, width, Color::kPanel, Color::kLine, 10);
  float at = y + ui.u(12);
  const float result =
      std::min(text_width(ui, step.result, 14, Face::kBold) + ui.u(4), inner * 0.5F);
  draw_line(ui, {x + pad, at, inner - result - ui.u(8), ui.u(20)}, step.title,
            {.size = 14, .face = Face::kBold});
  draw_line(ui, {x + pad + inner - result, at, result, ui.u(20)}, step.result,
            {.size = 14, .face = Face::kBold, .color = Color::kAccent, .align = Align::kRight});
  at += ui.u(26);
  if (!step.formula.empty()) at += draw_wrapped(ui, x + pad, at, inner, step.formula, {.size = 13});
  if (!step.substituted.empty())
    at +=
        draw_wrapped(ui, x + pad, at, inner, step.substituted, {.size = 13, .color = Color::kDim});
  if (!step.note.empty())
    at += draw_wrapped(ui, x + pad, at + ui.u(4), inner, step.note, {.size = kSmallSize}) + ui.u(4);
  if (!step.source.empty())
    at += draw_wrapped(ui, x + pad, at + ui.u(4), inner,
                       ui.trf("ui.source_is", {{"source", step.source}}),
                       {.size = kSmallSize, .color = Color::kDim}) +
          ui.u(4);
  return card.close(at + ui.u(10));
}

}  // namespace

float view_how(const Ui& ui, float x, float y, float width) {
  y += ui.u(14);
  if (!ui.computed.candidate)
    return y + draw_wrapped(ui, x, y, width, ui.tr("ui.how.nothing"),
                            {.size = 14, .color = Color::kDim});
  const std::size_t candidate = *ui.computed.candidate;
  y += draw_wrapped(ui, x, y, width,
                    ui.trf("ui.how.of", {{"plan", ui.computed.view.rows[candidate].label}}),
                    {.size = 15, .face = Face::kBold}) +
       ui.u(8);
  for (const ExplainStep& step : ui.computed.explained(ui.api, ui.lang))
    y = step_card(ui, step, x, y, width) + ui.u(10);
  return y;
}

}  // namespace xuanka::web
