#include "json/json_view.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "xuanka/base/nearest.hpp"

namespace xuanka::json {
namespace {

constexpr double kMaxExactInteger = 9007199254740992.0;  // 2^53

// Long texts would drown the message they are quoted in. Cut between UTF-8 characters.
std::string quoted(std::string_view text) {
  constexpr std::size_t kMax = 80;
  if (text.size() <= kMax) return std::string(text);
  std::size_t end = kMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "...";
}

Args range_args(Range range, double got) {
  Args args;
  if (range.min == kPositive.min) {
    args.push_back({"above", 0.0});
  } else if (range.min > kAny.min) {
    args.push_back({"min", range.min});
  }
  if (range.max < kAny.max) args.push_back({"max", range.max});
  args.push_back({"got", got});
  return args;
}

Issue wrong_type(Value value, std::string_view want) {
  const Position position = value.position();
  return {IssueCode::kWrongType,
          value.path(),
          {{"want", std::string(want)}, {"got", std::string(kind_name(value.kind()))}},
          position.line,
          position.column};
}

}  // namespace

bool Issues::takes(IssueCode code) const {
  const bool pass = code == IssueCode::kUnknownField && unknown_ == UnknownFields::kPass;
  return (pass ? passed_ : list_).size() < max_;
}

void Issues::store(Issue issue) {
  const bool pass = issue.code == IssueCode::kUnknownField && unknown_ == UnknownFields::kPass;
  auto& list = pass ? passed_ : list_;
  if (list.size() < max_) list.push_back(std::move(issue));
}

void Issues::add(Issue issue) { store(std::move(issue)); }

void Issues::add(IssueCode code, Value where, Args args) {
  if (list_.size() >= max_) return;
  const Position position = where.position();
  store({code, where.path(), std::move(args), position.line, position.column});
}

void Issues::add(IssueCode code, Value object, std::string_view key, Args args) {
  if (list_.size() >= max_) return;
  const Position position = object.find(key).value_or(object).position();
  store({code, object.path_of(key), std::move(args), position.line, position.column});
}

std::optional<Value> View::get(std::string_view key) const {
  std::optional<Value> value = last_;
  if (value && value->key() != key) value = value->next();
  if (!value || value->key() != key) value = value_.find(key);
  if (value) last_ = value;
  return value && !value->is_null() ? value : std::nullopt;
}

bool View::is_null(std::string_view key) const {
  const auto value = value_.find(key);
  return value && value->is_null();
}

std::optional<Value> View::of_kind(std::string_view key, Kind kind, bool needed) const {
  const auto value = get(key);
  if (!value) {
    if (needed) report(IssueCode::kMissing, key);
    return std::nullopt;
  }
  if (value->kind() == kind) return value;
  issues_->add(wrong_type(*value, kind_name(kind)));
  return std::nullopt;
}

bool View::in_range(Value value, Range range) const {
  const double number = value.number();
  if (number >= range.min && number <= range.max) return true;
  issues_->add(IssueCode::kOutOfRange, value, range_args(range, number));
  return false;
}

std::optional<double> View::any_number(std::string_view key, Range range, bool whole,
                                       bool needed) const {
  const auto value = of_kind(key, Kind::kNumber, needed);
  if (!value) return std::nullopt;
  const double number = value->number();
  if (whole && (number != std::floor(number) || std::abs(number) > kMaxExactInteger)) {
    issues_->add(IssueCode::kNotInteger, *value, {{"got", number}});
    return std::nullopt;
  }
  if (!in_range(*value, range)) return std::nullopt;
  return number == 0 ? 0.0 : number;  // no negative zero further in
}

std::optional<double> View::number(std::string_view key, Range range) const {
  return any_number(key, range, false, false);
}
std::optional<double> View::need_number(std::string_view key, Range range) const {
  return any_number(key, range, false, true);
}
std::optional<double> View::integer(std::string_view key, Range range) const {
  return any_number(key, range, true, false);
}
std::optional<double> View::need_integer(std::string_view key, Range range) const {
  return any_number(key, range, true, true);
}

std::optional<bool> View::boolean(std::string_view key) const {
  const auto value = of_kind(key, Kind::kBool, false);
  return value ? std::optional(value->boolean()) : std::nullopt;
}
std::optional<bool> View::need_boolean(std::string_view key) const {
  const auto value = of_kind(key, Kind::kBool, true);
  return value ? std::optional(value->boolean()) : std::nullopt;
}

std::optional<std::string_view> View::string(std::string_view key) const {
  const auto value = of_kind(key, Kind::kString, false);
  return value ? std::optional(value->string()) : std::nullopt;
}
std::optional<std::string_view> View::need_string(std::string_view key) const {
  const auto value = of_kind(key, Kind::kString, true);
  if (!value) return std::nullopt;
  if (!value->string().empty()) return value->string();
  report(IssueCode::kMissing, key);
  return std::nullopt;
}

std::optional<View> View::object(std::string_view key) const {
  const auto value = of_kind(key, Kind::kObject, false);
  return value ? std::optional(View(*value, *issues_)) : std::nullopt;
}
std::optional<View> View::need_object(std::string_view key) const {
  const auto value = of_kind(key, Kind::kObject, true);
  return value ? std::optional(View(*value, *issues_)) : std::nullopt;
}

std::optional<Value> View::array(std::string_view key) const {
  return of_kind(key, Kind::kArray, false);
}
std::optional<Value> View::need_array(std::string_view key) const {
  return of_kind(key, Kind::kArray, true);
}

std::vector<std::string> View::strings(std::string_view key) const {
  std::vector<std::string> texts;
  const auto list = array(key);
  if (!list) return texts;
  texts.reserve(list->size());
  for (const Value element : list->children()) {
    if (element.is_string()) {
      texts.emplace_back(element.string());
    } else {
      issues_->add(wrong_type(element, kind_name(Kind::kString)));
    }
  }
  return texts;
}

std::vector<View> View::objects(std::string_view key) const {
  std::vector<View> views;
  const auto list = array(key);
  if (!list) return views;
  views.reserve(list->size());
  for (const Value element : list->children()) {
    if (const auto view = object_at(element, *issues_)) views.push_back(*view);
  }
  return views;
}

std::vector<double> View::numbers(std::string_view key, Range range) const {
  std::vector<double> numbers;
  const auto list = array(key);
  if (!list) return numbers;
  numbers.reserve(list->size());
  for (const Value element : list->children()) {
    if (!element.is_number()) {
      issues_->add(wrong_type(element, kind_name(Kind::kNumber)));
    } else if (in_range(element, range)) {
      numbers.push_back(element.number());
    }
  }
  return numbers;
}

void View::report_word(std::string_view key, std::string_view got, const std::string_view* words,
                       std::size_t count) const {
  std::string allowed;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) allowed += ", ";
    allowed += words[i];
  }
  report(IssueCode::kUnknownValue, key, {{"got", quoted(got)}, {"allowed", allowed}});
}

std::optional<Money> View::any_money(std::string_view key, Range range, bool needed) const {
  const auto value = of_kind(key, Kind::kObject, needed);
  if (!value) return std::nullopt;
  const View view(*value, *issues_);
  view.only({"amount", "currency"});
  const auto amount = view.need_number("amount", range);
  const auto code = view.need_string("currency");
  if (!amount || !code) return std::nullopt;
  if (const auto currency = Currency::parse(*code)) return Money{*amount, *currency};
  view.report(IssueCode::kBadCurrency, "currency", {{"got", quoted(*code)}});
  return std::nullopt;
}

std::optional<Money> View::money(std::string_view key, Range range) const {
  return any_money(key, range, false);
}
std::optional<Money> View::need_money(std::string_view key, Range range) const {
  return any_money(key, range, true);
}

void View::only(std::initializer_list<std::string_view> known, bool notes) const {
  const auto* expected = known.begin();  // mostly the order of the text
  for (const Value child : value_.children()) {
    const std::string_view key = child.key();
    if (notes && !key.empty() && key.front() == '_') continue;
    const auto* found = std::find(expected, known.end(), key);
    if (found == known.end()) found = std::find(known.begin(), expected, key);
    if (found != known.end() && *found == key) {
      expected = found + 1;
      continue;
    }
    if (!issues_->takes(IssueCode::kUnknownField)) return;
    Args args;
    if (const auto near = nearest(key, {known.begin(), known.size()})) {
      args.push_back({"nearest", std::string(*near)});
    }
    issues_->add(IssueCode::kUnknownField, child, std::move(args));
  }
}

std::optional<View> object_at(Value value, Issues& issues) {
  if (value.is_object()) return View(value, issues);
  issues.add(wrong_type(value, kind_name(Kind::kObject)));
  return std::nullopt;
}

}  // namespace xuanka::json
