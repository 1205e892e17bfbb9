#include "shell/cli/shell.hpp"

#include <cstdio>
#include <map>

namespace xuanka::cli {

void Shell::complain(std::string_view text) const {
  std::fprintf(stderr, "xuanka: %.*s\n", static_cast<int>(text.size()), text.data());
}

void Shell::complain(const std::vector<Issue>& issues, std::string_view name) const {
  for (const Issue& issue : issues) {
    std::string line;
    if (!name.empty()) line = std::string(name) + ":";
    if (issue.line > 0) {
      line += std::to_string(issue.line) + ":" + std::to_string(issue.column) + ":";
    }
    if (!line.empty()) line += " ";
    complain(line + api.messages().issue_text(lang, issue));
  }
}

CLI::App* add_command(CLI::App& app, const Shell& shell, const std::string& name) {
  CLI::App* command = app.add_subcommand(name, shell.say("cli." + name));
  command->fallthrough();
  const std::string examples = "cli." + name + ".examples";
  if (shell.api.messages().has(shell.lang, examples)) {
    command->footer(shell.say("cli.examples") + "\n" + shell.say(examples));
  }
  return command;
}

void add_format_flag(CLI::App& command, const Shell& shell, TableFormat& format) {
  const std::map<std::string, TableFormat> formats{{"table", TableFormat::kText},
                                                   {"csv", TableFormat::kCsv},
                                                   {"markdown", TableFormat::kMarkdown},
                                                   {"json", TableFormat::kJson}};
  command.add_option("--format", format, shell.say("cli.flag.format"))
      ->type_name("")
      ->transform(CLI::CheckedTransformer(formats).description(""))
      ->excludes("--json");
}

}  // namespace xuanka::cli
