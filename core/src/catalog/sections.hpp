// One catalog file -> the lists of its kind, with the views of the entries for later checks.
#pragma once

#include <string_view>
#include <vector>

#include "catalog/catalog_json.hpp"
#include "json/json_view.hpp"
#include "xuanka/catalog/load.hpp"

namespace xuanka::catalog_json {

/// An entry read, with the place it was read from.
template <class T>
struct Placed {
  T entry;
  json::View view;
};

/// What a file of the catalog holds; lists of other kinds are empty.
struct Sections {
  DataKind kind = DataKind::kUnknown;
  std::string data_date;
  std::vector<Placed<Source>> sources;
  std::vector<Placed<Gpu>> gpus;
  std::vector<Placed<Offer>> offers;
  std::vector<Placed<PurchasePrice>> prices;
  std::vector<Placed<PriceSeries>> price_history, rental_trend;
  std::vector<Placed<Depreciation>> depreciation;
  std::vector<Placed<FxRate>> fx;
  std::vector<Placed<Tariff>> electricity;
  std::vector<Placed<EconomicDefault>> defaults;
  std::vector<Placed<Dataset>> datasets;
  std::vector<Placed<ModelPreset>> models;
};

/// The kind a file names in "kind"; kUnknown for others (which are not the catalog's).
[[nodiscard]] DataKind kind_of(json::Value root);

/// Reads a whole file of a known kind. Problems go to `issues`; entries with problems are left out.
/// The views stay valid as long as the document and `issues`.
[[nodiscard]] Sections read_sections(json::Value root, json::Issues& issues);

/// As `read_sections` for purchase prices without the header, in which fx, electricity and hosting
/// may lie in `economics`.
[[nodiscard]] Sections read_bare_purchase(json::Value root, json::Issues& issues);

/// Reports every reference of `sections` that neither `catalog` nor `sections` itself resolves
/// (GPU ids, source ids) and every id or name that occurs twice in `sections`.
void check_references(const Sections& sections, const Catalog& catalog);

}  // namespace xuanka::catalog_json
