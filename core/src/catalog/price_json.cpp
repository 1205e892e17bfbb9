// Offers, purchase prices and economic defaults: JSON objects -> entries.
#include <string>
#include <utility>

#include "catalog/catalog_json.hpp"
#include "catalog/dates.hpp"
#include "catalog/entry_fields.hpp"

namespace xuanka::catalog_json {
namespace {

using json::View;

// A date that must be there.
std::string needed_date(const View& view, std::string_view key) {
  if (!view.has(key)) view.report(IssueCode::kMissing, key);
  return date_at(view, key).value_or("");
}

std::optional<Currency> needed_currency(const View& view, std::string_view key) {
  const auto code = view.need_string(key);
  if (!code) return std::nullopt;
  const auto currency = Currency::parse(*code);
  if (!currency) view.report(IssueCode::kBadCurrency, key, {{"got", std::string(*code)}});
  return currency;
}

template <class T>
std::optional<T> unless_new_issues(const View& view, std::size_t before, T value) {
  if (view.issues().size() != before) return std::nullopt;
  return value;
}

constexpr json::Range kPrice{1e-4, 1e9};  // a price of zero is a mistake, not a gift

}  // namespace

std::optional<Offer> read_offer(const View& view, Origin origin) {
  const std::size_t before = view.issues().size();
  view.only({"id", "provider", "region", "instance", "gpu", "gpu_count", "vcpus", "ram_gb", "disk",
             "price_per_hour", "price_per_gpu_hour", "billing", "as_of", "sources", "note",
             "per_gpu", "min_hours"});
  const bool shipped = origin == Origin::kShipped;
  Offer out;
  out.id = needed_text(view, "id");
  out.gpu = needed_text(view, "gpu");
  out.provider = shipped ? needed_text(view, "provider") : text_or_empty(view, "provider");
  out.region = shipped ? needed_text(view, "region") : text_or_empty(view, "region");
  out.instance = shipped ? needed_text(view, "instance") : text_or_empty(view, "instance");
  out.gpu_count = static_cast<int>(view.need_integer("gpu_count", {1, 4096}).value_or(1));
  out.vcpus = view.number("vcpus", {0.1, 100000});
  out.ram_gb = view.number("ram_gb", {0.1, 1e6});
  if (const auto disk = view.string("disk")) out.disk = std::string(*disk);
  out.price_per_hour = view.need_money("price_per_hour", kPrice).value_or(Money{});
  const auto per_gpu_price = view.money("price_per_gpu_hour", kPrice);
  if (per_gpu_price &&
      (per_gpu_price->currency != out.price_per_hour.currency ||
       per_gpu_price->amount * out.gpu_count < out.price_per_hour.amount * 0.999 ||
       per_gpu_price->amount * out.gpu_count > out.price_per_hour.amount * 1.001)) {
    view.report(IssueCode::kConflict, "price_per_gpu_hour", {{"other", "price_per_hour"}});
  }
  if (shipped && !view.has("billing")) view.report(IssueCode::kMissing, "billing");
  out.billing = view.word<Billing>("billing").value_or(Billing::kOnDemand);
  out.as_of = date_at(view, "as_of");
  out.sources = shipped ? needed_sources(view) : view.strings("sources");
  out.note = text_or_empty(view, "note");
  out.per_gpu = view.boolean("per_gpu").value_or(false);
  out.min_hours = view.number("min_hours", {0, 1e5});
  out.own = !shipped;
  return unless_new_issues(view, before, std::move(out));
}

std::optional<PurchasePrice> read_purchase_price(const View& view, Origin origin) {
  const std::size_t before = view.issues().size();
  view.only({"gpu", "condition", "kind", "price", "date", "market", "sources", "note"});
  const bool shipped = origin == Origin::kShipped;
  PurchasePrice out;
  out.own = !shipped;
  out.gpu = needed_text(view, "gpu");
  const std::string condition =
      shipped || view.has("condition") ? needed_text(view, "condition") : std::string("new");
  using Condition = PurchasePrice::Condition;
  if (condition == "new") {
    out.condition = Condition::kNew;
  } else if (condition == "second-hand") {
    out.condition = Condition::kSecondHand;
  } else if (condition == "unspecified") {
    out.condition = Condition::kUnspecified;
  } else if (!condition.empty()) {
    view.report(IssueCode::kUnknownValue, "condition",
                {{"got", condition}, {"allowed", "new, second-hand, unspecified"}});
  }
  const std::string kind =
      shipped || view.has("kind") ? needed_text(view, "kind") : std::string("street");
  if (kind != "list" && kind != "street" && !kind.empty()) {
    view.report(IssueCode::kUnknownValue, "kind", {{"got", kind}, {"allowed", "list, street"}});
  }
  out.kind = kind == "list" ? PurchasePrice::Kind::kList : PurchasePrice::Kind::kStreet;
  out.price = view.need_money("price", kPrice).value_or(Money{});
  out.date = date_at(view, "date");
  out.market = shipped ? needed_text(view, "market") : text_or_empty(view, "market");
  out.sources = shipped ? needed_sources(view) : view.strings("sources");
  out.note = text_or_empty(view, "note");
  return unless_new_issues(view, before, std::move(out));
}

std::optional<PriceSeries> read_price_series(const View& view) {
  const std::size_t before = view.issues().size();
  view.only({"gpu", "currency", "market", "unit", "sources", "points"});
  PriceSeries out;
  out.gpu = needed_text(view, "gpu");
  out.currency = needed_currency(view, "currency").value_or(Currency{});
  out.market = text_or_empty(view, "market");
  out.unit = text_or_empty(view, "unit");
  out.sources = needed_sources(view);
  if (!view.has("points")) view.report(IssueCode::kMissing, "points");
  for (const View& point : view.objects("points")) {
    point.only({"period", "amount", "samples"});
    PriceSeries::Point entry;
    entry.period = needed_date(point, "period");
    entry.amount = point.need_number("amount", kPrice).value_or(0);
    if (const auto samples = point.integer("samples", {1, 1e9})) {
      entry.samples = static_cast<int>(*samples);
    }
    out.points.push_back(std::move(entry));
  }
  return unless_new_issues(view, before, std::move(out));
}

std::optional<Depreciation> read_depreciation(const View& view) {
  const std::size_t before = view.issues().size();
  view.only(
      {"gpu", "start", "start_price", "end", "end_price", "annual_change", "sources", "note"});
  Depreciation out;
  out.gpu = needed_text(view, "gpu");
  out.start = needed_date(view, "start");
  out.end = needed_date(view, "end");
  out.start_price = view.need_money("start_price", kPrice).value_or(Money{});
  out.end_price = view.need_money("end_price", kPrice).value_or(Money{});
  out.annual_change = view.need_number("annual_change", {-1, 10}).value_or(0);
  out.sources = needed_sources(view);
  out.note = text_or_empty(view, "note");
  return unless_new_issues(view, before, std::move(out));
}

std::optional<FxRate> read_fx_rate(const View& view) {
  const std::size_t before = view.issues().size();
  view.only({"pair", "rate", "date", "sources", "note"});
  FxRate out;
  const std::string pair = needed_text(view, "pair");
  const auto from = Currency::parse(std::string_view(pair).substr(0, 3));
  const auto to =
      pair.size() == 7 ? Currency::parse(std::string_view(pair).substr(4)) : std::nullopt;
  if (from && to && pair[3] == '_' && *from != *to) {
    out.from = *from;
    out.to = *to;
  } else if (!pair.empty()) {
    view.report(IssueCode::kBadCurrency, "pair", {{"got", pair.substr(0, 40)}});
  }
  out.rate = view.need_number("rate", {1e-6, 1e6}).value_or(0);
  out.date = needed_date(view, "date");
  out.sources = needed_sources(view);
  out.note = text_or_empty(view, "note");
  return unless_new_issues(view, before, std::move(out));
}

std::optional<Tariff> read_tariff(const View& view) {
  const std::size_t before = view.issues().size();
  view.only({"region", "price_per_kwh", "date", "sources", "note"});
  Tariff out;
  out.region = needed_text(view, "region");
  out.price_per_kwh = view.need_money("price_per_kwh", kPrice).value_or(Money{});
  out.date = date_at(view, "date");
  out.sources = needed_sources(view);
  out.note = text_or_empty(view, "note");
  return unless_new_issues(view, before, std::move(out));
}

std::optional<EconomicDefault> read_economic_default(const View& view) {
  const std::size_t before = view.issues().size();
  view.only({"name", "value", "currency", "unit", "sources", "note"});
  EconomicDefault out;
  out.name = needed_text(view, "name");
  out.value = view.need_number("value", {0, 1e9}).value_or(0);
  if (view.has("currency")) out.currency = needed_currency(view, "currency");
  out.unit = text_or_empty(view, "unit");
  out.sources = needed_sources(view);
  out.note = text_or_empty(view, "note");
  return unless_new_issues(view, before, std::move(out));
}

}  // namespace xuanka::catalog_json
