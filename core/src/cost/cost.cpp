#include "xuanka/cost/cost.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "xuanka/base/date.hpp"
#include "xuanka/base/math.hpp"

namespace xuanka {
namespace {

constexpr double kPriceOldDays = 180;
constexpr double kTokensPriced = 1e6;
constexpr std::string_view kPerMillion = "1e6 output tokens";
constexpr double kUnknownTdpW = 300;

bool is_guess(const std::vector<std::string>& sources) {
  return std::any_of(sources.begin(), sources.end(),
                     [](const std::string& id) { return id == "unverified-memory"; });
}

// Hours of work to be paid for, with their range; empty when the amount of work is not known.
struct WorkHours {
  std::optional<double> expected, low, high;
  std::string per;
};

WorkHours work_hours(const TimeEstimate& time, const Job& job) {
  WorkHours work;
  if (time.total) {
    work.expected = to_hours(*time.total);
    work.low = to_hours(time.total_low.value_or(*time.total * time.low_factor));
    work.high = to_hours(time.total_high.value_or(*time.total * time.high_factor));
  } else if (job.kind == JobKind::kInference && time.units_per_second > 0) {
    const double hours = kTokensPriced / time.units_per_second / 3600.0;
    work.expected = hours;
    work.low = hours * time.low_factor;
    work.high = hours * time.high_factor;
    work.per = kPerMillion;
  }
  return work;
}

// `billed` turns hours of work into hours paid for.
template <class Billed>
CostEstimate priced(const WorkHours& work, Billed billed, Money hourly) {
  CostEstimate cost;
  cost.currency = hourly.currency;
  cost.hourly = hourly;
  cost.per = work.per;
  if (!work.expected) return cost;
  cost.billed_hours = billed(*work.expected);
  cost.amount = cost.billed_hours * hourly.amount;
  cost.low = billed(*work.low) * hourly.amount;
  cost.high = billed(*work.high) * hourly.amount;
  return cost;
}

// The preference among a card's prices: lower is better.
using PriceOrder = std::tuple<int, int, double, double>;

// A quote of one's own, street before list, the condition asked for before an unstated one, the
// decision's currency before a converted one, then the newest, then the cheapest.
PriceOrder price_order(const PurchasePrice& price, Money converted, bool is_converted) {
  const bool list = price.kind == PurchasePrice::Kind::kList;
  const bool unstated = price.condition == PurchasePrice::Condition::kUnspecified;
  const auto date = price.date ? parse_date(*price.date) : std::nullopt;
  if (price.own) return {-1, 0, 0, converted.amount};
  return {(list ? 2 : 0) + (unstated ? 1 : 0), is_converted ? 1 : 0,
          date ? -day_number(*date) : 1e9, converted.amount};
}

std::optional<CardPrice> launch_price(const Catalog& catalog, const Gpu& gpu, Currency currency) {
  for (const auto& [amount, in] : {std::pair{gpu.msrp_cny, kCny}, std::pair{gpu.msrp_usd, kUsd}}) {
    if (!amount) continue;
    if (const auto price = catalog.fx.convert({*amount, in}, currency)) {
      return CardPrice{*price, nullptr, in != currency, false};
    }
  }
  return std::nullopt;
}

std::optional<Money> electricity_price(const Catalog& catalog, const Request& request) {
  const Currency currency = request.decision.currency;
  if (request.overrides.electricity_per_kwh) {
    return catalog.fx.convert(*request.overrides.electricity_per_kwh, currency);
  }
  std::optional<Money> any;
  for (const Tariff& tariff : catalog.electricity) {
    const auto price = catalog.fx.convert(tariff.price_per_kwh, currency);
    if (!price) continue;
    if (tariff.price_per_kwh.currency == currency) return price;
    if (!any) any = price;
  }
  return any;
}

double economic_default(const Catalog& catalog, std::string_view name) {
  for (const EconomicDefault& entry : catalog.economic_defaults) {
    if (entry.name == name) return entry.value;
  }
  return 0;
}

}  // namespace

std::optional<CardPrice> card_price(const Catalog& catalog, const Request& request, const Gpu& gpu,
                                    Acquire acquire) {
  const auto wanted = acquire == Acquire::kUsed ? PurchasePrice::Condition::kSecondHand
                                                : PurchasePrice::Condition::kNew;
  const Currency currency = request.decision.currency;
  std::optional<CardPrice> best;
  PriceOrder best_order;
  for (const PurchasePrice& entry : catalog.purchase_prices) {
    const bool unstated = entry.condition == PurchasePrice::Condition::kUnspecified;
    const bool usable = entry.condition == wanted || (unstated && acquire == Acquire::kBuy);
    if (entry.gpu != gpu.id || !usable || !(entry.price.amount > 0)) continue;
    const auto price = catalog.fx.convert(entry.price, currency);
    if (!price) continue;
    const bool converted = entry.price.currency != currency;
    const PriceOrder order = price_order(entry, *price, converted);
    if (best && order >= best_order) continue;
    best_order = order;
    best = CardPrice{*price, &entry, converted, is_guess(entry.sources)};
  }
  if (!best && acquire == Acquire::kBuy) return launch_price(catalog, gpu, currency);
  return best;
}

double spot_factor(const SpotOptions& spot) {
  const double lost = spot.interruptions_per_day / 24.0 * (spot.checkpoint_minutes / 60.0) / 2.0;
  return lost < 1.0 - 1.0 / kSpotFactorMax ? 1.0 / (1.0 - lost) : kSpotFactorMax;
}

std::optional<double> hours_without_checkpoints(const SpotOptions& spot, double hours) {
  const double rate = spot.interruptions_per_day / 24.0;
  if (!(rate > 0)) return hours;
  const double needed = (exp_exact(rate * hours) - 1) / rate;
  if (!(needed <= hours * kSpotFactorMax)) return std::nullopt;
  return needed;
}

double term_hours(Billing billing) {
  constexpr double kMonth = 730;  // as monthly prices are divided (assets/catalog/README.md)
  constexpr double kYear = 8760;
  switch (billing) {
    case Billing::kMonthly:
      return kMonth;
    case Billing::kReserved1y:
      return kYear;
    case Billing::kReserved3y:
      return 3 * kYear;
    default:
      return 0;
  }
}

double billed_hours(const Offer& offer, const SpotOptions& spot, double hours) {
  const double term = term_hours(offer.billing);
  if (offer.billing == Billing::kSpot) hours *= spot_factor(spot);
  if (term > 0) hours = std::ceil(hours / term) * term;
  return std::max(hours, offer.min_hours.value_or(0));
}

CostEstimate rent_cost(const Lease& lease, const TimeEstimate& time, const Job& job,
                       const Request& request) {
  const SpotOptions& spot = request.decision.spot;
  const WorkHours work = work_hours(time, job);
  const bool rate_only = !work.per.empty();  // a price per million tokens has no whole job
  CostEstimate cost = priced(
      work,
      [&](double hours) {
        const bool is_spot = lease.offer->billing == Billing::kSpot;
        if (rate_only) return is_spot ? hours * spot_factor(spot) : hours;
        return billed_hours(*lease.offer, spot, hours);
      },
      lease.hourly);
  if (lease.offer->billing == Billing::kSpot && work.expected && !rate_only) {
    cost.unsaved_hours = hours_without_checkpoints(spot, *work.expected);
  }
  cost.acquire = Acquire::kRent;
  cost.offer = lease.offer->id;
  cost.billed_gpus = lease.billed_gpus;
  cost.as_of = lease.offer->as_of;
  return cost;
}

std::optional<OwnCost> own_cost(const Catalog& catalog, const Request& request, const Gpu& gpu,
                                int count, int nodes, const CardPrice& price) {
  const OwnOptions& own = request.decision.own;
  const auto tariff = electricity_price(catalog, request);
  const auto machine = catalog.fx.convert(own.machine_price, request.decision.currency);
  const auto hosting = catalog.fx.convert(own.hosting_per_month, request.decision.currency);
  if (!tariff || !machine || !hosting) return std::nullopt;
  OwnCost cost;
  cost.hours = own.hours_per_month * 12.0 * own.years;
  cost.capital = {price.price.amount * count + machine->amount * nodes, price.price.currency};
  const double lost = cost.capital.amount * (1 - own.residual);
  const double finance =
      cost.capital.amount * (1 + own.residual) / 2 * own.finance_rate * own.years;
  cost.tariff = *tariff;
  const double watts =
      gpu.tdp_w.value_or(kUnknownTdpW) + economic_default(catalog, "node_overhead_w_per_gpu");
  cost.kilowatts = watts * count / 1000.0;
  cost.energy = *tariff * (cost.kilowatts * own.pue);
  const bool used = request.decision.acquire == Acquire::kUsed;
  const double failing = own.failure_rate.value_or(
      used ? economic_default(catalog, "annual_maintenance_fraction") : 0);
  cost.hosting_yearly = hosting->amount * nodes * 12;
  cost.upkeep_yearly = price.price.amount * count * failing;
  const double kept = (cost.hosting_yearly + cost.upkeep_yearly) * own.years;
  cost.hourly = {(lost + finance + kept) / cost.hours + cost.energy.amount, price.price.currency};
  return cost;
}

CostEstimate own_job_cost(const OwnCost& own, const TimeEstimate& time, const Job& job,
                          const Request& request, int count) {
  CostEstimate cost = priced(work_hours(time, job), [](double hours) { return hours; }, own.hourly);
  cost.acquire = request.decision.acquire;
  cost.billed_gpus = count;
  cost.capital = own.capital.amount;
  return cost;
}

Note converted_note(const FxTable& fx, Currency from, Currency to) {
  Args args{{"from", std::string(from.code())},
            {"to", std::string(to.code())},
            {"rate", fx.rate(from, to).value_or(0)}};
  for (const FxRate& rate : fx.rates()) {
    if (rate.from != from && rate.to != from) continue;
    args.push_back({"rate_date", rate.date});
    break;
  }
  return {NoteCode::kPriceConverted, Severity::kInfo, std::move(args)};
}

void lease_notes(const Catalog& catalog, const Lease& lease, int count, std::vector<Note>& notes) {
  const Offer& offer = *lease.offer;
  const auto add = [&notes](NoteCode code, Severity severity, Args args = {}) {
    notes.push_back({code, severity, std::move(args)});
  };
  if (lease.converted) {
    notes.push_back(
        converted_note(catalog.fx, offer.price_per_hour.currency, lease.hourly.currency));
  }
  if (!offer.as_of) add(NoteCode::kPriceUndated, Severity::kInfo);
  if (lease.age_days && *lease.age_days > kPriceOldDays) {
    add(NoteCode::kPriceOld, Severity::kInfo, {{"days", *lease.age_days}});
  }
  if (is_guess(offer.sources)) add(NoteCode::kPriceGuess, Severity::kWarning);
  if (lease.billed_gpus > count) {
    add(NoteCode::kWholeInstance, Severity::kInfo,
        {{"billed", lease.billed_gpus}, {"used", static_cast<double>(count)}});
  }
  if (lease.instances > 1) {
    add(NoteCode::kSeveralInstances, Severity::kWarning,
        {{"instances", static_cast<double>(lease.instances)}});
  }
  if (offer.billing == Billing::kMarketplace) add(NoteCode::kMarketplace, Severity::kInfo);
}

}  // namespace xuanka
