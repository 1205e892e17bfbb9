// xuanka validate: estimates against measurements.
#include "xuanka/validate/validate.hpp"

#include "shell/cli/shell.hpp"
#include "xuanka/base/embedded.hpp"

namespace xuanka::cli {
namespace {

struct ValidateOptions {
  std::vector<std::string> files;
  bool json = false;
};

int run_validate(Shell& shell, const ValidateOptions& options) {
  std::vector<MeasurementText> texts;
  for (const std::string& file : options.files) {
    auto text = read_file(file);
    if (!text) {
      shell.complain(text.error());
      return kCannotReadOrWrite;
    }
    texts.push_back({file, *std::move(text)});
  }
  if (options.files.empty()) {
    for (const auto& file : assets::measurement_files()) {
      texts.push_back({std::string(file.name), std::string(file.text)});
    }
  }
  const ValidationReport report = validate(shell.api.knowledge(), texts);
  shell.complain(report.issues);
  shell.out.print(options.json ? validation_json(report) + "\n" : validation_table(report));
  if (!report.issues.empty()) return kBadUsage;
  return report.passed() ? kAnswered : kNothingQualifies;
}

}  // namespace

void add_validate(CLI::App& app, Shell& shell) {
  auto options = std::make_shared<ValidateOptions>();
  CLI::App* command = add_command(app, shell, "validate");
  command->add_option("FILE", options->files, shell.say("cli.validate.file"));
  command->add_flag("--json", options->json, shell.say("cli.flag.json"));
  command->callback(
      [&shell, options] { shell.run = [options](Shell& s) { return run_validate(s, *options); }; });
}

}  // namespace xuanka::cli
