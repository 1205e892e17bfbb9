// Chunks of work between the thread that reads, those that compute and the one that writes.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "shell/batch/sweep.hpp"

namespace xuanka::batch {

/// Requests `first` to `first + count` of a line.
struct Part {
  std::shared_ptr<const Line> line;
  std::uint64_t first = 0, count = 0;
};
/// What one thread computes in one go.
struct Chunk {
  std::vector<Part> parts;
  std::uint64_t requests = 0;
  std::size_t bytes = 0;  ///< of the lines that end in it
  double share = 0, skipped_share = 0;
  std::string out;  ///< whole lines
  std::uint64_t answered = 0, refused = 0;
  bool complete = true;  ///< false: stopped or failed before its end
  std::string failure;
  bool done = false;
};

/// At most `window` chunks are between reading and writing; they leave in the order they came.
class Queue {
 public:
  explicit Queue(std::size_t window) : window_(window) {}

  /// Waits for room. False when nothing more is wanted.
  bool push(std::shared_ptr<Chunk> chunk) {
    std::unique_lock lock(mutex_);
    // Long lines fill the window sooner.
    room_.wait(lock, [&] {
      return cancelled_ || order_.empty() || (order_.size() < window_ && bytes_ < kMostBytes);
    });
    if (cancelled_) return false;
    bytes_ += chunk->bytes;
    todo_.push_back(chunk);
    order_.push_back(std::move(chunk));
    work_.notify_one();
    return true;
  }
  /// No more chunks will come; `error` is why (errno), 0 at the end of the input.
  void close(int error) {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    read_error_ = error;
    work_.notify_all();
    ready_.notify_all();
  }
  /// Nothing more is wanted: everybody leaves.
  void cancel() {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    todo_.clear();
    work_.notify_all();
    room_.notify_all();
  }
  /// The next chunk to compute; null when there will be none.
  std::shared_ptr<Chunk> take() {
    std::unique_lock lock(mutex_);
    work_.wait(lock, [&] { return cancelled_ || closed_ || !todo_.empty(); });
    if (cancelled_ || todo_.empty()) return nullptr;
    auto chunk = todo_.front();
    todo_.pop_front();
    return chunk;
  }
  void done(Chunk& chunk) {
    const std::lock_guard lock(mutex_);
    chunk.done = true;
    if (chunk.answered > 0)
      bytes_per_answer_ = std::max(std::size_t{1}, chunk.out.size() / chunk.answered);
    ready_.notify_one();
  }
  /// The next chunk to write, when it is done within `wait`.
  std::shared_ptr<Chunk> front(std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    const auto front_done = [&] { return !order_.empty() && order_.front()->done; };
    ready_.wait_for(lock, wait, [&] { return front_done() || (closed_ && order_.empty()); });
    if (!front_done()) return nullptr;
    auto chunk = order_.front();
    order_.pop_front();
    bytes_ -= chunk->bytes;
    room_.notify_one();
    return chunk;
  }
  [[nodiscard]] bool finished() {
    const std::lock_guard lock(mutex_);
    return closed_ && order_.empty();
  }
  [[nodiscard]] int read_error() {
    const std::lock_guard lock(mutex_);
    return read_error_;
  }
  /// Requests of a chunk whose answers have about `bytes`, by those seen last; at most `most`.
  [[nodiscard]] std::uint64_t good_size(std::size_t bytes, std::uint64_t most) {
    const std::lock_guard lock(mutex_);
    return std::clamp<std::uint64_t>(bytes / bytes_per_answer_, 1, most);
  }

 private:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  std::size_t window_;
  std::mutex mutex_;
  std::condition_variable room_, work_, ready_;
  std::deque<std::shared_ptr<Chunk>> todo_, order_;
  std::size_t bytes_ = 0, bytes_per_answer_ = 4096;
  bool closed_ = false, cancelled_ = false;
  int read_error_ = 0;
};

}  // namespace xuanka::batch
