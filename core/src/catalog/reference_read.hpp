// Reading the reference files: shared by the loader and the check.
#pragma once

#include "catalog/sections.hpp"
#include "xuanka/catalog/reference.hpp"

namespace xuanka::catalog_json {

/// What a reference file holds, with the places; lists of other kinds are empty.
struct ReferenceFile {
  DataKind kind = DataKind::kUnknown;
  std::vector<Placed<Architecture>> architectures;
  std::vector<Placed<ProviderNote>> providers;
  std::vector<Placed<GuideExample>> presets;
  std::vector<Placed<Source>> sources;
};
/// architectures, providers or presets; kUnknown for any other.
[[nodiscard]] DataKind reference_kind_of(json::Value root);
[[nodiscard]] ReferenceFile read_reference_file(json::Value root, json::Issues& issues);

/// The data's own rules (`check_reference`).
void lint_reference(const ReferenceFile& file, const Catalog& catalog, std::string_view today);

}  // namespace xuanka::catalog_json
