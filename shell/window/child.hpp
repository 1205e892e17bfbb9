// A program run beside the window: what it prints comes back when it has ended.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace xuanka::window {

struct ChildResult {
  int status =
      127;  ///< exit status; 127 when the program cannot be started, 128 + n after signal n
  std::string out, err;
};

/// Runs `argv` (argv[0] is looked up on PATH) in a thread of its own. The child is ended with the
/// object.
class Child {
 public:
  /// `ended` is called from the thread, once there is a result.
  Child(std::vector<std::string> argv, std::function<void()> ended);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] bool done() const { return done_; }
  /// Only once it is done.
  [[nodiscard]] const ChildResult& result() const { return result_; }

 private:
  void read_all(int out, int err);

  pid_t pid_ = -1;
  ChildResult result_;
  std::atomic<bool> done_ = false;
  std::thread reader_;
};

/// The first of these programs that PATH has; empty when it has none.
[[nodiscard]] std::string first_on_path(std::initializer_list<const char*> names);

}  // namespace xuanka::window
