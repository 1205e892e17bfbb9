// xuanka man: the manual page, made from the commands themselves.
#include "shell/cli/shell.hpp"

namespace xuanka::cli {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    begins_line = c == '\n';
  }
  return out;
}

std::string options_text(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option : app.get_options()) {
    std::string name = option->get_name(false, true);
    for (std::size_t at = name.find(','); at != name.npos; at = name.find(',', at + 2))
      name.insert(at + 1, " ");
    out += ".TP\n.B " + escaped(name) + "\n" + escaped(option->get_description()) + "\n";
  }
  return out;
}

std::string examples_text(const Shell& shell, const std::string& id) {
  if (!shell.api.messages().has(shell.lang, id)) return {};
  return ".PP\n.nf\n" + escaped(shell.say(id)) + "\n.fi\n";
}

int run_man(Shell& shell, const CLI::App& app) {
  std::string out = ".TH XUANKA 1 \"" + shell.api.knowledge().catalog.data_date +
                    "\" \"xuanka " XUANKA_VERSION "\"\n";
  out += ".SH NAME\nxuanka \\- " + escaped(shell.say("cli.about")) + "\n";
  out += ".SH SYNOPSIS\n.B xuanka\n.I COMMAND\n[OPTIONS]\n";
  out += ".SH OPTIONS\n" + options_text(app);
  out += ".SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_description().empty()) continue;
    out += ".SS xuanka " + escaped(command->get_name()) + "\n" +
           escaped(command->get_description()) + "\n";
    out +=
        options_text(*command) + examples_text(shell, "cli." + command->get_name() + ".examples");
  }
  out += ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\n" + escaped(shell.say("cli.man.no_color")) + "\n";
  out += ".TP\n.B LC_ALL, LC_MESSAGES, LANG\n" + escaped(shell.say("cli.flag.lang")) + "\n";
  out += ".SH EXAMPLES\n.nf\n" + escaped(shell.say("cli.about.examples")) + "\n.fi\n";
  shell.out.print(out);
  return kAnswered;
}

}  // namespace

void add_man(CLI::App& app, Shell& shell) {
  CLI::App* command = add_command(app, shell, "man");
  command->callback([&app, &shell] { shell.run = [&app](Shell& s) { return run_man(s, app); }; });
}

}  // namespace xuanka::cli
