#include "xuanka/base/nearest.hpp"
#include "xuanka/base/sort.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>

namespace xuanka {
namespace {

constexpr std::size_t kMaxLength = 64;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_alnum(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// Lower-case letters and digits only: "RTX 4090 (24GB)" -> "rtx409024gb".
std::string letters_of(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, kMaxLength)) {
    if (is_alnum(lower(c))) out += lower(c);
  }
  return out;
}

// Runs of letters or of digits: "rtx4090" -> rtx, 4090.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  int previous = 0;  // 1 letter, 2 digit, 0 neither
  for (const char raw : text.substr(0, kMaxLength)) {
    const char c = lower(raw);
    const int kind = c >= '0' && c <= '9' ? 2 : (c >= 'a' && c <= 'z' ? 1 : 0);
    if (kind != 0 && kind != previous) tokens.emplace_back();
    if (kind != 0) tokens.back() += c;
    previous = kind;
  }
  return tokens;
}

bool contains(const std::vector<std::string>& tokens, const std::string& token) {
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

// Lower is nearer: 0 part of the id, 1 every token of `got` found, 2 misspelt; then the distance.
std::tuple<int, std::size_t> score(std::string_view got, std::string_view id) {
  const std::string short_got = letters_of(got);
  const std::string short_id = letters_of(id);
  if (!short_got.empty() && short_id.starts_with(short_got)) return {0, 0};
  const auto got_tokens = tokens_of(got);
  const auto id_tokens = tokens_of(id);
  const auto missing = static_cast<std::size_t>(
      std::count_if(got_tokens.begin(), got_tokens.end(),
                    [&](const std::string& token) { return !contains(id_tokens, token); }));
  if (!got_tokens.empty() && missing == 0) return {1, 0};
  if (short_got.size() >= 3 && short_id.find(short_got) != std::string::npos) return {1, 1};
  // Against the whole id and against its beginning, so that "rtx4909" is near "rtx-4090-24gb".
  const std::size_t whole = edit_distance(short_got, short_id);
  const std::size_t head = edit_distance(short_got, short_id.substr(0, short_got.size()));
  return {2, std::min(whole * 2, head * 2 + 1)};
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, kMaxLength);
  b = b.substr(0, kMaxLength);
  using Row = std::array<std::size_t, kMaxLength + 1>;
  std::array<Row, 3> rows{};
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    Row& row = rows[i % 3];
    const Row& above = rows[(i + 2) % 3];
    const Row& above2 = rows[(i + 1) % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], above2[j - 2] + 1);
    }
  }
  return rows[a.size() % 3][b.size()];
}

std::optional<std::string_view> nearest(std::string_view got,
                                        std::span<const std::string_view> known) {
  std::optional<std::string_view> best;
  std::size_t best_distance = 0;
  for (const std::string_view word : known) {
    const std::size_t distance = edit_distance(got, word);
    if (distance * 3 > std::max(got.size(), word.size())) continue;
    if (!best || distance < best_distance) {
      best = word;
      best_distance = distance;
    }
  }
  return best;
}

std::vector<std::string_view> nearest_ids(std::string_view got,
                                          std::span<const std::string_view> ids, std::size_t max) {
  using Scored = std::tuple<int, std::size_t, std::size_t, std::string_view>;
  std::vector<Scored> scored;
  const std::size_t letters = letters_of(got).size();
  for (const std::string_view id : ids) {
    const auto [group, distance] = score(got, id);
    if (group == 2 && distance > letters) continue;  // more than half of it wrong
    scored.emplace_back(group, distance, id.size(), id);
  }
  sort_values(scored);
  std::vector<std::string_view> out;
  for (const auto& entry : scored) {
    if (out.size() == max) break;
    // Misspellings further away than the best one only distract.
    if (std::get<0>(entry) == 2 && std::get<0>(scored.front()) == 2 &&
        std::get<1>(entry) > std::get<1>(scored.front()) + 2) {
      break;
    }
    if (std::get<0>(entry) == 2 && std::get<0>(scored.front()) < 2) break;
    out.push_back(std::get<3>(entry));
  }
  return out;
}

}  // namespace xuanka
