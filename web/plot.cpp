#include "web/plot.hpp"

#include <algorithm>
#include <cmath>

namespace xuanka::web {

Color series_color(std::size_t i) {
  return static_cast<Color>(static_cast<std::size_t>(Color::kSeries1) + i % 4);
}

ImVec4 plot_color(const Ui& ui, Color color, float alpha) {
  return ImGui::ColorConvertU32ToFloat4(ui.color(color, alpha));
}

bool begin_plot(const Ui& ui, std::string_view id, const Rect& r, const AxisRange& x,
                const AxisRange& y, const Ticks& x_ticks, const Ticks& y_ticks) {
  ImGui::SetCursorScreenPos(ImVec2(r.x, r.y));
  ImPlot::PushStyleColor(ImPlotCol_PlotBg, ImVec4(0, 0, 0, 0));
  ImPlot::PushStyleColor(ImPlotCol_FrameBg, ImVec4(0, 0, 0, 0));
  ImPlot::PushStyleColor(ImPlotCol_PlotBorder, ImVec4(0, 0, 0, 0));
  ImPlot::PushStyleColor(ImPlotCol_AxisGrid, plot_color(ui, Color::kLine));
  ImPlot::PushStyleColor(ImPlotCol_AxisText, plot_color(ui, Color::kDim));
  ImPlot::PushStyleColor(ImPlotCol_AxisTick, ImVec4(0, 0, 0, 0));
  ImPlot::PushStyleVar(ImPlotStyleVar_PlotPadding, ImVec2(ui.u(4), ui.u(4)));
  ImPlot::PushStyleVar(ImPlotStyleVar_LabelPadding, ImVec2(ui.u(6), ui.u(6)));
  ImPlot::PushStyleVar(ImPlotStyleVar_MinorAlpha, 0.0F);
  ImGui::PushFont(ui.regular, ui.u(11.5F));
  const ImPlotFlags flags = ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs;
  if (!ImPlot::BeginPlot(std::string(id).c_str(), ImVec2(r.w, r.h), flags)) {
    ImGui::PopFont();
    ImPlot::PopStyleVar(3);
    ImPlot::PopStyleColor(6);
    return false;
  }
  const ImPlotAxisFlags locked = ImPlotAxisFlags_NoLabel | ImPlotAxisFlags_NoHighlight |
                                 ImPlotAxisFlags_Lock | ImPlotAxisFlags_NoTickMarks |
                                 ImPlotAxisFlags_NoMenus;
  ImPlot::SetupAxes(nullptr, nullptr, locked | ImPlotAxisFlags_NoGridLines, locked);
  ImPlot::SetupAxesLimits(x.low, x.high, y.low, y.high, ImPlotCond_Always);
  if (x.logarithmic) ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
  if (y.logarithmic) ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
  const auto setup = [](ImAxis axis, const Ticks& ticks) {
    std::vector<const char*> labels;
    for (const std::string& label : ticks.labels) labels.push_back(label.c_str());
    ImPlot::SetupAxisTicks(axis, ticks.at.data(), static_cast<int>(ticks.at.size()), labels.data());
  };
  setup(ImAxis_X1, x_ticks);
  setup(ImAxis_Y1, y_ticks);
  ImPlot::SetupFinish();
  return true;
}

void end_plot() {
  ImPlot::EndPlot();
  ImGui::PopFont();
  ImPlot::PopStyleVar(3);
  ImPlot::PopStyleColor(6);
}

Ticks linear_ticks(double high, int count) {
  Ticks ticks;
  if (!(high > 0)) high = 1;
  double step = 1;
  while (high / step > count * 10.0) step *= 10;
  while (high / step < count) step /= 10;
  for (const double factor : {1.0, 2.0, 2.5, 5.0, 10.0}) {
    if (high / (step * factor) <= count) {
      step *= factor;
      break;
    }
  }
  for (double at = 0; at <= high * 1.0001; at += step) {
    ticks.at.push_back(at);
    ticks.labels.push_back(high >= 1e5 ? format_si(at) : format_number(at));
  }
  return ticks;
}

Ticks log_ticks(double low, double high) {
  Ticks ticks;
  double decade = 1;
  while (decade > low) decade /= 10;
  while (decade * 10 < low) decade *= 10;
  const bool fine = high / low < 200;
  for (; decade <= high; decade *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double at = decade * factor;
      if (at < low || at > high || (!fine && factor != 1.0)) continue;
      ticks.at.push_back(at);
      ticks.labels.push_back(format_si(at));
    }
  }
  return ticks;
}

void plot_label(const Ui& ui, double x, double y, std::string_view text, Color dot, float dx,
                float dy, std::vector<Rect>& taken) {
  const ImVec2 at = ImPlot::PlotToPixels(x, y);
  const ImVec2 origin = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  const float w = text_width(ui, text, 11.5F) + ui.u(12), h = ui.u(15);
  Rect r{at.x + dx, at.y + dy, w, h};
  r.x = std::clamp(r.x, origin.x, origin.x + size.x - w);
  r.y = std::clamp(r.y, origin.y, origin.y + size.y - h);
  const auto meets = [&](const Rect& other) {
    return r.x < other.right() && other.x < r.right() && r.y < other.bottom() &&
           other.y < r.bottom();
  };
  const float away = dy < 0 ? -1.0F : 1.0F;
  for (int tries = 0; tries < 12 && std::any_of(taken.begin(), taken.end(), meets); ++tries)
    r.y += away * h * 0.5F;
  if (std::any_of(taken.begin(), taken.end(), meets) || r.y < origin.y - 1 ||
      r.bottom() > origin.y + size.y + 1)
    return;
  taken.push_back(r);
  ImPlot::GetPlotDrawList()->AddCircleFilled(ImVec2(r.x + ui.u(4), r.y + h / 2), ui.u(3),
                                             ui.color(dot));
  draw_line(ui, {r.x + ui.u(10), r.y, w, h}, text, {.size = 11.5F});
}

ChartCard::ChartCard(const Ui& ui, float x, float y, float width, float height, std::string_view id,
                     std::string_view title)
    : bottom_(y + height) {
  const Rect r{x, y, width, height};
  const float pad = ui.u(12);
  fill(ui, r, ui.color(Color::kPanel), 10);
  frame(ui, r, ui.color(Color::kLine), 10);
  const float save = ui.u(ui.fingers() ? 40 : 26);
  const float lines =
      wrapped_height(ui, width - 2 * pad - save, title, {.size = 13, .face = Face::kBold}, 1.35F);
  draw_wrapped(ui, x + pad, y + pad, width - 2 * pad - save, title,
               {.size = 13, .face = Face::kBold}, 1.35F);
  ImGui::PushID(std::string(id).c_str());
  if (icon_button(ui, "###save", {r.right() - save - ui.u(6), y + ui.u(6), save, save}, Icon::kSave,
                  ui.tr("ui.save_png"), ButtonKind::kGhost)) {
    ui.platform.save_picture({x, y, width, height},
                             std::string("xuanka-") + std::string(id) + ".png");
  }
  ImGui::PopID();
  const float top = y + pad + lines + ui.u(6);
  room_ = {x + pad, top, width - 2 * pad, r.bottom() - pad - top};
}

}  // namespace xuanka::web
