#include "present/wording.hpp"

#include <algorithm>
#include <array>

namespace xuanka::present_detail {

const Gpu* find_gpu(const Context& context, std::string_view id) {
  for (const Gpu& gpu : context.request.overrides.gpus) {
    if (gpu.id == id) return &gpu;
  }
  return context.knowledge.catalog.find_gpu(id);
}

const Offer* find_offer(const Context& context, std::string_view id) {
  for (const Offer& offer : context.request.overrides.offers) {
    if (offer.id == id) return &offer;
  }
  return context.knowledge.catalog.find_offer(id);
}

std::string short_gpu_name(const Gpu& gpu) {
  constexpr std::array<std::string_view, 5> kLines{"NVIDIA ", "GeForce ", "Tesla ", "Radeon ",
                                                   "Instinct "};
  std::string_view name = gpu.name.empty() ? gpu.id : gpu.name;
  for (const std::string_view line : kLines) {
    if (name.size() > line.size() && name.substr(0, line.size()) == line) {
      name.remove_prefix(line.size());
    }
  }
  return std::string(name);
}

std::string rate_text(const Context& context, double units_per_second) {
  if (units_per_second <= 0) return std::string(kNothing);
  const std::string unit = context.inference() ? "output_token" : context.report.unit;
  return context.say("row.rate." + unit, {{"rate", format_si(units_per_second)}});
}

std::string cost_words(const Context& context, const CostEstimate& cost) {
  if (!cost.amount) return {};
  std::string text = format_money_words(context.lang, {*cost.amount, cost.currency});
  return cost.per.empty() ? text : context.say("answer.per_million_tokens", {{"cost", text}});
}

std::string price_text(const Context& context, const Candidate& candidate) {
  if (!candidate.cost) return {};
  const CostEstimate& cost = *candidate.cost;
  const Offer* offer = cost.offer.empty() ? nullptr : find_offer(context, cost.offer);
  Args args{{"currency", std::string(cost.currency.code())}};
  if (offer != nullptr) {
    args.push_back({"provider", offer->own ? context.say("row.own_price") : offer->provider});
    if (offer->billing != Billing::kOnDemand) {
      args.push_back({"billing", context.word(name_of(offer->billing))});
    }
  } else {
    args.push_back({"provider", context.word(name_of(cost.acquire))});
  }
  if (cost.capital) args.push_back({"capital", *cost.capital});
  if (cost.hourly) {
    args.push_back({"hourly", cost.hourly->amount});
    if (cost.billed_gpus > 1) {
      args.push_back({"per_gpu", cost.hourly->amount / cost.billed_gpus});
    }
  }
  if (cost.as_of) {
    args.push_back({"as_of", *cost.as_of});
  } else if (offer != nullptr && !offer->own) {
    args.push_back({"undated", std::string("1")});
  }
  return context.say("row.price", args);
}

std::string plan_text(const Context& context, const Candidate& candidate) {
  const Plan& plan = candidate.planned.plan;
  std::vector<std::string> parts;
  const auto degree = [&](std::string_view name, double value) {
    if (value > 1) parts.push_back(context.say("plan." + std::string(name), {{"n", value}}));
  };
  degree("tensor", plan.tensor);
  degree("pipeline", plan.pipeline);
  degree("context", plan.context);
  degree("expert", plan.expert);
  if (context.inference()) {
    degree("replicas", plan.data);
    return join(context, parts);
  }
  if (plan.data > 1) {
    parts.push_back(plan.zero == 0 ? "DDP" : "ZeRO-" + std::to_string(plan.zero));
  }
  parts.push_back(context.say("plan.micro_batch", {{"n", plan.micro_batch}}));
  degree("accumulation", plan.grad_accumulation);
  if (plan.recompute != Recompute::kNone) {
    parts.push_back(context.say("plan.recompute." + std::string(name_of(plan.recompute))));
  }
  if (plan.offload != Offload::kNone) {
    parts.push_back(context.say("plan.offload." + std::string(name_of(plan.offload))));
  }
  return join(context, parts);
}

std::string change_text(const Context& context, const FitChange& change) {
  Args args;
  if (const auto* number = std::get_if<double>(&change.value)) {
    args.push_back({"value", *number});
  } else if (const auto* text = std::get_if<std::string>(&change.value)) {
    args.push_back({"value", *text});
  } else {
    args.push_back({"value", std::string(std::get<bool>(change.value) ? "on" : "off")});
  }
  const std::string id = "change." + change.path;
  if (context.messages.has(context.lang, id)) return context.say(id, args);
  args.push_back({"path", change.path});
  return context.say("change.other", args);
}

std::string solved_text(const Candidate& candidate) {
  return candidate.solved ? format_si(candidate.solved->value, 4) : std::string();
}

std::string solved_sentence(const Context& context, const Candidate& candidate) {
  if (!candidate.solved || !context.request.solve) return {};
  Args args;
  if (candidate.solved->value > 0) args.push_back({"value", solved_text(candidate)});
  return context.say("solved." + std::string(name_of(*context.request.solve)), args);
}

std::vector<NoteLine> note_lines(const Context& context, const std::vector<Note>& notes) {
  std::vector<NoteLine> lines;
  lines.reserve(notes.size());
  for (const Note& note : notes) {
    std::string text = context.messages.note_text(context.lang, note);
    lines.push_back({std::move(text), note.severity, note.code});
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const NoteLine& a, const NoteLine& b) { return a.severity > b.severity; });
  return lines;
}

std::string join(const Context& context, const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!text.empty()) text += context.comma();
    text += part;
  }
  return text;
}

}  // namespace xuanka::present_detail
