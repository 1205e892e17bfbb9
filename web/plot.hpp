// What the charts share: a card with a title that says what is seen, and a read-only ImPlot in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "implot.h"
#include "web/widgets.hpp"

namespace xuanka::web {

/// Colour of series `i` (0-3, then again).
[[nodiscard]] Color series_color(std::size_t i);
[[nodiscard]] ImVec4 plot_color(const Ui& ui, Color color, float alpha = 1);

struct AxisRange {
  double low = 0, high = 1;
  bool logarithmic = false;
};
/// Opens a plot without frame, legend and zoom; `labels` are the texts of the ticks at `ticks`.
struct Ticks {
  std::vector<double> at;
  std::vector<std::string> labels;
};
bool begin_plot(const Ui& ui, std::string_view id, const Rect& r, const AxisRange& x,
                const AxisRange& y, const Ticks& x_ticks, const Ticks& y_ticks);
void end_plot();

/// Round values for an axis from 0 to `high`, about `count` of them.
[[nodiscard]] Ticks linear_ticks(double high, int count);
/// Powers of ten and their halves between low and high.
[[nodiscard]] Ticks log_ticks(double low, double high);

/// A name for a point of the open plot.
struct PlotLabel {
  ImVec2 at;  ///< the point, in CSS px
  std::string text;
  Color dot = Color::kSeries1;
  bool always = false;  ///< shown even where it has to cover points
};
/// Writes the names beside their points, where they cover neither each other nor, as far as can be,
/// any of `points`; those without such a place are left out. First come, first served.
void place_labels(const Ui& ui, const std::vector<PlotLabel>& labels,
                  const std::vector<ImVec2>& points);
/// Names at the right ends of lines, one under another from `x` on, each tied to its end.
void place_end_labels(const Ui& ui, std::vector<PlotLabel> labels, float x);

/// The point of the open plot nearest to the pointer, at most `reach` units away.
[[nodiscard]] std::optional<std::size_t> nearest_point(const Ui& ui, const Rect& room,
                                                       const std::vector<ImVec2>& points,
                                                       float reach = 18);

/// The card around a chart.
class ChartCard {
 public:
  ChartCard(const Ui& ui, float x, float y, float width, float height, std::string_view id,
            std::string_view title);
  [[nodiscard]] Rect room() const { return room_; }  ///< for the plot
  [[nodiscard]] float bottom() const { return bottom_; }

 private:
  Rect room_;
  float bottom_;
};

}  // namespace xuanka::web
