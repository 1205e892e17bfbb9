// The plan table and the lines around it.
#include <algorithm>
#include <array>
#include <utility>

#include "present/wording.hpp"
#include "rank/order.hpp"

namespace xuanka {
namespace {

using present_detail::Context;
using present_detail::kNothing;

struct MemoryPart {
  std::string_view id;
  Bytes MemoryParts::* bytes;
};
constexpr std::array<MemoryPart, 8> kMemoryParts{
    {{"memory_part.weights", &MemoryParts::weights},
     {"memory_part.gradients", &MemoryParts::gradients},
     {"memory_part.optimizer", &MemoryParts::optimizer},
     {"memory_part.activations", &MemoryParts::activations},
     {"memory_part.logits", &MemoryParts::logits},
     {"memory_part.kv_cache", &MemoryParts::kv_cache},
     {"memory_part.buffers", &MemoryParts::buffers},
     {"memory_part.overhead", &MemoryParts::overhead}}};

Pill verdict_pill(const Context& context, Verdict verdict, bool recommended) {
  const std::string detail = context.say("why." + std::string(name_of(verdict)) + ".short");
  if (recommended) return {context.say("verdict.recommended"), Tone::kOk, detail};
  std::string text = context.say("verdict." + std::string(name_of(verdict)));
  switch (verdict) {
    case Verdict::kOk:
      return {std::move(text), Tone::kOk, detail};
    case Verdict::kTooSlow:
    case Verdict::kOverBudget:
      return {std::move(text), Tone::kWarn, detail};
    default:
      return {std::move(text), Tone::kBad, detail};
  }
}

void fill_time(const Candidate& candidate, CandidateRow& row) {
  const TimeEstimate& time = candidate.planned.time;
  row.hours_text = row.mfu_text = kNothing;
  if (!present_detail::runs(candidate)) return;
  if (time.total) {
    row.hours = to_hours(*time.total);
    row.hours_text = format_hours(*time.total);
    if (time.total_low && time.total_high) {
      row.hours_low = to_hours(*time.total_low);
      row.hours_high = to_hours(*time.total_high);
    }
  }
  row.units_per_second = time.units_per_second;
  if (time.mfu > 0) {
    row.mfu = time.mfu;
    row.mfu_text = format_percent(time.mfu);
  }
}

void fill_cost(const Candidate& candidate, CandidateRow& row) {
  row.cost_text = kNothing;
  if (!candidate.cost || !candidate.cost->amount || !present_detail::runs(candidate)) return;
  const CostEstimate& cost = *candidate.cost;
  row.cost = cost.amount;
  row.cost_low = cost.low;
  row.cost_high = cost.high;
  row.cost_text = format_money({*cost.amount, cost.currency});
}

void fill_memory(const Candidate& candidate, CandidateRow& row) {
  const MemoryEstimate& memory = candidate.planned.memory;
  row.memory_gib = to_gibibytes(memory.per_gpu);
  row.memory_low_gib = to_gibibytes(memory.low);
  row.memory_high_gib = to_gibibytes(memory.high);
  row.usable_gib = to_gibibytes(memory.usable);
  row.memory_verdict = memory.verdict;
  const bool known = memory.per_gpu.value() > 0;
  row.memory_text = known ? format_grouped(row.memory_gib) : std::string(kNothing);
  for (const MemoryPart& part : kMemoryParts) {
    row.memory_parts_gib.push_back(to_gibibytes(memory.parts.*part.bytes));
  }
}

// Work per money when rented; of a card that is bought, its rate and memory per money.
void fill_value(const Context& context, const Candidate& candidate, CandidateRow& row) {
  const ValueMetrics& value = candidate.value;
  const bool rented = context.request.decision.acquire == Acquire::kRent;
  row.pflop_text = row.gb_text = kNothing;
  if (value.flops_per_money) {
    row.pflop_per_money = *value.flops_per_money / (rented ? 1e15 : 1e9);
    row.pflop_text = format_grouped(*row.pflop_per_money);
  }
  if (value.gb_per_money) {
    row.gb_per_money = *value.gb_per_money * (rented ? 1 : 1000);
    row.gb_text = format_grouped(*row.gb_per_money);
  }
  const auto text = [](std::optional<double> number) {
    return number ? format_grouped(*number) : std::string(kNothing);
  };
  row.cores_text = text(candidate.host.cpu_cores);
  row.ram_text = text(candidate.host.ram_gb);
}

RowWords words_of(const Context& context, const Candidate& candidate) {
  const TimeEstimate& time = candidate.planned.time;
  const MemoryEstimate& memory = candidate.planned.memory;
  RowWords words;
  words.hours_range = words.rate = words.cost_range = kNothing;
  words.price = present_detail::price_text(context, candidate);
  if (present_detail::runs(candidate)) {
    words.rate = present_detail::rate_text(context, time.units_per_second);
    if (time.total_low && time.total_high) {
      words.hours_range = format_duration_range(context.lang, *time.total_low, *time.total_high);
    }
    if (const auto& cost = candidate.cost; cost && cost->amount && cost->low && cost->high) {
      words.cost_range = format_money_range(context.lang, *cost->low, *cost->high, cost->currency);
    }
  }
  if (memory.per_gpu.value() > 0) {
    words.memory = context.say(
        "row.memory", {{"need", memory.per_gpu.value()}, {"usable", memory.usable.value()}});
  }
  if (candidate.verdict != Verdict::kUnsupported) {
    words.plan = present_detail::plan_text(context, candidate);
  }
  if (!candidate.changes.empty()) {
    words.change = present_detail::change_text(context, candidate.changes.front());
  }
  return words;
}

CandidateRow row_of(const Context& context, std::size_t index) {
  const Candidate& candidate = context.report.candidates[index];
  CandidateRow row;
  row.label = candidate_label(context.knowledge, context.request, candidate);
  row.gpu = candidate.gpu;
  row.count = candidate.count;
  row.nodes = candidate.nodes;
  row.verdict = candidate.verdict;
  row.recommended = context.report.recommended && *context.report.recommended == index;
  fill_time(candidate, row);
  fill_cost(candidate, row);
  fill_memory(candidate, row);
  fill_value(context, candidate, row);
  row.solved_text = present_detail::solved_text(candidate);
  return row;
}

// A few verdicts are said of hundreds of rows.
void fill_verdicts(const Context& context, std::vector<CandidateRow>& rows) {
  std::vector<std::pair<Verdict, Pill>> said;
  for (CandidateRow& row : rows) {
    if (row.recommended) {
      row.verdict_pill = verdict_pill(context, row.verdict, true);
      continue;
    }
    auto known = std::ranges::find(said, row.verdict, &std::pair<Verdict, Pill>::first);
    if (known == said.end()) {
      said.emplace_back(row.verdict, verdict_pill(context, row.verdict, false));
      known = said.end() - 1;
    }
    row.verdict_pill = known->second;
  }
}

std::string model_line(const Context& context) {
  const Report& report = context.report;
  Args args{{"name", report.model_name}};
  if (report.params > 0) args.push_back({"params", report.params});
  if (report.active_params > 0 && report.active_params != report.params) {
    args.push_back({"active", report.active_params});
  }
  if (report.flops_per_unit.value() > 0) {
    // The report gives forward and backward, three times what serving does.
    const double passes = context.inference() ? 3 : 1;
    args.push_back({"flops", format_unit(report.flops_per_unit.value() / passes, "FLOP")});
    args.push_back({"unit", context.word(report.unit)});
  }
  return context.say("answer.model", args);
}

std::string data_line(const Context& context) {
  const WorkloadRequest& workload = context.request.workload;
  Args args{{"kind", context.word(name_of(workload.kind))}};
  if (workload.tokens) args.push_back({"tokens", *workload.tokens});
  if (workload.samples) {
    args.push_back({"samples", *workload.samples});
    args.push_back({"epochs", workload.epochs});
  }
  const bool sequences = context.report.unit == "token" && !context.inference();
  if (sequences) args.push_back({"seq_len", workload.seq_len});
  if (context.inference()) {
    args.push_back({"prompt", workload.inference.prompt_tokens});
    args.push_back({"output", workload.inference.output_tokens});
    args.push_back({"concurrency", workload.inference.concurrency});
  }
  return context.say("answer.data", args);
}

std::string assumed_line(const Context& context) {
  if (context.report.assumed.empty()) return {};
  std::vector<std::string> names;
  for (const std::string& path : context.report.assumed) {
    const std::string id = "field." + path;
    names.push_back(context.messages.has(context.lang, id) ? context.say(id) : path);
  }
  return context.say("answer.assumed", {{"fields", present_detail::join(context, names)}});
}

// Of the candidates that fail as the first one does, the one that misses by least.
std::size_t nearest_of(const Report& report) {
  const auto by = [&report](auto measure) {
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < report.candidates.size(); ++i) {
      const Candidate& c = report.candidates[i];
      if (c.verdict != report.candidates.front().verdict) break;  // ranked: alike stand together
      const std::optional<double> value = measure(c);
      const std::optional<double> least = measure(report.candidates[nearest]);
      if (value && (!least || *value < *least)) nearest = i;
    }
    return nearest;
  };
  switch (report.candidates.front().verdict) {
    case Verdict::kTooSlow:
      return by(time_metric);
    case Verdict::kOverBudget:
      return by(cost_metric);
    default:
      return 0;
  }
}

// Nothing qualifies: what came nearest, and why it does not do.
AnswerView no_answer(const Context& context) {
  AnswerView view;
  view.headline = context.say("answer.none");
  if (context.report.candidates.empty()) {
    view.why = context.say("answer.no_candidates");
    return view;
  }
  AnswerView nearest = present_answer(context.knowledge, context.request, context.report,
                                      nearest_of(context.report), context.messages, context.lang);
  view.why = context.say("answer.nearest", {{"headline", nearest.headline}, {"why", nearest.why}});
  view.pills = std::move(nearest.pills);
  view.watch = std::move(nearest.watch);
  return view;
}

}  // namespace

ViewModel present(const Knowledge& knowledge, const Request& request, const Report& report,
                  const Messages& messages, Lang lang, RowTexts texts) {
  const Context context{knowledge, request, report, messages, lang};
  ViewModel view;
  view.rows.reserve(report.candidates.size());
  for (std::size_t i = 0; i < report.candidates.size(); ++i) {
    view.rows.push_back(row_of(context, i));
    if (texts == RowTexts::kAll) {
      view.rows.back().words = words_of(context, report.candidates[i]);
    }
  }
  fill_verdicts(context, view.rows);
  view.answer = report.recommended ? present_answer(knowledge, request, report, *report.recommended,
                                                    messages, lang)
                                   : no_answer(context);
  for (const MemoryPart& part : kMemoryParts) {
    view.memory_part_names.push_back(context.say(part.id));
  }
  view.notes = present_detail::note_lines(context, report.notes);
  view.deadline_hours = request.decision.deadline_hours;
  view.currency_symbol = currency_symbol(request.decision.currency);
  const bool rented = request.decision.acquire == Acquire::kRent;
  view.flops_unit = (rented ? "PFLOP/" : "GFLOPS/") + view.currency_symbol;
  view.memory_unit = (rented ? "GB·h/" : "GB/k") + view.currency_symbol;
  view.model_line = model_line(context);
  view.data_line = data_line(context);
  view.assumed_line = assumed_line(context);
  return view;
}

RowWords row_words(const Knowledge& knowledge, const Request& request, const Report& report,
                   std::size_t candidate, const Messages& messages, Lang lang) {
  return words_of({knowledge, request, report, messages, lang}, report.candidates[candidate]);
}

}  // namespace xuanka
