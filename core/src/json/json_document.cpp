#include "json/json_document.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#ifndef JSON_NOEXCEPTION
#define JSON_NOEXCEPTION
#endif
#include <nlohmann/json.hpp>

namespace xuanka::json {
namespace {

// Walks the text for nlohmann's lexer and tells how far it has read, which its SAX events do not.
class TrackedIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackedIterator(const char* at, const char** reached) : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  TrackedIterator& operator++() {
    ++at_;
    *reached_ = at_;
    return *this;
  }
  bool operator==(const TrackedIterator& other) const { return at_ == other.at_; }
  bool operator!=(const TrackedIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

Position position_at(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t line_start = before.rfind('\n');
  const std::size_t column = line_start == std::string_view::npos ? offset : offset - line_start - 1;
  return {lines + 1, column + 1};
}

// nlohmann's text is "[json.exception...] parse error at line 1, column 2: <what>; last read: <text>";
// the last part may be long and need not be UTF-8.
std::string reason_of(std::string_view message) {
  const std::size_t colon = message.find(": ");
  if (colon != std::string_view::npos) message.remove_prefix(colon + 2);
  return std::string(message.substr(0, message.find("; last read")));
}

bool is_number_char(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// The first character of a scalar of which `end` is at most one character past the last.
std::size_t scalar_start(std::string_view text, std::size_t end, Kind kind) {
  if (end == 0) return 0;
  std::size_t i = end - 1;
  if (kind == Kind::kString) {  // to the opening quote: the only one not behind a backslash
    while (i > 0 && (text[i - 1] != '"' || (i > 1 && text[i - 2] == '\\'))) --i;
    return i == 0 ? 0 : i - 1;
  }
  if (kind == Kind::kNumber) {  // the lexer reads one character too many, except at the end
    if (!is_number_char(text[i]) && i > 0) --i;
    while (i > 0 && is_number_char(text[i - 1])) --i;
    return i;
  }
  while (i > 0 && text[i - 1] >= 'a' && text[i - 1] <= 'z') --i;
  return i;
}

}  // namespace

std::string_view kind_name(Kind kind) {
  constexpr std::string_view kNames[] = {"null", "boolean", "number", "string", "array", "object"};
  return kNames[static_cast<std::size_t>(kind)];
}

Kind Value::kind() const { return document_->nodes_[index_].kind; }

double Value::number() const { return is_number() ? document_->nodes_[index_].number : 0; }

bool Value::boolean() const { return is_bool() && document_->nodes_[index_].number != 0; }

std::string_view Value::string() const {
  const auto& node = document_->nodes_[index_];
  return is_string() ? document_->pool(node.text_begin, node.text_size) : std::string_view{};
}

std::string_view Value::key() const {
  const auto& node = document_->nodes_[index_];
  return document_->pool(node.key_begin, node.key_size);
}

std::size_t Value::size() const {
  return is_array() || is_object() ? document_->nodes_[index_].text_size : 0;
}

Value::Iterator& Value::Iterator::operator++() {
  index_ = document_->nodes_[index_].next;
  return *this;
}

Value::Children Value::children() const {
  const auto& node = document_->nodes_[index_];
  const std::uint32_t first = size() > 0 ? node.text_begin : Document::kNone;
  return {Iterator(document_, first), Iterator(document_, Document::kNone)};
}

std::optional<Value> Value::find(std::string_view key) const {
  if (!is_object()) return std::nullopt;
  for (const Value child : children()) {
    if (child.key() == key) return child;
  }
  return std::nullopt;
}

std::string Value::path() const {
  const auto& node = document_->nodes_[index_];
  if (node.parent == Document::kNone) return document_->prefix_;
  const Value parent(document_, node.parent);
  if (parent.is_object()) return parent.path_of(key());
  std::size_t position = 0;
  for (std::uint32_t i = document_->nodes_[node.parent].text_begin; i != index_;
       i = document_->nodes_[i].next) {
    ++position;
  }
  return parent.path() + "[" + std::to_string(position) + "]";
}

std::string Value::path_of(std::string_view key) const {
  std::string path = this->path();
  if (!path.empty()) path += '.';
  return path.append(key);
}

Position Value::position() const {
  const auto& node = document_->nodes_[index_];
  const bool scalar = node.kind != Kind::kArray && node.kind != Kind::kObject;
  const std::size_t end = std::min<std::size_t>(node.end, document_->text_.size());
  const std::size_t start =
      scalar ? scalar_start(document_->text_, end, node.kind) : (end == 0 ? 0 : end - 1);
  return position_at(document_->text_, start);
}

// Receives nlohmann's SAX events; a `false` stops the parser.
class TreeBuilder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  TreeBuilder(Document& document, std::vector<Issue>& issues, const Limits& limits)
      : document_(document), issues_(issues), limits_(limits), reached_(document.text_.data()) {}

  /// Fills `parsed` from a text within the size limit.
  static void read(std::string_view text, const Limits& limits, std::string_view prefix,
                   Parsed& parsed) {
    Document document;
    document.text_ = text;
    document.prefix_ = prefix;
    document.nodes_.reserve(text.size() / 12 + 1);
    document.pool_.reserve(text.size() / 2);
    TreeBuilder builder(document, parsed.issues, limits);
    const TrackedIterator first(text.data(), &builder.reached_);
    const TrackedIterator last(text.data() + text.size(), &builder.reached_);
    if (nlohmann::json::sax_parse(first, last, &builder)) parsed.document = std::move(document);
  }

  bool null() { return push(Kind::kNull) != Document::kNone; }
  bool boolean(bool value) { return push_number(Kind::kBool, value ? 1 : 0); }
  bool number_integer(number_integer_t value) {
    return push_number(Kind::kNumber, static_cast<double>(value));
  }
  bool number_unsigned(number_unsigned_t value) {
    return push_number(Kind::kNumber, static_cast<double>(value));
  }
  bool number_float(number_float_t value, const string_t&) {
    return push_number(Kind::kNumber, value);
  }
  bool string(const string_t& value) {
    if (too_long(value)) return false;
    const std::uint32_t index = push(Kind::kString);
    auto& node = document_.nodes_[index];
    node.text_begin = static_cast<std::uint32_t>(document_.pool_.size());
    node.text_size = static_cast<std::uint32_t>(value.size());
    document_.pool_ += value;
    return true;
  }
  bool binary(const binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Kind::kObject); }
  bool start_array(std::size_t) { return open(Kind::kArray); }
  bool end_array() {
    open_.pop_back();
    return true;
  }
  bool key(const string_t& value) {
    key_begin_ = static_cast<std::uint32_t>(document_.pool_.size());
    key_size_ = static_cast<std::uint32_t>(value.size());
    document_.pool_ += value;
    return !too_long(value);
  }
  bool end_object() {
    report_repeated_keys(open_.back().index);
    open_.pop_back();
    return true;
  }
  template <class Exception>
  bool parse_error(std::size_t, const std::string&, const Exception& error) {
    const bool beyond_double = error.id == 406;  // nlohmann's number overflow
    const std::size_t at = offset();
    add(beyond_double ? IssueCode::kNotFinite : IssueCode::kSyntax, at == 0 ? 0 : at - 1,
        beyond_double ? Args{} : Args{{"what", reason_of(error.what())}});
    return false;
  }

 private:
  struct Open {
    std::uint32_t index;
    std::uint32_t last_child = Document::kNone;
  };

  [[nodiscard]] std::size_t offset() const {
    return static_cast<std::size_t>(reached_ - document_.text_.data());
  }

  void add(IssueCode code, std::size_t at, Args args) {
    const Position position = position_at(document_.text_, at);
    if (code == IssueCode::kSyntax) {
      args.push_back({"line", static_cast<double>(position.line)});
      args.push_back({"column", static_cast<double>(position.column)});
    }
    issues_.push_back({code, current_path(), std::move(args), position.line, position.column});
  }

  // The path of the value being read.
  [[nodiscard]] std::string current_path() const {
    if (open_.empty()) return document_.prefix_;
    const Value parent(&document_, open_.back().index);
    if (parent.is_array()) return parent.path() + "[" + std::to_string(parent.size()) + "]";
    return key_size_ == 0 ? parent.path() : parent.path_of(document_.pool(key_begin_, key_size_));
  }

  bool too_long(const string_t& value) {
    if (value.size() <= limits_.max_string_bytes) return false;
    add(IssueCode::kTooLarge, offset() - 1,
        {{"max", static_cast<double>(limits_.max_string_bytes)},
         {"got", static_cast<double>(value.size())}});
    return true;
  }

  std::uint32_t push(Kind kind) {
    const auto index = static_cast<std::uint32_t>(document_.nodes_.size());
    Document::Node node;
    node.kind = kind;
    node.end = static_cast<std::uint32_t>(offset());
    if (!open_.empty()) {
      Open& parent = open_.back();
      auto& parent_node = document_.nodes_[parent.index];
      node.parent = parent.index;
      node.key_begin = key_begin_;
      node.key_size = key_size_;
      if (parent.last_child == Document::kNone) {
        parent_node.text_begin = index;
      } else {
        document_.nodes_[parent.last_child].next = index;
      }
      ++parent_node.text_size;
      parent.last_child = index;
    }
    key_size_ = 0;
    document_.nodes_.push_back(node);
    return index;
  }

  bool push_number(Kind kind, double value) {
    document_.nodes_[push(kind)].number = value;
    return true;
  }

  bool open(Kind kind) {
    if (open_.size() >= limits_.max_depth) {
      add(IssueCode::kTooDeep, offset() - 1, {{"max", static_cast<double>(limits_.max_depth)}});
      return false;
    }
    open_.push_back({push(kind)});
    return true;
  }

  void report_repeated_keys(std::uint32_t object) {
    keys_.clear();
    for (const Value child : Value(&document_, object).children()) keys_.push_back(child.index_);
    const auto key_of = [this](std::uint32_t i) { return Value(&document_, i).key(); };
    std::sort(keys_.begin(), keys_.end(), [&](std::uint32_t a, std::uint32_t b) {
      const int order = key_of(a).compare(key_of(b));
      return order != 0 ? order < 0 : a < b;
    });
    for (std::size_t i = 1; i < keys_.size() && issues_.size() < limits_.max_issues; ++i) {
      if (key_of(keys_[i]) != key_of(keys_[i - 1])) continue;
      const Value repeated(&document_, keys_[i]);
      const Position position = repeated.position();
      issues_.push_back(
          {IssueCode::kDuplicateKey, repeated.path(), {}, position.line, position.column});
    }
  }

  Document& document_;
  std::vector<Issue>& issues_;
  const Limits& limits_;
  const char* reached_;
  std::vector<Open> open_;
  std::vector<std::uint32_t> keys_;
  std::uint32_t key_begin_ = 0;
  std::uint32_t key_size_ = 0;
};

Parsed parse(std::string_view text, const Limits& limits, std::string_view prefix) {
  Parsed parsed;
  if (text.size() > limits.max_bytes) {
    parsed.issues.push_back({IssueCode::kTooLarge,
                             std::string(prefix),
                             {{"max", static_cast<double>(limits.max_bytes)},
                              {"got", static_cast<double>(text.size())}}});
    return parsed;
  }
  TreeBuilder::read(text, limits, prefix, parsed);
  return parsed;
}

Result<Document> parse_strict(std::string_view text, const Limits& limits,
                              std::string_view prefix) {
  Parsed parsed = parse(text, limits, prefix);
  if (!parsed.issues.empty()) return tl::unexpected(std::move(parsed.issues));
  return std::move(*parsed.document);
}

}  // namespace xuanka::json
