// Tables as data: columns say what a row shows, how it sorts and how wide it is; one loop draws
// them, and the same columns give the twin's tables, CSV and Markdown.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "web/widgets.hpp"

namespace xuanka::web {

struct Column {
  std::string title;
  Align align = Align::kLeft;
  float width = 80;  ///< units; the first column takes what is left
  int priority = 0;  ///< columns with higher numbers go first when there is no room
  std::function<std::string(std::size_t)> text;
  std::function<std::optional<double>(std::size_t)> number =
      nullptr;  ///< sorts by this where given
  std::function<void(const Ui&, const Rect&, std::size_t)> draw = nullptr;  ///< instead of the text
  std::function<std::string(std::size_t)> hint = nullptr;                   ///< tooltip
  float least = 0;  ///< units it can do with when room is short; 0 = its width
};
struct Table {
  ListId list = ListId::kPlans;  ///< kCount_ = small and fixed: neither sorted nor filtered
  std::string id, caption;
  std::vector<Column> columns;
  std::size_t rows = 0;
};

/// Row numbers in the order chosen, those that hold every word of the list's filter.
[[nodiscard]] std::vector<std::size_t> table_order(const Table& table, const State& state);

struct TableEvents {
  std::function<bool(std::size_t)> selected = nullptr;
  std::function<void(std::size_t)> pressed = nullptr;
};
/// Draws the rows `order`; returns the lower edge.
float draw_table(const Ui& ui, const Table& table, const std::vector<std::size_t>& order, float x,
                 float y, float width, const TableEvents& events = {});
/// The same rows one under another, each a card with the first column as its title: for phones.
float draw_cards(const Ui& ui, const Table& table, const std::vector<std::size_t>& order, float x,
                 float y, float width, const TableEvents& events = {});

[[nodiscard]] std::string table_csv(const Table& table, const std::vector<std::size_t>& order);
[[nodiscard]] std::string table_markdown(const Table& table, const std::vector<std::size_t>& order,
                                         std::size_t max_rows);
/// {"id","caption","head":[],"rows":[[]]}
[[nodiscard]] std::string table_json(const Table& table, const std::vector<std::size_t>& order);

}  // namespace xuanka::web
