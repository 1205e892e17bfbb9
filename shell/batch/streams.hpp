// Input lines and whole output lines on file descriptors, with every failure noticed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace xuanka::batch {

/// Reads lines as they come, without keeping more than one.
class LineSource {
 public:
  /// What `next` found.
  enum class Got { kLine, kNothingYet, kEnd, kStopped, kError };

  /// `input` is read; `stop` (-1: none) becomes readable when nothing more is wanted. Of a line
  /// longer than `max_bytes` only so much is kept.
  LineSource(int input, int stop, std::size_t max_bytes);

  /// The next line without its line feed (and carriage return). With `wait` false, kNothingYet when
  /// a whole line has not arrived.
  [[nodiscard]] Got next(std::string& line, bool wait);
  /// Bytes of the lines given so far.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Bytes of the whole input, 0 when it is not a file.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// errno of kError.
  [[nodiscard]] int error() const { return error_; }

 private:
  [[nodiscard]] bool take_line(std::string& line);
  [[nodiscard]] Got fill(bool wait);

  int input_, stop_;
  std::size_t max_bytes_;
  std::string buffer_, partial_;
  std::size_t at_ = 0;
  bool begun_ = false, ended_ = false;
  std::uint64_t bytes_ = 0, size_ = 0;
  int error_ = 0;
};

/// Writes whole lines. When the disk fills up in the middle of one, a file is cut back to its last
/// whole line.
class LineSink {
 public:
  /// `start`: length of a file that holds earlier lines.
  explicit LineSink(int output, std::uint64_t start = 0) : output_(output), length_(start) {}
  /// `lines` end in a line feed. False when they could not all be written.
  [[nodiscard]] bool write(std::string_view lines);
  /// errno of the failure, 0 without.
  [[nodiscard]] int error() const { return error_; }

 private:
  int output_;
  std::uint64_t length_;
  int error_ = 0;
};

/// What an earlier run left in a file of reports.
struct Earlier {
  std::uint64_t lines = 0;   ///< whole lines
  std::uint64_t length = 0;  ///< bytes of them
  std::string last;          ///< the last of them, without its line feed
};
/// Counts the whole lines of an open file from its beginning; false (errno) when it cannot be read.
[[nodiscard]] bool read_earlier(int file, Earlier& earlier);

}  // namespace xuanka::batch
