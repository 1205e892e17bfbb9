// RFC 8259, strictly: no comments, no trailing commas, UTF-8 only, one value.
#include <algorithm>
#include <utility>

#include "json/json_document.hpp"
#include "json/json_number.hpp"
#include "xuanka/base/sort.hpp"

namespace xuanka::json {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Most of a string: neither a quote, nor an escape, nor a control character, nor beyond ASCII.
bool is_plain_ascii(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20U && byte < 0x80U && c != '"' && c != '\\';
}

// Bytes of the UTF-8 character at the beginning of `text`; 0 when it is none (overlong forms,
// surrogates and values above U+10FFFF included).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (lead < 0x80U) return 1;
  if (lead >= 0xC2U && lead <= 0xDFU) return tail(1) ? 2 : 0;
  if (lead >= 0xE0U && lead <= 0xEFU) {
    const bool overlong = lead == 0xE0U && byte(1) < 0xA0U;
    const bool surrogate = lead == 0xEDU && byte(1) > 0x9FU;
    return tail(1) && tail(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xF0U && lead <= 0xF4U) {
    const bool overlong = lead == 0xF0U && byte(1) < 0x90U;
    const bool beyond = lead == 0xF4U && byte(1) > 0x8FU;
    return tail(1) && tail(2) && tail(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

void append_utf8(std::uint32_t code, std::string& out) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80U) {
    put(code);
  } else if (code < 0x800U) {
    put(0xC0U | (code >> 6U));
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000U) {
    put(0xE0U | (code >> 12U));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | (code >> 18U));
    put(0x80U | ((code >> 12U) & 0x3FU));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

}  // namespace

// Recursive descent; its depth is that of the text, which Limits bounds.
class Parser {
 public:
  Parser(std::string_view text, const Limits& limits, std::string_view prefix, Parsed& parsed)
      : text_(text), limits_(limits), issues_(parsed.issues) {
    document_.buffer_ = text;
    document_.text_size_ = static_cast<std::uint32_t>(text.size());
    document_.prefix_ = prefix;
    document_.nodes_.reserve(text.size() / 12 + 1);
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    skip_space();
    if (!value(Document::kNone, Document::kNone, {})) return;
    skip_space();
    if (at_ < text_.size()) {
      fail("unexpected text after the value");
      return;
    }
    parsed.document = std::move(document_);
  }

 private:
  struct Span {
    std::uint32_t begin = 0, size = 0;
  };

  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) {
      ++at_;
    }
  }

  // The path of the value or member being read.
  [[nodiscard]] std::string current_path() const {
    if (parent_ == Document::kNone) return document_.prefix_;
    const Value parent(&document_, parent_);
    if (parent.is_array()) return parent.path() + "[" + std::to_string(parent.size()) + "]";
    return key_.size == 0 ? parent.path() : parent.path_of(document_.slice(key_.begin, key_.size));
  }

  bool report(IssueCode code, std::size_t at, Args args) {
    const Position position = position_in(text_, at);
    if (code == IssueCode::kSyntax) {
      args.push_back({"line", static_cast<double>(position.line)});
      args.push_back({"column", static_cast<double>(position.column)});
    }
    issues_.push_back({code, current_path(), std::move(args), position.line, position.column});
    return false;
  }
  bool fail(std::string_view what) {
    if (at_ >= text_.size()) what = "the text ends too early";
    return report(IssueCode::kSyntax, at_, {{"what", std::string(what)}});
  }

  std::uint32_t push(Kind kind, std::size_t start, std::uint32_t parent, std::uint32_t previous) {
    const auto index = static_cast<std::uint32_t>(document_.nodes_.size());
    auto& node = document_.nodes_.emplace_back();
    node.kind = kind;
    node.start = static_cast<std::uint32_t>(start);
    node.parent = parent;
    if (parent == Document::kNone) return index;
    auto& parent_node = document_.nodes_[parent];
    if (parent_node.kind == Kind::kObject) {
      node.key_begin = key_.begin;
      node.key_size = key_.size;
    }
    if (previous == Document::kNone) {
      parent_node.text_begin = index;
    } else {
      document_.nodes_[previous].next = index;
    }
    ++parent_node.text_size;
    return index;
  }

  // One value, as the child of `parent` after `previous`.
  bool value(std::uint32_t parent, std::uint32_t previous, Span key) {
    parent_ = parent;
    key_ = key;
    const std::size_t start = at_;
    switch (peek()) {
      case '{':
        return container(Kind::kObject, parent, previous);
      case '[':
        return container(Kind::kArray, parent, previous);
      case '"': {
        Span span;
        if (!string(span)) return false;
        auto& node = document_.nodes_[push(Kind::kString, start, parent, previous)];
        node.text_begin = span.begin;
        node.text_size = span.size;
        return true;
      }
      case 't':
        return word("true", Kind::kBool, 1, parent, previous);
      case 'f':
        return word("false", Kind::kBool, 0, parent, previous);
      case 'n':
        return word("null", Kind::kNull, 0, parent, previous);
      default:
        break;
    }
    if (peek() == '-' || is_digit(peek())) return number(parent, previous);
    return fail("a value is expected");
  }

  bool word(std::string_view text, Kind kind, double number, std::uint32_t parent,
            std::uint32_t previous) {
    if (text_.substr(at_, text.size()) != text) return fail("a value is expected");
    document_.nodes_[push(kind, at_, parent, previous)].number = number;
    at_ += text.size();
    return true;
  }

  bool number(std::uint32_t parent, std::uint32_t previous) {
    const std::size_t start = at_;
    const auto digits = [this] {
      const std::size_t first = at_;
      while (is_digit(peek())) ++at_;
      return at_ > first;
    };
    if (peek() == '-') ++at_;
    if (peek() == '0') {
      ++at_;
      if (is_digit(peek())) return fail("a number must not begin with 0");
    } else if (!digits()) {
      return fail("a digit is expected");
    }
    if (peek() == '.') {
      ++at_;
      if (!digits()) return fail("a digit is expected after the point");
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (!digits()) return fail("a digit is expected in the exponent");
    }
    const auto number = number_of(text_.substr(start, at_ - start));
    if (!number) return report(IssueCode::kNotFinite, start, {});
    document_.nodes_[push(Kind::kNumber, start, parent, previous)].number = *number;
    return true;
  }

  // A string at its opening quote. Without escapes it stays where it is in the text.
  bool string(Span& span) {
    const std::size_t opening = at_++;
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      while (at_ < text_.size() && is_plain_ascii(text_[at_])) ++at_;
      if (at_ == text_.size()) break;
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') {
        span = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_ - begin)};
        ++at_;
        return within_limit(opening, span.size);
      }
      if (c == '\\') return escaped_string(opening, begin, span);
      if (!plain_character(c)) return false;
    }
    return fail("");
  }

  // Steps over one character of a string that is no quote and no escape.
  bool plain_character(unsigned char c) {
    if (c < 0x20U) return fail("control characters in strings must be escaped");
    if (c < 0x80U) {
      ++at_;
      return true;
    }
    const std::size_t length = utf8_length(text_.substr(at_, 4));
    if (length == 0) return report(IssueCode::kSyntax, at_, {{"what", std::string("not UTF-8")}});
    at_ += length;
    return true;
  }

  bool escaped_string(std::size_t opening, std::size_t begin, Span& span) {
    std::string out(text_.substr(begin, at_ - begin));
    while (at_ < text_.size()) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') {
        ++at_;
        if (!within_limit(opening, out.size())) return false;
        span = {static_cast<std::uint32_t>(document_.buffer_.size()),
                static_cast<std::uint32_t>(out.size())};
        document_.buffer_ += out;
        return true;
      }
      if (c == '\\') {
        ++at_;
        if (!escape(out)) return false;
        continue;
      }
      const std::size_t first = at_;
      if (!plain_character(c)) return false;
      out.append(text_.substr(first, at_ - first));
    }
    return fail("");
  }

  bool escape(std::string& out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const char letter = peek();
    if (letter == 'u') {
      ++at_;
      return unicode_escape(out);
    }
    const std::size_t known = letter == '\0' ? std::string_view::npos : kLetters.find(letter);
    if (known == std::string_view::npos) return fail("no such escape in a string");
    out += kMeanings[known];
    ++at_;
    return true;
  }

  bool four_hex(std::uint32_t& code) {
    code = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      const bool letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      if (!is_digit(c) && !letter) return fail("four hexadecimal digits are expected");
      const int digit = is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10;
      code = code * 16 + static_cast<std::uint32_t>(digit);
    }
    return true;
  }

  bool unicode_escape(std::string& out) {
    std::uint32_t code = 0;
    if (!four_hex(code)) return false;
    if (code >= 0xDC00U && code <= 0xDFFFU) return fail("half of a surrogate pair");
    if (code >= 0xD800U && code <= 0xDBFFU) {
      std::uint32_t low = 0;
      if (text_.substr(at_, 2) != "\\u") return fail("half of a surrogate pair");
      at_ += 2;
      if (!four_hex(low)) return false;
      if (low < 0xDC00U || low > 0xDFFFU) return fail("half of a surrogate pair");
      code = 0x10000U + ((code - 0xD800U) << 10U) + (low - 0xDC00U);
    }
    append_utf8(code, out);
    return true;
  }

  bool within_limit(std::size_t opening, std::size_t size) {
    if (size <= limits_.max_string_bytes) return true;
    return report(IssueCode::kTooLarge, opening,
                  {{"max", static_cast<double>(limits_.max_string_bytes)},
                   {"got", static_cast<double>(size)}});
  }

  bool container(Kind kind, std::uint32_t parent, std::uint32_t previous) {
    if (depth_ >= limits_.max_depth) {
      return report(IssueCode::kTooDeep, at_, {{"max", static_cast<double>(limits_.max_depth)}});
    }
    ++depth_;
    const std::uint32_t index = push(kind, at_++, parent, previous);
    const char closing = kind == Kind::kObject ? '}' : ']';
    skip_space();
    if (peek() == closing) {
      ++at_;
      --depth_;
      return true;
    }
    for (std::uint32_t last = Document::kNone;;) {
      const auto child = static_cast<std::uint32_t>(document_.nodes_.size());
      if (!member(kind, index, last)) return false;
      last = child;
      parent_ = index;
      key_ = {};
      skip_space();
      if (peek() == ',') {
        ++at_;
        skip_space();
        continue;
      }
      if (peek() != closing)
        return fail(kind == Kind::kObject ? "',' or '}' is expected" : "',' or ']' is expected");
      ++at_;
      break;
    }
    if (kind == Kind::kObject) report_repeated_keys(index);
    --depth_;
    return true;
  }

  bool member(Kind kind, std::uint32_t parent, std::uint32_t previous) {
    Span key;
    parent_ = parent;
    key_ = {};
    if (kind == Kind::kObject) {
      if (peek() != '"') return fail("a key in quotes is expected");
      if (!string(key)) return false;
      key_ = key;
      skip_space();
      if (peek() != ':') return fail("':' is expected");
      ++at_;
      skip_space();
    }
    return value(parent, previous, key);
  }

  void report_repeated_keys(std::uint32_t object) {
    keys_.clear();
    for (std::uint32_t i = document_.nodes_[object].text_begin; i != Document::kNone;
         i = document_.nodes_[i].next) {
      keys_.push_back(i);
    }
    const auto key_of = [this](std::uint32_t i) {
      return document_.slice(document_.nodes_[i].key_begin, document_.nodes_[i].key_size);
    };
    constexpr std::size_t kFew = 24;
    if (keys_.size() <= kFew) {
      for (std::size_t i = 1; i < keys_.size(); ++i) {
        const std::string_view key = key_of(keys_[i]);
        for (std::size_t j = 0; j < i; ++j) {
          if (key_of(keys_[j]) != key) continue;
          report_repeated(keys_[i]);
          break;
        }
      }
      return;
    }
    sort_values(keys_, [&](std::uint32_t a, std::uint32_t b) {
      const int order = key_of(a).compare(key_of(b));
      return order != 0 ? order < 0 : a < b;
    });
    for (std::size_t i = 1; i < keys_.size(); ++i) {
      if (key_of(keys_[i]) == key_of(keys_[i - 1])) report_repeated(keys_[i]);
    }
  }

  void report_repeated(std::uint32_t index) {
    if (issues_.size() >= limits_.max_issues) return;
    const Value repeated(&document_, index);
    const Position position = repeated.position();
    issues_.push_back(
        {IssueCode::kDuplicateKey, repeated.path(), {}, position.line, position.column});
  }

  std::string_view text_;
  const Limits& limits_;
  std::vector<Issue>& issues_;
  Document document_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::uint32_t parent_ = Document::kNone;  // of what is being read, for messages
  Span key_;
  std::vector<std::uint32_t> keys_;
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
  Parser(text, limits, prefix, parsed);
  return parsed;
}

}  // namespace xuanka::json
