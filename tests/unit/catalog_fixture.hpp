// The shipped catalog, loaded once for all tests of a binary.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "xuanka/base/embedded.hpp"
#include "xuanka/catalog/load.hpp"

namespace xuanka::testing {

inline const Catalog& shipped_catalog() {
  static const Catalog catalog = [] {
    auto loaded = load_catalog(assets::catalog_files());
    if (!loaded) {
      for (const Issue& issue : loaded.error()) {
        ADD_FAILURE() << issue_code_name(issue.code) << " at " << issue.path << ":" << issue.line;
      }
      return Catalog{};
    }
    return std::move(*loaded);
  }();
  return catalog;
}

inline std::string_view shipped_text(std::string_view name) {
  for (const auto& file : assets::catalog_files()) {
    if (file.name == name) return file.text;
  }
  return {};
}

}  // namespace xuanka::testing
