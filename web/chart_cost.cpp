// Cost against time: every plan a dot, those that nothing beats in both joined by a line.
#include <algorithm>
#include <cmath>

#include "web/plot.hpp"
#include "web/views.hpp"
#include "xuanka/base/sort.hpp"

namespace xuanka::web {
namespace {

struct Dot {
  std::size_t row;
  double hours, cost;
  bool best = false;
};

// Plans with a price and a time; those not beaten in both are marked (the Pareto front).
std::vector<Dot> dots_of(const Ui& ui) {
  std::vector<Dot> dots;
  const auto& rows = ui.computed.view.rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].hours && rows[i].cost && *rows[i].hours > 0 && *rows[i].cost > 0 &&
        rows[i].verdict != Verdict::kDoesNotFit && rows[i].verdict != Verdict::kUnsupported) {
      dots.push_back({i, *rows[i].hours, *rows[i].cost});
    }
  }
  sort_values(dots, [](const Dot& a, const Dot& b) {
    return a.hours != b.hours ? a.hours < b.hours
           : a.cost != b.cost ? a.cost < b.cost
                              : a.row < b.row;
  });
  double least = std::numeric_limits<double>::infinity();
  for (Dot& d : dots) {
    d.best = d.cost < least;
    least = std::min(least, d.cost);
  }
  return dots;
}

void draw_dots(const Ui& ui, const std::vector<Dot>& dots) {
  std::vector<double> xs, ys, front_x, front_y;
  for (const Dot& d : dots) {
    (d.best ? front_x : xs).push_back(d.hours);
    (d.best ? front_y : ys).push_back(d.cost);
  }
  ImPlotSpec other, front, line;
  other.Marker = ImPlotMarker_Circle;
  other.MarkerSize = ui.u(3);
  other.MarkerFillColor = plot_color(ui, Color::kDim, 0.45F);
  other.MarkerLineColor = ImVec4(0, 0, 0, 0);
  front.Marker = ImPlotMarker_Circle;
  front.MarkerSize = ui.u(4.5F);
  front.MarkerFillColor = plot_color(ui, Color::kSeries1);
  front.MarkerLineColor = plot_color(ui, Color::kPanel);
  line.LineColor = plot_color(ui, Color::kSeries1);
  line.LineWeight = ui.u(1.6F);
  ImPlot::PlotScatter("##other", xs.data(), ys.data(), static_cast<int>(xs.size()), other);
  ImPlot::PlotLine("##line", front_x.data(), front_y.data(), static_cast<int>(front_x.size()),
                   line);
  ImPlot::PlotScatter("##front", front_x.data(), front_y.data(), static_cast<int>(front_x.size()),
                      front);
}

void labels_and_hover(const Ui& ui, const std::vector<Dot>& dots, const Rect& room) {
  const auto& rows = ui.computed.view.rows;
  std::vector<ImVec2> points;
  for (const Dot& d : dots) points.push_back(ImPlot::PlotToPixels(d.hours, d.cost));
  std::vector<PlotLabel> labels;
  const auto name = [&](std::size_t i) {
    // The plan shown and the fastest one (dots are ordered by time) always have their names.
    labels.push_back({points[i], rows[dots[i].row].label, Color::kSeries1,
                      i == 0 || ui.computed.candidate == dots[i].row});
  };
  for (std::size_t i = 0; i < dots.size(); ++i) {
    if (ui.computed.candidate != dots[i].row) continue;
    ImPlot::GetPlotDrawList()->AddCircle(points[i], ui.u(8), ui.color(Color::kText), 0, ui.u(1.5F));
    name(i);
  }
  for (std::size_t i = 0; i < dots.size(); ++i) {
    if (dots[i].best && ui.computed.candidate != dots[i].row) name(i);
  }
  place_labels(ui, labels, points);
  const auto nearest = nearest_point(ui, room, points);
  if (!nearest) return;
  const CandidateRow& row = rows[dots[*nearest].row];
  const RowWords& words = ui.computed.words(ui.api, ui.lang, dots[*nearest].row);
  show_tooltip(ui, row.label + "\n" + words.hours_range + ", " + words.cost_range);
}

}  // namespace

float chart_cost(const Ui& ui, float x, float y, float width) {
  ChartCard card(ui, x, y, width, ui.u(300), "cost",
                 ui.trf("ui.chart.cost", {{"currency", currency_symbol(ui.computed.shown)}}));
  const auto dots = dots_of(ui);
  if (dots.empty()) {
    draw_wrapped(ui, card.room().x, card.room().y + ui.u(40), card.room().w,
                 ui.tr("ui.chart.nothing"),
                 {.size = 13, .color = Color::kDim, .align = Align::kCenter});
    return card.bottom();
  }
  AxisRange xs{dots[0].hours, dots[0].hours, true}, ys{dots[0].cost, dots[0].cost, true};
  for (const Dot& d : dots) {
    xs = {std::min(xs.low, d.hours), std::max(xs.high, d.hours), true};
    ys = {std::min(ys.low, d.cost), std::max(ys.high, d.cost), true};
  }
  xs = {xs.low / 1.4, xs.high * 1.4, true};
  ys = {ys.low / 1.5, ys.high * 1.5, true};
  if (begin_plot(ui, "###cost", card.room(), xs, ys, log_ticks(xs.low, xs.high),
                 log_ticks(ys.low, ys.high))) {
    if (const auto deadline = ui.computed.view.deadline_hours) {
      dashed_line(ui, ImPlot::PlotToPixels(*deadline, ys.low),
                  ImPlot::PlotToPixels(*deadline, ys.high), ui.color(Color::kBad), ui.u(1.2F),
                  ui.u(4), ui.u(3));
    }
    draw_dots(ui, dots);
    labels_and_hover(ui, dots, card.room());
    end_plot();
  }
  return card.bottom();
}

}  // namespace xuanka::web
