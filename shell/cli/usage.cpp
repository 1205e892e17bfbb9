// What is wrong with the line, in the user's language: CLI11 words its errors in English only.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "shell/cli/shell.hpp"
#include "xuanka/base/nearest.hpp"

namespace xuanka::cli {
namespace {

using Text = std::string_view;

// What stands between two marks; empty when one is missing.
Text between(Text text, Text before, Text after) {
  const std::size_t begin = text.find(before);
  if (begin == Text::npos) return {};
  text.remove_prefix(begin + before.size());
  const std::size_t end = text.find(after);
  return end == Text::npos ? Text{} : text.substr(0, end);
}

// "{csv->1,markdown->2}" or "{zh,en}": the words alone.
std::string allowed_words(Text text) {
  std::string words;
  Text rest = between(text, "{", "}");
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const Text entry = rest.substr(0, comma);
    if (!words.empty()) words += ", ";
    words += entry.substr(0, entry.find("->"));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return words;
}

// "--top: ..." or "Could not convert: --top = x" or "FILE is required": what the error is about.
Text option_name(Text text) {
  for (const Text end : {Text(" = "), Text(" is required"), Text(": ")}) {
    const std::size_t at = text.find(end);
    if (at == Text::npos) continue;
    const std::size_t begin = text.substr(0, at).rfind(' ');
    return begin == Text::npos ? text.substr(0, at) : text.substr(begin + 1, at - begin - 1);
  }
  return {};
}

std::string bad_value(const Shell& shell, Text text) {
  Text got = between(text, "Check ", " value");
  if (got.empty()) got = between(text, ": ", " not in");
  if (const std::size_t at = text.find(" = "); got.empty() && at != Text::npos) {
    got = text.substr(at + 3);
  }
  if (constexpr Text kWord = "Value "; got.starts_with(kWord)) got.remove_prefix(kWord.size());
  return shell.say("cli.bad_value", {{"name", std::string(option_name(text))},
                                     {"got", std::string(got)},
                                     {"allowed", allowed_words(text)}});
}

// "The following arguments were not expected: --modle x": the first is named, with the nearest.
std::string unknown_argument(const Shell& shell, const CLI::App& app, Text text) {
  const auto named = app.get_subcommands();
  const CLI::App& command = named.empty() ? app : *named.front();
  const std::size_t colon = text.rfind(": ");
  const std::string extra(text.substr(colon + 2, text.find(' ', colon + 2) - colon - 2));
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  if (named.empty()) {
    for (const CLI::App* sub : app.get_subcommands(nullptr)) names.push_back(sub->get_name());
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  Args args{{"got", extra}};
  if (const auto near = nearest(extra, views)) args.push_back({"nearest", std::string(*near)});
  return shell.say("cli.unknown_argument", args);
}

}  // namespace

std::string usage_text(const Shell& shell, const CLI::App& app, const CLI::ParseError& error) {
  const std::string text = error.what();
  const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  if (extras && text.rfind(": ") != text.npos) return unknown_argument(shell, app, text);
  const Args name{{"name", std::string(option_name(text))}};
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    return shell.say("cli.required", name);
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    return shell.say("cli.excludes", {{"name", text.substr(0, text.find(' '))},
                                      {"other", text.substr(text.rfind(' ') + 1)}});
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return shell.say("cli.needs_value", name);
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr ||
      dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) {
    return bad_value(shell, text);
  }
  return text;
}

}  // namespace xuanka::cli
