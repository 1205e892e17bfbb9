#include "shell/batch/streams.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace xuanka::batch {
namespace {

constexpr std::size_t kBlock = std::size_t{256} << 10;

std::uint64_t file_size(int file) {
  struct stat info{};
  const bool is_file = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  return is_file ? static_cast<std::uint64_t>(info.st_size) : 0;
}

ssize_t read_some(int file, char* to, std::size_t size) {
  for (;;) {
    const ssize_t got = ::read(file, to, size);
    if (got >= 0 || errno != EINTR) return got;
  }
}

}  // namespace

LineSource::LineSource(int input, int stop, std::size_t max_bytes)
    : input_(input), stop_(stop), max_bytes_(max_bytes), size_(file_size(input)) {
  buffer_.reserve(kBlock);
}

// The rest of a line from the buffer; true when its end is there.
bool LineSource::take_line(std::string& line) {
  const std::size_t end = buffer_.find('\n', at_);
  const std::size_t stop = std::min(end, buffer_.size());
  const std::size_t room = max_bytes_ - std::min(max_bytes_, partial_.size());
  partial_.append(buffer_, at_, std::min(room, stop - at_));
  begun_ = begun_ || stop > at_;
  bytes_ += stop - at_;
  at_ = stop;
  if (end == std::string::npos) return false;
  ++at_;
  ++bytes_;
  begun_ = false;
  if (!partial_.empty() && partial_.back() == '\r') partial_.pop_back();
  line.swap(partial_);
  partial_.clear();
  return true;
}

LineSource::Got LineSource::fill(bool wait) {
  std::array<pollfd, 2> ready{{{input_, POLLIN, 0}, {stop_, POLLIN, 0}}};
  while (::poll(ready.data(), stop_ < 0 ? 1 : 2, wait ? -1 : 0) < 0) {
    if (errno == EINTR) continue;
    error_ = errno;
    return Got::kError;
  }
  if (ready[1].revents != 0) return Got::kStopped;
  if (ready[0].revents == 0) return Got::kNothingYet;
  buffer_.resize(kBlock);
  const ssize_t got = read_some(input_, buffer_.data(), kBlock);
  buffer_.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  at_ = 0;
  if (got < 0) {
    error_ = errno;
    return Got::kError;
  }
  if (got == 0) ended_ = true;
  return Got::kLine;
}

LineSource::Got LineSource::next(std::string& line, bool wait) {
  for (;;) {
    if (at_ < buffer_.size() && take_line(line)) return Got::kLine;
    if (ended_) {
      if (!begun_) return Got::kEnd;
      begun_ = false;
      line.swap(partial_);
      partial_.clear();
      return Got::kLine;
    }
    if (const Got got = fill(wait); got != Got::kLine) return got;
  }
}

bool LineSink::write(std::string_view lines) {
  if (error_ != 0) return false;
  std::size_t done = 0;
  while (done < lines.size()) {
    const ssize_t put = ::write(output_, lines.data() + done, lines.size() - done);
    if (put >= 0) {
      done += static_cast<std::size_t>(put);
    } else if (errno == EAGAIN) {
      pollfd ready{output_, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      error_ = errno;
      break;
    }
  }
  if (error_ == 0) {
    length_ += lines.size();
    return true;
  }
  const std::size_t whole = lines.substr(0, done).rfind('\n') + 1;  // npos + 1 = 0
  struct stat info{};
  // Only a file that is ours alone ends where we stopped writing.
  const bool ours = fstat(output_, &info) == 0 && S_ISREG(info.st_mode) &&
                    static_cast<std::uint64_t>(info.st_size) == length_ + done;
  if (ours && ::ftruncate(output_, static_cast<off_t>(length_ + whole)) == 0) {
    ::lseek(output_, 0, SEEK_END);
  }
  return false;
}

bool read_earlier(int file, Earlier& earlier) {
  std::string block(kBlock, '\0'), line;
  std::uint64_t read = 0;
  if (::lseek(file, 0, SEEK_SET) < 0) return false;
  for (;;) {
    const ssize_t got = read_some(file, block.data(), block.size());
    if (got < 0) return false;
    if (got == 0) return true;
    const std::string_view text(block.data(), static_cast<std::size_t>(got));
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      line.append(text, at, std::min(end, text.size()) - at);
      if (end == text.npos) break;
      ++earlier.lines;
      earlier.length = read + end + 1;
      earlier.last.swap(line);
      line.clear();
      at = end + 1;
    }
    read += text.size();
  }
}

}  // namespace xuanka::batch
