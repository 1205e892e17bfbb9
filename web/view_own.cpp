// Rent or buy: the two lines, where they meet, and what this leaves out.
#include <algorithm>
#include <cmath>

#include "web/grid.hpp"
#include "web/own_cost.hpp"
#include "web/plot.hpp"
#include "web/views.hpp"

namespace xuanka::web {
namespace {

using enum FieldId;

std::optional<OwnCost> cost_of(const Ui& ui) {
  if (!ui.computed.candidate || !ui.computed.request) return std::nullopt;
  const Candidate& c = ui.computed.report.candidates[*ui.computed.candidate];
  const Gpu* gpu = ui.api.knowledge().catalog.find_gpu(c.gpu);
  if (gpu == nullptr) return std::nullopt;
  return own_cost(ui.api.knowledge().catalog, *ui.computed.request, *gpu, c.count);
}

std::string money(const Ui& ui, double amount) { return format_money({amount, ui.computed.shown}); }

float chart_own(const Ui& ui, const OwnCost& cost, float x, float y, float width) {
  ChartCard card(ui, x, y, width, ui.u(300), "own",
                 ui.trf("ui.chart.own", {{"currency", currency_symbol(ui.computed.shown)},
                                         {"hours", cost.hours_per_month}}));
  const double months = std::max(cost.years * 12, 1.0);
  const double top = std::max(cost.owned(months), cost.rented(months)) * 1.08;
  const Ticks xs = linear_ticks(months, 6), ys = linear_ticks(top, 4);
  if (!begin_plot(ui, "###own", card.room(), {0, months * 1.02, false}, {0, top, false}, xs, ys))
    return card.bottom();
  const std::array<double, 2> at{0, months}, own{cost.owned(0), cost.owned(months)},
      rent{cost.rented(0), cost.rented(months)};
  ImPlotSpec line;
  line.LineWeight = ui.u(2.2F);
  line.LineColor = plot_color(ui, Color::kSeries1);
  ImPlot::PlotLine("##buy", at.data(), own.data(), 2, line);
  line.LineColor = plot_color(ui, Color::kSeries2);
  ImPlot::PlotLine("##rent", at.data(), rent.data(), 2, line);
  const double resold = cost.owned(months) - cost.resale;
  dashed_line(ui, ImPlot::PlotToPixels(months, cost.owned(months)),
              ImPlot::PlotToPixels(months, resold), ui.color(Color::kSeries1), ui.u(1.2F), ui.u(4),
              ui.u(3));
  std::vector<Rect> taken;
  plot_label(ui, months * 0.62, cost.owned(months * 0.62), ui.tr("ui.own.buy"), Color::kSeries1, 0,
             -ui.u(20), taken);
  plot_label(ui, months * 0.8, cost.rented(months * 0.8), ui.tr("ui.own.rent"), Color::kSeries2,
             -ui.u(40), -ui.u(20), taken);
  plot_label(ui, months, resold, ui.tr("ui.own.after_resale"), Color::kSeries1, -ui.u(110), ui.u(4),
             taken);
  if (const auto even = cost.break_even_months(); even && *even <= months) {
    const ImVec2 point = ImPlot::PlotToPixels(*even, cost.rented(*even));
    ImPlot::GetPlotDrawList()->AddCircle(point, ui.u(6), ui.color(Color::kText), 0, ui.u(1.5F));
    plot_label(ui, *even, cost.rented(*even), ui.trf("ui.own.even_at", {{"months", *even}}),
               Color::kText, ui.u(8), ui.u(6), taken);
  }
  end_plot();
  return card.bottom();
}

// The verdict in a sentence, from the break-even and the hours that are planned.
std::string sentence(const Ui& ui, const OwnCost& cost) {
  const auto even = cost.break_even_hours();
  const double planned = cost.hours_per_month * 12 * cost.years;
  if (!even || *even > cost.years * kHoursPerYear) return ui.tr("ui.own.never");
  const Args args{{"hours", *even},
                  {"percent", *cost.break_even_utilisation()},
                  {"planned", planned},
                  {"years", cost.years}};
  return ui.trf(planned >= *even ? "ui.own.buy_pays" : "ui.own.rent_pays", args);
}

}  // namespace

float view_own(const Ui& ui, float x, float y, float width) {
  ImGui::PushID("own");
  y += ui.u(14);
  const auto cost = cost_of(ui);
  if (!cost) {
    y += draw_wrapped(ui, x, y, width, ui.tr("ui.own.no_price"),
                      {.size = 14, .color = Color::kDim}) +
         ui.u(8);
  } else {
    const std::string label = ui.computed.view.rows[*ui.computed.candidate].label;
    y += draw_wrapped(ui, x, y, width,
                      ui.trf("ui.own.of", {{"plan", label}, {"text", sentence(ui, *cost)}}),
                      {.size = 15, .face = Face::kBold}) +
         ui.u(4);
    y += draw_wrapped(ui, x, y, width,
                      ui.trf("ui.own.figures",
                             {{"capital", money(ui, cost->capital)},
                              {"resale", money(ui, cost->resale)},
                              {"energy", format_price({cost->energy_per_hour, ui.computed.shown})},
                              {"rent", format_price({cost->rent_per_hour, ui.computed.shown})}}),
                      {.size = 13.5F, .color = Color::kDim}) +
         ui.u(10);
    y = chart_own(ui, *cost, x, y, width) + ui.u(4);
  }
  Grid grid(ui, x, y, width);
  for (const FieldId id :
       {kHoursPerMonth, kYears, kPue, kResidual, kMachinePrice, kFinance, kElectricity}) {
    const bool amount = id == kMachinePrice || id == kElectricity;
    const OwnOptions defaults;
    const std::string usual = id == kHoursPerMonth  ? number_text(defaults.hours_per_month)
                              : id == kYears        ? number_text(defaults.years)
                              : id == kPue          ? number_text(defaults.pue)
                              : id == kResidual     ? number_text(defaults.residual)
                              : id == kFinance      ? number_text(defaults.finance_rate)
                              : id == kMachinePrice ? number_text(defaults.machine_price.amount)
                                                    : "—";
    grid.add(
        id,
        {.unit =
             amount ? currency_symbol(Currency::parse(ui.state.text(kMarket)).value_or(kCny)) : "",
         .placeholder = usual});
  }
  y = grid.bottom() + ui.u(14);
  const float inner = width - ui.u(28);
  const float height = wrapped_height(ui, inner, ui.tr("ui.own.ignores"), {.size = 13}) + ui.u(20);
  fill(ui, {x, y, width, height}, ui.color(Color::kWarnSoft), 10);
  draw_wrapped(ui, x + ui.u(14), y + ui.u(10), inner, ui.tr("ui.own.ignores"), {.size = 13});
  ImGui::PopID();
  return y + height;
}

}  // namespace xuanka::web
