// The native library alone: one request per line in, one report per line out. For the parity test.
#include <cstdio>
#include <string>

#include "xuanka/api/api.hpp"

namespace {

/// Reads a line without its line feed; false at the end of the input.
bool read_line(std::string& line) {
  line.clear();
  int c = 0;
  while ((c = std::getchar()) != EOF) {
    if (c == '\n') return true;
    line += static_cast<char>(c);
  }
  return !line.empty();
}

}  // namespace

int main() {
  const auto api = xuanka::Api::create();
  if (!api) {
    std::fputs("the shipped data does not load\n", stderr);
    return 3;
  }
  std::string line;
  while (read_line(line)) {
    const std::string report = api->rank(line);
    std::fwrite(report.data(), 1, report.size(), stdout);
    std::putchar('\n');
  }
  return std::fflush(stdout) == 0 ? 0 : 3;
}
