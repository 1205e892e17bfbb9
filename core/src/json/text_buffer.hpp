// JSON text as it grows. Reports are mostly short names and numbers: each is a few stores.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace xuanka::json {

class TextBuffer {
 public:
  /// Room for `bytes` before it grows.
  explicit TextBuffer(std::size_t bytes) : text_(bytes, '\0') {}

  void put(char c) { *room(1) = c, ++size_; }
  /// As it is.
  void put(std::string_view text);
  /// In quotes, escaped.
  void put_string(std::string_view text);
  /// Finite, rounded to 12 significant digits where it is no whole number below 2^53.
  void put_number(double number);
  [[nodiscard]] std::string take();

 private:
  /// Where the next `bytes` go; at least that many may be written.
  char* room(std::size_t bytes) {
    if (text_.size() - size_ < bytes) grow(bytes);
    return text_.data() + size_;
  }
  void grow(std::size_t bytes);
  bool put_rounded(double number);

  std::string text_;  // its first `size_` bytes
  std::size_t size_ = 0;
};

}  // namespace xuanka::json
