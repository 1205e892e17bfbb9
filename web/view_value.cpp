// Value for money: FLOPS against memory, for rented and for bought cards.
#include <algorithm>
#include <cmath>

#include "web/plot.hpp"
#include "web/views.hpp"
#include "xuanka/base/sort.hpp"

namespace xuanka::web {
namespace {

const std::vector<ValueRow>& rows_of(const Ui& ui) { return ui.computed.values(ui.api); }

std::string pflop(const std::optional<double>& flops) {
  return flops ? format_number(*flops / 1e15) : "—";
}

struct Point {
  double x, y;
  const ValueRow* row;
};

std::vector<Point> points_of(const Ui& ui) {
  std::vector<Point> points;
  for (const ValueRow& row : rows_of(ui)) {
    if (row.flops_per_money && row.gb_per_money)
      points.push_back({*row.flops_per_money / 1e15, *row.gb_per_money, &row});
  }
  // Best in both first: their names are the ones worth a label.
  sort_values(points, [](const Point& a, const Point& b) {
    return a.x * a.y != b.x * b.y ? a.x * a.y > b.x * b.y : a.row->gpu->id < b.row->gpu->id;
  });
  return points;
}

bool is_familiar(const Point& p) {
  constexpr std::array<std::string_view, 5> kFamiliar{
      "rtx-4090-24gb", "a100-pcie-40gb", "a100-sxm-80gb", "v100-sxm-32gb", "h100-sxm-80gb"};
  return std::find(kFamiliar.begin(), kFamiliar.end(), p.row->gpu->id) != kFamiliar.end();
}

void draw_points(const Ui& ui, const std::vector<Point>& points, const Rect& room) {
  std::vector<double> xs, ys;
  for (const Point& p : points) {
    xs.push_back(p.x);
    ys.push_back(p.y);
  }
  ImPlotSpec spec;
  spec.Marker = ImPlotMarker_Circle;
  spec.MarkerSize = ui.u(4);
  spec.MarkerFillColor = plot_color(ui, Color::kSeries1, 0.75F);
  spec.MarkerLineColor = plot_color(ui, Color::kPanel);
  ImPlot::PlotScatter("##cards", xs.data(), ys.data(), static_cast<int>(xs.size()), spec);
  std::vector<ImVec2> pixels;
  for (const Point& p : points) pixels.push_back(ImPlot::PlotToPixels(p.x, p.y));
  std::vector<PlotLabel> labels;
  for (const bool familiar : {true, false}) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (is_familiar(points[i]) == familiar && (familiar || i < 8))
        labels.push_back({pixels[i], points[i].row->gpu->name, Color::kSeries1, familiar});
    }
  }
  place_labels(ui, labels, pixels);
  const auto nearest = nearest_point(ui, room, pixels);
  if (!nearest) return;
  const Point& p = points[*nearest];
  const Money hourly{*p.row->hourly, ui.computed.shown};
  show_tooltip(ui, p.row->gpu->name + "\n" + format_price(hourly) + "/h\n" + format_number(p.x) +
                       " PFLOP/" + currency_symbol(ui.computed.shown) + ", " + format_number(p.y) +
                       " GB·h/" + currency_symbol(ui.computed.shown));
}

}  // namespace

float chart_value(const Ui& ui, float x, float y, float width) {
  ChartCard card(ui, x, y, width, ui.u(330), "value",
                 ui.trf("ui.chart.value", {{"currency", currency_symbol(ui.computed.shown)}}));
  const auto points = points_of(ui);
  if (points.empty()) return card.bottom();
  double x_low = points[0].x, x_high = x_low, y_low = points[0].y, y_high = y_low;
  for (const Point& p : points) {
    x_low = std::min(x_low, p.x);
    x_high = std::max(x_high, p.x);
    y_low = std::min(y_low, p.y);
    y_high = std::max(y_high, p.y);
  }
  const AxisRange xs{x_low / 1.3, x_high * 1.6, true}, ys{y_low / 1.3, y_high * 1.4, true};
  if (begin_plot(ui, "###value", card.room(), xs, ys, log_ticks(xs.low, xs.high),
                 log_ticks(ys.low, ys.high))) {
    draw_points(ui, points, card.room());
    end_plot();
  }
  return card.bottom();
}

Table value_table(const Ui& ui) {
  const auto row = [&ui](std::size_t i) -> const ValueRow& { return rows_of(ui)[i]; };
  const auto money = [&ui](const std::optional<double>& amount) {
    return amount ? format_price({*amount, ui.computed.shown}) : "—";
  };
  const std::string symbol = currency_symbol(ui.computed.shown);
  Table table{ListId::kValue, "value", ui.tr("ui.t.value"), {}, rows_of(ui).size()};
  table.columns = {
      {ui.tr("ui.c.gpu"), Align::kLeft, 235, 0, [=](std::size_t i) { return row(i).gpu->name; },
       nullptr, nullptr, nullptr, 190},
      {ui.tr("ui.c.per_card_hour"), Align::kRight, 96, 0,
       [=](std::size_t i) { return money(row(i).hourly); },
       [=](std::size_t i) { return row(i).hourly; }, nullptr,
       [=](std::size_t i) { return row(i).offer; }},
      {"PFLOP/" + symbol, Align::kRight, 84, 0,
       [=](std::size_t i) { return pflop(row(i).flops_per_money); },
       [=](std::size_t i) { return row(i).flops_per_money; }},
      {"GB·h/" + symbol, Align::kRight, 84, 0,
       [=](std::size_t i) {
         return row(i).gb_per_money ? format_number(*row(i).gb_per_money) : "—";
       },
       [=](std::size_t i) { return row(i).gb_per_money; }},
      {ui.tr("ui.c.card_price"), Align::kRight, 100, 1,
       [=](std::size_t i) {
         return row(i).price ? format_money({*row(i).price, ui.computed.shown}) : "—";
       },
       [=](std::size_t i) { return row(i).price; }},
      {"GFLOPS/" + symbol, Align::kRight, 92, 2,
       [=](std::size_t i) {
         return row(i).flops_per_price ? format_number(*row(i).flops_per_price / 1e9) : "—";
       },
       [=](std::size_t i) { return row(i).flops_per_price; }},
      {"GB/" + symbol + "1k", Align::kRight, 84, 3,
       [=](std::size_t i) {
         return row(i).gb_per_price ? format_number(*row(i).gb_per_price * 1000) : "—";
       },
       [=](std::size_t i) { return row(i).gb_per_price; }},
  };
  return table;
}

float view_value(const Ui& ui, float x, float y, float width) {
  y = chart_value(ui, x, y + ui.u(14), width) + ui.u(10);
  y += draw_wrapped(ui, x, y, width, ui.tr("ui.value.hint"),
                    {.size = kSmallSize, .color = Color::kDim}) +
       ui.u(4);
  const Table table = value_table(ui);
  const auto order = table_order(table, ui.state);
  return ui.phone() ? draw_cards(ui, table, order, x, y, width)
                    : draw_table(ui, table, order, x, y, width);
}

}  // namespace xuanka::web
