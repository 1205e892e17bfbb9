// The known word nearest to one that is not known: for "did you mean" in messages.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace xuanka {

/// Edits that turn `a` into `b`: insertions, deletions, substitutions and swaps of neighbours
/// (restricted Damerau-Levenshtein), ASCII letters compared without case. Texts longer than 64
/// bytes count their first 64.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The entry of `known` nearest to `got` by edit distance, the first of equals; nullopt when even
/// that one is more than a third of the longer word away (then it would mislead).
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view got,
                                                      std::span<const std::string_view> known);

/// Ids that `got` may stand for, best first, at most `max`. Ids are words joined by '-'
/// (`rtx-4090-24gb`). An id scores by the share of letters it has in common with `got` once both
/// are stripped to letters and digits: `got` as a part of the id ("rtx4090", "a100") counts before
/// a misspelling ("a10o-sxm-80gb"). Ties by id length, then by id.
[[nodiscard]] std::vector<std::string_view> nearest_ids(std::string_view got,
                                                        std::span<const std::string_view> ids,
                                                        std::size_t max = 3);

}  // namespace xuanka
