#include "web/own_cost.hpp"

#include "xuanka/cost/cost.hpp"

namespace xuanka::web {
namespace {

// The user's tariff, else that of the currency's region.
std::optional<double> tariff(const Catalog& catalog, const Request& request, const FxTable& fx) {
  const Currency currency = request.decision.currency;
  if (request.overrides.electricity_per_kwh) {
    const auto own = fx.convert(*request.overrides.electricity_per_kwh, currency);
    if (own) return own->amount;
  }
  for (const Tariff& t : catalog.electricity) {
    if (t.price_per_kwh.currency == currency) return t.price_per_kwh.amount;
  }
  for (const Tariff& t : catalog.electricity) {
    const auto converted = fx.convert(t.price_per_kwh, currency);
    if (converted) return converted->amount;
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> OwnCost::break_even_months() const {
  const double gain = (rent_per_hour - energy_per_hour) * hours_per_month - finance_per_month;
  if (!(gain > 0)) return std::nullopt;
  return capital / gain;
}

std::optional<double> OwnCost::break_even_hours() const {
  const double gain = rent_per_hour - energy_per_hour;
  if (!(gain > 0)) return std::nullopt;
  const double spent = capital - resale + finance_per_month * 12 * years;
  return spent > 0 ? spent / gain : 0;
}

std::optional<double> OwnCost::break_even_utilisation() const {
  const auto hours = break_even_hours();
  if (!hours || !(years > 0)) return std::nullopt;
  return *hours / (years * kHoursPerYear);
}

std::optional<OwnCost> own_cost(const Catalog& catalog, const Request& request, const Gpu& gpu,
                                int count) {
  FxTable fx = catalog.fx;
  for (const FxRate& own : request.overrides.fx) fx.set(own);
  const OwnOptions& own = request.decision.own;
  auto price = card_price(catalog, request, gpu, Acquire::kBuy);
  const auto used = card_price(catalog, request, gpu, Acquire::kUsed);
  OwnCost cost;
  if (used && (!price || request.decision.acquire == Acquire::kUsed)) {
    price = used;
    cost.second_hand = true;
  }
  const auto leases = leases_for(catalog, request, gpu, count);
  const auto machine = fx.convert(own.machine_price, request.decision.currency);
  const auto power = tariff(catalog, request, fx);
  if (!price || leases.empty() || !machine || !power) return std::nullopt;
  const double cards = price->price.amount * count;
  cost.capital = cards + machine->amount;
  cost.resale = cards * own.residual;
  cost.finance_per_month = cost.capital * own.finance_rate / 12;
  cost.energy_per_hour = count * gpu.tdp_w.value_or(0) / 1000 * kLoadOfTdp * own.pue * *power;
  cost.rent_per_hour = leases[0].hourly.amount;
  cost.hours_per_month = own.hours_per_month;
  cost.years = own.years;
  return cost;
}

}  // namespace xuanka::web
