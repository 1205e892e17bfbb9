#include "web/fragment.hpp"

#include <algorithm>

#include "web/deflate.hpp"

namespace xuanka::web {
namespace {

constexpr std::size_t kMaxUnpacked = 256 * 1024;

bool is_plain(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~' || c == ',' || c == ':' || c == '*' || c == '/' ||
         c == '!';
}

std::string escape(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char raw : text) {
    const auto c = static_cast<unsigned char>(raw);
    if (is_plain(c)) {
      out += raw;
    } else {
      out += '%';
      out += kHex[c >> 4];
      out += kHex[c & 15U];
    }
  }
  return out;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Percent signs that begin no escape stand for themselves: mail programs mangle links.
std::string unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high >= 0 && i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (low >= 0) {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

// Length of the well-formed UTF-8 sequence at `i`; 0 when there is none. Control characters other
// than line feed and tab count as malformed too.
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto at = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  const unsigned c = at(i);
  if (c < 0x80) return (c >= 0x20 && c != 0x7F) || c == '\n' || c == '\t' ? 1 : 0;
  const std::size_t length = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2;
  if (c < 0xC2 || c > 0xF4) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((at(i + k) & 0xC0U) != 0x80U) return 0;
  }
  if ((c == 0xE0 && at(i + 1) < 0xA0) || (c == 0xED && at(i + 1) > 0x9F) ||
      (c == 0xF0 && at(i + 1) < 0x90) || (c == 0xF4 && at(i + 1) > 0x8F))
    return 0;
  return length;
}

std::string clean_utf8(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    out.append(text.substr(i, length));
    i += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::string plain_fragment(const State& state, bool with_long) {
  std::string out = "v=1";
  for (const FieldSpec& f : fields()) {
    const std::string& value = state.text(f.id);
    if (value == f.initial || (f.kind == FieldKind::kLong && !with_long)) continue;
    out += '&';
    out += f.key;
    out += '=';
    out += escape(value);
  }
  for (const auto& [key, value] : state.unknown) {
    out += '&';
    out += escape(key);
    out += '=';
    out += escape(value);
  }
  return out;
}

Notice notice(std::string code, Args args = {}) { return {std::move(code), std::move(args), true}; }

void read_pair(State& state, std::string_view key, std::string value) {
  if (key == "v") {
    if (value != "1")
      state.notices.push_back(notice("link_version", {{"got", value.substr(0, 16)}}));
    return;
  }
  if (const FieldSpec* field = field_by_key(key)) {
    if (field->kind == FieldKind::kChoice && !value.empty() &&
        std::find(field->options.begin(), field->options.end(), value) == field->options.end()) {
      state.notices.push_back(
          notice("link_value", {{"key", std::string(key)}, {"got", value.substr(0, 40)}}));
      return;
    }
    state.text(field->id) = std::move(value);
    return;
  }
  state.unknown.emplace_back(std::string(key), std::move(value));
  state.notices.push_back(Notice{"link_unknown", {{"key", std::string(key.substr(0, 40))}}, false});
}

}  // namespace

std::string write_fragment(const State& state, bool* left_out) {
  if (left_out != nullptr) *left_out = false;
  for (const bool with_long : {true, false}) {
    std::string plain = plain_fragment(state, with_long);
    if (plain.size() <= kPlainLimit) return plain;
    std::string packed = "z1=" + to_base64url(deflate(plain));
    if (packed.size() <= kLinkLimit) return packed;
    if (left_out != nullptr) *left_out = true;
  }
  return "v=1";
}

State read_fragment(std::string_view fragment) {
  State state = initial_state();
  if (!fragment.empty() && fragment.front() == '#') fragment.remove_prefix(1);
  if (fragment.empty()) return state;
  if (fragment.size() > kLinkLimit) {
    state.notices.push_back(notice("link_long", {{"max", static_cast<double>(kLinkLimit)},
                                                 {"got", static_cast<double>(fragment.size())}}));
    return state;
  }
  std::string unpacked;
  if (fragment.starts_with("z1=")) {
    const auto bytes = from_base64url(fragment.substr(3));
    const auto plain = bytes ? inflate(*bytes, kMaxUnpacked) : std::nullopt;
    if (!plain) {
      state.notices.push_back(notice("link_broken"));
      return state;
    }
    unpacked = *plain;
    fragment = unpacked;
  }
  for (std::size_t begin = 0; begin < fragment.size();) {
    const std::size_t end = std::min(fragment.find('&', begin), fragment.size());
    const std::string_view pair = fragment.substr(begin, end - begin);
    begin = end + 1;
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos) {
      state.notices.push_back(
          notice("link_value",
                 {{"key", clean_utf8(unescape(pair.substr(0, 40)))}, {"got", std::string()}}));
      continue;
    }
    read_pair(state, clean_utf8(unescape(pair.substr(0, equals))),
              clean_utf8(unescape(pair.substr(equals + 1))));
  }
  return state;
}

}  // namespace xuanka::web
