// A typed cursor over a parsed JSON object: asks for fields by name, kind and range and collects
// every problem with its path, line and column, so that all are reported at once.
#pragma once

#include <array>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/json_document.hpp"
#include "xuanka/base/enums.hpp"
#include "xuanka/base/issues.hpp"
#include "xuanka/base/money.hpp"

namespace xuanka::json {

/// Whether a key that nobody reads is a fault (shipped data) or only worth a word (a request).
enum class UnknownFields { kFail, kPass };

/// Where problems go; one per text. Stops collecting at `Limits::max_issues`.
class Issues {
 public:
  explicit Issues(std::size_t max = Limits{}.max_issues,
                  UnknownFields unknown = UnknownFields::kFail)
      : max_(max), unknown_(unknown) {}
  /// A problem of `where` itself.
  void add(IssueCode code, Value where, Args args = {});
  /// A problem of the member `key` of `object`, present or not.
  void add(IssueCode code, Value object, std::string_view key, Args args = {});
  void add(Issue issue);
  [[nodiscard]] bool empty() const { return list_.empty(); }
  /// Whether a problem with this code would be kept: what costs time to say need not be worked out
  /// otherwise.
  [[nodiscard]] bool takes(IssueCode code) const;
  [[nodiscard]] std::size_t size() const { return list_.size(); }
  [[nodiscard]] const std::vector<Issue>& list() const { return list_; }
  [[nodiscard]] std::vector<Issue> take() { return std::move(list_); }
  /// The kUnknownField problems that were let pass; not counted by `size`.
  [[nodiscard]] const std::vector<Issue>& passed() const { return passed_; }

 private:
  void store(Issue issue);

  std::vector<Issue> list_;
  std::vector<Issue> passed_;
  std::size_t max_;
  UnknownFields unknown_;
};

/// Inclusive bounds of a number.
struct Range {
  double min = -std::numeric_limits<double>::max();
  double max = std::numeric_limits<double>::max();
};
inline constexpr Range kAny{};
/// Above 0 (the smallest normal double and up).
inline constexpr Range kPositive{std::numeric_limits<double>::min(),
                                 std::numeric_limits<double>::max()};
inline constexpr Range kNonNegative{0, std::numeric_limits<double>::max()};

/// The cursor. Getters return nullopt for a field that is absent, null or wrong; a wrong one (and,
/// for `need_*`, an absent or null one: kMissing) is reported to the Issues given at construction.
class View {
 public:
  View(Value value, Issues& issues) : value_(value), issues_(&issues) {}
  [[nodiscard]] Value value() const { return value_; }
  [[nodiscard]] Issues& issues() const { return *issues_; }

  /// The value of `key`; nullopt when absent or null.
  [[nodiscard]] std::optional<Value> get(std::string_view key) const;
  [[nodiscard]] bool has(std::string_view key) const { return get(key).has_value(); }
  /// Present and null (as in `"deadline_hours": null`).
  [[nodiscard]] bool is_null(std::string_view key) const;

  [[nodiscard]] std::optional<double> number(std::string_view key, Range range = kAny) const;
  [[nodiscard]] std::optional<double> need_number(std::string_view key, Range range = kAny) const;
  /// A whole number of at most 2^53 in magnitude (10, 10.0 and 1e1 are alike).
  [[nodiscard]] std::optional<double> integer(std::string_view key, Range range = kAny) const;
  [[nodiscard]] std::optional<double> need_integer(std::string_view key, Range range = kAny) const;
  [[nodiscard]] std::optional<bool> boolean(std::string_view key) const;
  [[nodiscard]] std::optional<bool> need_boolean(std::string_view key) const;
  [[nodiscard]] std::optional<std::string_view> string(std::string_view key) const;
  /// Also reports an empty text as kMissing.
  [[nodiscard]] std::optional<std::string_view> need_string(std::string_view key) const;
  [[nodiscard]] std::optional<View> object(std::string_view key) const;
  [[nodiscard]] std::optional<View> need_object(std::string_view key) const;
  /// The array itself; iterate with `children()`.
  [[nodiscard]] std::optional<Value> array(std::string_view key) const;
  [[nodiscard]] std::optional<Value> need_array(std::string_view key) const;
  /// The texts of an array of strings; elements of another kind are reported and left out.
  [[nodiscard]] std::vector<std::string> strings(std::string_view key) const;
  /// The objects of an array of objects; elements of another kind are reported and left out.
  [[nodiscard]] std::vector<View> objects(std::string_view key) const;
  /// The numbers of an array of numbers in `range`; others are reported and left out.
  [[nodiscard]] std::vector<double> numbers(std::string_view key, Range range = kAny) const;

  /// A word of a closed vocabulary (base/enums.hpp); any other is kUnknownValue with the list.
  template <class E>
  [[nodiscard]] std::optional<E> word(std::string_view key) const {
    const auto text = string(key);
    if (!text) return std::nullopt;
    if (const auto value = value_of<E>(*text)) return value;
    report_word(key, *text, EnumNames<E>::kNames.data(), EnumNames<E>::kNames.size());
    return std::nullopt;
  }

  /// `{"amount": number, "currency": "CNY"}`, nothing else in it; the amount in `range`.
  [[nodiscard]] std::optional<Money> money(std::string_view key, Range range = kNonNegative) const;
  [[nodiscard]] std::optional<Money> need_money(std::string_view key,
                                                Range range = kNonNegative) const;

  /// Reports every key that is not in `known` (kUnknownField, with the nearest known one). Keys
  /// that begin with "_" are notes and pass when `notes` is true.
  void only(std::initializer_list<std::string_view> known, bool notes = false) const;

  /// A problem of the member `key`.
  void report(IssueCode code, std::string_view key, Args args = {}) const {
    issues_->add(code, value_, key, std::move(args));
  }

 private:
  [[nodiscard]] std::optional<Value> of_kind(std::string_view key, Kind kind, bool needed) const;
  [[nodiscard]] std::optional<double> any_number(std::string_view key, Range range, bool whole,
                                                 bool needed) const;
  [[nodiscard]] std::optional<Money> any_money(std::string_view key, Range range,
                                               bool needed) const;
  [[nodiscard]] bool in_range(Value value, Range range) const;
  void report_word(std::string_view key, std::string_view got, const std::string_view* words,
                   std::size_t count) const;

  Value value_;
  Issues* issues_;
  // Where the last look-up ended: fields are mostly asked for in the order of the text.
  mutable std::optional<Value> last_;
};

/// A cursor at an object that must be one: reports kWrongType and returns nullopt otherwise.
[[nodiscard]] std::optional<View> object_at(Value value, Issues& issues);

}  // namespace xuanka::json
