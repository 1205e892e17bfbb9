#include "catalog/lookup.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "xuanka/base/date.hpp"
#include "xuanka/base/hash.hpp"
#include "xuanka/base/nearest.hpp"
#include "xuanka/base/sort.hpp"

namespace xuanka {
namespace {

template <class T>
const T* find_id(const std::vector<T>& entries, std::string_view id) {
  for (const T& entry : entries) {
    if (entry.id == id) return &entry;
  }
  return nullptr;
}

template <class T>
const T* find_name(const std::vector<T>& entries, std::string_view name) {
  if (const T* exact = find_id(entries, name)) return exact;
  const std::string wanted = folded(name);
  if (wanted.empty()) return nullptr;
  for (const T& entry : entries) {
    const auto names = folded_names(entry);
    if (std::find(names.begin(), names.end(), wanted) != names.end()) return &entry;
  }
  return nullptr;
}

template <class T>
std::vector<std::string> names_of(const T& entry, const std::vector<std::string>& aliases) {
  std::vector<std::string> names{folded(entry.id), folded(entry.name)};
  for (const std::string& alias : aliases) names.push_back(folded(alias));
  return names;
}

// Where entries with the hash of `key` are.
std::span<const HashedPosition> with_hash(const std::vector<HashedPosition>& index,
                                          std::string_view key) {
  const auto range = std::ranges::equal_range(index, fnv1a(key), {}, &HashedPosition::hash);
  return {range.begin(), range.end()};
}

}  // namespace

std::string folded(std::string_view name) {
  constexpr std::array<std::string_view, 4> kFamilies{"nvidia", "amd", "geforce", "tesla"};
  const auto digit = [&](std::size_t at) {
    return at < name.size() && name[at] >= '0' && name[at] <= '9';
  };
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool upper = c >= 'A' && c <= 'Z';
    // A point inside a number counts (1.6 is not 16), and so do bytes of other scripts.
    const bool point = c == '.' && i > 0 && digit(i - 1) && digit(i + 1);
    if (upper || (c >= 'a' && c <= 'z') || digit(i) || point ||
        (static_cast<unsigned char>(c) & 0x80U) != 0) {
      out += upper ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  for (const std::string_view family : kFamilies) {
    if (out.starts_with(family) && out.size() > family.size()) out.erase(0, family.size());
  }
  return out;
}

std::vector<std::string> folded_names(const Gpu& gpu) { return names_of(gpu, gpu.aliases); }

std::vector<std::string> folded_names(const ModelPreset& model) {
  auto names = names_of(model, model.aliases);
  if (!model.name_zh.empty()) names.push_back(folded(model.name_zh));
  return names;
}

std::vector<std::string> folded_names(const Dataset& dataset) {
  return names_of(dataset, dataset.name_zh.empty() ? std::vector<std::string>{}
                                                   : std::vector<std::string>{dataset.name_zh});
}

void Catalog::index_offers() {
  offers_by_id_.clear();
  offers_by_gpu_.clear();
  for (std::uint32_t i = 0; i < offers.size(); ++i) {
    Offer& offer = offers[i];
    offers_by_id_.push_back({fnv1a(offer.id), i});
    offers_by_gpu_.push_back({fnv1a(offer.gpu), i});
    const auto date = offer.as_of ? parse_date(*offer.as_of) : std::nullopt;
    offer.as_of_day = date ? std::optional(day_number(*date)) : std::nullopt;
  }
  const auto by_hash = [](const HashedPosition& a, const HashedPosition& b) {
    return a.hash < b.hash;
  };
  sort_values(offers_by_id_, by_hash);
  sort_values(offers_by_gpu_, by_hash);
}

std::vector<const Offer*> Catalog::offers_of(std::string_view gpu) const {
  std::vector<const Offer*> found;
  const auto add = [&found, gpu](const Offer& offer) {
    if (offer.gpu == gpu) found.push_back(&offer);
  };
  if (offers_by_gpu_.size() != offers.size()) {
    std::ranges::for_each(offers, add);
  } else {
    for (const HashedPosition& entry : with_hash(offers_by_gpu_, gpu)) add(offers[entry.position]);
  }
  return found;
}

const Gpu* Catalog::find_gpu(std::string_view id) const { return find_name(gpus, id); }
const Offer* Catalog::find_offer(std::string_view id) const {
  if (offers_by_id_.size() != offers.size()) return find_id(offers, id);
  for (const HashedPosition& entry : with_hash(offers_by_id_, id)) {
    if (offers[entry.position].id == id) return &offers[entry.position];
  }
  return nullptr;
}
const Dataset* Catalog::find_dataset(std::string_view id) const { return find_name(datasets, id); }
const ModelPreset* Catalog::find_model(std::string_view id) const { return find_name(models, id); }
const Source* Catalog::find_source(std::string_view id) const { return find_id(sources, id); }

std::string nearest_id(std::string_view text, const std::vector<std::string_view>& ids) {
  const auto near = nearest_ids(text, ids, 1);
  return near.empty() ? std::string{} : std::string(near.front());
}

}  // namespace xuanka
