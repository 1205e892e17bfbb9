// The shipped texts -> Catalog. Strict: an unknown key in shipped data is an error.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xuanka/base/embedded.hpp"
#include "xuanka/base/result.hpp"
#include "xuanka/catalog/catalog.hpp"

namespace xuanka {

/// Reads gpus, offers, purchase, sources, datasets and models (assets/catalog/*.json, told apart by
/// their `kind`); files of another kind are passed over. All faults are reported at once, each path
/// beginning with the file's name. `data_version` is the newest data_date of the files, "+", and
/// eight hexadecimal digits of a hash (FNV-1a, 32 bits) over the texts in the order of their names.
/// Ids and references are resolved; figures are not judged: that is `check_text`.
[[nodiscard]] Result<Catalog> load_catalog(std::span<const assets::EmbeddedFile> files);

/// What a text is, as `check_text` tells it.
enum class DataKind {
  kGpus,
  kOffers,
  kPurchase,
  kSources,
  kDatasets,
  kModels,
  kOverlay,
  kConfig,
  kEfficiency,
  kMeasurements,
  kArchitectures,  ///< these three: `check_reference` (reference.hpp)
  kProviders,
  kPresets,
  kUnknown
};
/// The word used for it in data files and messages ("gpus", "offers", ...).
[[nodiscard]] std::string_view data_kind_name(DataKind kind);

/// The verdict on one file.
struct FileCheck {
  DataKind kind = DataKind::kUnknown;
  std::size_t entries = 0;    ///< GPUs, offers... read
  std::vector<Issue> issues;  ///< with path, line and column; empty = good
};

/// Adds the GPUs and sources of a catalog file that `catalog` lacks, so that files checked together
/// may refer to each other. What cannot be read is left to `check_text`.
void add_referable(std::string_view text, Catalog& catalog);

/// Validates a catalog file, an overlay (the `overrides` of a request, or a list of GPUs or offers)
/// a model's config.json, fitted constants or measured cases against the schema and the data's own
/// rules: peaks dense and in the ratios their architecture allows, plausible ranges, dates,
/// currencies, sources, ids that resolve (in the file itself or in `catalog`). `today` (YYYY-MM-DD)
/// bounds dates.
[[nodiscard]] FileCheck check_text(std::string_view text, const Catalog& catalog,
                                   std::string_view today);

}  // namespace xuanka
