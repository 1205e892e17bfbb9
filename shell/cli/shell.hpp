// What every command needs: the one door, the language, colour, and the way out.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "shell/cli/io.hpp"
#include "shell/cli/table.hpp"
#include "xuanka/api/api.hpp"

namespace xuanka::cli {

/// Exit statuses of the contract.
enum ExitStatus { kAnswered = 0, kNothingQualifies = 1, kBadUsage = 2, kCannotReadOrWrite = 3 };

struct Shell {
  const Api& api;
  Lang lang = Lang::kEn;
  bool color = false;  ///< of standard output
  Output out;
  std::function<int(Shell&)> run;  ///< set by the command that was named

  [[nodiscard]] std::string say(std::string_view id, const Args& args = {}) const {
    return api.messages().format(lang, id, args);
  }
  /// "xuanka: ..." on standard error.
  void complain(std::string_view text) const;
  /// One line per issue on standard error; `name` (a file) stands before the place.
  void complain(const std::vector<Issue>& issues, std::string_view name = {}) const;
};

// Each adds its command to the line.
void add_rank(CLI::App& app, Shell& shell);
void add_explain(CLI::App& app, Shell& shell);
void add_batch(CLI::App& app, Shell& shell);
void add_catalog(CLI::App& app, Shell& shell);
void add_check(CLI::App& app, Shell& shell);
void add_validate(CLI::App& app, Shell& shell);
void add_probe(CLI::App& app, Shell& shell);
void add_ask(CLI::App& app, Shell& shell);
void add_completions(CLI::App& app, Shell& shell);
void add_man(CLI::App& app, Shell& shell);

/// A command with its help: `cli.<name>` the line, `cli.<name>.examples` the footer.
[[nodiscard]] CLI::App* add_command(CLI::App& app, const Shell& shell, const std::string& name);
/// What is wrong with the line: an unknown argument with the nearest known one, a missing or
/// refused value.
[[nodiscard]] std::string usage_text(const Shell& shell, const CLI::App& app,
                                     const CLI::ParseError& error);
/// --format table|csv|markdown|json.
void add_format_flag(CLI::App& command, const Shell& shell, TableFormat& format);

}  // namespace xuanka::cli
