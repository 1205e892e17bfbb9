// xuanka explain: every formula used for the best candidate, numbers put in, with sources.
#include "shell/cli/catalog_reference.hpp"
#include "shell/cli/request_flags.hpp"
#include "shell/cli/shell.hpp"
#include "shell/cli/table.hpp"
#include "xuanka/base/embedded.hpp"

namespace xuanka::cli {
namespace {

struct ExplainOptions {
  RequestFlags request;
  bool json = false;
};

std::string step_text(const Shell& shell, const ExplainStep& step) {
  constexpr std::size_t kIndent = 4, kWidth = 100;
  std::string out = bold(step.title, shell.color) + "\n";
  const auto line = [&out](const std::string& text) {
    if (!text.empty()) out += "    " + wrap(text, kWidth - kIndent, kIndent + 2) + "\n";
  };
  line(step.formula);
  if (!step.substituted.empty()) line("= " + step.substituted);
  if (!step.result.empty()) line("= " + step.result);
  line(step.note);
  if (!step.source.empty()) {
    out += "    " + dim(shell.say("cli.source", {{"source", step.source}}), shell.color) + "\n";
  }
  return out;
}

// What the best candidate's architecture brings, and how long software will support it.
std::string best_architecture(const Shell& shell, const std::string& text) {
  const auto view = shell.api.view_model(text, shell.lang);
  const auto reference = load_reference(assets::reference_files());
  if (!view || view->rows.empty() || !reference) return {};
  const Gpu* gpu = shell.api.knowledge().catalog.find_gpu(view->rows.front().gpu);
  const Architecture* entry =
      gpu != nullptr ? reference->find_architecture(gpu->architecture) : nullptr;
  if (entry == nullptr) return {};
  return "\n" + architecture_card(shell, *reference, *entry);
}

int run_explain(Shell& shell, const ExplainOptions& options) {
  int status = kAnswered;
  const auto text = request_text(shell, options.request, status);
  if (!text) return status;
  if (options.request.show) {
    shell.out.print(*text + "\n");
    return kAnswered;
  }
  const auto steps = shell.api.explain_steps(*text, shell.lang);
  if (options.json) {
    shell.out.print(shell.api.explain(*text, shell.lang) + "\n");
    if (!steps) return kBadUsage;
    return steps->empty() ? kNothingQualifies : kAnswered;
  }
  if (!steps) return complain_about_request(shell, options.request, steps.error());
  if (steps->empty()) {
    shell.complain(shell.say("answer.no_candidates"));
    return kNothingQualifies;
  }
  std::string out;
  for (const ExplainStep& step : *steps) {
    if (!out.empty()) out += "\n";
    out += step_text(shell, step);
  }
  shell.out.print(out + best_architecture(shell, *text));
  return kAnswered;
}

}  // namespace

void add_explain(CLI::App& app, Shell& shell) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = add_command(app, shell, "explain");
  add_request_flags(*command, shell, options->request);
  command->add_flag("--json", options->json, shell.say("cli.flag.json"));
  command->callback(
      [&shell, options] { shell.run = [options](Shell& s) { return run_explain(s, *options); }; });
}

}  // namespace xuanka::cli
