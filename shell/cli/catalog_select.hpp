// Which rows of a table are wanted: words, conditions on columns, order.
#pragma once

#include <string>
#include <vector>

#include "shell/cli/table.hpp"

namespace xuanka::cli {

/// ASCII letters in lower case.
[[nodiscard]] std::string lower_case(std::string text);
/// Whether the row holds every word of the filter, in any column.
[[nodiscard]] bool matches(const std::vector<Cell>& row, const std::string& filter);

/// "GB>=24": a column, one of >= <= != > < =, a value. `op` is empty when there is none.
struct Condition {
  std::string column, op, value;
};
[[nodiscard]] Condition read_condition(const std::string& text);
/// Numbers compare as numbers (a currency sign, commas and a unit letter k, M, G, T, B are read),
/// other texts by their letters. A cell without a number holds no condition on one.
[[nodiscard]] bool holds(const Condition& condition, const std::string& cell);

/// Whether the condition asks for an order and its value is no number although some cell is one.
[[nodiscard]] bool wants_number(const Condition& condition,
                                const std::vector<std::vector<Cell>>& rows, std::size_t column);
/// The order of cells: numbers by size, other texts by their letters, numbers first.
[[nodiscard]] bool before(const std::string& a, const std::string& b);

}  // namespace xuanka::cli
