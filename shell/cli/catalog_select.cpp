#include "shell/cli/catalog_select.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace xuanka::cli {
namespace {

constexpr std::string_view kCellDigits = "0123456789";

// The number of a cell such as "24", "¥2.09", "18,000" or "6.74 B"; of "CUDA 11.8–12.9" there is
// none.
std::optional<double> cell_number(std::string text) {
  std::erase(text, ',');
  const std::size_t begin = text.find_first_of(kCellDigits);
  if (begin == text.npos) return std::nullopt;
  // Before it at most a currency sign and a minus.
  for (const char c : text.substr(0, begin)) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter) return std::nullopt;
  }
  char* end = nullptr;
  double value = std::strtod(text.c_str() + begin, &end);
  std::string_view rest(end);
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  constexpr std::array<std::pair<char, double>, 5> kCellUnits{
      {{'k', 1e3}, {'M', 1e6}, {'G', 1e9}, {'B', 1e9}, {'T', 1e12}}};
  if (rest.size() == 1) {
    for (const auto& [letter, factor] : kCellUnits) {
      if (rest.front() == letter) return value * factor;
    }
  }
  if (!rest.empty() && rest.find_first_of(kCellDigits) != rest.npos) return std::nullopt;
  return value;
}

int compare_cells(const std::string& a, const std::string& b) {
  const auto x = cell_number(a);
  const auto y = cell_number(b);
  if (x && y) return *x < *y ? -1 : (*x > *y ? 1 : 0);
  if (x || y) return x ? -1 : 1;
  const int order = lower_case(a).compare(lower_case(b));
  return order < 0 ? -1 : (order > 0 ? 1 : 0);
}

std::string trimmed_text(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

}  // namespace

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return text;
}

bool matches(const std::vector<Cell>& row, const std::string& filter) {
  std::string all;
  for (const Cell& cell : row) all += lower_case(cell.text) + "\n";
  std::string word;
  for (const char c : lower_case(filter) + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      if (all.find(word) == std::string::npos) return false;
      word.clear();
    }
  }
  return true;
}

Condition read_condition(const std::string& text) {
  for (const std::string_view op : {">=", "<=", "!=", ">", "<", "="}) {
    const std::size_t at = text.find(op);
    if (at == text.npos) continue;
    return {trimmed_text(text.substr(0, at)), std::string(op),
            trimmed_text(text.substr(at + op.size()))};
  }
  return {};
}

bool holds(const Condition& condition, const std::string& cell) {
  const bool number = cell_number(condition.value).has_value();
  if (number && !cell_number(cell)) return condition.op == "!=";
  const int order = compare_cells(cell, condition.value);
  if (condition.op == ">=") return order >= 0;
  if (condition.op == "<=") return order <= 0;
  if (condition.op == "!=") return order != 0;
  if (condition.op == ">") return order > 0;
  return condition.op == "<" ? order < 0 : order == 0;
}

bool wants_number(const Condition& condition, const std::vector<std::vector<Cell>>& rows,
                  std::size_t column) {
  if (condition.op == "=" || condition.op == "!=" || cell_number(condition.value)) return false;
  return std::any_of(rows.begin(), rows.end(),
                     [&](const auto& row) { return cell_number(row[column].text).has_value(); });
}

bool before(const std::string& a, const std::string& b) { return compare_cells(a, b) < 0; }

}  // namespace xuanka::cli
