// Files and the standard streams, with every failure noticed: a full disk is not a success.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "xuanka/base/result.hpp"

namespace xuanka::cli {

/// Largest file or line that is read; the core refuses texts well before that.
inline constexpr std::size_t kMaxInputBytes = std::size_t{64} << 20;

/// The whole of a file, "-" being standard input. Errors: kCannotRead or kTooLarge, path = the
/// file.
[[nodiscard]] Result<std::string> read_file(const std::string& path);

/// Standard output. Remembers the first failure; what comes after it is dropped.
class Output {
 public:
  /// Writes through at once when `now`, for a reader that waits for the line.
  void print(std::string_view text, bool now = false);
  [[nodiscard]] bool failed() const { return error_ != 0; }
  /// The reader has gone: nothing is wrong, there is just nobody to write for.
  [[nodiscard]] bool reader_gone() const;
  /// Writes through; nullopt-like kCannotWrite issue when anything was lost.
  [[nodiscard]] std::optional<Issue> finish();

 private:
  int error_ = 0;
};

}  // namespace xuanka::cli
