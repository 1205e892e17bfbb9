// Memory per card by part, against what the card can use.
#include <algorithm>

#include "web/plot.hpp"
#include "web/views.hpp"

namespace xuanka::web {
namespace {

// The plan that is shown, then the alternatives and others of different cards.
std::vector<std::size_t> rows_of(const Ui& ui, std::size_t most) {
  std::vector<std::size_t> rows;
  const auto& all = ui.computed.view.rows;
  const auto add = [&](std::size_t i) {
    const auto same = [&](std::size_t k) { return all[k].gpu == all[i].gpu; };
    if (rows.size() < most && i < all.size() && std::none_of(rows.begin(), rows.end(), same))
      rows.push_back(i);
  };
  if (ui.computed.candidate) add(*ui.computed.candidate);
  for (const Alternative& a : ui.computed.answer.alternatives) add(a.candidate);
  for (std::size_t i = 0; i < all.size(); ++i) add(i);
  return rows;
}

// Parts in the order of the view model, those too small to see put together as the last.
struct Part {
  std::size_t index;
  Color color;
};

std::vector<Part> parts_of(const Ui& ui, const std::vector<std::size_t>& rows) {
  std::vector<Part> parts;
  for (std::size_t p = 0; p < ui.computed.view.memory_part_names.size(); ++p) {
    double most = 0;
    for (const std::size_t i : rows) {
      const auto& gib = ui.computed.view.rows[i].memory_parts_gib;
      if (p < gib.size()) most = std::max(most, gib[p]);
    }
    if (most > 0.005) parts.push_back({p, series_color(parts.size())});
  }
  return parts;
}

// Series repeat after four; the second round is hatched by lightness.
float part_alpha(std::size_t k) { return k < 4 ? 1.0F : 0.55F; }

void draw_bars(const Ui& ui, const std::vector<std::size_t>& rows, const std::vector<Part>& parts,
               const Rect& room, float label) {
  double most = 0;
  for (const std::size_t i : rows)
    most =
        std::max({most, ui.computed.view.rows[i].memory_gib, ui.computed.view.rows[i].usable_gib});
  const float scale = static_cast<float>((room.w - label - ui.u(8)) / std::max(most, 1e-9));
  const float step = room.h / static_cast<float>(rows.size()),
              bar = std::min(ui.u(20), step * 0.55F);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const CandidateRow& row = ui.computed.view.rows[rows[k]];
    const float y = room.y + step * (static_cast<float>(k) + 0.5F) - bar / 2;
    draw_line(ui, {room.x, y, label - ui.u(8), bar}, row.label, {.size = 11.5F});
    float x = room.x + label;
    std::string detail = row.label + ": " + row.memory_detail;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const double gib =
          parts[p].index < row.memory_parts_gib.size() ? row.memory_parts_gib[parts[p].index] : 0;
      const float w = static_cast<float>(gib) * scale;
      fill(ui, {x, y, w, bar}, ui.color(parts[p].color, part_alpha(p)));
      if (gib > 0.005)
        detail += "\n" + ui.computed.view.memory_part_names[parts[p].index] + " " +
                  format_number(gib) + " GiB";
      x += w;
    }
    const float limit = room.x + label + static_cast<float>(row.usable_gib) * scale;
    fill(ui, {limit, y - ui.u(6), ui.u(1), bar + ui.u(12)}, ui.color(Color::kText));
    ImGui::SetCursorScreenPos(ImVec2(room.x, y - ui.u(6)));
    ImGui::Dummy(ImVec2(room.w, bar + ui.u(12)));
    tooltip(ui, detail);
  }
}

float legend_height(const Ui& ui, const std::vector<Part>& parts, const CandidateRow& row,
                    float width, float x, float y, bool draw) {
  Flow flow(x, y, width, ui.u(12), ui.u(16));
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const double gib =
        parts[p].index < row.memory_parts_gib.size() ? row.memory_parts_gib[parts[p].index] : 0;
    const std::string text = ui.computed.view.memory_part_names[parts[p].index] + " " +
                             (gib < 0.095 ? "<0.1" : format_number(gib));
    const Rect r = flow.next(text_width(ui, text, 11.5F) + ui.u(14));
    if (!draw) continue;
    fill(ui, {r.x, r.y + ui.u(3.5F), ui.u(9), ui.u(9)}, ui.color(parts[p].color, part_alpha(p)));
    draw_line(ui, {r.x + ui.u(13), r.y, r.w - ui.u(13) + 1, r.h}, text,
              {.size = 11.5F, .color = Color::kDim});
  }
  return flow.bottom() - y;
}

}  // namespace

float chart_memory(const Ui& ui, float x, float y, float width) {
  ChartCard card(ui, x, y, width, ui.u(223), "memory", ui.tr("ui.chart.memory"));
  const auto rows = rows_of(ui, 4);
  if (rows.empty()) return card.bottom();
  const auto parts = parts_of(ui, rows);
  const CandidateRow& first = ui.computed.view.rows[rows[0]];
  float label = 0;
  for (const std::size_t i : rows)
    label = std::max(label, text_width(ui, ui.computed.view.rows[i].label, 11.5F) + ui.u(10));
  label = std::min(label, card.room().w * 0.4F);
  const float legend_x = card.room().x,
              legend = legend_height(ui, parts, first, card.room().w, legend_x, 0, false);
  Rect bars = card.room();
  bars.h -= legend + ui.u(8);
  draw_bars(ui, rows, parts, bars, label);
  legend_height(ui, parts, first, card.room().w, legend_x, bars.bottom() + ui.u(8), true);
  return card.bottom();
}

}  // namespace xuanka::web
