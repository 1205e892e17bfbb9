// A parsed JSON text with the position of every value. The only code that reads JSON: requests,
// catalog files and config.json texts all pass through here. Its own parser, because ready-made
// ones do not tell where a value stands, depend on the locale, or take longer than the page may to
// start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xuanka/base/issues.hpp"
#include "xuanka/base/result.hpp"

namespace xuanka::json {

enum class Kind : std::uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };
/// "null", "boolean", "number", "string", "array", "object": the words of kWrongType's arguments.
[[nodiscard]] std::string_view kind_name(Kind kind);

/// What a text may be at most. Beyond it: kTooLarge or kTooDeep.
struct Limits {
  std::size_t max_bytes = std::size_t{8} << 20;           ///< whole text, bytes
  std::size_t max_string_bytes = std::size_t{256} << 10;  ///< one string after unescaping, bytes
  std::size_t max_depth = 64;                             ///< nested arrays and objects
  std::size_t max_issues = 200;                           ///< after which nothing more is reported
};

/// 1-based line and column (in bytes) of a value's first character.
struct Position {
  std::size_t line = 0;
  std::size_t column = 0;
};

/// The place of the character at `offset` of `text`.
[[nodiscard]] Position position_in(std::string_view text, std::size_t offset);

class Document;

/// A handle to one value of a Document, which must outlive it. Cheap to copy.
class Value {
 public:
  [[nodiscard]] Kind kind() const;
  [[nodiscard]] bool is_null() const { return kind() == Kind::kNull; }
  [[nodiscard]] bool is_object() const { return kind() == Kind::kObject; }
  [[nodiscard]] bool is_array() const { return kind() == Kind::kArray; }
  [[nodiscard]] bool is_string() const { return kind() == Kind::kString; }
  [[nodiscard]] bool is_number() const { return kind() == Kind::kNumber; }
  [[nodiscard]] bool is_bool() const { return kind() == Kind::kBool; }
  /// The number (always finite); 0 for any other kind.
  [[nodiscard]] double number() const;
  /// The boolean; false for any other kind.
  [[nodiscard]] bool boolean() const;
  /// The unescaped text, valid as long as the Document; empty for any other kind.
  [[nodiscard]] std::string_view string() const;
  /// The key under which an object holds this value; empty for array elements and the root.
  [[nodiscard]] std::string_view key() const;
  /// Number of members or elements; 0 for scalars.
  [[nodiscard]] std::size_t size() const;
  /// The member named `key`, null values included; nullopt when absent or not an object.
  [[nodiscard]] std::optional<Value> find(std::string_view key) const;
  /// The next member or element of the same parent; nullopt after the last.
  [[nodiscard]] std::optional<Value> next() const;
  /// `workload.data.tokens`, `gpus[2].id`; empty for the root. Costs a walk: for messages only.
  [[nodiscard]] std::string path() const;
  /// The path that a member named `key` has or would have.
  [[nodiscard]] std::string path_of(std::string_view key) const;
  /// Where the value begins (a string: its quote). Costs a scan of the text: for messages only.
  [[nodiscard]] Position position() const;

  /// Members or elements in the order of the text: `for (Value child : value.children())`.
  class Iterator {
   public:
    Iterator(const Document* document, std::uint32_t index) : document_(document), index_(index) {}
    Value operator*() const { return {document_, index_}; }
    Iterator& operator++();
    bool operator!=(const Iterator& other) const { return index_ != other.index_; }

   private:
    const Document* document_;
    std::uint32_t index_;
  };
  struct Children {
    Iterator first;
    Iterator last;
    [[nodiscard]] Iterator begin() const { return first; }
    [[nodiscard]] Iterator end() const { return last; }
  };
  [[nodiscard]] Children children() const;

 private:
  friend class Document;
  friend class Parser;
  Value(const Document* document, std::uint32_t index) : document_(document), index_(index) {}
  const Document* document_;
  std::uint32_t index_;
};

/// A JSON text as a tree in document order, with a copy of the text. Values and texts taken from it
/// are valid until it is moved or destroyed.
class Document {
 public:
  /// The outermost value.
  [[nodiscard]] Value root() const { return {this, 0}; }

 private:
  friend class Value;
  friend class Parser;
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  struct Node {
    double number = 0;            // value of a number or boolean
    std::uint32_t start = 0;      // offset of the first character in the text
    std::uint32_t key_begin = 0;  // in buffer_
    std::uint32_t key_size = 0;
    std::uint32_t text_begin = 0;  // string: in buffer_; array, object: first child
    std::uint32_t text_size = 0;   // string: bytes; array, object: children
    std::uint32_t parent = kNone;
    std::uint32_t next = kNone;  // next sibling
    Kind kind = Kind::kNull;
  };
  [[nodiscard]] std::string_view slice(std::uint32_t begin, std::uint32_t size) const {
    return std::string_view(buffer_).substr(begin, size);
  }
  [[nodiscard]] std::string_view text() const { return slice(0, text_size_); }

  std::vector<Node> nodes_;
  std::string buffer_;  // the text, then the strings that had escapes
  std::uint32_t text_size_ = 0;
  std::string prefix_;
};

/// A text read as far as it goes. `document` is absent after a syntax or limit error; repeated keys
/// leave it in place (first value kept) so that a caller can go on and report everything at once.
struct Parsed {
  std::optional<Document> document;
  std::vector<Issue> issues;
};

/// Reads `text` (one JSON value, RFC 8259, UTF-8, a byte order mark is skipped). `prefix` is put
/// before every path. Issues: kSyntax, kTooLarge, kTooDeep, kNotFinite, kDuplicateKey.
[[nodiscard]] Parsed parse(std::string_view text, const Limits& limits = {},
                           std::string_view prefix = {});

/// As `parse`, but any issue is an error.
[[nodiscard]] Result<Document> parse_strict(std::string_view text, const Limits& limits = {},
                                            std::string_view prefix = {});

}  // namespace xuanka::json
