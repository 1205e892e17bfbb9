// xuanka check: is a data file good? Path, line and reason for each fault.
#include <algorithm>
#include <ctime>

#include "shell/cli/shell.hpp"
#include "xuanka/catalog/load.hpp"
#include "xuanka/catalog/reference.hpp"

namespace xuanka::cli {
namespace {

// Dates may not lie in the future: after the shipped data's date and after today.
std::string today(const std::string& data_date) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[16] = "";
  if (gmtime_r(&now, &parts) != nullptr) std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return std::max(std::string(text), data_date);
}

std::string fault_line(const Shell& shell, const std::string& file, const Issue& issue) {
  std::string place = file;
  if (issue.line > 0) {
    place += ":" + std::to_string(issue.line) + ":" + std::to_string(issue.column);
  }
  return place + ": " + shell.api.messages().issue_text(shell.lang, issue) + "\n";
}

int run_check(Shell& shell, const std::vector<std::string>& files) {
  Catalog catalog = shell.api.knowledge().catalog;
  const std::string date = today(catalog.data_date);
  int status = kAnswered;
  std::vector<Result<std::string>> texts;
  for (const std::string& file : files) {
    texts.push_back(read_file(file));
    if (texts.back()) add_referable(*texts.back(), catalog);
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string& file = files[i];
    const auto& text = texts[i];
    if (!text) {
      shell.complain(text.error());
      status = kCannotReadOrWrite;
      continue;
    }
    const auto reference = check_reference(*text, catalog, date);
    const FileCheck check = reference ? *reference : check_text(*text, catalog, date);
    for (const Issue& issue : check.issues) shell.out.print(fault_line(shell, file, issue));
    if (check.issues.empty()) {
      const std::string kind(data_kind_name(check.kind));
      shell.out.print(
          shell.say("cli.check_good",
                    {{"file", file}, {"n", static_cast<double>(check.entries)}, {"kind", kind}}) +
          "\n");
    } else if (status == kAnswered) {
      status = kNothingQualifies;
    }
  }
  return status;
}

}  // namespace

void add_check(CLI::App& app, Shell& shell) {
  auto files = std::make_shared<std::vector<std::string>>();
  CLI::App* command = add_command(app, shell, "check");
  command->add_option("FILE", *files, shell.say("cli.check.file"))->required();
  command->callback(
      [&shell, files] { shell.run = [files](Shell& s) { return run_check(s, *files); }; });
}

}  // namespace xuanka::cli
