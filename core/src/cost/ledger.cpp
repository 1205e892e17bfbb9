#include "xuanka/cost/ledger.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "xuanka/base/math.hpp"
#include "xuanka/base/sort.hpp"

namespace xuanka {
namespace {

constexpr double kHoursPerYear = 8766;  // 365.25 days
constexpr double kHoursPerMonth = 730.5;
constexpr double kHoursBilledPerYear = 8760;

// Everything the comparison depends on, in one currency.
struct Inputs {
  double rent = 0;  // per hour
  double card = 0;  // one
  double count = 1;
  double machine = 0;  // the rest of one node
  double nodes = 1;
  double kilowatts = 0;  // at work, before cooling
  double tariff = 0;     // per kWh
  double hours_per_month = 0, years = 0, pue = 1, residual = 0, finance_rate = 0;
  double hosting = 0;       // of one node, a month
  double failure_rate = 0;  // share of the cards, a year
  double rent_factor = 1;   // billed for each hour of use
  double rent_yearly = 0;   // hours billed each year whatever the use; 0 = by the hour

  [[nodiscard]] double hours() const { return hours_per_month * 12 * years; }
  [[nodiscard]] double capital() const { return count * card + nodes * machine; }
  [[nodiscard]] double finance() const {
    return capital() * (1 + residual) / 2 * finance_rate * years;
  }
  [[nodiscard]] double hosting_total() const { return nodes * hosting * 12 * years; }
  [[nodiscard]] double upkeep() const { return count * card * failure_rate * years; }
  [[nodiscard]] double fixed() const {
    return capital() * (1 - residual) + finance() + hosting_total() + upkeep();
  }
  [[nodiscard]] double energy_hourly() const { return kilowatts * pue * tariff; }
  [[nodiscard]] double own_total() const { return fixed() + energy_hourly() * hours(); }
  [[nodiscard]] double rent_hours() const {
    return rent_yearly > 0 ? rent_yearly * years : rent_factor * hours();
  }
  [[nodiscard]] double difference() const { return own_total() - rent * rent_hours(); }
};

struct Knob {
  std::string_view path;
  double Inputs::* field;
  double low_factor, high_factor;  // of the value
  double least, most;              // and never beyond
};
// Plausible ranges: prices within a third (the rental trend of the catalog fell by as much within
// half a year), use between half and twice, three years give or take two, resale between the best
// and the worst of the depreciation data.
constexpr std::array<Knob, 10> kKnobs{{
    {"price.rent", &Inputs::rent, 0.67, 1.33, 0, 1e12},
    {"price.card", &Inputs::card, 0.67, 1.33, 0, 1e12},
    {"decision.own.machine_price", &Inputs::machine, 0.5, 2, 0, 1e12},
    {"decision.own.hours_per_month", &Inputs::hours_per_month, 0.5, 2, 1, kHoursPerMonth},
    {"decision.own.years", &Inputs::years, 0.33, 1.67, 0.5, 20},
    {"decision.own.residual", &Inputs::residual, 0.33, 1.67, 0, 0.95},
    {"decision.own.pue", &Inputs::pue, 0.8, 1.3, 1, 5},
    {"overrides.electricity_per_kwh", &Inputs::tariff, 0.5, 2, 0, 1e6},
    {"decision.own.hosting_per_month", &Inputs::hosting, 0.5, 2, 0, 1e12},
    {"decision.own.failure_rate", &Inputs::failure_rate, 0.5, 2, 0, 1},
}};

// The difference is monotone in each input, so that halving finds where it changes sign.
std::optional<double> zero_between(const Inputs& base, const Knob& knob, double low, double high) {
  const auto difference = [&](double value) {
    Inputs moved = base;
    moved.*knob.field = value;
    return moved.difference();
  };
  const double at_low = difference(low);
  if ((at_low > 0) == (difference(high) > 0)) return std::nullopt;
  for (int i = 0; i < 100; ++i) {
    const double middle = low + (high - low) / 2;
    ((difference(middle) > 0) == (at_low > 0) ? low : high) = middle;
    if (low + (high - low) / 2 == middle) break;  // nothing moves any more
  }
  return low + (high - low) / 2;
}

std::vector<Sensitivity> sensitivity_of(const Inputs& base) {
  std::vector<Sensitivity> out;
  for (const Knob& knob : kKnobs) {
    Sensitivity entry;
    entry.path = std::string(knob.path);
    entry.value = base.*knob.field;
    entry.low = std::clamp(entry.value * knob.low_factor, knob.least, knob.most);
    entry.high = std::clamp(entry.value * knob.high_factor, knob.least, knob.most);
    if (!(entry.low < entry.high)) continue;
    Inputs moved = base;
    moved.*knob.field = entry.low;
    entry.difference_low = moved.difference();
    moved.*knob.field = entry.high;
    entry.difference_high = moved.difference();
    entry.flips_at = zero_between(base, knob, entry.low, entry.high);
    out.push_back(std::move(entry));
  }
  sort_values(out, [](const Sensitivity& a, const Sensitivity& b) {
    const double swing_a = std::abs(a.difference_high - a.difference_low);
    const double swing_b = std::abs(b.difference_high - b.difference_low);
    return swing_a != swing_b ? swing_a > swing_b : a.path < b.path;
  });
  return out;
}

OwnLedger own_ledger(const Inputs& in, Acquire acquire) {
  OwnLedger own;
  own.acquire = acquire;
  own.card = in.card;
  own.cards = in.count * in.card;
  own.machines = in.nodes * in.machine;
  own.capital = in.capital();
  own.resale = in.capital() * in.residual;
  own.finance = in.finance();
  own.hosting = in.hosting_total();
  own.upkeep = in.upkeep();
  own.power_kw = in.kilowatts * in.pue;
  own.electricity = in.energy_hourly() * in.hours();
  own.total = in.own_total();
  own.hourly = in.own_total() / in.hours();
  return own;
}

// The lease that costs least over the hours of use, and what it bills for them.
std::optional<RentLedger> cheapest_rent(const std::vector<Lease>& leases, const Request& request,
                                        Inputs& in) {
  std::optional<RentLedger> best;
  for (const Lease& lease : leases) {
    RentLedger rent;
    Inputs with = in;
    with.rent = lease.hourly.amount;
    rent.billing = lease.offer->billing;
    if (rent.billing == Billing::kSpot) with.rent_factor = spot_factor(request.decision.spot);
    if (const double term = term_hours(rent.billing); term > 0) {
      with.rent_yearly = std::ceil(in.years * kHoursBilledPerYear / term) * term / in.years;
    }
    rent.offer = lease.offer->id;
    rent.hourly = with.rent;
    rent.billed_hours = with.rent_hours();
    rent.total = with.rent * rent.billed_hours;
    if (best && best->total <= rent.total) continue;
    best = std::move(rent);
    in = with;
  }
  return best;
}

std::vector<YearLedger> by_years(const Inputs& base) {
  std::vector<YearLedger> out;
  for (double years = 1; years <= 5; ++years) {
    Inputs in = base;
    in.years = years;
    in.residual = pow_exact(base.residual, years / base.years);
    out.push_back({years, in.own_total(), in.rent * in.rent_hours()});
  }
  return out;
}

// The newest of the card's observed changes.
std::optional<double> residual_by_data(const Catalog& catalog, const Gpu& gpu, double years) {
  const Depreciation* newest = nullptr;
  for (const Depreciation& entry : catalog.depreciation) {
    if (entry.gpu == gpu.id && (newest == nullptr || entry.end > newest->end)) newest = &entry;
  }
  if (newest == nullptr || !(newest->annual_change > -1)) return std::nullopt;
  return std::min(1.0, pow_exact(1 + newest->annual_change, years));
}

}  // namespace

Ledger make_ledger(const Catalog& catalog, const OfferBook& book, const Request& request,
                   const Gpu& gpu, int count, int nodes) {
  const DecisionRequest& decision = request.decision;
  Ledger ledger;
  ledger.currency = decision.currency;
  Inputs in;
  in.count = count;
  in.hours_per_month = decision.own.hours_per_month;
  in.years = decision.own.years;
  in.pue = decision.own.pue;
  in.residual = decision.own.residual;
  in.finance_rate = decision.own.finance_rate;
  ledger.hours = in.hours();

  ledger.rent = cheapest_rent(book.leases(gpu, count), request, in);
  const Acquire acquire = decision.acquire == Acquire::kUsed ? Acquire::kUsed : Acquire::kBuy;
  const auto card = card_price(catalog, request, gpu, acquire);
  const auto cost = card ? own_cost(catalog, request, gpu, count, nodes, *card) : std::nullopt;
  if (cost) {
    in.card = card->price.amount;
    in.nodes = nodes;
    in.machine = (cost->capital.amount - in.card * count) / nodes;
    in.hosting = cost->hosting_yearly / 12 / nodes;
    in.failure_rate = cost->upkeep_yearly / (in.card * count);
    in.kilowatts = cost->kilowatts;
    in.tariff = cost->tariff.amount;
    ledger.own = own_ledger(in, acquire);
  }
  ledger.residual_by_data = residual_by_data(catalog, gpu, in.years);
  if (!ledger.rent || !ledger.own) return ledger;
  const double saved = in.rent * in.rent_factor - in.energy_hourly();
  if (saved > 0 && !(in.rent_yearly > 0)) {
    ledger.break_even_hours = in.fixed() / saved;
    ledger.break_even_utilisation = *ledger.break_even_hours / (in.years * kHoursPerYear);
  }
  ledger.by_years = by_years(in);
  ledger.sensitivity = sensitivity_of(in);
  return ledger;
}

}  // namespace xuanka
