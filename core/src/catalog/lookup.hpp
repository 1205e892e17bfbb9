// Names compared as people write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xuanka/catalog/catalog.hpp"

namespace xuanka {

/// Lower-case letters and numbers of `name`, without the maker's and family's name in front:
/// "NVIDIA GeForce RTX 4090" -> "rtx4090", "llama-2-7b" -> "llama27b".
[[nodiscard]] std::string folded(std::string_view name);

/// Every folded name an entry answers to: id, display names, aliases.
[[nodiscard]] std::vector<std::string> folded_names(const Gpu& gpu);
[[nodiscard]] std::vector<std::string> folded_names(const ModelPreset& model);
[[nodiscard]] std::vector<std::string> folded_names(const Dataset& dataset);

}  // namespace xuanka
