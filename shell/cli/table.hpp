// Aligned tables for a terminal: columns by display width, so that Chinese lines up; also as CSV
// and Markdown.
#pragma once

#include <string>
#include <vector>

#include "xuanka/present/view_model.hpp"

namespace xuanka::cli {

struct Cell {
  std::string text;
  Tone tone = Tone::kNeutral;
};
struct Column {
  std::string title;
  bool right = false;  ///< numbers
};
struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  ///< as many cells as columns
};
enum class TableFormat { kText, kCsv, kMarkdown, kJson };  ///< kJson: the command has its own

[[nodiscard]] std::string render(const Table& table, TableFormat format, bool color);
/// `text` in the colour of its tone, when `color`.
[[nodiscard]] std::string paint(std::string_view text, Tone tone, bool color);
/// `text` in bold, when `color`.
[[nodiscard]] std::string bold(std::string_view text, bool color);
/// Dimmed, when `color`.
[[nodiscard]] std::string dim(std::string_view text, bool color);
/// Lines of at most `width` columns, broken at spaces or between Chinese characters, each after the
/// first beginning with `indent` spaces.
[[nodiscard]] std::string wrap(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace xuanka::cli
