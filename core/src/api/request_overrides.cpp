// `overrides`: the user's own GPUs, offers, rates, electricity price and efficiency.
#include <utility>

#include "api/request_reader.hpp"
#include "catalog/catalog_json.hpp"
#include "xuanka/base/date.hpp"
#include "xuanka/cost/cost.hpp"

namespace xuanka::request_json {
namespace {

using catalog_json::Origin;

template <class T>
bool holds(const std::vector<T>& entries, std::string_view id) {
  for (const T& entry : entries) {
    if (entry.id == id) return true;
  }
  return false;
}

void read_gpus(Reader& reader, const json::View& view) {
  for (const json::View& item : view.objects("gpus")) {
    auto gpu = catalog_json::read_gpu(item, Origin::kOwn);
    if (!gpu) continue;
    if (holds(reader.request.overrides.gpus, gpu->id)) {
      item.report(IssueCode::kDuplicateId, "id", {{"got", gpu->id}});
      continue;
    }
    reader.request.overrides.gpus.push_back(std::move(*gpu));
  }
}

// The id of the card that an own offer or price names.
void resolve_gpu(Reader& reader, const json::View& item, std::string& id) {
  if (const Gpu* gpu = reader.find_gpu(id)) {
    id = gpu->id;
  } else if (const auto name = item.get("gpu")) {
    std::vector<std::string_view> known;
    for (const Gpu& own : reader.request.overrides.gpus) known.push_back(own.id);
    for (const Gpu& one : reader.catalog.gpus) known.push_back(one.id);
    Reader{reader.catalog, reader.request, item.issues()}.unknown_id(*name, "gpu",
                                                                     std::move(known));
  }
}

void check_past(Reader& reader, const json::View& item, std::string_view key,
                const std::optional<std::string>& date) {
  if (!date) return;
  const auto age = age_days(*date, reader.request.as_of);
  if (!age || *age < 0) item.report(IssueCode::kBadDate, key, {{"got", *date}});
}

void check_entry(Reader& reader, const json::View& item, Offer& offer) {
  resolve_gpu(reader, item, offer.gpu);
  check_past(reader, item, "as_of", offer.as_of);
  if (!holds(reader.request.overrides.offers, offer.id)) return;
  item.report(IssueCode::kDuplicateId, "id", {{"got", offer.id}});
}

void check_entry(Reader& reader, const json::View& item, PurchasePrice& price) {
  resolve_gpu(reader, item, price.gpu);
  check_past(reader, item, "date", price.date);
}

// Own offers or prices. A bad one is told with its path and left out; the others count.
template <class T>
void read_entries(Reader& reader, const json::View& view, std::string_view key,
                  std::optional<T> (*read)(const json::View&, Origin), std::vector<T>& out) {
  for (const json::View& entry : view.objects(key)) {
    json::Issues problems(json::Limits{}.max_issues, json::UnknownFields::kPass);
    const json::View item(entry.value(), problems);
    auto value = read(item, Origin::kOwn);
    if (value) check_entry(reader, item, *value);
    for (const Issue& issue : problems.passed()) reader.issues.add(issue);
    if (!problems.empty()) {
      reader.refuse(problems);
    } else if (value) {
      out.push_back(std::move(*value));
    }
  }
}

void read_measured(Reader& reader, const json::View& view) {
  constexpr json::Range kShare{0.01, 1.2};  // a little above 1: cards beyond their published clock
  for (const json::View& item : view.objects("measured")) {
    item.only({"gpu", "date", "made_up", "matmul_peak", "fp8_peak", "vector_peak",
               "bandwidth_reached", "host_copy", "link_reached"},
              true);
    MeasuredGpu measured;
    const auto name = item.need_string("gpu");
    if (const Gpu* gpu = name ? reader.find_gpu(*name) : nullptr) {
      measured.gpu = gpu->id;
    } else if (name) {
      std::vector<std::string_view> known;
      for (const Gpu& one : reader.catalog.gpus) known.push_back(one.id);
      reader.unknown_id(*item.get("gpu"), "gpu", std::move(known));
    }
    const auto date = item.string("date");
    if (date && !parse_date(*date))
      item.report(IssueCode::kBadDate, "date", {{"got", clip(*date)}});
    measured.date = date.value_or("");
    measured.made_up = item.boolean("made_up").value_or(false);
    measured.matmul_peak = item.number("matmul_peak", kShare);
    measured.fp8_peak = item.number("fp8_peak", kShare);
    measured.vector_peak = item.number("vector_peak", kShare);
    measured.bandwidth_reached = item.number("bandwidth_reached", kShare);
    measured.host_copy = item.number("host_copy", kShare);
    measured.link_reached = item.number("link_reached", kShare);
    reader.request.overrides.measured.push_back(std::move(measured));
  }
}

void read_fx(Reader& reader, const json::View& view) {
  const auto table = view.object("fx");
  if (!table) return;
  constexpr json::Range kRate{1e-6, 1e6};
  for (const json::Value entry : table->value().children()) {
    const std::string_view pair = entry.key();
    const auto from = Currency::parse(pair.substr(0, 3));
    const auto to = pair.size() == 7 ? Currency::parse(pair.substr(4)) : std::nullopt;
    if (!from || !to || pair[3] != '_' || *from == *to) {
      table->report(IssueCode::kBadCurrency, pair, {{"got", clip(pair)}});
      continue;
    }
    const auto rate = table->need_number(pair, kRate);
    if (!rate) continue;
    FxRate own{*from, *to, *rate, reader.request.as_of, {}, true, {}};
    reader.request.overrides.fx.push_back(std::move(own));
  }
}

}  // namespace

void read_overrides(Reader& reader, const json::View& root) {
  const auto view = root.object("overrides");
  if (!view) return;
  view->only({"efficiency", "gpus", "offers", "prices", "measured", "fx", "electricity_per_kwh"},
             true);
  Overrides& out = reader.request.overrides;
  out.efficiency = view->number("efficiency", {1e-4, 1});
  read_gpus(reader, *view);
  read_entries(reader, *view, "offers", catalog_json::read_offer, out.offers);
  read_entries(reader, *view, "prices", catalog_json::read_purchase_price, out.prices);
  read_measured(reader, *view);
  read_fx(reader, *view);
  out.electricity_per_kwh = view->money("electricity_per_kwh", {0, 1e6});
}

}  // namespace xuanka::request_json
