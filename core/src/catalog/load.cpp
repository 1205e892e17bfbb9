#include "xuanka/catalog/load.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "catalog/sections.hpp"
#include "xuanka/base/hash.hpp"

namespace xuanka {
namespace {

using catalog_json::Placed;
using catalog_json::Sections;

// A file with everything its views point into; must not move once read.
struct File {
  std::optional<json::Document> document;
  json::Issues issues;
  Sections sections;
};

// FNV-1a, 32 bits (Fowler, Noll, Vo).
std::string hex8(std::uint32_t value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out(8, '0');
  for (std::size_t i = 0; i < 8; ++i) out[7 - i] = kDigits[(value >> (4 * i)) & 15U];
  return out;
}

template <class T>
void move_entries(std::vector<Placed<T>>& from, std::vector<T>& to) {
  to.reserve(to.size() + from.size());
  for (auto& placed : from) to.push_back(std::move(placed.entry));
}

void merge(Sections& from, Catalog& to, std::vector<FxRate>& rates) {
  move_entries(from.sources, to.sources);
  move_entries(from.gpus, to.gpus);
  move_entries(from.offers, to.offers);
  move_entries(from.prices, to.purchase_prices);
  move_entries(from.price_history, to.price_history);
  move_entries(from.rental_trend, to.rental_trend);
  move_entries(from.depreciation, to.depreciation);
  move_entries(from.fx, rates);
  move_entries(from.electricity, to.electricity);
  move_entries(from.defaults, to.economic_defaults);
  move_entries(from.datasets, to.datasets);
  move_entries(from.models, to.models);
  if (from.data_date > to.data_date) to.data_date = from.data_date;
}

// Only what references point at: enough for check_references.
Catalog index_of(const std::deque<File>& files) {
  Catalog index;
  for (const File& file : files) {
    for (const auto& gpu : file.sections.gpus) index.gpus.emplace_back().id = gpu.entry.id;
    for (const auto& source : file.sections.sources) {
      index.sources.emplace_back().id = source.entry.id;
    }
  }
  return index;
}

void append(std::vector<Issue>&& from, std::vector<Issue>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

Result<Catalog> load_catalog(std::span<const assets::EmbeddedFile> texts) {
  std::vector<Issue> issues;
  std::deque<File> files;
  std::uint32_t hash = kFnvStart;
  for (const auto& text : texts) {
    hash = fnv1a(text.text, hash);
    auto parsed = json::parse(text.text, {}, text.name);
    append(std::move(parsed.issues), issues);
    if (!parsed.document) continue;
    if (catalog_json::kind_of(parsed.document->root()) == DataKind::kUnknown) continue;
    File& file = files.emplace_back();
    file.document = std::move(parsed.document);
    file.sections = catalog_json::read_sections(file.document->root(), file.issues);
  }
  const Catalog index = index_of(files);
  Catalog catalog;
  std::vector<FxRate> rates;
  for (File& file : files) {
    catalog_json::check_references(file.sections, index);
    append(file.issues.take(), issues);
    merge(file.sections, catalog, rates);
  }
  if (catalog.gpus.empty() && issues.empty()) issues.push_back({IssueCode::kMissing, "gpus", {}});
  if (!issues.empty()) return tl::unexpected(std::move(issues));
  catalog.fx = FxTable(std::move(rates));
  catalog.data_version = catalog.data_date + "+" + hex8(hash);
  catalog.index_offers();
  return catalog;
}

}  // namespace xuanka
