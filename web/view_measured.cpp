// Measured against predicted: every shipped case as a point, how far they lie from the estimates by
// kind of job, and the cases one by one.
#include <algorithm>
#include <cmath>
#include <memory>

#include "web/plot.hpp"
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

std::string kind_word(const Ui& ui, CaseKind kind) {
  return ui.tr("ui.case." + std::string(case_kind_name(kind)));
}

// The cases of the chosen kind, and all of them for the twin.
std::vector<const MeasuredPoint*> cases_of(const Ui& ui, bool all) {
  std::vector<const MeasuredPoint*> points;
  for (const MeasuredPoint& p : ui.computed.measured) {
    if (all || ui.state.case_kind.empty() || case_kind_name(p.kind) == ui.state.case_kind)
      points.push_back(&p);
  }
  return points;
}

float kind_chips(const Ui& ui, float x, float y, float width) {
  Flow flow(x, y, width, ui.u(6), ui.u(ui.fingers() ? 36 : 26));
  if (chip(ui, "###case-all", flow, ui.tr("ui.case.all"), ui.state.case_kind.empty()))
    ui.act(ShowCases{""});
  for (std::size_t k = 0; k < kCaseKinds; ++k) {
    const std::string_view name = case_kind_name(static_cast<CaseKind>(k));
    const bool on = ui.state.case_kind == name;
    if (chip(ui, "###case-" + std::string(name), flow, kind_word(ui, static_cast<CaseKind>(k)), on))
      ui.act(ShowCases{on ? "" : std::string(name)});
  }
  return flow.bottom();
}

Color kind_color(CaseKind kind) {
  return kind == CaseKind::kLink ? Color::kDim : series_color(static_cast<std::size_t>(kind));
}

ImPlotMarker kind_marker(CaseKind kind) {
  constexpr std::array<ImPlotMarker, kCaseKinds> kMarkers{ImPlotMarker_Circle, ImPlotMarker_Square,
                                                          ImPlotMarker_Diamond, ImPlotMarker_Up,
                                                          ImPlotMarker_Down};
  return kMarkers[static_cast<std::size_t>(kind)];
}

// The line of agreement and 20 % to either side of it.
void draw_agreement(const Ui& ui, const AxisRange& range) {
  const std::array<double, 2> at{range.low, range.high}, low{range.low / 1.2, range.high / 1.2},
      high{range.low * 1.2, range.high * 1.2};
  ImPlotSpec band, line;
  band.FillColor = plot_color(ui, Color::kOk);
  band.FillAlpha = 0.18F;
  line.LineColor = plot_color(ui, Color::kOk);
  line.LineWeight = ui.u(1.4F);
  ImPlot::PlotShaded("##near", at.data(), low.data(), high.data(), 2, band);
  ImPlot::PlotLine("##agree", at.data(), at.data(), 2, line);
}

void draw_kinds(const Ui& ui, const std::vector<const MeasuredPoint*>& points) {
  for (std::size_t k = 0; k < kCaseKinds; ++k) {
    std::vector<double> xs, ys;
    for (const MeasuredPoint* p : points) {
      if (static_cast<std::size_t>(p->kind) != k) continue;
      xs.push_back(p->measured);
      ys.push_back(p->predicted);
    }
    const auto kind = static_cast<CaseKind>(k);
    ImPlotSpec spec;
    spec.Marker = kind_marker(kind);
    spec.MarkerSize = ui.u(3);
    spec.MarkerFillColor = plot_color(ui, kind_color(kind), 0.6F);
    spec.MarkerLineColor = ImVec4(0, 0, 0, 0);
    ImPlot::PlotScatter(("##kind" + std::to_string(k)).c_str(), xs.data(), ys.data(),
                        static_cast<int>(xs.size()), spec);
  }
}

std::string point_text(const Ui& ui, const MeasuredPoint& p) {
  const Gpu* gpu = ui.api.knowledge().catalog.find_gpu(p.gpu);
  const double error = p.error();
  return p.id + "\n" + (gpu != nullptr ? gpu->name : p.gpu) + ", " + kind_word(ui, p.kind) + "\n" +
         ui.trf("ui.measured.point", {{"measured", format_number(p.measured)},
                                      {"predicted", format_number(p.predicted)},
                                      {"low", format_number(p.low)},
                                      {"high", format_number(p.high)},
                                      {"unit", p.unit},
                                      {"error", (error > 0   ? "+"
                                                 : error < 0 ? "-"
                                                             : "") +
                                                    format_percent(std::abs(error))}}) +
         "\n" + ui.trf("ui.source_is", {{"source", p.source}});
}

// Names of the marks: only the kinds that are drawn.
float kind_legend(const Ui& ui, const std::vector<const MeasuredPoint*>& points, float x, float y,
                  float width) {
  Flow flow(x, y, width, ui.u(14), ui.u(17));
  for (std::size_t k = 0; k < kCaseKinds; ++k) {
    const auto n = std::count_if(points.begin(), points.end(), [k](const MeasuredPoint* p) {
      return static_cast<std::size_t>(p->kind) == k;
    });
    if (n == 0) continue;
    const auto kind = static_cast<CaseKind>(k);
    const std::string text = kind_word(ui, kind) + " " + std::to_string(n);
    const Rect r = flow.next(text_width(ui, text, 11.5F) + ui.u(14));
    ImDrawList* d = ImGui::GetWindowDrawList();
    const ImVec2 c(r.x + ui.u(5), r.y + r.h / 2);
    const float s = ui.u(4);
    const ImU32 color = ui.color(kind_color(kind));
    if (k == 0) d->AddCircleFilled(c, s, color);
    if (k == 1) d->AddRectFilled(ImVec2(c.x - s, c.y - s), ImVec2(c.x + s, c.y + s), color);
    if (k == 2)
      d->AddQuadFilled(ImVec2(c.x - s, c.y), ImVec2(c.x, c.y - s), ImVec2(c.x + s, c.y),
                       ImVec2(c.x, c.y + s), color);
    const float up = k == 4 ? -s : s;
    if (k >= 3)
      d->AddTriangleFilled(ImVec2(c.x - s, c.y + up), ImVec2(c.x + s, c.y + up),
                           ImVec2(c.x, c.y - up), color);
    draw_line(ui, {r.x + ui.u(13), r.y, r.w - ui.u(13) + 1, r.h}, text,
              {.size = 11.5F, .color = Color::kDim});
  }
  return flow.bottom();
}

float chart_measured(const Ui& ui, float x, float y, float width) {
  const auto points = cases_of(ui, false);
  const float height = ui.u(points.empty() ? 120 : ui.phone() ? 340 : 400);
  ChartCard card(ui, x, y, width, height, "measured", ui.tr("ui.chart.measured"));
  if (points.empty()) {
    draw_wrapped(ui, card.room().x, card.room().y + ui.u(20), card.room().w,
                 ui.tr(ui.computed.measured_failed ? "ui.measured.failed" : "ui.measured.loading"),
                 {.size = 13, .color = Color::kDim, .align = Align::kCenter});
    return card.bottom();
  }
  AxisRange range{points[0]->measured, points[0]->measured, true};
  for (const MeasuredPoint* p : points) {
    range.low = std::min({range.low, p->measured, p->predicted});
    range.high = std::max({range.high, p->measured, p->predicted});
  }
  range = {range.low / 1.5, range.high * 1.5, true};
  Rect plot = card.room();
  plot.y = kind_legend(ui, points, plot.x, plot.y, plot.w) + ui.u(4);
  plot.h = card.bottom() - ui.u(12) - plot.y;
  const Ticks ticks = log_ticks(range.low, range.high);
  if (begin_plot(ui, "###measured", plot, range, range, ticks, ticks)) {
    draw_agreement(ui, range);
    draw_kinds(ui, points);
    std::vector<ImVec2> pixels;
    for (const MeasuredPoint* p : points)
      pixels.push_back(ImPlot::PlotToPixels(p->measured, p->predicted));
    if (const auto i = nearest_point(ui, plot, pixels, 12)) {
      ImPlot::GetPlotDrawList()->AddCircle(pixels[*i], ui.u(6), ui.color(Color::kText), 0,
                                           ui.u(1.5F));
      show_tooltip(ui, point_text(ui, *points[*i]));
    }
    end_plot();
  }
  return card.bottom();
}

Table cases_table_of(const Ui& ui, std::vector<const MeasuredPoint*> points) {
  const std::size_t rows = points.size();
  auto list = std::make_shared<std::vector<const MeasuredPoint*>>(std::move(points));
  const auto at = [list](std::size_t i) -> const MeasuredPoint& { return *(*list)[i]; };
  const auto hint = [=, &ui](std::size_t i) { return point_text(ui, at(i)); };
  Table table{ListId::kCases, "cases", ui.tr("ui.t.cases"), {}, rows};
  table.columns = {
      {ui.tr("ui.c.case"), Align::kLeft, 220, 0, [=](std::size_t i) { return at(i).id; }, nullptr,
       nullptr, hint, 150},
      {ui.tr("ui.c.gpu"), Align::kLeft, 150, 2,
       [=, &ui](std::size_t i) {
         const Gpu* gpu = ui.api.knowledge().catalog.find_gpu(at(i).gpu);
         return gpu != nullptr ? gpu->name : at(i).gpu;
       },
       nullptr, nullptr, nullptr, 110},
      {ui.tr("ui.c.measured"), Align::kRight, 90, 0,
       [=](std::size_t i) { return format_grouped(at(i).measured); },
       [=](std::size_t i) -> std::optional<double> { return at(i).measured; }},
      {ui.tr("ui.c.predicted"), Align::kRight, 90, 0,
       [=](std::size_t i) { return format_grouped(at(i).predicted); },
       [=](std::size_t i) -> std::optional<double> { return at(i).predicted; }, nullptr, hint},
      {ui.tr("ui.c.error"), Align::kRight, 80, 0,
       [=](std::size_t i) {
         const double error = at(i).error();
         return (error > 0 ? "+" : error < 0 ? "-" : "") + format_percent(std::abs(error));
       },
       [=](std::size_t i) -> std::optional<double> { return at(i).error(); }, nullptr, hint},
      {ui.tr("ui.c.unit"), Align::kLeft, 150, 3, [=](std::size_t i) { return at(i).unit; }, nullptr,
       nullptr, [=](std::size_t i) { return at(i).unit; }, 100},
      {ui.tr("ui.c.source"), Align::kLeft, 190, 4, [=](std::size_t i) { return at(i).source; },
       nullptr, nullptr, [=](std::size_t i) { return at(i).source; }, 120},
  };
  return table;
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

Table cases_table(const Ui& ui) { return cases_table_of(ui, cases_of(ui, true)); }

namespace {

float case_list(const Ui& ui, float x, float y, float width) {
  const Table table = cases_table_of(ui, cases_of(ui, false));
  if (table.rows == 0) return y;
  std::string text = ui.state.filter[static_cast<std::size_t>(ListId::kCases)];
  draw_line(ui, {x, y, width, ui.u(20)}, ui.tr("ui.t.cases"), {.size = 14, .face = Face::kBold});
  y += ui.u(28);
  if (text_box(ui, "###case-search", {x, y, std::min(width, ui.u(360)), ui.row()}, text,
               ui.tr("ui.search_cases"),
               {.key = "filter:" + std::to_string(static_cast<int>(ListId::kCases)),
                .title = ui.tr("ui.search_cases"),
                .value = text,
                .unit = "",
                .hint = "",
                .kind = SheetRequest::Kind::kText}))
    ui.act(SetFilter{ListId::kCases, text});
  y += ui.row() + ui.u(6);
  auto order = table_order(table, ui.state);
  if (ui.phone()) order.resize(std::min<std::size_t>(order.size(), 40));
  return ui.phone() ? draw_cards(ui, table, order, x, y, width)
                    : draw_table(ui, table, order, x, y, width);
}

}  // namespace

float view_measured(const Ui& ui, float x, float y, float width) {
  const Table table = measured_table(ui);
  const auto order = table_order(table, ui.state);
  y += ui.u(14);
  const MeasuredSummary sum = summarise(cases_of(ui, false));
  if (sum.cases > 0) {
    y += draw_wrapped(ui, x, y, width,
                      ui.trf("ui.measured.summary", {{"n", static_cast<double>(sum.cases)},
                                                     {"median", sum.median_error},
                                                     {"near", sum.near_share},
                                                     {"inside", sum.inside_share}}),
                      {.size = 15, .face = Face::kBold}) +
         ui.u(8);
  }
  y = kind_chips(ui, x, y, width) + ui.u(10);
  y = chart_measured(ui, x, y, width) + ui.u(18);
  y += draw_wrapped(ui, x, y, width, ui.tr("ui.measured.hint"),
                    {.size = 13.5F, .color = Color::kDim}) +
       ui.u(6);
  std::string used;
  if (ui.computed.candidate) {
    used = ui.computed.report.candidates[*ui.computed.candidate].planned.time.evidence_key;
  }
  const TableEvents events{.selected = [&](std::size_t i) { return band_at(ui, i).key == used; }};
  y = ui.phone() ? draw_cards(ui, table, order, x, y, width, events)
                 : draw_table(ui, table, order, x, y, width, events);
  return case_list(ui, x, y + ui.u(22), width);
}

}  // namespace xuanka::web
