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

// Whether a text in the panel's colour stands out on a part (the fainter round takes the text's).
Color on_part(std::size_t k) { return k < 4 ? Color::kOnAccent : Color::kText; }

// One bar a card: what it can use is the whole width, so that parts compare across cards of every
// size. What does not fit runs past the line.
void draw_bars(const Ui& ui, const std::vector<std::size_t>& rows, const std::vector<Part>& parts,
               const Rect& room) {
  double widest = 1;
  for (const std::size_t i : rows) {
    const CandidateRow& row = ui.computed.view.rows[i];
    if (row.usable_gib > 0)
      widest = std::max(widest, std::min(row.memory_gib / row.usable_gib, 3.0));
  }
  const float whole = (room.w - ui.u(2)) / static_cast<float>(widest);
  const float step = room.h / static_cast<float>(rows.size()),
              bar = std::min(ui.u(16), step * 0.42F);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const CandidateRow& row = ui.computed.view.rows[rows[k]];
    const float top = room.y + step * static_cast<float>(k);
    const std::string total =
        ui.trf("ui.chart.memory_of", {{"need", row.memory_text}, {"usable", row.usable_gib}});
    const float total_width = text_width(ui, total, 11.5F);
    draw_line(ui, {room.x, top, room.w - total_width - ui.u(8), ui.u(17)}, row.label,
              {.size = 11.5F});
    draw_line(ui, {room.right() - total_width - 1, top, total_width + 1, ui.u(17)}, total,
              {.size = 11.5F, .color = Color::kDim});
    const float y = top + ui.u(18);
    fill(ui, {room.x, y, whole, bar}, ui.color(Color::kTrack), 3);
    float x = room.x;
    std::string detail = row.label + ": " + ui.computed.words(ui.api, ui.lang, rows[k]).memory;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const double gib =
          parts[p].index < row.memory_parts_gib.size() ? row.memory_parts_gib[parts[p].index] : 0;
      const double share = row.usable_gib > 0 ? gib / row.usable_gib : 0;
      const float w = std::min(static_cast<float>(share) * whole, room.right() - x);
      fill(ui, {x, y, w, bar}, ui.color(parts[p].color, part_alpha(p)));
      const std::string text = format_number(gib);
      if (p < 4 && text_width(ui, text, 10.5F) + ui.u(8) < w)
        draw_line(ui, {x, y, w, bar}, text,
                  {.size = 10.5F, .color = on_part(p), .align = Align::kCenter});
      if (gib > 0.005)
        detail += "\n" + ui.computed.view.memory_part_names[parts[p].index] + " " +
                  format_number(gib) + " GiB";
      x += w;
    }
    fill(ui, {room.x + whole, y - ui.u(3), ui.u(1.5F), bar + ui.u(6)}, ui.color(Color::kText));
    ImGui::SetCursorScreenPos(ImVec2(room.x, top));
    ImGui::Dummy(ImVec2(room.w, step));
    tooltip(ui, detail);
  }
}

float legend_height(const Ui& ui, const std::vector<Part>& parts, float width, float x, float y,
                    bool draw) {
  Flow flow(x, y, width, ui.u(12), ui.u(16));
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::string& text = ui.computed.view.memory_part_names[parts[p].index];
    const Rect r = flow.next(text_width(ui, text, 11.5F) + ui.u(14));
    if (!draw) continue;
    fill(ui, {r.x, r.y + ui.u(3.5F), ui.u(9), ui.u(9)}, ui.color(parts[p].color, part_alpha(p)), 2);
    draw_line(ui, {r.x + ui.u(13), r.y, r.w - ui.u(13) + 1, r.h}, text,
              {.size = 11.5F, .color = Color::kDim});
  }
  return flow.bottom() - y;
}

}  // namespace

float chart_memory(const Ui& ui, float x, float y, float width) {
  ChartCard card(ui, x, y, width, ui.u(252), "memory", ui.tr("ui.chart.memory"));
  const auto rows = rows_of(ui, 4);
  if (rows.empty()) return card.bottom();
  const auto parts = parts_of(ui, rows);
  const float legend = legend_height(ui, parts, card.room().w, card.room().x, 0, false);
  Rect bars = card.room();
  bars.h -= legend + ui.u(6);
  draw_bars(ui, rows, parts, bars);
  legend_height(ui, parts, card.room().w, card.room().x, bars.bottom() + ui.u(6), true);
  return card.bottom();
}

Table memory_table(const Ui& ui) {
  const auto rows = rows_of(ui, 4);
  const auto row = [rows, &ui](std::size_t i) -> const CandidateRow& {
    return ui.computed.view.rows[rows[i]];
  };
  Table table{ListId::kCount_, "memory", ui.tr("ui.t.memory"), {}, rows.size()};
  table.columns.push_back(
      {ui.tr("ui.c.plan"), Align::kLeft, 205, 0, [=](std::size_t i) { return row(i).label; }});
  for (std::size_t p = 0; p < ui.computed.view.memory_part_names.size(); ++p) {
    table.columns.push_back(
        {ui.computed.view.memory_part_names[p], Align::kRight, 70, 0, [=](std::size_t i) {
           const auto& gib = row(i).memory_parts_gib;
           return p < gib.size() ? format_number(gib[p]) : std::string("—");
         }});
  }
  table.columns.push_back(
      {ui.tr("ui.c.sum"), Align::kRight, 70, 0, [=](std::size_t i) { return row(i).memory_text; }});
  table.columns.push_back({ui.tr("ui.c.usable"), Align::kRight, 70, 0,
                           [=](std::size_t i) { return format_number(row(i).usable_gib); }});
  return table;
}

}  // namespace xuanka::web
