// xuanka catalog architectures, providers, presets: as cards to read, as tables, as JSON.
#pragma once

#include <string>

#include "shell/cli/shell.hpp"
#include "xuanka/catalog/reference.hpp"

namespace xuanka::cli {

/// architectures, providers or presets.
[[nodiscard]] bool is_reference(const std::string& what);
[[nodiscard]] Table reference_table(const Shell& shell, const Reference& reference,
                                    const std::string& what);
/// The entries as they ship, a JSON array.
[[nodiscard]] std::string reference_json(const std::string& what);
/// One entry in words; of a preset the command and what it answers.
[[nodiscard]] std::string reference_card(const Shell& shell, const Reference& reference,
                                         const std::string& what, std::size_t index);
/// A GPU in words: form, power, links, status, notes of the data, and its architecture's card.
[[nodiscard]] std::string gpu_card(const Shell& shell, const Reference& reference, const Gpu& gpu);
/// The card of a GPU's architecture; empty when there is none.
[[nodiscard]] std::string architecture_card(const Shell& shell, const Reference& reference,
                                            const Architecture& entry);

}  // namespace xuanka::cli
