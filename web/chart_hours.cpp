// Hours by number of cards, with the deadline and the ranges.
#include <algorithm>
#include <cmath>
#include <memory>

#include "web/plot.hpp"
#include "web/views.hpp"
#include "xuanka/base/sort.hpp"

namespace xuanka::web {
namespace {

struct Series {
  std::string gpu, name;
  std::vector<double> x, mid, low, high;
  std::vector<int> count;
};

// "4 × RTX 4090" -> "RTX 4090".
std::string card_name(const std::string& label) {
  const std::size_t at = label.find("× ");
  return at == std::string::npos ? label : label.substr(at + std::string("× ").size());
}

// The cards of the first plans that can do the job, the recommended or selected one first.
std::vector<Series> series_of(const Ui& ui, std::size_t most) {
  const auto& rows = ui.computed.view.rows;
  std::vector<Series> all;
  const auto add_card = [&](const CandidateRow& row) {
    const auto same = [&](const Series& s) { return s.gpu == row.gpu; };
    if (all.size() >= most || !row.hours || std::any_of(all.begin(), all.end(), same)) return;
    all.push_back({row.gpu, card_name(row.label), {}, {}, {}, {}, {}});
  };
  if (ui.computed.candidate) add_card(rows[*ui.computed.candidate]);
  for (const CandidateRow& row : rows) add_card(row);
  for (Series& s : all) {
    std::vector<const CandidateRow*> points;
    for (const CandidateRow& row : rows) {
      if (row.gpu == s.gpu && row.hours && row.verdict != Verdict::kDoesNotFit)
        points.push_back(&row);
    }
    sort_values(points,
                [](const CandidateRow* a, const CandidateRow* b) { return a->count < b->count; });
    for (const CandidateRow* row : points) {
      s.x.push_back(std::log2(static_cast<double>(row->count)));
      s.mid.push_back(*row->hours);
      s.low.push_back(row->hours_low.value_or(*row->hours));
      s.high.push_back(row->hours_high.value_or(*row->hours));
      s.count.push_back(row->count);
    }
  }
  std::erase_if(all, [](const Series& s) { return s.x.empty(); });
  return all;
}

void draw_series(const Ui& ui, const std::vector<Series>& all) {
  for (std::size_t i = all.size(); i-- > 0;) {
    const Series& s = all[i];
    const int n = static_cast<int>(s.x.size());
    ImPlotSpec band, line;
    band.FillColor = plot_color(ui, series_color(i));
    band.FillAlpha = i == 0 ? 0.2F : 0.09F;
    line.LineColor = plot_color(ui, series_color(i));
    line.LineWeight = ui.u(2.2F);
    line.Marker = static_cast<ImPlotMarker>(i % 4 == 0   ? ImPlotMarker_Circle
                                            : i % 4 == 1 ? ImPlotMarker_Square
                                            : i % 4 == 2 ? ImPlotMarker_Diamond
                                                         : ImPlotMarker_Up);
    line.MarkerSize = ui.u(3);
    line.MarkerFillColor = plot_color(ui, series_color(i));
    line.MarkerLineColor = plot_color(ui, series_color(i));
    ImPlot::PlotShaded(("##band" + s.gpu).c_str(), s.x.data(), s.low.data(), s.high.data(), n,
                       band);
    ImPlot::PlotLine(("##line" + s.gpu).c_str(), s.x.data(), s.mid.data(), n, line);
  }
}

// Right of the last points; names are tied to their lines where lines end close together.
void name_series(const Ui& ui, const std::vector<Series>& all, double last,
                 const AxisRange& range) {
  std::vector<PlotLabel> labels;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t k = all[i].x.size() - 1;
    labels.push_back({ImPlot::PlotToPixels(all[i].x[k], std::min(all[i].mid[k], range.high)),
                      all[i].name, series_color(i)});
  }
  place_end_labels(ui, std::move(labels), ImPlot::PlotToPixels(last, 0.0).x + ui.u(18));
}

void hover_point(const Ui& ui, const std::vector<Series>& all, const Rect& room) {
  std::vector<ImVec2> points;
  std::vector<std::string> texts;
  for (const Series& s : all) {
    for (std::size_t k = 0; k < s.x.size(); ++k) {
      points.push_back(ImPlot::PlotToPixels(s.x[k], s.mid[k]));
      texts.push_back(std::to_string(s.count[k]) + " × " + s.name + "\n" +
                      format_duration(ui.lang, hours(s.mid[k])) + "  (" +
                      format_duration_range(ui.lang, hours(s.low[k]), hours(s.high[k])) + ")");
    }
  }
  if (const auto i = nearest_point(ui, room, points, 28)) show_tooltip(ui, texts[*i]);
}

}  // namespace

float chart_hours(const Ui& ui, float x, float y, float width) {
  const auto deadline = ui.computed.view.deadline_hours;
  const std::string title = deadline ? ui.trf("ui.chart.hours_deadline", {{"hours", *deadline}})
                                     : ui.tr("ui.chart.hours");
  ChartCard card(ui, x, y, width, ui.u(252), "hours", title);
  const auto all = series_of(ui, 4);
  if (all.empty()) {
    draw_wrapped(ui, card.room().x, card.room().y + ui.u(40), card.room().w,
                 ui.tr("ui.chart.nothing"),
                 {.size = 13, .color = Color::kDim, .align = Align::kCenter});
    return card.bottom();
  }
  // Near the decision: the deadline and the fastest plan are always inside, hopeless counts run out
  // of the picture.
  double top = all[0].high[0], last = 0, fastest = all[0].mid[0];
  for (const Series& s : all) {
    last = std::max(last, s.x.back());
    fastest = std::min(fastest, *std::min_element(s.mid.begin(), s.mid.end()));
  }
  if (deadline) {
    const double least = std::max(*deadline * 1.25, fastest * 1.8);
    top = std::clamp(top, least, std::max(*deadline * 3, least));
  }
  Ticks xs, ys = linear_ticks(top, 4);
  for (double at = 0; at <= last; ++at) {
    xs.at.push_back(at);
    xs.labels.push_back(format_number(std::exp2(at)));
  }
  if (deadline) {
    for (std::size_t i = 0; i < ys.at.size(); ++i) {
      if (std::abs(ys.at[i] - *deadline) < top * 0.12) ys.labels[i] = " ";
    }
    ys.at.push_back(*deadline);
    ys.labels.push_back(format_duration(ui.lang, hours(*deadline)));
  }
  const AxisRange range{0, top, false};
  // Room on the right for the longest name.
  float names = 0;
  for (const Series& s : all) names = std::max(names, text_width(ui, s.name, 11.5F) + ui.u(46));
  const double inner = std::max(1.0, static_cast<double>(card.room().w - ui.u(50)));
  const double share = std::min(static_cast<double>(names) / inner, 0.55);
  const double right = last + (std::max(last, 1.0) + 0.25) * share / (1 - share);
  if (begin_plot(ui, "###hours", card.room(), {-0.25, right, false}, range, xs, ys)) {
    if (deadline) {
      const ImVec2 from = ImPlot::PlotToPixels(-0.25, *deadline),
                   to = ImPlot::PlotToPixels(last + 0.04, *deadline);
      dashed_line(ui, from, to, ui.color(Color::kBad), ui.u(1.2F), ui.u(4), ui.u(3));
    }
    draw_series(ui, all);
    name_series(ui, all, last, range);
    hover_point(ui, all, card.room());
    end_plot();
  }
  return card.bottom();
}

Table hours_table(const Ui& ui) {
  auto all = std::make_shared<std::vector<Series>>(series_of(ui, 4));
  std::vector<int> counts;
  for (const Series& s : *all) counts.insert(counts.end(), s.count.begin(), s.count.end());
  sort_values(counts);
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  Table table{ListId::kCount_, "hours", ui.tr("ui.t.hours"), {}, all->size()};
  table.columns.push_back(
      {ui.tr("ui.c.gpu"), Align::kLeft, 190, 0, [all](std::size_t i) { return (*all)[i].name; }});
  for (const int count : counts) {
    table.columns.push_back(
        {ui.trf("ui.c.on_cards", {{"n", static_cast<double>(count)}}), Align::kRight, 110, 0,
         [all, count, &ui](std::size_t i) -> std::string {
           const Series& s = (*all)[i];
           for (std::size_t k = 0; k < s.count.size(); ++k) {
             if (s.count[k] != count) continue;
             return format_duration(ui.lang, hours(s.mid[k])) + " (" +
                    format_duration_range(ui.lang, hours(s.low[k]), hours(s.high[k])) + ")";
           }
           return "—";
         }});
  }
  return table;
}

}  // namespace xuanka::web
