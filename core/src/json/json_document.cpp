#include "json/json_document.hpp"

#include <algorithm>

namespace xuanka::json {

std::string_view kind_name(Kind kind) {
  constexpr std::string_view kNames[] = {"null", "boolean", "number", "string", "array", "object"};
  return kNames[static_cast<std::size_t>(kind)];
}

Kind Value::kind() const { return document_->nodes_[index_].kind; }

double Value::number() const { return is_number() ? document_->nodes_[index_].number : 0; }

bool Value::boolean() const { return is_bool() && document_->nodes_[index_].number != 0; }

std::string_view Value::string() const {
  const auto& node = document_->nodes_[index_];
  return is_string() ? document_->slice(node.text_begin, node.text_size) : std::string_view{};
}

std::string_view Value::key() const {
  const auto& node = document_->nodes_[index_];
  return document_->slice(node.key_begin, node.key_size);
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

std::optional<Value> Value::next() const {
  const std::uint32_t next = document_->nodes_[index_].next;
  return next == Document::kNone ? std::nullopt : std::optional(Value(document_, next));
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
  return position_in(document_->text(), document_->nodes_[index_].start);
}

Position position_in(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t line_start = before.rfind('\n');
  const std::size_t column =
      line_start == std::string_view::npos ? offset : offset - line_start - 1;
  return {lines + 1, column + 1};
}

Result<Document> parse_strict(std::string_view text, const Limits& limits,
                              std::string_view prefix) {
  Parsed parsed = parse(text, limits, prefix);
  if (!parsed.issues.empty()) return tl::unexpected(std::move(parsed.issues));
  return std::move(*parsed.document);
}

}  // namespace xuanka::json
