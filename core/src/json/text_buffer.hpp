// JSON text as it grows. Reports are mostly short names and numbers: each is a few stores.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace xuanka::json {

class TextBuffer {
 public:
  /// Room for `bytes` before it grows.
  explicit TextBuffer(std::size_t bytes) : text_(new char[bytes]), bytes_(bytes) {}

  void put(char c) { *room(1) = c, ++size_; }
  /// As it is.
  void put(std::string_view text);
  /// In quotes, escaped.
  void put_string(std::string_view text);
  /// Finite, rounded to 12 significant digits where it is no whole number below 2^53.
  void put_number(double number);
  [[nodiscard]] std::string take() const { return {text_.get(), size_}; }

 private:
  /// Where the next `bytes` go; at least that many may be written.
  char* room(std::size_t bytes) {
    if (bytes_ - size_ < bytes) grow(bytes);
    return text_.get() + size_;
  }
  void grow(std::size_t bytes);
  bool put_rounded(double number);

  std::unique_ptr<char[]> text_;
  std::size_t bytes_;     // at hand
  std::size_t size_ = 0;  // written
};

}  // namespace xuanka::json
