// The data's own rules: what cannot be right although it reads well. Each rule has a name that the
// kLint issue carries; an entry may list rules it breaks for a stated reason in `exceptions`.
#pragma once

#include <string_view>

#include "catalog/sections.hpp"

namespace xuanka::catalog_json {

/// Reports what is implausible about one GPU. `complete`: the entry is meant as shipped data, so it
/// must name a source for every figure and end its id in the memory size.
void lint_gpu(const Placed<Gpu>& gpu, bool complete, std::string_view today);

/// Reports implausible offers: price per GPU-hour, cores, RAM, dates in the future, currencies that
/// no rate converts, spot above on-demand, three years above one year.
void lint_offers(const std::vector<Placed<Offer>>& offers, const Catalog& catalog,
                 std::string_view today);

/// Reports implausible purchase prices, series out of order and depreciation that contradicts its
/// own prices.
void lint_purchase(const Sections& sections, const Catalog& catalog, std::string_view today);

/// Reports sources with dates in the future, datasets and model presets whose figures contradict
/// each other (a config.json is read and its parameters compared with the stated ones).
void lint_models(const Sections& sections, std::string_view today);

/// Reports `key` of `view` when its date begins after `today`.
void lint_date(const json::View& view, std::string_view key, std::string_view date,
               std::string_view today);

/// Reports kLint at `key` of `view`.
void lint(const json::View& view, std::string_view key, std::string_view rule, double got,
          std::string_view want);

}  // namespace xuanka::catalog_json
