// Two to four plans side by side; what is best in a line is marked.
#include <algorithm>

#include "web/views.hpp"

namespace xuanka::web {
namespace {

struct Line {
  std::string title;
  std::function<std::string(const CandidateRow&)> text;
  std::function<std::optional<double>(const CandidateRow&)>
      number;  ///< smaller is better; null = no best
};

std::vector<Line> lines_of(const Ui& ui) {
  const auto negative = [](std::optional<double> value) {
    return value ? std::optional(-*value) : std::nullopt;
  };
  const std::string money = currency_symbol(ui.computed.shown);
  return {
      {ui.tr("ui.c.verdict"), [](const CandidateRow& r) { return r.verdict_pill.text; }, nullptr},
      {ui.tr("ui.c.time"),
       [](const CandidateRow& r) {
         return r.words.hours_range.empty() ? r.hours_text
                                            : r.hours_text + "  (" + r.words.hours_range + ")";
       },
       [](const CandidateRow& r) { return r.hours; }},
      {ui.tr("ui.c.cost"),
       [](const CandidateRow& r) {
         return r.words.cost_range.empty() ? r.cost_text
                                           : r.cost_text + "  (" + r.words.cost_range + ")";
       },
       [](const CandidateRow& r) { return r.cost; }},
      {ui.tr("ui.c.memory"), [](const CandidateRow& r) { return r.words.memory; },
       [](const CandidateRow& r) { return std::optional(r.memory_gib - r.usable_gib); }},
      {"MFU", [](const CandidateRow& r) { return r.mfu_text; },
       [=](const CandidateRow& r) { return negative(r.mfu); }},
      {ui.computed.view.flops_unit, [](const CandidateRow& r) { return r.pflop_text; },
       [=](const CandidateRow& r) { return negative(r.pflop_per_money); }},
      {ui.computed.view.memory_unit, [](const CandidateRow& r) { return r.gb_text; },
       [=](const CandidateRow& r) { return negative(r.gb_per_money); }},
      {ui.tr("ui.c.cores"), [](const CandidateRow& r) { return r.cores_text; }, nullptr},
      {ui.tr("ui.c.ram"), [](const CandidateRow& r) { return r.ram_text; }, nullptr},
      {ui.tr("ui.c.layout"), [](const CandidateRow& r) { return r.words.plan; }, nullptr},
      {ui.tr("ui.c.price"), [](const CandidateRow& r) { return r.words.price; }, nullptr},
  };
}

std::vector<CandidateRow> chosen_rows(const Ui& ui) {
  std::vector<CandidateRow> chosen;
  const auto& rows = ui.computed.view.rows;
  for (const std::string& name : ui.state.many(FieldId::kCompare)) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (row_name(rows[i].gpu, rows[i].count) != name || chosen.size() == 4) continue;
      chosen.push_back(rows[i]);
      chosen.back().words = ui.computed.words(ui.api, ui.lang, i);
    }
  }
  return chosen;
}

}  // namespace

float view_compare(const Ui& ui, float x, float y, float width) {
  const auto rows = chosen_rows(ui);
  if (rows.empty()) return y;
  ImGui::PushID("compare");
  const float pad = ui.u(14), inner = width - 2 * pad;
  Card card(ui, x, y, width, Color::kPanel, Color::kLine, 10);
  float at = y + pad;
  draw_line(ui, {x + pad, at, inner, ui.u(20)}, ui.tr("ui.compare"),
            {.size = 14, .face = Face::kBold});
  at += ui.u(28);
  const float label = std::min(ui.u(120), inner * 0.28F),
              part = (inner - label) / static_cast<float>(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float left = x + pad + label + part * static_cast<float>(i),
                close = ui.u(ui.fingers() ? 40 : 24);
    draw_wrapped(ui, left, at, part - close - ui.u(8), rows[i].label,
                 {.size = 14, .face = Face::kBold}, 1.3F);
    ImGui::PushID(static_cast<int>(i));
    if (icon_button(ui, "###drop", {left + part - close - ui.u(4), at - ui.u(2), close, close},
                    Icon::kCross, ui.tr("ui.compare.drop"), ButtonKind::kGhost)) {
      ui.act(ToggleWord{FieldId::kCompare, row_name(rows[i].gpu, rows[i].count)});
    }
    ImGui::PopID();
  }
  at += ui.u(ui.phone() ? 46 : 28);
  for (const Line& line : lines_of(ui)) {
    std::optional<double> best;
    for (const CandidateRow& row : rows) {
      const auto value = line.number ? line.number(row) : std::nullopt;
      if (value && (!best || *value < *best)) best = value;
    }
    float height = wrapped_height(ui, label - ui.u(8), line.title, {.size = 13});
    for (const CandidateRow& row : rows)
      height = std::max(height, wrapped_height(ui, part - ui.u(10), line.text(row),
                                               {.size = 13, .face = Face::kBold}));
    draw_wrapped(ui, x + pad, at + ui.u(4), label - ui.u(8), line.title,
                 {.size = 13, .color = Color::kDim});
    // Where all are alike nothing has to be weighed: the line steps back.
    const bool alike =
        rows.size() > 1 && std::all_of(rows.begin(), rows.end(), [&](const CandidateRow& row) {
          return line.text(row) == line.text(rows[0]);
        });
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto value = line.number ? line.number(rows[i]) : std::nullopt;
      const bool wins = !alike && rows.size() > 1 && best && value && *value == *best;
      draw_wrapped(ui, x + pad + label + part * static_cast<float>(i), at + ui.u(4),
                   part - ui.u(10), line.text(rows[i]),
                   {.size = 13,
                    .face = wins ? Face::kBold : Face::kRegular,
                    .color = wins    ? Color::kAccent
                             : alike ? Color::kDim
                                     : Color::kText});
    }
    at += height + ui.u(8);
    hairline(ui, x + pad, at - 1, inner);
  }
  at = card.close(at + ui.u(8));
  ImGui::PopID();
  return at;
}

}  // namespace xuanka::web
