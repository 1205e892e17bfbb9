// xuanka batch: a request a line in, a report a line out, same order, memory bounded by one line.
#include "shell/cli/shell.hpp"

namespace xuanka::cli {
namespace {

// Above the core's own limit, so that a longer line is refused by the core in the usual form.
constexpr std::size_t kMaxLine = (std::size_t{8} << 20) + 16;

int run_batch(Shell& shell) {
  const bool read = for_each_line(stdin, kMaxLine, [&shell](std::string_view line, bool) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    shell.out.print(shell.api.rank(line, shell.lang) + "\n", true);
    return !shell.out.failed();
  });
  if (read) return kAnswered;
  shell.complain(shell.say("issue.cannot_read"));
  return kCannotReadOrWrite;
}

}  // namespace

void add_batch(CLI::App& app, Shell& shell) {
  CLI::App* command = add_command(app, shell, "batch");
  command->callback([&shell] { shell.run = [](Shell& s) { return run_batch(s); }; });
}

}  // namespace xuanka::cli
