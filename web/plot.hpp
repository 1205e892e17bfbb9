// What the charts share: a card with a title that says what is seen, and a read-only ImPlot in it.
#pragma once

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

/// A label beside a point of the open plot, on the panel's colour so that lines do not cross it.
void plot_label(const Ui& ui, double x, double y, std::string_view text, Color dot, float dx,
                float dy, std::vector<Rect>& taken);

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
