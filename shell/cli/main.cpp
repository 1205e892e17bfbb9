// The command line. Thin: language, colour, one file per command, exit status.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "shell/cli/shell.hpp"

namespace xuanka::cli {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

// The help is worded before the line is parsed, so the language is looked for first.
Lang language(int argc, char** argv) {
  constexpr std::string_view kFlag = "--lang";
  for (int i = 1; i < argc; ++i) {
    std::string_view arg = argv[i];
    if (arg == kFlag && i + 1 < argc)
      arg = argv[i + 1];
    else if (arg.rfind("--lang=", 0) == 0)
      arg.remove_prefix(kFlag.size() + 1);
    else
      continue;
    if (const auto lang = parse_lang(arg)) return *lang;
  }
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    if (const auto value = environment(name); !value.empty()) {
      return parse_lang(value).value_or(Lang::kEn);
    }
  }
  return Lang::kEn;
}

bool wants_color(const std::string& choice) {
  if (choice != "auto") return choice == "always";
  return isatty(STDOUT_FILENO) != 0 && environment("NO_COLOR").empty() &&
         environment("TERM") != "dumb";
}

// CLI11's words in the language of the help.
void word_help(CLI::App& app, const Shell& shell) {
  const auto formatter = app.get_formatter();
  formatter->label("Usage", shell.say("cli.usage"));
  formatter->label("OPTIONS", "OPTIONS");
  formatter->label("SUBCOMMAND", "COMMAND");
  formatter->label("SUBCOMMANDS", "COMMANDS");
  formatter->label("REQUIRED", "");
  formatter->column_width(26);
  app.set_help_flag("-h,--help", shell.say("cli.flag.help"));
  app.option_defaults()->group(shell.say("cli.group.options"));
}

int complain_usage(const Shell& shell, const CLI::App& app, const CLI::ParseError& error) {
  const auto named = app.get_subcommands();
  shell.complain(usage_text(shell, app, error));
  const std::string help = named.empty() ? "xuanka" : "xuanka " + named.front()->get_name();
  shell.complain(shell.say("cli.see_help", {{"command", help}}));
  return kBadUsage;
}

int parse_and_run(Shell& shell, int argc, char** argv) {
  CLI::App app(shell.say("cli.about"), "xuanka");
  word_help(app, shell);
  std::string lang, color = "auto";
  bool version = false;
  app.add_option("--lang", lang, shell.say("cli.flag.lang"))
      ->type_name("")
      ->check(CLI::IsMember({"zh", "en"}).description(""));
  app.add_option("--color", color, shell.say("cli.flag.color"))
      ->type_name("")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""));
  app.add_flag("--version", version, shell.say("cli.flag.version"));
  app.require_subcommand(0, 1);
  app.footer(shell.say("cli.examples") + "\n" + shell.say("cli.about.examples"));
  add_rank(app, shell);
  add_batch(app, shell);
  add_catalog(app, shell);
  add_check(app, shell);
  add_explain(app, shell);
  add_validate(app, shell);
  add_probe(app, shell);
  add_ask(app, shell);
  add_completions(app, shell);
  add_man(app, shell);
  for (CLI::App* command : app.get_subcommands(nullptr)) {
    const bool hidden = command->get_description().empty();  // what completion scripts call
    command->group(hidden ? std::string() : shell.say("cli.group.commands"));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto named = app.get_subcommands();
    shell.out.print(named.empty() ? app.help() : app.help());
    return kAnswered;
  } catch (const CLI::ParseError& error) {
    return complain_usage(shell, app, error);
  }
  if (version) {
    shell.out.print(
        shell.say("cli.version", {{"version", std::string(XUANKA_VERSION)},
                                  {"data", shell.api.knowledge().catalog.data_version}}) +
        "\n");
    return kAnswered;
  }
  if (!shell.run) {
    shell.complain(shell.say("cli.no_command"));
    shell.complain(shell.say("cli.see_help", {{"command", std::string("xuanka")}}));
    return kBadUsage;
  }
  shell.color = wants_color(color);
  return shell.run(shell);
}

int run(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is noticed at the write
  const auto api = Api::create();
  if (!api) {
    for (const Issue& issue : api.error()) {
      std::fprintf(stderr, "xuanka: shipped data: %s: %s\n", issue.path.c_str(),
                   std::string(issue_code_name(issue.code)).c_str());
    }
    return kCannotReadOrWrite;
  }
  Shell shell{*api, language(argc, argv), false, {}, {}};
  const int status = parse_and_run(shell, argc, argv);
  if (const auto issue = shell.out.finish()) {
    shell.complain({*issue});
    return kCannotReadOrWrite;
  }
  return status;
}

}  // namespace
}  // namespace xuanka::cli

int main(int argc, char** argv) {
  try {
    return xuanka::cli::run(argc, argv);
  } catch (const std::exception& error) {  // out of memory and the like
    std::fprintf(stderr, "xuanka: %s\n", error.what());
    return xuanka::cli::kCannotReadOrWrite;
  }
}
