#include "catalog/sections.hpp"

#include <array>
#include <utility>

#include "catalog/dates.hpp"

namespace xuanka::catalog_json {
namespace {

using json::View;

constexpr std::array<std::string_view, 14> kKindNames{
    "gpus",   "offers",     "purchase",     "sources",       "datasets",  "models",  "overlay",
    "config", "efficiency", "measurements", "architectures", "providers", "presets", "unknown"};

template <class T, class Read>
void read_list(const View& file, std::string_view key, std::vector<Placed<T>>& out, Read&& read) {
  if (!file.has(key)) return;
  const auto list = file.array(key);
  if (!list) return;
  out.reserve(list->size());
  for (const json::Value element : list->children()) {
    const auto view = json::object_at(element, file.issues());
    if (!view) continue;
    if (auto entry = read(*view)) out.push_back({std::move(*entry), *view});
  }
}

void read_header(const View& file, Sections& out) {
  constexpr double kSchema = 1;
  const auto schema = file.need_integer("schema");
  if (schema && *schema != kSchema) {
    file.report(IssueCode::kUnsupportedVersion, "schema",
                {{"got", *schema}, {"supported", kSchema}});
  }
  if (!file.has("data_date")) file.report(IssueCode::kMissing, "data_date");
  out.data_date = date_at(file, "data_date").value_or("");
  if (!out.data_date.empty() && out.data_date.size() != 10) {
    file.report(IssueCode::kBadDate, "data_date", {{"got", out.data_date}});
  }
  (void)file.need_string("license");
}

void read_prices(const View& file, Sections& out) {
  read_list(file, "prices", out.prices,
            [](const View& view) { return read_purchase_price(view, Origin::kShipped); });
  read_list(file, "price_history", out.price_history, read_price_series);
  read_list(file, "rental_price_trend", out.rental_trend, read_price_series);
  read_list(file, "depreciation", out.depreciation, read_depreciation);
}

void read_economics(const View& file, Sections& out) {
  read_list(file, "fx", out.fx, read_fx_rate);
  read_list(file, "electricity", out.electricity, read_tariff);
  read_list(file, "defaults", out.defaults, read_economic_default);
}

}  // namespace

DataKind kind_of(json::Value root) {
  const auto kind = root.find("kind");
  if (!kind || !kind->is_string()) return DataKind::kUnknown;
  for (std::size_t i = 0; i < static_cast<std::size_t>(DataKind::kOverlay); ++i) {
    if (kKindNames[i] == kind->string()) return static_cast<DataKind>(i);
  }
  return DataKind::kUnknown;
}

Sections read_sections(json::Value root, json::Issues& issues) {
  Sections out;
  const auto file = json::object_at(root, issues);
  if (!file) return out;
  out.kind = kind_of(root);
  read_header(*file, out);
  const auto shipped = [](auto read) {
    return [read](const View& view) { return read(view, Origin::kShipped); };
  };
  switch (out.kind) {
    case DataKind::kPurchase:
      file->only({"kind", "schema", "data_date", "license", "prices", "price_history",
                  "rental_price_trend", "depreciation", "fx", "electricity", "defaults"});
      read_prices(*file, out);
      read_economics(*file, out);
      return out;
    case DataKind::kGpus:
      read_list(*file, "gpus", out.gpus, shipped(read_gpu));
      break;
    case DataKind::kOffers:
      read_list(*file, "offers", out.offers, shipped(read_offer));
      break;
    case DataKind::kSources:
      read_list(*file, "sources", out.sources, read_source);
      break;
    case DataKind::kDatasets:
      read_list(*file, "datasets", out.datasets, read_dataset);
      break;
    case DataKind::kModels:
      read_list(*file, "models", out.models, read_model);
      break;
    default:
      return out;
  }
  file->only({"kind", "schema", "data_date", "license", data_kind_name(out.kind)});
  if (!file->has(data_kind_name(out.kind))) {
    file->report(IssueCode::kMissing, data_kind_name(out.kind));
  }
  return out;
}

Sections read_bare_purchase(json::Value root, json::Issues& issues) {
  Sections out;
  out.kind = DataKind::kPurchase;
  const View file(root, issues);
  file.only({"prices", "price_history", "rental_price_trend", "depreciation", "economics"});
  read_prices(file, out);
  const auto economics = file.object("economics");
  if (!economics) return out;
  economics->only({"fx", "electricity", "hosting"});
  read_economics(*economics, out);
  if (const auto hosting = economics->object("hosting")) {
    (void)hosting->number("pue", {1, 5});
    (void)hosting->number("node_overhead_w_per_gpu", {0, 5000});
    (void)hosting->number("annual_maintenance_fraction", {0, 1});
  }
  return out;
}

}  // namespace xuanka::catalog_json

namespace xuanka {

std::string_view data_kind_name(DataKind kind) {
  return catalog_json::kKindNames[static_cast<std::size_t>(kind)];
}

}  // namespace xuanka
