#include "web/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "xuanka/base/sort.hpp"

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
    ticks.labels.push_back(high >= 1e4 ? format_si(at) : format_number(at));
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

namespace {

constexpr float kLabelSize = 11.5F;

bool meets(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

std::size_t covered(const Rect& r, const std::vector<ImVec2>& points, float margin) {
  std::size_t n = 0;
  for (const ImVec2& p : points) {
    if (p.x > r.x - margin && p.x < r.right() + margin && p.y > r.y - margin &&
        p.y < r.bottom() + margin)
      ++n;
  }
  return n;
}

bool has_dot(const PlotLabel& label) {
  return label.dot != Color::kText && label.dot != Color::kDim;
}

void draw_label(const Ui& ui, const Rect& r, const PlotLabel& label, bool tied) {
  ImDrawList* d = ImGui::GetWindowDrawList();
  if (tied)
    d->AddLine(
        label.at,
        ImVec2(std::clamp(label.at.x, r.x, r.right()), std::clamp(label.at.y, r.y, r.bottom())),
        ui.color(Color::kDim, 0.7F), 1);
  fill(ui, r, ui.color(Color::kPanel, 0.86F), 3);
  const float dot = has_dot(label) ? ui.u(10) : 0;
  if (dot > 0)
    d->AddCircleFilled(ImVec2(r.x + ui.u(6), r.y + r.h / 2), ui.u(3), ui.color(label.dot));
  draw_line(ui, {r.x + ui.u(3) + dot, r.y, r.w - ui.u(6) - dot + 1, r.h}, label.text,
            {.size = kLabelSize});
}

}  // namespace

void place_labels(const Ui& ui, const std::vector<PlotLabel>& labels,
                  const std::vector<ImVec2>& points) {
  const ImVec2 origin = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  const Rect plot{origin.x, origin.y, size.x, size.y};
  constexpr std::array<ImVec2, 8> kSides{
      {{1, 0}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}, {-1, 0}, {0, -1}, {0, 1}}};
  std::vector<Rect> taken;
  for (const PlotLabel& label : labels) {
    const float w = text_width(ui, label.text, kLabelSize) + ui.u(has_dot(label) ? 16 : 6) + 1,
                h = ui.u(15);
    std::optional<Rect> best;
    float best_cost = 1e9F, best_away = 0;
    for (const float away : {8.0F, 20.0F, 34.0F}) {
      for (const ImVec2& side : kSides) {
        const float dx = ui.u(away) * side.x, dy = ui.u(side.x == 0 ? away : away * 0.8F) * side.y;
        const Rect r{label.at.x + dx -
                         (side.x > 0   ? 0
                          : side.x < 0 ? w
                                       : w / 2),
                     label.at.y + dy -
                         (side.y > 0   ? 0
                          : side.y < 0 ? h
                                       : h / 2),
                     w, h};
        if (r.x < plot.x || r.right() > plot.right() + ui.u(4) || r.y < plot.y ||
            r.bottom() > plot.bottom() ||
            std::any_of(taken.begin(), taken.end(), [&](const Rect& t) { return meets(t, r); }))
          continue;
        const float cost = static_cast<float>(covered(r, points, ui.u(3))) * 10 + away / 8;
        if (cost >= best_cost) continue;
        best_cost = cost;
        best = r;
        best_away = away;
      }
    }
    if (!best || (best_cost >= 10 && !label.always)) continue;
    taken.push_back(best->inset(-ui.u(2), 0));
    draw_label(ui, *best, label, best_away > 10);
  }
}

void place_end_labels(const Ui& ui, std::vector<PlotLabel> labels, float x) {
  const ImVec2 origin = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  const float h = ui.u(15.5F);
  sort_values(labels, [](const PlotLabel& a, const PlotLabel& b) {
    return a.at.y != b.at.y ? a.at.y < b.at.y : a.text < b.text;
  });
  std::vector<float> tops;
  for (const PlotLabel& label : labels) {
    const float wanted = label.at.y - h / 2;
    tops.push_back(std::max(wanted, tops.empty() ? origin.y : tops.back() + h));
  }
  // What ran out below is pushed up again.
  float limit = origin.y + size.y + ui.u(4);
  for (std::size_t i = tops.size(); i-- > 0;) {
    tops[i] = std::min(tops[i], limit - h);
    limit = tops[i];
  }
  ImDrawList* d = ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const float middle = tops[i] + h / 2;
    d->AddLine(ImVec2(labels[i].at.x + ui.u(5), labels[i].at.y), ImVec2(x - ui.u(3), middle),
               ui.color(labels[i].dot, 0.55F), 1);
    fill(ui, {x, middle - ui.u(4), ui.u(8), ui.u(8)}, ui.color(labels[i].dot), 4);
    draw_line(ui, {x + ui.u(12), tops[i], origin.x + size.x - x - ui.u(12) + 1, h}, labels[i].text,
              {.size = kLabelSize});
  }
}

std::optional<std::size_t> nearest_point(const Ui& ui, const Rect& room,
                                         const std::vector<ImVec2>& points, float reach) {
  if (!ImGui::IsMouseHoveringRect(ImVec2(room.x, room.y), ImVec2(room.right(), room.bottom())) ||
      !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows))
    return std::nullopt;
  const ImVec2 mouse = ImGui::GetMousePos();
  std::optional<std::size_t> nearest;
  float best = ui.u(reach);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const float d = std::hypot(points[i].x - mouse.x, points[i].y - mouse.y);
    if (d >= best) continue;
    best = d;
    nearest = i;
  }
  return nearest;
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
