// Rent or buy: both lines over the hours of use, where they meet, what would move that, and what
// this leaves out.
#include <algorithm>
#include <cmath>

#include "web/grid.hpp"
#include "web/plot.hpp"
#include "web/views.hpp"
#include "xuanka/base/sort.hpp"
#include "xuanka/cost/cost.hpp"

namespace xuanka::web {
namespace {

using enum FieldId;

constexpr double kHoursPerYear = 8766;  // 365.25 days

std::string money(const Ui& ui, double amount) { return format_money({amount, ui.computed.shown}); }

// The ledger of the plan shown, when there is both a rent and a price.
const Ledger* ledger_of(const Ui& ui) {
  const auto& ledger = ui.computed.ledger(ui.api);
  return ledger ? &*ledger : nullptr;
}

double years_of(const Ui& ui) { return ui.computed.request->decision.own.years; }

// Paid after so many hours of use: what is paid whatever the use, then electricity; against rent,
// which is paid whole where it is sold by the month or the year.
double owned(const Ledger& l, double hours) {
  return l.own->total + l.own->electricity * (hours / l.hours - 1);
}
double rented(const Ledger& l, double hours) {
  return term_hours(l.rent->billing) > 0 ? l.rent->total : l.rent->total * hours / l.hours;
}

// How far the picture goes: beyond the plan and, where it can be reached, the break-even.
double last_hour(const Ui& ui, const Ledger& l) {
  const double all = years_of(ui) * kHoursPerYear;
  double last = l.hours * 1.25;
  if (l.break_even_hours && *l.break_even_hours <= all)
    last = std::max(last, *l.break_even_hours * 1.25);
  return std::min(last, all);
}

float chart_own(const Ui& ui, const Ledger& l, float x, float y, float width) {
  ChartCard card(ui, x, y, width, ui.u(300), "own",
                 ui.trf("ui.chart.own", {{"currency", currency_symbol(ui.computed.shown)},
                                         {"years", years_of(ui)},
                                         {"hours", l.hours}}));
  const double last = last_hour(ui, l);
  const double top = std::max(owned(l, last), rented(l, last)) * 1.1;
  if (!begin_plot(ui, "###own", card.room(), {0, last * 1.02, false}, {0, top, false},
                  linear_ticks(last, ui.phone() ? 4 : 7), linear_ticks(top, 5)))
    return card.bottom();
  const std::array<double, 2> at{0, last}, own{owned(l, 0), owned(l, last)},
      rent{0, rented(l, last)};
  ImPlotSpec line;
  line.LineWeight = ui.u(2.2F);
  line.LineColor = plot_color(ui, Color::kSeries1);
  ImPlot::PlotLine("##buy", at.data(), own.data(), 2, line);
  line.LineColor = plot_color(ui, Color::kSeries2);
  ImPlot::PlotLine("##rent", at.data(), rent.data(), 2, line);
  dashed_line(ui, ImPlot::PlotToPixels(l.hours, 0.0), ImPlot::PlotToPixels(l.hours, top),
              ui.color(Color::kDim), ui.u(1.2F), ui.u(4), ui.u(3));
  std::vector<PlotLabel> labels;
  if (l.break_even_hours && *l.break_even_hours <= last) {
    const ImVec2 meet = ImPlot::PlotToPixels(*l.break_even_hours, rented(l, *l.break_even_hours));
    ImPlot::GetPlotDrawList()->AddCircle(meet, ui.u(6), ui.color(Color::kText), 0, ui.u(1.5F));
    labels.push_back(
        {meet, ui.trf("ui.own.even_at", {{"hours", *l.break_even_hours}}), Color::kText, true});
  }
  labels.push_back(
      {ImPlot::PlotToPixels(l.hours, top * 0.97), ui.tr("ui.own.planned"), Color::kDim, true});
  labels.push_back({ImPlot::PlotToPixels(last * 0.3, owned(l, last * 0.3)), ui.tr("ui.own.buy"),
                    Color::kSeries1, true});
  labels.push_back({ImPlot::PlotToPixels(last * 0.3, rented(l, last * 0.3)), ui.tr("ui.own.rent"),
                    Color::kSeries2, true});
  std::vector<ImVec2> lines;  // names stay off both lines
  for (double hour = 0; hour <= last; hour += last / 80) {
    lines.push_back(ImPlot::PlotToPixels(hour, owned(l, hour)));
    lines.push_back(ImPlot::PlotToPixels(hour, rented(l, hour)));
  }
  place_labels(ui, labels, lines);
  if (const auto i = nearest_point(ui, card.room(), lines, 40)) {
    const double hour = std::floor(static_cast<double>(*i / 2)) * last / 80;
    show_tooltip(ui, format_number(hour) + " " + ui.tr("ui.u.hours") + "\n" + ui.tr("ui.own.buy") +
                         " " + money(ui, owned(l, hour)) + "\n" + ui.tr("ui.own.rent") + " " +
                         money(ui, rented(l, hour)));
  }
  end_plot();
  return card.bottom();
}

// The verdict in a sentence, from the break-even and the hours that are planned.
std::string sentence(const Ui& ui, const Ledger& l) {
  const auto even = l.break_even_hours;
  if (!even || *even > years_of(ui) * kHoursPerYear) return ui.tr("ui.own.never");
  const Args args{{"hours", *even},
                  {"percent", l.break_even_utilisation.value_or(0)},
                  {"planned", l.hours},
                  {"years", years_of(ui)}};
  return ui.trf(l.hours >= *even ? "ui.own.buy_pays" : "ui.own.rent_pays", args);
}

std::string knob_value(const Ui& ui, const Sensitivity& s, double value) {
  if (s.path.starts_with("price.") || s.path.ends_with("machine_price") ||
      s.path.ends_with("electricity_per_kwh"))
    return value < 100 ? format_price({value, ui.computed.shown}) : money(ui, value);
  return format_number(value);
}

// Each input over its plausible range: how far it moves buy less rent, and which of the two wins.
float chart_tornado(const Ui& ui, const Ledger& l, float x, float y, float width) {
  const auto rows = static_cast<float>(l.sensitivity.size());
  ChartCard card(ui, x, y, width, ui.u(30) * rows + ui.u(78), "tornado",
                 ui.trf("ui.chart.tornado", {{"currency", currency_symbol(ui.computed.shown)}}));
  const Rect room = card.room();
  const float line = (room.h - ui.u(20)) / rows;  // the words stand below
  const double now = l.own->total - l.rent->total;
  double low = std::min(0.0, now), high = std::max(0.0, now);
  for (const Sensitivity& s : l.sensitivity) {
    low = std::min({low, s.difference_low, s.difference_high});
    high = std::max({high, s.difference_low, s.difference_high});
  }
  float name = 0;
  for (const Sensitivity& s : l.sensitivity)
    name = std::max(name, text_width(ui, ui.tr("ui.knob." + s.path), 13) + 1);
  const float bars = room.w - name - ui.u(8);
  const auto at = [&](double difference) {
    return room.right() - bars +
           bars * static_cast<float>(high > low ? (difference - low) / (high - low) : 0);
  };
  for (std::size_t i = 0; i < l.sensitivity.size(); ++i) {
    const Sensitivity& s = l.sensitivity[i];
    const Rect row{room.x, room.y + line * static_cast<float>(i), room.w, line};
    draw_line(ui, {row.x, row.y, name, row.h}, ui.tr("ui.knob." + s.path), {.size = 13});
    const double from = std::min(s.difference_low, s.difference_high),
                 to = std::max(s.difference_low, s.difference_high);
    // Below zero buying wins, above it renting.
    for (const bool buy : {true, false}) {
      const double a = buy ? from : std::max(from, 0.0), b = buy ? std::min(to, 0.0) : to;
      if (b > a)
        fill(ui, {at(a), row.y + ui.u(6), at(b) - at(a), row.h - ui.u(12)},
             ui.color(buy ? Color::kSeries1 : Color::kSeries2), 2);
    }
    ImGui::SetCursorScreenPos(ImVec2(row.x, row.y));
    ImGui::Dummy(ImVec2(row.w, row.h));
    tooltip(ui, ui.tr("ui.knob." + s.path) + " " + knob_value(ui, s, s.low) + ui.tr("ui.own.to") +
                    knob_value(ui, s, s.high) + "\n" + money(ui, s.difference_low) +
                    ui.tr("ui.own.to") + money(ui, s.difference_high));
  }
  const float foot = room.y + line * static_cast<float>(l.sensitivity.size());
  for (const double mark : {0.0, now}) {
    dashed_line(ui, ImVec2(at(mark), room.y), ImVec2(at(mark), foot),
                ui.color(mark == now ? Color::kText : Color::kDim), ui.u(1.2F), ui.u(4), ui.u(3));
  }
  const std::string buy = "← " + ui.tr("ui.own.buy"), rent = ui.tr("ui.own.rent") + " →";
  const float half = ui.u(70);
  if (at(0) - half > room.x + name)
    draw_line(ui, {at(0) - half, foot, half - ui.u(6), ui.u(18)}, buy,
              {.size = kSmallSize, .color = Color::kSeries1, .align = Align::kRight});
  if (at(0) + half < room.right())
    draw_line(ui, {at(0) + ui.u(6), foot, half, ui.u(18)}, rent,
              {.size = kSmallSize, .color = Color::kSeries2});
  return card.bottom();
}

float break_even_text(const Ui& ui, const Ledger& l, float x, float y, float width) {
  const std::string label = ui.computed.view.rows[ui.computed.ledger_row()].label;
  y += draw_wrapped(ui, x, y, width,
                    ui.trf("ui.own.of", {{"plan", label}, {"text", sentence(ui, l)}}),
                    {.size = 15, .face = Face::kBold}) +
       ui.u(4);
  const auto price = [&](double amount) { return format_price({amount, ui.computed.shown}); };
  return y + draw_wrapped(ui, x, y, width,
                          ui.trf("ui.own.figures", {{"capital", money(ui, l.own->capital)},
                                                    {"resale", money(ui, l.own->resale)},
                                                    {"energy", price(l.own->electricity / l.hours)},
                                                    {"rent", price(l.rent->hourly)}}),
                          {.size = 13.5F, .color = Color::kDim});
}

}  // namespace

Table own_table(const Ui& ui) {
  const Ledger* l = ledger_of(ui);
  std::vector<double> at;
  if (l != nullptr) {
    const double last = last_hour(ui, *l);
    at = {0, last * 0.25, last * 0.5, last * 0.75, last, l->hours};
    if (l->break_even_hours && *l->break_even_hours <= last) at.push_back(*l->break_even_hours);
    sort_values(at);
    at.erase(std::unique(at.begin(), at.end()), at.end());
  }
  Table table{ListId::kCount_, "own", ui.tr("ui.t.own"), {}, at.size()};
  table.columns = {
      {ui.tr("ui.own.hours_used"), Align::kLeft, 150, 0,
       [=, &ui](std::size_t i) {
         const std::string mark = l->break_even_hours && at[i] == *l->break_even_hours
                                      ? ui.tr("ui.own.even")
                                  : at[i] == l->hours ? ui.tr("ui.own.planned")
                                                      : "";
         return format_grouped(at[i], 4) + (mark.empty() ? "" : " (" + mark + ")");
       }},
      {ui.tr("ui.own.buy"), Align::kRight, 90, 0,
       [=, &ui](std::size_t i) { return money(ui, owned(*l, at[i])); }},
      {ui.tr("ui.own.rent"), Align::kRight, 90, 0,
       [=, &ui](std::size_t i) { return money(ui, rented(*l, at[i])); }},
      {ui.tr("ui.own.difference"), Align::kRight, 90, 0,
       [=, &ui](std::size_t i) { return money(ui, owned(*l, at[i]) - rented(*l, at[i])); }},
  };
  return table;
}

Table years_table(const Ui& ui) {
  const Ledger* l = ledger_of(ui);
  Table table{
      ListId::kCount_, "years", ui.tr("ui.t.years"), {}, l != nullptr ? l->by_years.size() : 0};
  const auto column = [&](std::string_view title, float width, auto amount) {
    table.columns.push_back({ui.tr(title), Align::kRight, width, 0, [=, &ui](std::size_t i) {
                               return money(ui, amount(l->by_years[i]));
                             }});
  };
  table.columns = {{ui.tr("ui.own.years"), Align::kLeft, 90, 0,
                    [=](std::size_t i) { return format_number(l->by_years[i].years); }}};
  column("ui.own.buy", 110, [](const YearLedger& year) { return year.own; });
  column("ui.own.rent", 110, [](const YearLedger& year) { return year.rent; });
  column("ui.own.difference", 110, [](const YearLedger& year) { return year.own - year.rent; });
  return table;
}

Table sensitivity_table(const Ui& ui) {
  const Ledger* l = ledger_of(ui);
  Table table{ListId::kCount_,
              "sensitivity",
              ui.tr("ui.t.sensitivity"),
              {},
              l != nullptr ? l->sensitivity.size() : 0};
  const auto knob = [l](std::size_t i) -> const Sensitivity& { return l->sensitivity[i]; };
  table.columns = {
      {ui.tr("ui.own.input"), Align::kLeft, 170, 0,
       [=, &ui](std::size_t i) { return ui.tr("ui.knob." + knob(i).path); }},
      {ui.tr("ui.own.range"), Align::kRight, 130, 0,
       [=, &ui](std::size_t i) {
         return knob_value(ui, knob(i), knob(i).low) + ui.tr("ui.own.to") +
                knob_value(ui, knob(i), knob(i).high);
       }},
      {ui.tr("ui.own.moves"), Align::kRight, 170, 0,
       [=, &ui](std::size_t i) {
         return money(ui, knob(i).difference_low) + ui.tr("ui.own.to") +
                money(ui, knob(i).difference_high);
       }},
      {ui.tr("ui.own.flips"), Align::kRight, 110, 0,
       [=, &ui](std::size_t i) {
         return knob(i).flips_at ? knob_value(ui, knob(i), *knob(i).flips_at) : std::string("—");
       }},
  };
  return table;
}

float view_own(const Ui& ui, float x, float y, float width) {
  ImGui::PushID("own");
  y += ui.u(14);
  const Ledger* ledger = ledger_of(ui);
  if (ledger == nullptr) {
    y += draw_wrapped(ui, x, y, width, ui.tr("ui.own.no_price"),
                      {.size = 14, .color = Color::kDim}) +
         ui.u(8);
  } else {
    y = break_even_text(ui, *ledger, x, y, width) + ui.u(10);
    y = chart_own(ui, *ledger, x, y, width) + ui.u(14);
    if (!ledger->sensitivity.empty()) y = chart_tornado(ui, *ledger, x, y, width) + ui.u(16);
    for (const Table& table : {sensitivity_table(ui), years_table(ui)}) {
      if (table.rows == 0) continue;
      draw_line(ui, {x, y, width, ui.u(20)}, table.caption, {.size = 14, .face = Face::kBold});
      const auto order = table_order(table, ui.state);
      y = (ui.phone() ? draw_cards(ui, table, order, x, y + ui.u(28), width)
                      : draw_table(ui, table, order, x, y + ui.u(22), width)) +
          ui.u(16);
    }
  }
  Grid grid(ui, x, y, width);
  for (const FieldId id : {kHoursPerMonth, kYears, kPue, kResidual, kMachinePrice, kHosting,
                           kFailure, kFinance, kElectricity}) {
    const bool amount = id == kMachinePrice || id == kElectricity || id == kHosting;
    const OwnOptions defaults;
    const std::string usual = id == kHoursPerMonth  ? number_text(defaults.hours_per_month)
                              : id == kYears        ? number_text(defaults.years)
                              : id == kPue          ? number_text(defaults.pue)
                              : id == kResidual     ? number_text(defaults.residual)
                              : id == kHosting      ? number_text(defaults.hosting_per_month.amount)
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
