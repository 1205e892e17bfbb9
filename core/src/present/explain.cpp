#include "present/explain.hpp"

#include <cmath>

namespace xuanka::present_detail {

ExplainStep& Explanation::add(std::string_view id, double value, std::string substituted,
                              std::string result, std::string source) {
  const std::string base = "explain." + std::string(id);
  ExplainStep step;
  step.id = id;
  step.title = context_.say(base + ".title");
  step.formula = context_.say(base + ".formula");
  step.substituted = std::move(substituted);
  step.result = std::move(result);
  step.value = value;
  step.source = std::move(source);
  if (step.source.empty() && context_.messages.has(context_.lang, base + ".source")) {
    step.source = context_.say(base + ".source");
  }
  if (context_.messages.has(context_.lang, base + ".note")) {
    step.note = context_.say(base + ".note");
  }
  steps_.push_back(std::move(step));
  return steps_.back();
}

std::string times(std::initializer_list<std::string> factors) {
  std::string text;
  for (const std::string& factor : factors) {
    if (!text.empty()) text += " × ";
    text += factor;
  }
  return text;
}

double requests_at_once(const Candidate& candidate) {
  return std::ceil(candidate.job.inference.concurrency / candidate.planned.plan.data);
}

std::string source_titles(const Context& context, const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids) {
    const Source* source = context.knowledge.catalog.find_source(id);
    if (!text.empty()) text += "; ";
    if (source == nullptr) {
      text += id;
      continue;
    }
    text += source->title.empty() ? id : source->title;
    if (!source->address.empty()) text += " <" + source->address + ">";
  }
  return text;
}

}  // namespace xuanka::present_detail

namespace xuanka {

std::vector<ExplainStep> explain_candidate(const Knowledge& knowledge, const Request& request,
                                           const Report& report, std::size_t candidate,
                                           const Messages& messages, Lang lang) {
  const present_detail::Context context{knowledge, request, report, messages, lang};
  const Candidate& chosen = report.candidates[candidate];
  present_detail::Explanation out(context, chosen);
  if (chosen.job.model != nullptr) {
    explain_work(out);
    if (chosen.planned.time.step.value() > 0) explain_speed(out);
    if (chosen.planned.memory.per_gpu.value() > 0) explain_memory(out);
  }
  explain_money(out);
  if (chosen.job.model != nullptr) explain_host(out);
  return out.take();
}

}  // namespace xuanka
