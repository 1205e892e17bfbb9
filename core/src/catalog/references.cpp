// Ids that must resolve and ids that must be unique.
#include <algorithm>
#include <string>
#include <utility>

#include "catalog/lookup.hpp"
#include "catalog/sections.hpp"
#include "xuanka/base/nearest.hpp"
#include "xuanka/base/sort.hpp"

namespace xuanka::catalog_json {
namespace {

using json::View;

// A sorted set of ids to look up in.
class Ids {
 public:
  template <class T>
  void add(const std::vector<T>& entries) {
    for (const T& entry : entries) ids_.push_back(entry.id);
  }
  template <class T>
  void add(const std::vector<Placed<T>>& entries) {
    for (const auto& placed : entries) ids_.push_back(placed.entry.id);
  }
  void sort() { sort_values(ids_); }
  [[nodiscard]] bool has(std::string_view id) const {
    return std::binary_search(ids_.begin(), ids_.end(), id);
  }
  [[nodiscard]] Args unknown(std::string_view kind, std::string_view got) const {
    Args args{{"kind", std::string(kind)}, {"got", std::string(got.substr(0, 80))}};
    const auto near = nearest_ids(got, ids_, 1);
    if (!near.empty()) args.push_back({"nearest", std::string(near.front())});
    return args;
  }

 private:
  std::vector<std::string_view> ids_;
};

void check_sources(const View& view, std::string_view key, const std::vector<std::string>& given,
                   const Ids& known) {
  for (const std::string& id : given) {
    if (!known.has(id)) view.report(IssueCode::kUnknownId, key, known.unknown("source", id));
  }
}

template <class T>
void check_source_lists(const std::vector<Placed<T>>& entries, const Ids& known) {
  for (const auto& placed : entries) {
    check_sources(placed.view, "sources", placed.entry.sources, known);
  }
}

template <class T>
void check_gpu_ids(const std::vector<Placed<T>>& entries, const Ids& known) {
  for (const auto& placed : entries) {
    if (known.has(placed.entry.gpu)) continue;
    placed.view.report(IssueCode::kUnknownId, "gpu", known.unknown("gpu", placed.entry.gpu));
  }
}

// Repeats of a name in one list: of an id, or of anything a look-up would take for one.
void check_unique(std::vector<std::pair<std::string, const View*>> names) {
  std::stable_sort(names.begin(), names.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (names[i].first != names[i - 1].first || names[i].second == names[i - 1].second) continue;
    names[i].second->report(IssueCode::kDuplicateId, "id", {{"got", names[i].first}});
  }
}

template <class T>
void check_unique_ids(const std::vector<Placed<T>>& entries) {
  std::vector<std::pair<std::string, const View*>> names;
  for (const auto& placed : entries) names.emplace_back(placed.entry.id, &placed.view);
  check_unique(std::move(names));
}

template <class T>
void check_unique_names(const std::vector<Placed<T>>& entries) {
  std::vector<std::pair<std::string, const View*>> names;
  for (const auto& placed : entries) {
    for (auto& name : folded_names(placed.entry)) names.emplace_back(std::move(name), &placed.view);
  }
  check_unique(std::move(names));
}

void check_gpu_sources(const Placed<Gpu>& gpu, const Ids& known) {
  const auto sources = gpu.view.object("sources");
  if (sources) {
    for (const auto& [field, ids] : gpu.entry.sources) check_sources(*sources, field, ids, known);
  }
  for (const View& entry : gpu.view.objects("disagreements")) {
    const std::string_view id = entry.string("source").value_or("");
    if (!known.has(id)) entry.report(IssueCode::kUnknownId, "source", known.unknown("source", id));
  }
}

}  // namespace

void check_references(const Sections& sections, const Catalog& catalog) {
  Ids gpus;
  gpus.add(catalog.gpus);
  gpus.add(sections.gpus);
  gpus.sort();
  Ids sources;
  sources.add(catalog.sources);
  sources.add(sections.sources);
  sources.sort();

  check_gpu_ids(sections.offers, gpus);
  check_gpu_ids(sections.prices, gpus);
  check_gpu_ids(sections.price_history, gpus);
  check_gpu_ids(sections.rental_trend, gpus);
  check_gpu_ids(sections.depreciation, gpus);
  for (const auto& gpu : sections.gpus) check_gpu_sources(gpu, sources);
  check_source_lists(sections.offers, sources);
  check_source_lists(sections.prices, sources);
  check_source_lists(sections.price_history, sources);
  check_source_lists(sections.rental_trend, sources);
  check_source_lists(sections.depreciation, sources);
  check_source_lists(sections.fx, sources);
  check_source_lists(sections.electricity, sources);
  check_source_lists(sections.defaults, sources);
  check_source_lists(sections.datasets, sources);
  check_source_lists(sections.models, sources);
  check_unique_ids(sections.sources);
  check_unique_ids(sections.offers);
  check_unique_names(sections.gpus);
  check_unique_names(sections.datasets);
  check_unique_names(sections.models);
}

}  // namespace xuanka::catalog_json
