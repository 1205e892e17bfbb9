// Many requests, many cores, one order. Memory is bounded by the cores, not by the input.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "shell/batch/streams.hpp"
#include "shell/batch/sweep.hpp"

namespace xuanka::batch {

/// Above the core's own limit, so that a longer line is refused by the core in the usual form.
inline constexpr std::size_t kMaxLine = (std::size_t{8} << 20) + 16;

struct Options {
  unsigned jobs = 1;  ///< threads that compute, at least 1
  Lang lang = Lang::kEn;
  std::uint64_t skip = 0;  ///< answers that an earlier run has written
  /// Set from a signal handler: no more requests are begun.
  const std::atomic<bool>* stop = nullptr;
  /// What each line becomes before it is read, as with entries of one's own put in; may be empty.
  std::function<std::string(const std::string&)> rewrite = {};
};

/// How far a run is.
struct Progress {
  std::uint64_t answered = 0;  ///< by this run
  std::uint64_t refused = 0;   ///< of these, `ok: false`
  double share = 0;            ///< of the input, 0 to 1; 0 when its length is not known
  double skipped_share = 0;    ///< of it, what earlier runs had done
};

enum class End { kAll, kStopped, kCannotRead, kCannotWrite, kFailed };
struct Outcome {
  End end = End::kAll;
  std::uint64_t answered = 0, refused = 0;
  std::uint64_t skipped = 0;  ///< answers of `skip` that the input has
  int error = 0;              ///< errno of kCannotRead and kCannotWrite
  std::string what;           ///< of kFailed
};

/// Answers every line of `in` on `out` in order; whatever the end, `out` got whole lines, without a
/// gap. `tick` is called ten times a second on the calling thread.
[[nodiscard]] Outcome run(const Api& api, LineSource& in, LineSink& out, const Options& options,
                          const std::function<void(const Progress&)>& tick);

/// The answer number `index` (from 0) of the input, without its line feed; empty when there are not
/// so many.
[[nodiscard]] std::string answer_at(const Api& api, LineSource& in, const Options& options,
                                    std::uint64_t index);

/// Threads that make use of the processors this process may use, at least 1.
[[nodiscard]] unsigned default_jobs();

}  // namespace xuanka::batch
