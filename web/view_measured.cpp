// Measured against predicted: how far the shipped cases lie from the estimates, by kind of job.
#include "web/views.hpp"

namespace xuanka::web {
namespace {

const ResidualBand& band_at(const Ui& ui, std::size_t i) {
  return ui.api.knowledge().efficiency.bands[i];
}

// "decoder/nvswitch" -> the words for both parts.
std::string band_name(const Ui& ui, std::string_view key) {
  std::string out;
  while (!key.empty()) {
    const std::size_t slash = std::min(key.find('/'), key.size());
    const std::string part(key.substr(0, slash));
    const std::string word = "ui.band." + part;
    if (part != "class") {
      out += (out.empty() ? "" : ui.tr("ui.list_separator")) + (ui.has(word) ? ui.tr(word) : part);
    }
    key.remove_prefix(std::min(slash + 1, key.size()));
  }
  return out;
}

std::string cases_of(const ResidualBand& band) {
  std::string out;
  for (const std::string& id : band.nearest) out += (out.empty() ? "" : ", ") + id;
  return out;
}

std::string spread_text(const ResidualBand& band) {
  return "× " + format_number(band.low, 2) + "–" + format_number(band.high, 2);
}

// The range of measured / predicted; the line stands at 1, where both agree.
void draw_spread(const Ui& ui, const Rect& r, std::size_t i) {
  const ResidualBand& band = band_at(ui, i);
  const auto at = [](double factor) { return static_cast<float>((factor - 0.4) / 1.6); };
  const float text = ui.u(90);
  draw_line(ui, {r.x, r.y, text, r.h}, spread_text(band), {.size = kTableSize});
  const Rect mark{r.x + text, r.y + r.h / 2 - ui.u(7), r.w - text, ui.u(14)};
  interval_mark(ui, mark, at(band.low), at(1), at(band.high), at(1));
}

}  // namespace

Table measured_table(const Ui& ui) {
  const auto band = [&ui](std::size_t i) -> const ResidualBand& { return band_at(ui, i); };
  Table table{ListId::kMeasured,
              "measured",
              ui.tr("ui.t.measured"),
              {},
              ui.api.knowledge().efficiency.bands.size()};
  table.columns = {
      {ui.tr("ui.c.kind"), Align::kLeft, 220, 0,
       [=, &ui](std::size_t i) { return band_name(ui, band(i).key); }},
      {ui.tr("ui.c.cases"), Align::kRight, 90, 0,
       [=](std::size_t i) { return std::to_string(band(i).cases); },
       [=](std::size_t i) -> std::optional<double> { return band(i).cases; }},
      {ui.tr("ui.c.spread"), Align::kLeft, 250, 0,
       [=](std::size_t i) { return spread_text(band(i)); },
       [=](std::size_t i) -> std::optional<double> { return band(i).high / band(i).low; },
       draw_spread},
      {ui.tr("ui.c.examples"), Align::kLeft, 240, 1,
       [=](std::size_t i) { return cases_of(band(i)); }, nullptr, nullptr,
       [=](std::size_t i) { return cases_of(band(i)); }},
  };
  return table;
}

float view_measured(const Ui& ui, float x, float y, float width) {
  const Table table = measured_table(ui);
  const auto order = table_order(table, ui.state);
  y += ui.u(14);
  y += draw_wrapped(ui, x, y, width, ui.tr("ui.measured.hint"),
                    {.size = 13.5F, .color = Color::kDim}) +
       ui.u(6);
  std::string used;
  if (ui.computed.candidate) {
    used = ui.computed.report.candidates[*ui.computed.candidate].planned.time.evidence_key;
  }
  const TableEvents events{.selected = [&](std::size_t i) { return band_at(ui, i).key == used; }};
  return ui.phone() ? draw_cards(ui, table, order, x, y, width, events)
                    : draw_table(ui, table, order, x, y, width, events);
}

}  // namespace xuanka::web
