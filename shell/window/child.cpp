#include "shell/window/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

extern char** environ;

namespace xuanka::window {
namespace {

constexpr std::size_t kMostOutput = std::size_t{16} << 20;

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
  }
};

}  // namespace

Child::Child(std::vector<std::string> argv, std::function<void()> ended) {
  const Pipe out;
  const Pipe err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
  std::vector<char*> args;
  for (std::string& arg : argv) args.push_back(arg.data());
  args.push_back(nullptr);
  const int problem = ::posix_spawnp(&pid_, args[0], &actions, nullptr, args.data(), ::environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(out.ends[1]);
  ::close(err.ends[1]);
  if (problem != 0) {
    pid_ = -1;
    result_.err = argv[0] + ": " + std::strerror(problem);
  }
  reader_ = std::thread([this, from = out.ends[0], wrong = err.ends[0], told = std::move(ended)] {
    read_all(from, wrong);
    done_ = true;
    told();
  });
}

Child::~Child() {
  if (!done_ && pid_ > 0) ::kill(pid_, SIGTERM);
  reader_.join();
}

void Child::read_all(int out, int err) {
  std::array<pollfd, 2> ends{{{out, POLLIN, 0}, {err, POLLIN, 0}}};
  std::array<std::string*, 2> texts{&result_.out, &result_.err};
  std::array<char, 4096> buffer{};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (::poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR) break;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const ssize_t got = ::read(ends[i].fd, buffer.data(), buffer.size());
      if (got > 0) {
        if (texts[i]->size() < kMostOutput) {
          texts[i]->append(buffer.data(), static_cast<std::size_t>(got));
        }
      } else if (got == 0 || errno != EINTR) {
        ends[i].fd = -1;
      }
    }
  }
  ::close(out);
  ::close(err);
  if (pid_ <= 0) return;
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  result_.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string first_on_path(std::initializer_list<const char*> names) {
  const char* path = std::getenv("PATH");
  for (const char* name : names) {
    std::string_view rest = path != nullptr ? path : "";
    while (!rest.empty()) {
      const std::string_view folder = rest.substr(0, rest.find(':'));
      rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
      if (folder.empty()) continue;
      if (::access((std::string(folder) + "/" + name).c_str(), X_OK) == 0) return name;
    }
  }
  return {};
}

}  // namespace xuanka::window
