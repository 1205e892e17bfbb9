#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "catalog/lints.hpp"
#include "json/json_text.hpp"
#include "xuanka/base/date.hpp"
#include "xuanka/base/math.hpp"

namespace xuanka::catalog_json {
namespace {

using json::View;

// The rates that can be relied on: those of the file itself, else the catalog's.
FxTable rates_for(const Sections& sections, const Catalog& catalog) {
  FxTable table = catalog.fx;
  for (const auto& rate : sections.fx) table.set(rate.entry);
  return table;
}

std::optional<double> dollars(const FxTable& fx, const Money& money) {
  const auto converted = fx.convert(money, kUsd);
  return converted ? std::optional(converted->amount) : std::nullopt;
}

void lint_price(const View& view, std::string_view key, const Money& total, double parts,
                const FxTable& fx, double min, double max, std::string_view rule) {
  const auto price = dollars(fx, total);
  if (!price) {
    view.report(IssueCode::kBadCurrency, key, {{"got", std::string(total.currency.code())}});
    return;
  }
  const double each = *price / parts;
  if (each >= min && each <= max) return;
  std::string want;
  json::append_number(min, want);
  want += " to ";
  json::append_number(max, want);
  lint(view, key, rule, each, want + " USD");
}

void lint_shape(const Placed<Offer>& offer) {
  const double cores = offer.entry.vcpus.value_or(0) / offer.entry.gpu_count;
  const double ram = offer.entry.ram_gb.value_or(0) / offer.entry.gpu_count;
  if (offer.entry.vcpus && (cores < 0.5 || cores > 512)) {
    lint(offer.view, "vcpus", "cores_per_gpu", cores, "0.5 to 512");
  }
  if (offer.entry.ram_gb && (ram < 1 || ram > 4096)) {
    lint(offer.view, "ram_gb", "ram_per_gpu", ram, "1 to 4096 GB");
  }
}

using Shape = std::tuple<std::string, std::string, std::string, std::string, int, std::string_view>;
Shape shape_of(const Offer& offer) {
  return {offer.provider, offer.region,    offer.instance,
          offer.gpu,      offer.gpu_count, offer.price_per_hour.currency.code()};
}

// The dearest of a shape's offers with that billing; nullopt when it has none.
std::optional<double> dearest(const std::vector<const Placed<Offer>*>& offers, Billing billing) {
  std::optional<double> price;
  for (const auto* offer : offers) {
    if (offer->entry.billing != billing) continue;
    price = std::max(price.value_or(0), offer->entry.price_per_hour.amount);
  }
  return price;
}

void lint_not_above(const std::vector<const Placed<Offer>*>& offers, Billing cheap, Billing dear,
                    std::string_view rule) {
  const auto limit = dearest(offers, dear);
  if (!limit) return;
  for (const auto* offer : offers) {
    const double price = offer->entry.price_per_hour.amount;
    if (offer->entry.billing != cheap || price <= *limit) continue;
    std::string want = "<= ";
    json::append_number(*limit, want);
    lint(offer->view, "price_per_hour", rule, price, want);
  }
}

void lint_billings(const std::vector<Placed<Offer>>& offers) {
  std::vector<const Placed<Offer>*> sorted;
  sorted.reserve(offers.size());
  for (const auto& offer : offers) sorted.push_back(&offer);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return shape_of(a->entry) < shape_of(b->entry);
  });
  for (auto first = sorted.begin(); first != sorted.end();) {
    const Shape shape = shape_of((*first)->entry);
    const auto last = std::find_if(
        first, sorted.end(), [&](const auto* offer) { return shape_of(offer->entry) != shape; });
    const std::vector<const Placed<Offer>*> alike(first, last);
    lint_not_above(alike, Billing::kSpot, Billing::kOnDemand, "spot_above_on_demand");
    lint_not_above(alike, Billing::kReserved3y, Billing::kReserved1y, "three_years_above_one");
    first = last;
  }
}

void lint_series(const std::vector<Placed<PriceSeries>>& series, std::string_view today) {
  for (const auto& placed : series) {
    const auto points = placed.view.objects("points");
    for (std::size_t i = 0; i < points.size() && i < placed.entry.points.size(); ++i) {
      const std::string& period = placed.entry.points[i].period;
      lint_date(points[i], "period", period, today);
      if (i > 0 && period <= placed.entry.points[i - 1].period) {
        points[i].report(IssueCode::kLint, "period",
                         {{"rule", "series_order"},
                          {"got", period},
                          {"want", "> " + placed.entry.points[i - 1].period}});
      }
    }
  }
}

// The yearly change follows from the two prices: (end / start)^(1 / years) - 1.
void lint_depreciation(const Placed<Depreciation>& placed, std::string_view today) {
  const Depreciation& entry = placed.entry;
  lint_date(placed.view, "end", entry.end, today);
  if (entry.start_price.currency != entry.end_price.currency) {
    placed.view.report(IssueCode::kConflict, "end_price", {{"other", "start_price"}});
    return;
  }
  const auto start = parse_date(entry.start);
  const auto end = parse_date(entry.end);
  if (!start || !end) return;
  const double years = (day_number(*end) - day_number(*start)) / 365.25;
  if (years <= 0) {
    placed.view.report(IssueCode::kConflict, "end", {{"other", "start"}});
    return;
  }
  const double ratio = entry.end_price.amount / entry.start_price.amount;
  const double change = pow_exact(ratio, 1 / years) - 1;
  // Dates are months or years: one month more or less moves a short series by several points.
  constexpr double kTolerance = 0.05;
  if (change - entry.annual_change > kTolerance || entry.annual_change - change > kTolerance) {
    std::string want;
    json::append_number(round_significant(change, 3), want);
    lint(placed.view, "annual_change", "annual_change", entry.annual_change, want);
  }
}

}  // namespace

void lint_offers(const std::vector<Placed<Offer>>& offers, const Catalog& catalog,
                 std::string_view today) {
  for (const auto& offer : offers) {
    lint_price(offer.view, "price_per_hour", offer.entry.price_per_hour, offer.entry.gpu_count,
               catalog.fx, 0.01, 200, "price_per_gpu_hour");
    lint_shape(offer);
    lint_date(offer.view, "as_of", offer.entry.as_of.value_or(""), today);
  }
  lint_billings(offers);
}

void lint_purchase(const Sections& sections, const Catalog& catalog, std::string_view today) {
  const FxTable fx = rates_for(sections, catalog);
  for (const auto& price : sections.prices) {
    lint_price(price.view, "price", price.entry.price, 1, fx, 20, 500000, "purchase_price");
    lint_date(price.view, "date", price.entry.date.value_or(""), today);
  }
  lint_series(sections.price_history, today);
  lint_series(sections.rental_trend, today);
  for (const auto& entry : sections.depreciation) lint_depreciation(entry, today);
  for (const auto& rate : sections.fx) lint_date(rate.view, "date", rate.entry.date, today);
  for (const auto& tariff : sections.electricity) {
    lint_price(tariff.view, "price_per_kwh", tariff.entry.price_per_kwh, 1, fx, 0.01, 2,
               "electricity_price");
    lint_date(tariff.view, "date", tariff.entry.date.value_or(""), today);
  }
}

}  // namespace xuanka::catalog_json
