#include "shell/batch/batch.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "shell/batch/queue.hpp"

namespace xuanka::batch {
namespace {

constexpr std::uint64_t kMostRequests = 512;  // of a chunk
constexpr std::size_t kChunkOutput = std::size_t{256}
                                     << 10;  // bytes that a chunk's answers should have
constexpr std::size_t kChunkInput = std::size_t{1} << 20;  // bytes of its requests
constexpr std::chrono::milliseconds kTick{100};

bool stopped(const Options& options) { return options.stop != nullptr && *options.stop; }

Line read_line(std::string&& text, const Api& api, const Options& options) {
  return Line::read(options.rewrite ? options.rewrite(text) : std::move(text), api, options.lang);
}

// Reads lines and cuts them, or what they stand for, into chunks.
class Feeder {
 public:
  Feeder(const Api& api, LineSource& in, const Options& options, Queue& queue)
      : api_(api), in_(in), options_(options), queue_(queue), skip_(options.skip) {}

  void run() {
    std::string line;
    for (;;) {
      const LineSource::Got got = in_.next(line, !chunk_);
      if (got == LineSource::Got::kNothingYet) {  // whoever waits for answers gets those there are
        if (!submit()) return;
        continue;
      }
      if (got == LineSource::Got::kError) {
        submit();
        queue_.close(in_.error());
        return;
      }
      if (got != LineSource::Got::kLine || stopped(options_)) break;
      if (!add(std::make_shared<const Line>(read_line(std::move(line), api_, options_)))) return;
      line.clear();
    }
    submit();
    queue_.close(0);
  }

  [[nodiscard]] std::uint64_t skipped() const { return options_.skip - skip_; }

 private:
  bool add(const std::shared_ptr<const Line>& line) {
    const std::uint64_t skip = std::min(skip_, line->count());
    skip_ -= skip;
    const std::uint64_t begun = before_;
    before_ = in_.bytes();
    if (skip > 0) skipped_share_ = share(begun, skip, line->count());
    for (std::uint64_t first = skip; first < line->count();) {
      if (stopped(options_)) return submit();
      if (!chunk_) chunk_ = std::make_shared<Chunk>();
      const std::uint64_t size = queue_.good_size(kChunkOutput, kMostRequests);
      const std::uint64_t room = std::max(size, chunk_->requests + 1) - chunk_->requests;
      const std::uint64_t count = std::min(room, line->count() - first);
      chunk_->parts.push_back({line, first, count});
      chunk_->requests += count;
      first += count;
      chunk_->share = share(begun, first, line->count());
      chunk_->skipped_share = skipped_share_;
      if (first == line->count()) chunk_->bytes += in_.bytes() - begun;
      if ((count == room || chunk_->bytes > kChunkInput) && !submit()) return false;
    }
    return true;
  }

  // Of the input, when `done` of the `count` requests of the line that began at byte `begun` are.
  [[nodiscard]] double share(std::uint64_t begun, std::uint64_t done, std::uint64_t count) const {
    if (in_.size() == 0) return 0;
    const double line = static_cast<double>(in_.bytes() - begun) * static_cast<double>(done) /
                        static_cast<double>(count);
    return std::min(1.0, (static_cast<double>(begun) + line) / static_cast<double>(in_.size()));
  }

  bool submit() {
    if (!chunk_) return true;
    return queue_.push(std::exchange(chunk_, nullptr));
  }

  const Api& api_;
  LineSource& in_;
  const Options& options_;
  Queue& queue_;
  std::shared_ptr<Chunk> chunk_;
  std::uint64_t skip_, before_ = 0;
  double skipped_share_ = 0;
};

void compute(const Api& api, const Options& options, Chunk& chunk) {
  for (const Part& part : chunk.parts) {
    for (std::uint64_t k = part.first; k < part.first + part.count; ++k) {
      if (stopped(options)) {
        chunk.complete = false;
        return;
      }
      if (!part.line->answer(k, api, options.lang, chunk.out)) ++chunk.refused;
      ++chunk.answered;
    }
  }
  chunk.parts.clear();
}

void work(const Api& api, const Options& options, Queue& queue) {
  while (const auto chunk = queue.take()) {
    try {
      compute(api, options, *chunk);
    } catch (const std::exception& error) {  // out of memory
      chunk->complete = false;
      chunk->failure = error.what();
    }
    queue.done(*chunk);
  }
}

// Writes finished chunks in order until one is missing or the sink fails.
Outcome drain(Queue& queue, LineSink& out, const Options& options,
              const std::function<void(const Progress&)>& tick) {
  Outcome outcome;
  Progress progress;
  for (;;) {
    const auto chunk = queue.front(kTick);
    if (chunk) {
      if (!out.write(chunk->out)) {
        outcome.end = End::kCannotWrite;
        outcome.error = out.error();
        return outcome;
      }
      outcome.answered += chunk->answered;
      outcome.refused += chunk->refused;
      progress = {outcome.answered, outcome.refused, chunk->share, chunk->skipped_share};
      if (!chunk->failure.empty()) {
        outcome.end = End::kFailed;
        outcome.what = chunk->failure;
        return outcome;
      }
      if (!chunk->complete) break;
    } else if (queue.finished()) {
      break;
    }
    tick(progress);
  }
  if (stopped(options)) outcome.end = End::kStopped;
  if (queue.read_error() != 0 && outcome.end == End::kAll) {
    outcome.end = End::kCannotRead;
    outcome.error = queue.read_error();
  }
  return outcome;
}

}  // namespace

Outcome run(const Api& api, LineSource& in, LineSink& out, const Options& options,
            const std::function<void(const Progress&)>& tick) {
  Queue queue(std::size_t{options.jobs} * 2 + 2);
  Feeder feeder(api, in, options, queue);
  std::string failure;
  std::thread reader([&] {
    try {
      feeder.run();
    } catch (const std::exception& error) {  // out of memory
      failure = error.what();
      queue.close(0);
    }
  });
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < options.jobs; ++i) {
    workers.emplace_back([&] { work(api, options, queue); });
  }
  Outcome outcome = drain(queue, out, options, tick);
  queue.cancel();
  for (std::thread& worker : workers) worker.join();
  reader.join();
  outcome.skipped = feeder.skipped();
  if (!failure.empty() && outcome.end == End::kAll) {
    outcome.end = End::kFailed;
    outcome.what = failure;
  }
  return outcome;
}

std::string answer_at(const Api& api, LineSource& in, const Options& options, std::uint64_t index) {
  std::string text;
  while (in.next(text, true) == LineSource::Got::kLine) {
    const Line line = read_line(std::move(text), api, options);
    text.clear();
    if (index < line.count()) {
      std::string answer;
      line.answer(index, api, options.lang, answer);
      answer.pop_back();
      return answer;
    }
    index -= line.count();
  }
  return {};
}

unsigned default_jobs() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace xuanka::batch
