// xuanka batch: a request a line in, a report a line out, same order, on all cores.
#include "shell/batch/batch.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "shell/cli/overlay.hpp"
#include "shell/cli/shell.hpp"

namespace xuanka::cli {
namespace {

struct BatchOptions {
  std::string input = "-", output = "-", progress = "auto", overlay;
  unsigned jobs = 0;  // 0: as many as there are processors
  bool resume = false, strict = false, count = false;
};

// A file descriptor that is closed again, unless it is a standard stream.
class File {
 public:
  explicit File(int number) : number_(number) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  File(File&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  ~File() {
    if (number_ > STDERR_FILENO) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

// What a signal handler may touch: a flag, and a pipe that wakes whoever waits for input.
std::atomic<bool> stop_asked{false};
std::atomic<int> stop_signal{0};
std::array<int, 2> stop_pipe{-1, -1};

extern "C" void on_stop_signal(int signal) {
  stop_asked = true;
  stop_signal = signal;
  const char byte = 0;
  if (::write(stop_pipe[1], &byte, 1) < 0) return;  // the flag is seen in any case
}

void catch_signals() {
  if (::pipe2(stop_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) stop_pipe = {-1, -1};
  struct sigaction action{};
  action.sa_handler = on_stop_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second Ctrl-C ends at once
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before{};
    // What nohup ignores stays ignored.
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
      sigaction(signal, &action, nullptr);
    }
  }
}

int complain_file(const Shell& shell, IssueCode code, const std::string& path, int error) {
  shell.complain({Issue{code, path, {{"reason", std::string(std::strerror(error))}}}});
  return kCannotReadOrWrite;
}

// One line on standard error, written over ten times a second.
class ProgressLine {
 public:
  ProgressLine(const Shell& shell, const std::string& choice)
      : shell_(shell),
        shown_(choice == "always" || (choice == "auto" && isatty(STDERR_FILENO) != 0)) {}

  void show(const batch::Progress& progress) {
    const auto now = Clock::now();
    if (!shown_ || now - last_ < std::chrono::milliseconds(500)) return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    const double rate = static_cast<double>(progress.answered) / seconds;
    Args args{{"answered", static_cast<double>(progress.answered)}, {"rate", rate}};
    if (progress.refused > 0) args.push_back({"refused", static_cast<double>(progress.refused)});
    const double done = progress.share - progress.skipped_share;
    if (progress.share > 0) args.push_back({"share", progress.share});
    if (done > 0) args.push_back({"left", seconds / done * (1 - progress.share)});
    print(shell_.say("cli.batch.progress", args));
  }
  /// Removes the line, so that what follows does not stand behind it.
  void clear() {
    if (printed_) std::fputs("\r\x1b[K", stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;
  void print(const std::string& text) {
    std::fprintf(stderr, "\r%s\x1b[K", text.c_str());
    printed_ = true;
  }

  const Shell& shell_;
  bool shown_, printed_ = false;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

int open_input(const BatchOptions& options) {
  return options.input == "-" ? STDIN_FILENO : ::open(options.input.c_str(), O_RDONLY | O_CLOEXEC);
}

// The file that would be emptied before it is read.
bool writes_over_input(const BatchOptions& options) {
  struct stat in{}, out{};
  const int got =
      options.input == "-" ? ::fstat(STDIN_FILENO, &in) : ::stat(options.input.c_str(), &in);
  if (got != 0 || options.output == "-" || ::stat(options.output.c_str(), &out) != 0) return false;
  return S_ISREG(in.st_mode) && in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

int open_output(const BatchOptions& options) {
  if (options.output == "-") return STDOUT_FILENO;
  const int keep = options.resume ? 0 : O_TRUNC;
  return ::open(options.output.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | keep, 0666);
}

// What is in the output already, cut to whole lines; checks that it answers this input.
int find_earlier(const Shell& shell, const BatchOptions& options, const batch::Options& how,
                 int output, batch::Earlier& earlier) {
  if (!batch::read_earlier(output, earlier)) {
    return complain_file(shell, IssueCode::kCannotRead, options.output, errno);
  }
  const auto length = static_cast<off_t>(earlier.length);
  if (earlier.lines > 0) {
    const File input(open_input(options));
    batch::LineSource source(input.number(), -1, batch::kMaxLine);
    if (batch::answer_at(shell.api, source, how, earlier.lines - 1) != earlier.last) {
      shell.complain(
          shell.say("cli.batch.other_input",
                    {{"file", options.output}, {"line", static_cast<double>(earlier.lines)}}));
      return kBadUsage;
    }
  }
  if (::ftruncate(output, length) != 0 || ::lseek(output, length, SEEK_SET) < 0) {
    return complain_file(shell, IssueCode::kCannotWrite, options.output, errno);
  }
  return kAnswered;
}

int status_of(const Shell& shell, const BatchOptions& options, const batch::Outcome& outcome,
              const batch::Earlier& earlier) {
  switch (outcome.end) {
    case batch::End::kCannotRead:
      return complain_file(shell, IssueCode::kCannotRead, options.input, outcome.error);
    case batch::End::kCannotWrite:
      // The reader has gone: nothing is wrong, there is just nobody to write for.
      if (outcome.error == EPIPE) return kAnswered;
      return complain_file(shell, IssueCode::kCannotWrite,
                           options.output == "-" ? "" : options.output, outcome.error);
    case batch::End::kFailed:
      shell.complain(outcome.what);
      return kCannotReadOrWrite;
    case batch::End::kStopped:
      shell.complain(shell.say("cli.batch.stopped",
                               {{"n", static_cast<double>(outcome.answered + outcome.skipped)}}));
      // The program ends as others do that were stopped, so that scripts around it stop too.
      std::signal(stop_signal, SIG_DFL);
      std::raise(stop_signal);
      return kCannotReadOrWrite;
    case batch::End::kAll:
      break;
  }
  if (outcome.skipped < earlier.lines) {
    shell.complain(
        shell.say("cli.batch.other_input",
                  {{"file", options.output}, {"line", static_cast<double>(earlier.lines)}}));
    return kBadUsage;
  }
  if (!options.strict || outcome.refused == 0) return kAnswered;
  shell.complain(shell.say("cli.batch.refused", {{"n", static_cast<double>(outcome.refused)},
                                                 {"of", static_cast<double>(outcome.answered)}}));
  return kBadUsage;
}

// For each line the number of reports it would get.
int print_counts(Shell& shell, const BatchOptions& options, int input) {
  batch::LineSource source(input, -1, batch::kMaxLine);
  std::string text;
  for (;;) {
    const auto got = source.next(text, true);
    if (got == batch::LineSource::Got::kError) {
      return complain_file(shell, IssueCode::kCannotRead, options.input, source.error());
    }
    if (got != batch::LineSource::Got::kLine || shell.out.failed()) return kAnswered;
    const auto line = batch::Line::read(std::move(text), shell.api, shell.lang);
    shell.out.print(std::to_string(line.count()) + "\n");
    text.clear();
  }
}

int run_batch(Shell& shell, const BatchOptions& options) {
  if (options.resume && (options.output == "-" || options.input == "-")) {
    shell.complain(shell.say("cli.batch.resume_needs_files"));
    return kBadUsage;
  }
  if (writes_over_input(options)) {
    shell.complain(shell.say("cli.batch.over_input", {{"file", options.output}}));
    return kBadUsage;
  }
  const File input(open_input(options));
  if (input.number() < 0) return complain_file(shell, IssueCode::kCannotRead, options.input, errno);
  if (options.count) return print_counts(shell, options, input.number());
  const File output(open_output(options));
  if (output.number() < 0)
    return complain_file(shell, IssueCode::kCannotWrite, options.output, errno);
  batch::Options how{.jobs = options.jobs == 0 ? batch::default_jobs() : options.jobs,
                     .lang = shell.lang,
                     .stop = &stop_asked};
  if (!options.overlay.empty()) {
    int status = kAnswered;
    auto members = read_overlay_file(shell, options.overlay, status);
    if (!members) return status;
    how.rewrite = [members = *std::move(members)](const std::string& line) {
      return with_overlay(line, members);
    };
  }
  batch::Earlier earlier;
  if (options.resume) {
    if (const int status = find_earlier(shell, options, how, output.number(), earlier))
      return status;
    how.skip = earlier.lines;
  }
  catch_signals();
  batch::LineSource source(input.number(), stop_pipe[0], batch::kMaxLine);
  const off_t at = ::lseek(output.number(), 0, SEEK_CUR);  // -1 for what is no file
  batch::LineSink sink(output.number(), at > 0 ? static_cast<std::uint64_t>(at) : 0);
  ProgressLine line(shell, options.progress);
  const batch::Outcome outcome =
      batch::run(shell.api, source, sink, how,
                 [&line](const batch::Progress& progress) { line.show(progress); });
  line.clear();
  return status_of(shell, options, outcome, earlier);
}

}  // namespace

void add_batch(CLI::App& app, Shell& shell) {
  auto options = std::make_shared<BatchOptions>();
  CLI::App* command = add_command(app, shell, "batch");
  command->add_option("INPUT", options->input, shell.say("cli.batch.input"));
  command->add_option("-o,--output", options->output, shell.say("cli.flag.batch-output"))
      ->type_name("");
  command->add_option("-j,--jobs", options->jobs, shell.say("cli.flag.jobs"))
      ->type_name("")
      ->check(CLI::Range(1U, 1024U).description(""));
  command->add_option("--overlay", options->overlay, shell.say("cli.flag.overlay"))->type_name("");
  command->add_flag("--resume", options->resume, shell.say("cli.flag.resume"));
  command->add_flag("--count", options->count, shell.say("cli.flag.batch-count"));
  command->add_flag("--strict", options->strict, shell.say("cli.flag.strict"));
  command->add_option("--progress", options->progress, shell.say("cli.flag.progress"))
      ->type_name("")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""));
  command->callback(
      [&shell, options] { shell.run = [options](Shell& s) { return run_batch(s, *options); }; });
}

}  // namespace xuanka::cli
