// The shipped catalog, loaded once for all tests of a binary.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "xuanka/base/embedded.hpp"
#include "xuanka/catalog/load.hpp"

namespace xuanka::testing {

/// The catalog's files and the price histories, which only the command line carries.
inline std::vector<assets::EmbeddedFile> shipped_files() {
  std::vector<assets::EmbeddedFile> files(assets::catalog_files().begin(),
                                          assets::catalog_files().end());
  for (const auto& file : assets::reference_files()) {
    if (file.name == "history.json") files.push_back(file);
  }
  return files;
}

inline const Catalog& shipped_catalog() {
  static const Catalog catalog = [] {
    auto loaded = load_catalog(shipped_files());
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
  for (const auto& file : shipped_files()) {
    if (file.name == name) return file.text;
  }
  return {};
}

}  // namespace xuanka::testing
