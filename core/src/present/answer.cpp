// The answer card: one sentence, its range, why, what was checked, and three ways to go elsewhere.
#include <algorithm>
#include <cmath>

#include "present/wording.hpp"

namespace xuanka {
namespace {

using present_detail::Context;

constexpr double kHalfCent = 0.005;  // prices closer than this are the same price

std::string label_of(const Context& context, const Candidate& candidate) {
  return candidate_label(context.knowledge, context.request, candidate);
}

// A job with an end has hours and money; one without has a rate and an hourly price.
std::string headline(const Context& context, const Candidate& candidate) {
  const TimeEstimate& time = candidate.planned.time;
  std::vector<std::string> parts{label_of(context, candidate)};
  if (!present_detail::runs(candidate)) return parts.front();
  if (time.total) {
    parts.push_back(context.duration(*time.total));
  } else if (time.units_per_second > 0) {
    parts.push_back(present_detail::rate_text(context, time.units_per_second));
  }
  if (candidate.cost) {
    std::string cost = present_detail::cost_words(context, *candidate.cost);
    if (cost.empty() && candidate.cost->hourly) {
      cost = context.say("answer.per_hour", {{"price", format_price(*candidate.cost->hourly)}});
    }
    parts.push_back(std::move(cost));
  }
  return present_detail::join(context, parts);
}

std::string range(const Context& context, const Candidate& candidate) {
  const TimeEstimate& time = candidate.planned.time;
  if (!present_detail::runs(candidate)) return {};
  std::vector<std::string> parts;
  if (time.total_low && time.total_high) {
    parts.push_back(format_duration_range(context.lang, *time.total_low, *time.total_high));
  }
  if (candidate.cost && candidate.cost->low && candidate.cost->high) {
    parts.push_back(format_money_range(context.lang, *candidate.cost->low, *candidate.cost->high,
                                       candidate.cost->currency));
  }
  if (parts.empty()) return {};
  return context.say("answer.range", {{"range", present_detail::join(context, parts)}});
}

const Note* note_of(const Candidate& candidate, NoteCode code) {
  const auto found = std::find_if(candidate.notes.begin(), candidate.notes.end(),
                                  [code](const Note& note) { return note.code == code; });
  return found != candidate.notes.end() ? &*found : nullptr;
}

// Why this one: the rule of the ranking in words, or what is wrong with it.
std::string claim(const Context& context, const Candidate& candidate, bool recommended) {
  const DecisionRequest& decision = context.request.decision;
  Args args;
  if (decision.deadline_hours) args.push_back({"deadline", *decision.deadline_hours});
  if (const Note* missed = note_of(candidate, NoteCode::kDeadlineMissed)) {
    // With the interruptions of spot capacity.
    for (const Arg& arg : missed->args) {
      if (arg.name == "hours") args.push_back(arg);
    }
  } else if (candidate.planned.time.total) {
    args.push_back({"hours", to_hours(*candidate.planned.time.total)});
  }
  if (candidate.verdict != Verdict::kOk) {
    return context.say("why." + std::string(name_of(candidate.verdict)), args);
  }
  if (!recommended) return context.say("why.ok", args);
  const RankBy by = decision.rank_by;
  if (!candidate.cost && by == RankBy::kCost) return context.say("why.no_price");
  if (by == RankBy::kCost && !candidate.planned.time.total) {
    return chooses_by_purchase(context.request) ? context.say("why.best.cost")
                                                : context.say("why.best.work_per_money", args);
  }
  if (context.report.chosen_for_room) args.push_back({"room", 1.0});
  return context.say("why.best." + std::string(name_of(by)), args);
}

std::string memory_sentence(const Context& context, const Candidate& candidate) {
  const MemoryEstimate& memory = candidate.planned.memory;
  if (memory.per_gpu.value() <= 0) return {};
  const bool short_of = memory.margin.value() < 0;
  return context.say(short_of ? "why.memory_short" : "why.memory",
                     {{"need", memory.per_gpu.value()},
                      {"usable", memory.usable.value()},
                      {"spare", std::fabs(memory.margin.value())},
                      {"count", static_cast<double>(candidate.count)}});
}

Pill memory_pill(const Context& context, const Candidate& candidate) {
  const MemoryEstimate& memory = candidate.planned.memory;
  const std::string id = "pill.memory." + std::string(name_of(memory.verdict));
  const Args args{{"spare", std::fabs(memory.margin.value())}};
  const Tone tone = memory.verdict == MemoryVerdict::kFits    ? Tone::kOk
                    : memory.verdict == MemoryVerdict::kTight ? Tone::kWarn
                                                              : Tone::kBad;
  return {context.say(id, args), tone, memory_sentence(context, candidate)};
}

void add_deadline_pill(const Context& context, const Candidate& candidate,
                       std::vector<Pill>& pills) {
  const auto& deadline = context.request.decision.deadline_hours;
  const TimeEstimate& time = candidate.planned.time;
  if (!deadline || !time.total) return;
  const Args args{{"deadline", *deadline}};
  const std::string detail = range(context, candidate);
  if (note_of(candidate, NoteCode::kDeadlineMissed) != nullptr) {
    pills.push_back({context.say("pill.late", args), Tone::kBad, detail});
  } else if (note_of(candidate, NoteCode::kIntervalCrossesDeadline) != nullptr) {
    pills.push_back({context.say("pill.may_be_late", args), Tone::kWarn, detail});
  } else {
    pills.push_back({context.say("pill.in_time", args), Tone::kOk, detail});
  }
}

void add_host_pill(const Context& context, const Candidate& candidate, std::vector<Pill>& pills) {
  const HostCheck& host = candidate.host;
  if (!host.cpu_cores) return;
  const double per_gpu = *host.cpu_cores * candidate.nodes / std::max(1, candidate.count);
  const bool enough = *host.cpu_cores >= host.cores_needed;
  pills.push_back(
      {context.say("pill.cores", {{"cores", std::floor(per_gpu)}}),
       enough ? Tone::kOk : Tone::kWarn,
       context.say("pill.cores.detail", {{"have", *host.cpu_cores}, {"want", host.cores_needed}})});
}

// Warnings that have a short form (`pill.note.<code>`) stand as pills, the sentence on hover.
void add_note_pills(const Context& context, const std::vector<Note>& notes,
                    std::vector<Pill>& pills) {
  for (const Note& note : notes) {
    const std::string id = "pill.note." + std::string(note_code_name(note.code));
    if (!context.messages.has(context.lang, id)) continue;
    const Tone tone = note.severity == Severity::kError     ? Tone::kBad
                      : note.severity == Severity::kWarning ? Tone::kWarn
                                                            : Tone::kNeutral;
    pills.push_back(
        {context.say(id, note.args), tone, context.messages.note_text(context.lang, note)});
  }
}

void add_evidence_pill(const Context& context, const Candidate& candidate,
                       std::vector<Pill>& pills) {
  const TimeEstimate& time = candidate.planned.time;
  if (time.own_efficiency || time.units_per_second <= 0) return;
  if (!time.card_measured) {
    pills.push_back({context.say("pill.unmeasured_card"), Tone::kWarn,
                     context.say("pill.unmeasured_card.detail")});
    return;
  }
  const int cases = time.evidence_cases;
  pills.push_back({context.say(cases > 0 ? "pill.evidence" : "pill.no_evidence",
                               {{"cases", static_cast<double>(cases)}}),
                   cases > 0 ? Tone::kOk : Tone::kWarn, context.say("pill.evidence.detail")});
}

std::vector<Pill> pills_of(const Context& context, const Candidate& candidate) {
  std::vector<Pill> pills;
  if (candidate.verdict == Verdict::kUnsupported) {
    pills.push_back({context.say("verdict.unsupported"), Tone::kBad, {}});
  } else {
    pills.push_back(memory_pill(context, candidate));
    if (present_detail::runs(candidate)) add_deadline_pill(context, candidate, pills);
    add_host_pill(context, candidate, pills);
  }
  add_note_pills(context, candidate.notes, pills);
  if (present_detail::runs(candidate)) add_evidence_pill(context, candidate, pills);
  return pills;
}

// What is compared: the price of the job, of cards of one's own what they cost to buy.
std::optional<double> money_of(const Context& context, const Candidate& candidate) {
  if (!candidate.cost) return std::nullopt;
  return chooses_by_purchase(context.request) ? candidate.cost->capital : candidate.cost->amount;
}

std::string difference(const Context& context, const Candidate& other, const Candidate& base) {
  std::vector<std::string> parts;
  if (const auto money = money_of(context, other)) {
    const Money cost{*money, other.cost->currency};
    parts.push_back(chooses_by_purchase(context.request)
                        ? context.say("alt.buy", {{"amount", format_money(cost)}})
                        : format_money(cost));
    if (const auto less = money_of(context, base)) {
      const double more = *money - *less;
      const Money gap{std::fabs(more), cost.currency};
      // A difference far below what the estimate can tell is none.
      const bool same = gap.amount < std::max(kHalfCent, 0.005 * std::fabs(*less));
      const char* id = same ? "alt.same" : more > 0 ? "alt.more" : "alt.less";
      parts.push_back(context.say(id, {{"amount", format_money(gap)}}));
    }
  }
  const auto& deadline = context.request.decision.deadline_hours;
  const auto& total = other.planned.time.total;
  if (deadline && total && to_hours(*total) > *deadline) {
    parts.push_back(context.say("pill.late", {{"deadline", *deadline}}));
  } else if (other.planned.memory.margin.value() > 0) {
    parts.push_back(context.say("alt.spare", {{"spare", other.planned.memory.margin.value()}}));
  }
  return present_detail::join(context, parts);
}

std::vector<Alternative> alternatives_of(const Context& context, std::size_t base) {
  const Report& report = context.report;
  std::vector<Alternative> result;
  const auto add = [&](std::string_view id, std::optional<std::size_t> index) {
    if (!index || *index >= report.candidates.size() || *index == base) return;
    const Candidate& other = report.candidates[*index];
    const TimeEstimate& time = other.planned.time;
    const std::string speed = time.total
                                  ? context.duration(*time.total)
                                  : present_detail::rate_text(context, time.units_per_second);
    result.push_back({context.say(id), label_of(context, other) + " · " + speed,
                      difference(context, other, report.candidates[base]), *index});
  };
  add("alt.faster", report.faster);
  add("alt.cheaper", report.cheaper);
  add("alt.simpler", report.simpler);
  return result;
}

}  // namespace

std::string candidate_label(const Knowledge& knowledge, const Request& request,
                            const Candidate& candidate) {
  const Gpu* gpu = knowledge.catalog.find_gpu(candidate.gpu);
  for (const Gpu& own : request.overrides.gpus) {
    if (own.id == candidate.gpu) gpu = &own;
  }
  const std::string name = gpu == nullptr ? candidate.gpu : present_detail::short_gpu_name(*gpu);
  return std::to_string(candidate.count) + " × " + name;
}

AnswerView present_answer(const Knowledge& knowledge, const Request& request, const Report& report,
                          std::size_t candidate, const Messages& messages, Lang lang) {
  const Context context{knowledge, request, report, messages, lang};
  const Candidate& chosen = report.candidates[candidate];
  const bool recommended = report.recommended && *report.recommended == candidate;
  AnswerView view;
  view.has_answer = chosen.verdict == Verdict::kOk;
  view.headline = headline(context, chosen);
  view.range = range(context, chosen);
  std::vector<std::string> sentences{claim(context, chosen, recommended)};
  if (chosen.verdict != Verdict::kUnsupported) {
    sentences.push_back(memory_sentence(context, chosen));
  }
  if (std::string price = present_detail::price_text(context, chosen); !price.empty()) {
    sentences.push_back(context.say("why.price", {{"price", price}}));
  }
  if (!chosen.changes.empty() && chosen.verdict == Verdict::kDoesNotFit) {
    sentences.push_back(context.say(
        "why.change", {{"change", present_detail::change_text(context, chosen.changes.front())}}));
  }
  sentences.push_back(present_detail::solved_sentence(context, chosen));
  for (const std::string& sentence : sentences) {
    if (!view.why.empty() && !sentence.empty() && lang == Lang::kEn) view.why += ' ';
    view.why += sentence;
  }
  view.pills = pills_of(context, chosen);
  if (report.recommended) view.alternatives = alternatives_of(context, candidate);
  view.watch = present_detail::note_lines(context, chosen.notes);
  return view;
}

}  // namespace xuanka
