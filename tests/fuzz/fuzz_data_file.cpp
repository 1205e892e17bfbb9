// Any bytes as a data file: the check must come back, with a place for every fault it tells.
#include <cstdint>
#include <cstdlib>

#include "xuanka/catalog/load.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const xuanka::Catalog catalog = [] {
    auto loaded = xuanka::load_catalog(xuanka::assets::catalog_files());
    if (!loaded) std::abort();
    return std::move(*loaded);
  }();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto check = xuanka::check_text(text, catalog, catalog.data_date);
  if (check.kind == xuanka::DataKind::kUnknown && check.issues.empty()) std::abort();
  if (check.issues.size() > 1000) std::abort();
  return 0;
}
