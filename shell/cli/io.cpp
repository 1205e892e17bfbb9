#include "shell/cli/io.hpp"

#include <cerrno>
#include <cstring>
#include <memory>

namespace xuanka::cli {
namespace {

Issue issue_of(IssueCode code, const std::string& path, int error) {
  return {code, path, {{"reason", std::string(std::strerror(error))}}};
}

Result<std::string> read_all(std::FILE* file, const std::string& path) {
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const std::size_t got = std::fread(buffer, 1, sizeof buffer, file);
    text.append(buffer, got);
    if (text.size() > kMaxInputBytes) {
      return tl::unexpected(std::vector<Issue>{
          {IssueCode::kTooLarge, path, {{"max", static_cast<double>(kMaxInputBytes)}}}});
    }
    if (got == sizeof buffer) continue;
    if (std::ferror(file) != 0) {
      return tl::unexpected(std::vector{issue_of(IssueCode::kCannotRead, path, errno)});
    }
    if (std::feof(file) != 0) return text;
  }
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  if (path == "-") return read_all(stdin, path);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) return tl::unexpected(std::vector{issue_of(IssueCode::kCannotRead, path, errno)});
  return read_all(file.get(), path);
}

void Output::print(std::string_view text, bool now) {
  if (failed()) return;
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
                       (!now || std::fflush(stdout) == 0);
  if (!written) error_ = errno != 0 ? errno : EIO;
}

bool Output::reader_gone() const { return error_ == EPIPE; }

std::optional<Issue> Output::finish() {
  if (!failed() && std::fflush(stdout) != 0) error_ = errno;
  if (!failed() || reader_gone()) return std::nullopt;
  return issue_of(IssueCode::kCannotWrite, "", error_);
}

}  // namespace xuanka::cli
