// xuanka ask: the wizard's steps as questions: job, model, data, time and money, cards. Then the
// answer, and the command that gives it again.
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "shell/cli/request_flags.hpp"
#include "shell/cli/shell.hpp"
#include "xuanka/base/enums.hpp"
#include "xuanka/base/nearest.hpp"

namespace xuanka::cli {
namespace {

// A question: message `cli.ask.<id>`; the answer becomes the value of a flag of `rank`.
struct Question {
  std::string_view id, flag, otherwise;
};

class Wizard {
 public:
  Wizard(const Shell& shell) : shell_(shell) {}

  // False when the input ended before the last question.
  bool run() {
    const Catalog& catalog = shell_.api.knowledge().catalog;
    const std::vector<std::string_view> kinds(EnumNames<JobKind>::kNames.begin(),
                                              EnumNames<JobKind>::kNames.end());
    std::vector<std::string_view> models, gpus;
    for (const ModelPreset& model : catalog.models) models.push_back(model.id);
    for (const Gpu& gpu : catalog.gpus) gpus.push_back(gpu.id);
    const auto kind = choose({"kind", "--kind", "train"}, kinds, false);
    if (!kind || !choose({"model", "--model", ""}, models, false)) return false;
    if (*kind == "inference") {
      if (!number({"concurrency", "--concurrency", "8"})) return false;
    } else if (!number({"data", "--data", ""}) || !number({"deadline", "--deadline", "24"})) {
      return false;
    }
    return number({"budget", "--budget", ""}) && choose({"gpu", "--gpu", ""}, gpus, true) &&
           numbers({"count", "--count", "1,2,4,8"});
  }

  [[nodiscard]] const std::vector<std::string>& arguments() const { return arguments_; }

 private:
  // On standard error, so that the answer alone goes to a pipe.
  std::optional<std::string> read(const Question& question) {
    const Args args{{"default", std::string(question.otherwise)}};
    std::fprintf(stderr, "%s ", shell_.say("cli.ask." + std::string(question.id), args).c_str());
    std::fflush(stderr);
    std::string line;
    int c = 0;
    while ((c = std::getchar()) != EOF && c != '\n') line += static_cast<char>(c);
    if (c == EOF && line.empty()) return std::nullopt;
    const auto blank = [](char one) { return one == ' ' || one == '\t' || one == '\r'; };
    while (!line.empty() && blank(line.back())) line.pop_back();
    line.erase(0, line.find_first_not_of(" \t"));
    return line.empty() ? std::string(question.otherwise) : line;
  }
  void complain(const std::string& text) { std::fprintf(stderr, "  %s\n", text.c_str()); }
  void take(const Question& question, const std::string& value) {
    if (value.empty()) return;
    arguments_.emplace_back(question.flag);
    arguments_.push_back(value);
  }

  // One of the words, or several separated by commas; "?" lists those that hold the rest of the
  // line.
  std::optional<std::string> choose(const Question& question,
                                    const std::vector<std::string_view>& words, bool several) {
    for (;;) {
      const auto answer = read(question);
      if (!answer) return std::nullopt;
      if (!answer->empty() && answer->front() == '?') {
        list(words, answer->substr(1));
        continue;
      }
      if (answer->empty() && question.id == "model") continue;
      if (!answer->empty() && !known(*answer, words, several)) continue;
      take(question, *answer);
      return answer;
    }
  }
  bool known(const std::string& answer, const std::vector<std::string_view>& words, bool several) {
    std::size_t at = 0;
    while (at <= answer.size()) {
      const std::size_t end =
          several ? std::min(answer.find(',', at), answer.size()) : answer.size();
      const std::string word = answer.substr(at, end - at);
      if (std::find(words.begin(), words.end(), word) == words.end()) {
        Args args{{"got", word}};
        const auto near = nearest_ids(word, words, 1);
        if (!near.empty()) args.push_back({"nearest", std::string(near.front())});
        complain(shell_.say("cli.unknown_argument", args));
        return false;
      }
      at = end + 1;
    }
    return true;
  }
  void list(const std::vector<std::string_view>& words, const std::string& part) {
    const std::string wanted = part.substr(std::min(part.find_first_not_of(' '), part.size()));
    std::string line;
    for (const std::string_view word : words) {
      if (word.find(wanted) != word.npos) line += std::string(word) + " ";
    }
    complain(wrap(line, 90, 2));
  }
  bool number(const Question& question) {
    for (;;) {
      const auto answer = read(question);
      if (!answer) return false;
      if (answer->empty() || json_number(*answer) ||
          (question.id == "deadline" && *answer == "none")) {
        return take(question, *answer), true;
      }
      complain(
          shell_.say("cli.bad_number", {{"flag", std::string(question.flag)}, {"got", *answer}}));
    }
  }
  bool numbers(const Question& question) {
    for (;;) {
      const auto answer = read(question);
      if (!answer) return false;
      if (answer->find_first_not_of("0123456789,") == answer->npos)
        return take(question, *answer), true;
      complain(
          shell_.say("cli.bad_number", {{"flag", std::string(question.flag)}, {"got", *answer}}));
    }
  }

  const Shell& shell_;
  std::vector<std::string> arguments_;
};

int run_ask(Shell& shell, CLI::App& app) {
  Wizard wizard(shell);
  if (!wizard.run()) {
    std::fputc('\n', stderr);
    shell.complain(shell.say("cli.ask.ended"));
    return kBadUsage;
  }
  std::vector<std::string> line{"rank"};
  std::string command = "xuanka rank";
  for (const std::string& argument : wizard.arguments()) {
    line.push_back(argument);
    command += " " + argument;
  }
  std::fprintf(stderr, "\n%s\n\n", command.c_str());
  std::reverse(line.begin(), line.end());  // as CLI11 takes them
  shell.run = nullptr;
  app.parse(line);
  return shell.run(shell);
}

}  // namespace

void add_ask(CLI::App& app, Shell& shell) {
  CLI::App* command = add_command(app, shell, "ask");
  command->callback([&app, &shell] { shell.run = [&app](Shell& s) { return run_ask(s, app); }; });
}

}  // namespace xuanka::cli
