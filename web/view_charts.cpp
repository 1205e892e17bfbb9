// All charts of the job, each with a title that says what is seen.
#include <algorithm>

#include "web/views.hpp"

namespace xuanka::web {

float view_charts(const Ui& ui, float x, float y, float width) {
  using Chart = float (*)(const Ui&, float, float, float);
  constexpr std::array<Chart, 4> kCharts{chart_hours, chart_memory, chart_cost, chart_roofline};
  const float gap = ui.u(14);
  const bool two = !ui.phone() && width >= ui.u(640);
  const float w = two ? (width - gap) / 2 : width;
  float left = y + gap, right = y + gap;
  for (std::size_t i = 0; i < kCharts.size(); ++i) {
    // Each goes to the shorter column.
    if (two && right < left) {
      right = kCharts[i](ui, x + w + gap, right, w) + gap;
    } else {
      left = kCharts[i](ui, x, left, w) + gap;
    }
  }
  return std::max(left, right) - gap;
}

}  // namespace xuanka::web
