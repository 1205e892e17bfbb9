// Roofline: what a card can do at each ratio of arithmetic to memory traffic, and where the job
// lies on it.
#include <algorithm>
#include <cmath>
#include <memory>

#include "web/plot.hpp"
#include "web/views.hpp"

namespace xuanka::web {
namespace {

/// One card's roof and the job's point under it; rates in FLOP/s, ratios in FLOP per byte moved.
struct Roof {
  std::string name;
  double peak = 0, bandwidth = 0;                  ///< of the data sheet, at the job's precision
  double reached_peak = 0, reached_bandwidth = 0;  ///< what measured kernels reach of them
  double intensity = 0, achieved = 0;
  [[nodiscard]] double at(double ratio) const { return std::min(peak, bandwidth * ratio); }
  [[nodiscard]] double ridge() const { return peak / bandwidth; }
};

// The traffic is the time that the model gives to memory-bound work, at the bandwidth it takes
// for it; the arithmetic is what hardware FLOPS utilisation says.
std::optional<Roof> roof_of(const Ui& ui, std::size_t i) {
  const Candidate& c = ui.computed.report.candidates[i];
  const Gpu* gpu = ui.api.knowledge().catalog.find_gpu(c.gpu);
  const TimeEstimate& time = c.planned.time;
  const double step = time.step.value(), memory = time.parts.memory.value();
  if (gpu == nullptr || !(step > 0) || !(memory > 0) || !(time.hfu > 0)) return std::nullopt;
  const EfficiencyModel& model = ui.api.knowledge().efficiency;
  const auto kind = static_cast<std::size_t>(gpu_class(*gpu));
  Roof roof;
  roof.name = ui.computed.view.rows[i].label;
  roof.peak = c.job.peak.rate.value();
  roof.bandwidth = gpu->bandwidth.value();
  roof.reached_peak = roof.peak * model.matmul_peak[kind];
  roof.reached_bandwidth = roof.bandwidth * model.bandwidth_reached[kind];
  roof.achieved = time.hfu * roof.peak;
  roof.intensity = roof.achieved / (memory / step * roof.reached_bandwidth);
  if (!std::isfinite(roof.intensity) || !(roof.peak > 0) || !(roof.bandwidth > 0))
    return std::nullopt;
  return roof;
}

// The plan shown first, then the best plans of other cards.
std::vector<Roof> roofs_of(const Ui& ui, std::size_t most) {
  std::vector<Roof> roofs;
  std::vector<std::string> cards;
  const auto add = [&](std::size_t i) {
    const std::string& gpu = ui.computed.view.rows[i].gpu;
    if (roofs.size() >= most || std::find(cards.begin(), cards.end(), gpu) != cards.end()) return;
    auto roof = roof_of(ui, i);
    if (!roof) return;
    cards.push_back(gpu);
    roofs.push_back(std::move(*roof));
  };
  if (ui.computed.candidate) add(*ui.computed.candidate);
  for (std::size_t i = 0; i < std::min<std::size_t>(ui.computed.view.rows.size(), 60); ++i) add(i);
  return roofs;
}

void draw_roof(const Ui& ui, const Roof& roof, std::size_t i, const AxisRange& xs) {
  const std::array<double, 3> x{xs.low, roof.ridge(), xs.high},
      y{roof.at(xs.low), roof.peak, roof.peak};
  ImPlotSpec line;
  line.LineColor = plot_color(ui, series_color(i), i == 0 ? 1 : 0.65F);
  line.LineWeight = ui.u(i == 0 ? 2.2F : 1.4F);
  ImPlot::PlotLine(("##roof" + std::to_string(i)).c_str(), x.data(), y.data(), 3, line);
  const double ridge = roof.reached_peak / roof.reached_bandwidth;
  if (i == 0 && roof.reached_peak > 0) {
    const auto pixel = [](double a, double b) { return ImPlot::PlotToPixels(a, b); };
    const ImU32 color = ui.color(series_color(i), 0.8F);
    dashed_line(ui, pixel(xs.low, roof.reached_bandwidth * xs.low), pixel(ridge, roof.reached_peak),
                color, ui.u(1.2F), ui.u(4), ui.u(3));
    dashed_line(ui, pixel(ridge, roof.reached_peak), pixel(xs.high, roof.reached_peak), color,
                ui.u(1.2F), ui.u(4), ui.u(3));
  }
  ImPlotSpec point;
  point.Marker = ImPlotMarker_Circle;
  point.MarkerSize = ui.u(i == 0 ? 6 : 4.5F);
  point.MarkerFillColor = plot_color(ui, series_color(i));
  point.MarkerLineColor = plot_color(ui, Color::kPanel);
  ImPlot::PlotScatter(("##job" + std::to_string(i)).c_str(), &roof.intensity, &roof.achieved, 1,
                      point);
}

std::string roof_text(const Ui& ui, const Roof& roof) {
  return roof.name + "\n" +
         ui.trf("ui.roof.point", {{"intensity", roof.intensity},
                                  {"achieved", roof.achieved / 1e12},
                                  {"peak", roof.peak / 1e12},
                                  {"ridge", roof.ridge()},
                                  {"bandwidth", roof.bandwidth / 1e9}});
}

}  // namespace

float chart_roofline(const Ui& ui, float x, float y, float width) {
  ChartCard card(ui, x, y, width, ui.u(300), "roofline", ui.tr("ui.chart.roofline"));
  const auto roofs = roofs_of(ui, 4);
  if (roofs.empty()) {
    draw_wrapped(ui, card.room().x, card.room().y + ui.u(60), card.room().w,
                 ui.tr("ui.roof.nothing"),
                 {.size = 13, .color = Color::kDim, .align = Align::kCenter});
    return card.bottom();
  }
  AxisRange xs{roofs[0].ridge(), roofs[0].ridge(), true},
      ys{roofs[0].achieved, roofs[0].peak, true};
  for (const Roof& r : roofs) {
    xs = {std::min({xs.low, r.ridge(), r.intensity}), std::max({xs.high, r.ridge(), r.intensity}),
          true};
    ys = {std::min(ys.low, r.achieved), std::max(ys.high, r.peak), true};
  }
  xs = {xs.low / 4, xs.high * 6, true};
  ys = {ys.low / 4, ys.high * 1.6, true};
  Ticks vertical = log_ticks(ys.low / 1e12, ys.high / 1e12);
  for (double& at : vertical.at) at *= 1e12;
  if (begin_plot(ui, "###roofline", card.room(), xs, ys, log_ticks(xs.low, xs.high), vertical)) {
    for (std::size_t i = roofs.size(); i-- > 0;) draw_roof(ui, roofs[i], i, xs);
    std::vector<ImVec2> points;
    std::vector<PlotLabel> labels;
    for (std::size_t i = 0; i < roofs.size(); ++i) {
      points.push_back(ImPlot::PlotToPixels(roofs[i].intensity, roofs[i].achieved));
      labels.push_back({points[i], roofs[i].name, series_color(i), i == 0});
    }
    std::vector<ImVec2> taken = points;  // names stay off the roofs too
    for (const Roof& roof : roofs) {
      for (double step = 0; step <= 1; step += 0.02) {
        const double ratio = xs.low * std::pow(xs.high / xs.low, step);
        taken.push_back(ImPlot::PlotToPixels(ratio, roof.at(ratio)));
      }
    }
    place_labels(ui, labels, taken);
    if (const auto i = nearest_point(ui, card.room(), points, 24))
      show_tooltip(ui, roof_text(ui, roofs[*i]));
    end_plot();
  }
  return card.bottom();
}

Table roofline_table(const Ui& ui) {
  auto roofs = std::make_shared<std::vector<Roof>>(roofs_of(ui, 4));
  Table table{ListId::kCount_, "roofline", ui.tr("ui.t.roofline"), {}, roofs->size()};
  const auto column = [&](std::string title, auto value) {
    return Column{std::move(title), Align::kRight, 100, 0,
                  [=](std::size_t i) { return format_number(value((*roofs)[i])); }};
  };
  table.columns = {
      {ui.tr("ui.c.plan"), Align::kLeft, 205, 0, [=](std::size_t i) { return (*roofs)[i].name; }},
      column(ui.tr("ui.roof.intensity"), [](const Roof& r) { return r.intensity; }),
      column(ui.tr("ui.roof.achieved"), [](const Roof& r) { return r.achieved / 1e12; }),
      column(ui.tr("ui.roof.peak"), [](const Roof& r) { return r.peak / 1e12; }),
      column(ui.tr("ui.roof.bandwidth"), [](const Roof& r) { return r.bandwidth / 1e9; }),
      column(ui.tr("ui.roof.ridge"), [](const Roof& r) { return r.ridge(); }),
  };
  return table;
}

}  // namespace xuanka::web
