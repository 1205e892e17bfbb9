// One data file of any kind -> everything that is wrong with it.
#include <optional>
#include <string>
#include <utility>

#include "catalog/lints.hpp"
#include "catalog/sections.hpp"
#include "json/json_number.hpp"
#include "xuanka/catalog/load.hpp"
#include "xuanka/time/efficiency.hpp"
#include "xuanka/validate/validate.hpp"
#include "xuanka/workload/hf_config.hpp"

namespace xuanka {
namespace {

using catalog_json::Origin;
using catalog_json::Placed;
using catalog_json::Sections;
using json::View;

bool has_any(json::Value object, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (object.find(key)) return true;
  }
  return false;
}

DataKind kind_of_entry(json::Value entry) {
  if (has_any(entry, {"price_per_hour", "gpu_count", "billing"})) return DataKind::kOffers;
  if (has_any(entry, {"tflops", "memory_gb", "bandwidth_gb_s"})) return DataKind::kGpus;
  if (has_any(entry, {"says", "publisher"})) return DataKind::kSources;
  return DataKind::kUnknown;
}

// What a list holds, by its first element.
DataKind kind_of_list(json::Value list) {
  for (const json::Value first : list.children()) {
    if (has_any(first, {"measured", "outcome"})) return DataKind::kMeasurements;
    return kind_of_entry(first);
  }
  return DataKind::kUnknown;
}

// Quotes of one's own name no sources.
bool brings_own_prices(json::Value root) {
  const auto prices = root.find("prices");
  if (!prices) return false;
  for (const json::Value first : prices->children()) return !first.find("sources");
  return false;
}

DataKind kind_of_text(json::Value root) {
  if (root.is_array()) return kind_of_list(root);
  const DataKind named = catalog_json::kind_of(root);
  if (named != DataKind::kUnknown) return named;
  if (has_any(root, {"model_type", "architectures", "hidden_size", "n_embd", "d_model"})) {
    return DataKind::kConfig;
  }
  if (brings_own_prices(root)) return DataKind::kOverlay;
  if (has_any(root, {"prices", "price_history", "rental_price_trend", "depreciation"})) {
    return DataKind::kPurchase;
  }
  if (root.find("constants") && root.find("bands")) return DataKind::kEfficiency;
  if (root.find("cases") || root.find("columns")) return DataKind::kMeasurements;
  if (has_any(root, {"gpus", "offers", "measured", "fx", "electricity_per_kwh", "efficiency",
                     "overrides"})) {
    return DataKind::kOverlay;
  }
  return kind_of_entry(root);
}

template <class T, class Read>
void read_elements(const std::vector<View>& views, std::vector<Placed<T>>& out, Read&& read) {
  for (const View& view : views) {
    if (auto entry = read(view)) out.push_back({std::move(*entry), view});
  }
}

std::vector<View> objects_of(json::Value list, json::Issues& issues) {
  std::vector<View> views;
  for (const json::Value element : list.children()) {
    if (const auto view = json::object_at(element, issues)) views.push_back(*view);
  }
  return views;
}

// Lists that name their sources are meant as catalog data, others as a user's own.
Origin origin_of(const std::vector<View>& views) {
  for (const View& view : views) {
    if (view.has("sources")) return Origin::kShipped;
  }
  return Origin::kOwn;
}

void read_gpus(const std::vector<View>& views, Origin origin, Sections& out) {
  read_elements(views, out.gpus,
                [origin](const View& view) { return catalog_json::read_gpu(view, origin); });
}

void read_offers(const std::vector<View>& views, Origin origin, Sections& out) {
  read_elements(views, out.offers,
                [origin](const View& view) { return catalog_json::read_offer(view, origin); });
}

// Entries without a header: a list of them, or one alone.
Sections read_bare_entries(json::Value root, DataKind kind, json::Issues& issues) {
  Sections out;
  out.kind = kind;
  const auto views = root.is_array() ? objects_of(root, issues) : std::vector{View(root, issues)};
  if (kind == DataKind::kGpus) read_gpus(views, origin_of(views), out);
  if (kind == DataKind::kOffers) read_offers(views, origin_of(views), out);
  if (kind == DataKind::kSources) read_elements(views, out.sources, catalog_json::read_source);
  return out;
}

void check_fx(const View& overlay) {
  const auto fx = overlay.object("fx");
  if (!fx) return;
  for (const json::Value rate : fx->value().children()) {
    const std::string_view pair = rate.key();
    (void)fx->need_number(pair, {1e-6, 1e6});
    const bool good = pair.size() == 7 && pair[3] == '_' && Currency::parse(pair.substr(0, 3)) &&
                      Currency::parse(pair.substr(4));
    if (!good)
      fx->report(IssueCode::kBadCurrency, pair, {{"got", std::string(pair.substr(0, 40))}});
  }
}

// The `overrides` of a request, alone or in a request; `sources` for entries on their way into the
// catalog.
Sections read_overlay(json::Value root, json::Issues& issues) {
  Sections out;
  out.kind = DataKind::kOverlay;
  View overlay(root, issues);
  if (const auto nested = overlay.object("overrides")) {
    overlay = *nested;  // the rest of a request is `xuanka rank`'s to judge
  }
  overlay.only({"gpus", "offers", "prices", "sources", "measured", "fx", "electricity_per_kwh",
                "efficiency"});
  read_gpus(overlay.objects("gpus"), Origin::kOwn, out);
  read_offers(overlay.objects("offers"), Origin::kOwn, out);
  read_elements(overlay.objects("prices"), out.prices, [](const View& view) {
    return catalog_json::read_purchase_price(view, Origin::kOwn);
  });
  read_elements(overlay.objects("sources"), out.sources, catalog_json::read_source);
  check_fx(overlay);
  (void)overlay.money("electricity_per_kwh");
  (void)overlay.number("efficiency", {0.001, 1});
  return out;
}

// Rates an overlay brings count for its own offers.
Catalog with_own_rates(json::Value root, const Catalog& catalog) {
  Catalog out;
  out.fx = catalog.fx;
  auto overlay = root.find("overrides").value_or(root);
  const auto fx = overlay.find("fx");
  if (!fx || !fx->is_object()) return out;
  for (const json::Value rate : fx->children()) {
    const std::string_view pair = rate.key();
    if (pair.size() != 7 || !(rate.number() > 0)) continue;
    const auto from = Currency::parse(pair.substr(0, 3));
    const auto to = Currency::parse(pair.substr(4));
    if (!from || !to || *from == *to) continue;
    FxRate own;
    own.from = *from;
    own.to = *to;
    own.rate = rate.number();
    own.own = true;
    out.fx.set(std::move(own));
  }
  return out;
}

// The value at a path as messages write it ("constants.x[2].low"): as far as the text has it.
json::Value value_at(json::Value root, std::string_view path) {
  json::Value at = root;
  while (!path.empty()) {
    if (path.front() == '.') path.remove_prefix(1);
    std::optional<json::Value> next;
    if (path.front() == '[') {
      const std::size_t end = path.find(']');
      if (end == std::string_view::npos) return at;
      const double position = json::number_of(path.substr(1, end - 1)).value_or(0);
      double i = 0;
      for (const json::Value element : at.children()) {
        if (i++ == position) next = element;
      }
      path.remove_prefix(end + 1);
    } else {
      // Keys may hold points: the longest member that the path begins with.
      std::size_t length = 0;
      for (const json::Value member : at.children()) {
        const std::string_view key = member.key();
        if (key.size() <= length || !path.starts_with(key)) continue;
        length = key.size();
        next = member;
      }
      path.remove_prefix(length);
    }
    if (!next) return at;
    at = *next;
  }
  return at;
}

// Files judged by the reader of their module; only the places of the fields are added.
template <class T>
void add_with_places(const Result<T>& read, json::Value root, json::Issues& issues) {
  if (read) return;
  for (Issue issue : read.error()) {
    if (issue.line == 0) {
      const json::Position position = value_at(root, issue.path).position();
      issue.line = position.line;
      issue.column = position.column;
    }
    issues.add(std::move(issue));
  }
}

std::size_t check_cases(std::string_view text, json::Value root, const Catalog& catalog,
                        json::Issues& issues) {
  const auto cases = read_cases(catalog, {"cases.json", std::string(text)});
  add_with_places(cases, root, issues);
  return cases ? cases->size() : 0;
}

std::size_t count_of(const Sections& sections) {
  return sections.sources.size() + sections.gpus.size() + sections.offers.size() +
         sections.prices.size() + sections.price_history.size() + sections.rental_trend.size() +
         sections.depreciation.size() + sections.fx.size() + sections.electricity.size() +
         sections.defaults.size() + sections.datasets.size() + sections.models.size();
}

void lint_all(const Sections& sections, json::Value root, const Catalog& catalog,
              std::string_view today) {
  const bool own = sections.kind == DataKind::kOverlay;
  for (const auto& gpu : sections.gpus) {
    // An entry that names sources is meant for the catalog and must name them all.
    lint_gpu(gpu, !gpu.entry.own || !gpu.entry.sources.empty(), today);
  }
  catalog_json::lint_offers(sections.offers, own ? with_own_rates(root, catalog) : catalog, today);
  catalog_json::lint_purchase(sections, catalog, today);
  catalog_json::lint_models(sections, today);
}

bool has_header(json::Value root) { return root.is_object() && root.find("kind").has_value(); }

}  // namespace

void add_referable(std::string_view text, Catalog& catalog) {
  const auto parsed = json::parse(text);
  if (!parsed.document || !has_header(parsed.document->root())) return;
  json::Issues unused;
  const Sections sections = catalog_json::read_sections(parsed.document->root(), unused);
  for (const auto& [source, view] : sections.sources) {
    if (catalog.find_source(source.id) == nullptr) catalog.sources.push_back(source);
  }
  for (const auto& [gpu, view] : sections.gpus) {
    const auto same = [&id = gpu.id](const Gpu& other) { return other.id == id; };
    if (std::none_of(catalog.gpus.begin(), catalog.gpus.end(), same)) catalog.gpus.push_back(gpu);
  }
}

FileCheck check_text(std::string_view text, const Catalog& catalog, std::string_view today) {
  FileCheck check;
  auto parsed = json::parse(text);
  json::Issues issues;
  for (Issue& issue : parsed.issues) issues.add(std::move(issue));
  if (parsed.document) {
    const json::Value root = parsed.document->root();
    check.kind = kind_of_text(root);
    if (check.kind == DataKind::kUnknown) {
      issues.add(IssueCode::kUnknownValue, root,
                 {{"got", std::string(json::kind_name(root.kind()))},
                  {"allowed",
                   "gpus, offers, purchase, sources, datasets, models, overlay, config.json, "
                   "efficiency, measurements"}});
    } else if (check.kind == DataKind::kConfig) {
      check.entries = 1;
      add_with_places(read_hf_config(text, ""), root, issues);
    } else if (check.kind == DataKind::kEfficiency) {
      check.entries = 1;
      add_with_places(load_efficiency(text), root, issues);
    } else if (check.kind == DataKind::kMeasurements) {
      check.entries = check_cases(text, root, catalog, issues);
    } else {
      const Sections sections = check.kind == DataKind::kOverlay ? read_overlay(root, issues)
                                : has_header(root) ? catalog_json::read_sections(root, issues)
                                : check.kind == DataKind::kPurchase
                                    ? catalog_json::read_bare_purchase(root, issues)
                                    : read_bare_entries(root, check.kind, issues);
      check.entries = count_of(sections);
      catalog_json::check_references(sections, catalog);
      lint_all(sections, root, catalog, today);
    }
  }
  check.issues = issues.take();
  return check;
}

}  // namespace xuanka
