#include "xuanka/rank/rank.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "rank/evaluate.hpp"
#include "rank/order.hpp"
#include "xuanka/api/overlay.hpp"
#include "xuanka/base/sort.hpp"
#include "xuanka/host/data_needs.hpp"

namespace xuanka {
namespace {

constexpr double kNoticeable = 0.999;  // of an hour or a price, from which a difference counts
constexpr double kHalfCent = 0.005;
constexpr double kFewerHours = 0.75;  // "faster" should save a quarter of the time, where it can
constexpr double kRoom = 1.25;      // what memory to spare may cost, of a job whose memory is tight
constexpr double kManyEpochs = 20;  // of a language model over the same text

bool can_be_had(const RankContext& context, const Gpu& gpu) {
  const Acquire acquire = context.request.decision.acquire;
  if (acquire == Acquire::kRent) return !context.book.offers(gpu.id).empty();
  return card_price(context.catalog, context.request, gpu, acquire).has_value();
}

std::vector<const Gpu*> chosen_gpus(const RankContext& context) {
  std::vector<const Gpu*> gpus;
  const auto& asked = context.request.hardware.gpus;
  for (const Gpu& gpu : context.catalog.gpus) {
    const bool wanted = asked.empty()
                            ? can_be_had(context, gpu)
                            : std::find(asked.begin(), asked.end(), gpu.id) != asked.end();
    if (wanted) gpus.push_back(&gpu);
  }
  sort_values(gpus, [](const Gpu* a, const Gpu* b) { return a->id < b->id; });
  return gpus;
}

const MeasuredGpu* find_measured(const Request& request, const Gpu& gpu) {
  const auto& list = request.overrides.measured;
  const auto it = std::find_if(list.begin(), list.end(),
                               [&gpu](const MeasuredGpu& entry) { return entry.gpu == gpu.id; });
  return it == list.end() ? nullptr : &*it;
}

// The constants with those put in that were measured on this card.
EfficiencyModel with_measured(const EfficiencyModel& fitted, const Gpu& gpu,
                              const MeasuredGpu& measured) {
  EfficiencyModel model = fitted;
  const auto of_class = static_cast<std::size_t>(gpu_class(gpu));
  const auto put = [](const std::optional<double>& value, double& constant) {
    if (value) constant = *value;
  };
  put(measured.matmul_peak, model.matmul_peak[of_class]);
  if (measured.matmul_peak) model.power_need[of_class] = 0;  // measured at the board's own power
  // The constant has the casts in it, which the probe does not run: the lower of the two.
  for (double& share : model.fp8_peak) {
    share = std::min(share, measured.fp8_peak.value_or(share));
  }
  put(measured.vector_peak, model.vector_peak);
  put(measured.bandwidth_reached, model.bandwidth_reached[of_class]);
  put(measured.host_copy, model.host_copy);
  for (double& link : model.link_reached) put(measured.link_reached, link);
  return model;
}

Args measured_args(const MeasuredGpu& measured) {
  Args args;
  if (!measured.date.empty()) args.push_back({"date", measured.date});
  if (measured.made_up) args.push_back({"made_up", 1.0});
  return args;
}

// Sorted by their places: a candidate is large, and each moves once.
void put_in_order(std::vector<Candidate>& candidates, RankBy by) {
  std::vector<Candidate*> order;
  for (Candidate& candidate : candidates) order.push_back(&candidate);
  sort_values(order,
              [by](const Candidate* a, const Candidate* b) { return ranks_before(*a, *b, by); });
  std::vector<Candidate> sorted;
  sorted.reserve(candidates.size());
  for (Candidate* candidate : order) sorted.push_back(std::move(*candidate));
  candidates = std::move(sorted);
}

// What a card of one's own costs before the first hour.
double outlay(const Candidate& c) {
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  return c.cost ? c.cost->capital.value_or(kUnknown) : kUnknown;
}

// What is compared when the order is by cost: the purchase, or the job.
std::optional<double> money(const Request& request, const Candidate& c) {
  return chooses_by_purchase(request) && c.cost ? c.cost->capital : cost_metric(c);
}

// The candidate that is wanted and comes first: in the order of the report, or the smallest
// purchase.
template <class Wanted>
std::optional<std::size_t> first_where(const Request& request, const Report& report,
                                       Wanted wanted) {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < report.candidates.size(); ++i) {
    if (report.recommended == i || !wanted(report.candidates[i])) continue;
    if (!chooses_by_purchase(request)) return i;
    if (!first || outlay(report.candidates[i]) < outlay(report.candidates[*first])) first = i;
  }
  return first;
}

// In the place of what is cheapest but tight, the cheapest with room, where that costs little more:
// a run that ends for want of memory is paid for twice.
std::optional<std::size_t> with_room(const Request& request, const Report& report,
                                     const Candidate& best) {
  const auto least = money(request, best);
  const bool whole_job = best.cost && best.cost->amount;
  if (request.decision.rank_by != RankBy::kCost || !least || !whole_job ||
      best.planned.memory.verdict != MemoryVerdict::kTight) {
    return std::nullopt;
  }
  return first_where(request, report, [&](const Candidate& c) {
    const auto amount = money(request, c);
    return c.verdict == Verdict::kOk && c.planned.memory.verdict == MemoryVerdict::kFits &&
           amount && *amount <= *least * kRoom;
  });
}

// The first that qualifies, put in front.
void recommend(const Request& request, Report& report) {
  auto best =
      first_where(request, report, [](const Candidate& c) { return c.verdict == Verdict::kOk; });
  if (!best) return;
  if (const auto roomy = with_room(request, report, report.candidates[*best])) {
    best = roomy;
    report.chosen_for_room = true;
  }
  const auto begin = report.candidates.begin();
  const auto chosen = begin + static_cast<std::ptrdiff_t>(*best);
  std::rotate(begin, chosen, chosen + 1);
  report.recommended = 0;
}

// A difference below half a cent is none where the amount is of a whole job.
bool cheaper(double cost, double than, bool whole_job) {
  return cost < than * kNoticeable && (!whole_job || than - cost >= kHalfCent);
}

// The best-ranked candidates that beat the recommendation in one respect.
void choose_alternatives(const Request& request, Report& report) {
  if (!report.recommended) return;
  const Candidate& best = report.candidates[*report.recommended];
  const double seconds = time_metric(best).value_or(0);
  // Who would rather go elsewhere is not sent to a machine that may lack the RAM.
  const auto as_sure = [&best](const Candidate& c) {
    return !c.host.ram_assumed || best.host.ram_assumed;
  };
  const auto is_faster = [&](double factor) {
    return first_where(request, report, [&, factor](const Candidate& c) {
      const auto time = time_metric(c);
      return c.verdict == Verdict::kOk && as_sure(c) && time && *time < seconds * factor;
    });
  };
  report.faster = is_faster(kFewerHours);
  if (!report.faster) report.faster = is_faster(kNoticeable);
  // What costs less and qualifies; else what would, given more time.
  if (const auto amount = money(request, best)) {
    for (const Verdict verdict : {Verdict::kOk, Verdict::kTooSlow}) {
      if (report.cheaper) break;
      report.cheaper = first_where(request, report, [&, verdict](const Candidate& c) {
        const auto cost = money(request, c);
        return c.verdict == verdict && as_sure(c) && cost &&
               cheaper(*cost, *amount, c.cost && c.cost->amount);
      });
    }
  }
  // Fewer cards of an instance that is billed whole are not a simpler machine.
  const auto bills_less = [&best](const Candidate& c) {
    return !c.cost || !best.cost || c.cost->billed_gpus < best.cost->billed_gpus;
  };
  report.simpler = first_where(request, report, [&](const Candidate& c) {
    return bills_less(c) && c.verdict == Verdict::kOk && as_sure(c) && c.count <= best.count &&
           c.nodes <= best.nodes && (c.count < best.count || c.nodes < best.nodes);
  });
}

// One card does the job in time: a second one runs a second experiment beside it (guide-aistudio).
void note_two_experiments(const Request& request, Report& report) {
  if (!report.recommended || request.workload.kind == JobKind::kInference) return;
  Candidate& best = report.candidates[*report.recommended];
  if (best.count != 1 || !best.planned.time.total) return;
  add_note(best.notes, NoteCode::kTwoExperiments, Severity::kInfo,
           {{"hours", to_hours(*best.planned.time.total)}, {"count", 2.0}});
}

// Money or time for the whole job (or a unit of it), whichever the order is by; else its value.
std::optional<double> score(const Request& request, const Candidate& c) {
  const auto inverse = [](const std::optional<double>& value) {
    return value && *value > 0 ? std::optional(1 / *value) : std::nullopt;
  };
  switch (request.decision.rank_by) {
    case RankBy::kTime:
      return time_metric(c);
    case RankBy::kFlopsPerMoney:
      return inverse(c.value.flops_per_money);
    case RankBy::kMemoryPerMoney:
      return inverse(c.value.gb_per_money);
    case RankBy::kCost:
      break;
  }
  return money(request, c);
}

// How much may change before another card, or none, is the answer.
void weigh(const Request& request, Report& report) {
  if (!report.recommended) return;
  const Candidate& best = report.candidates[*report.recommended];
  const RankBy by = request.decision.rank_by;
  const auto next = first_where(request, report, [&best](const Candidate& c) {
    return c.verdict == Verdict::kOk && c.gpu != best.gpu;
  });
  const auto own = score(request, best);
  const auto other = next ? score(request, report.candidates[*next]) : std::nullopt;
  if (!own || !other || !(*own > 0)) return;
  Robustness out{*next, *other / *own, std::nullopt, false};
  const TimeEstimate& time = best.planned.time;
  const TimeEstimate& rival = report.candidates[*next].planned.time;
  const bool timed = by == RankBy::kCost || by == RankBy::kTime;
  if (timed) out.time_factor = out.price_factor;
  out.holds = !timed || time.high_factor <= out.price_factor * rival.low_factor;
  if (request.decision.deadline_hours && time.total) {
    const double late = *request.decision.deadline_hours / to_hours(*time.total);
    out.time_factor = std::min(late, out.time_factor.value_or(late));
    out.holds = out.holds && time.high_factor <= late;
  }
  report.robustness = out;
}

void describe_model(const Request& request, Report& report) {
  const Model& model = request.workload.model;
  report.model_name = !model.name.empty() ? model.name : model.id;
  report.params = model.params;
  report.active_params = model.active_params;
  report.convention = request.workload.flops_convention;
  const bool samples =
      model.kind == ModelKind::kVision || model.kind == ModelKind::kMeasured || model.patches > 0;
  report.unit = samples ? "sample" : "token";
  const bool frozen =
      request.workload.kind == JobKind::kLora || request.workload.kind == JobKind::kQlora;
  report.flops_per_unit =
      training_flops(model, request.workload.seq_len, report.convention, frozen);
  for (const Candidate& c : report.candidates) {
    if (c.job.model == nullptr) continue;
    report.flops_per_unit = c.job.flops_per_unit;
    break;
  }
}

// Text of unknown length, and text longer than the model was made for.
void add_length_notes(const WorkloadRequest& workload, std::vector<Note>& notes) {
  const Model& model = workload.model;
  const bool clips = model.model_type == "whisper";  // every clip is padded to the same length
  const bool serving = workload.kind == JobKind::kInference;
  if (workload.samples && !workload.tokens && !workload.mean_tokens && !clips && !serving) {
    add_note(notes, NoteCode::kSamplesWhole, Severity::kWarning,
             {{"samples", *workload.samples}, {"seq_len", workload.seq_len}});
  }
  const double length = serving
                            ? workload.inference.prompt_tokens + workload.inference.output_tokens
                            : workload.seq_len;
  if (model.max_seq_len > 0 && length > model.max_seq_len) {
    add_note(notes, NoteCode::kBeyondLength, Severity::kWarning,
             {{"seq_len", length}, {"max", model.max_seq_len}});
  }
}

bool adapts_convolutions(const WorkloadRequest& workload) {
  const auto& vision = workload.model.vision;
  const bool adapters = workload.kind == JobKind::kLora || workload.kind == JobKind::kQlora;
  using enum VisionFamily;
  return adapters && vision &&
         (vision->family == kConv || vision->family == kDepthwise || vision->family == kDetector);
}

void add_report_notes(const Request& request, Report& report) {
  const WorkloadRequest& workload = request.workload;
  report.notes = request.notes;
  for (const Note& note : workload.model.notes) report.notes.push_back(note);
  const bool known =
      std::any_of(report.candidates.begin(), report.candidates.end(),
                  [](const Candidate& c) { return c.planned.time.total.has_value(); });
  const bool any = std::any_of(report.candidates.begin(), report.candidates.end(),
                               [](const Candidate& c) { return c.job.model != nullptr; });
  // Serving is priced per million tokens without it.
  const bool serving = workload.kind == JobKind::kInference;
  if (any && !known && !serving) add_note(report.notes, NoteCode::kNoAmountOfWork, Severity::kInfo);
  const bool language = !workload.model.groups.empty() && workload.model.patches == 0;
  if (language) {
    add_note(report.notes, NoteCode::kConvention, Severity::kInfo,
             {{"convention", std::string(name_of(workload.flops_convention))}});
  }
  if (language) add_length_notes(workload, report.notes);
  if (adapts_convolutions(workload)) {
    add_note(report.notes, NoteCode::kAdaptersOnConv, Severity::kWarning);
  }
  if (language && workload.epochs > kManyEpochs) {
    add_note(report.notes, NoteCode::kOvertrainedEpochs, Severity::kWarning,
             {{"epochs", workload.epochs}});
  }
}

}  // namespace

bool chooses_by_purchase(const Request& request) {
  const DecisionRequest& decision = request.decision;
  const auto& assumed = request.assumed;
  return decision.acquire != Acquire::kRent && decision.rank_by == RankBy::kCost &&
         decision.deadline_hours &&
         std::find(assumed.begin(), assumed.end(), "decision.own.hours_per_month") != assumed.end();
}

Report rank(const Knowledge& knowledge, const Request& request) {
  std::optional<Catalog> own;
  if (has_own_entries(request.overrides)) own = overlay(knowledge.catalog, request.overrides);
  const Catalog& catalog = own ? *own : knowledge.catalog;
  const OfferBook book(catalog, request);
  const RankContext context{catalog, knowledge.efficiency, request, book};

  Report report;
  report.id = request.id;
  report.has_id = request.has_id;
  report.assumed = request.assumed;
  const std::vector<const Gpu*> gpus = chosen_gpus(context);
  report.candidates.reserve(gpus.size() * request.hardware.counts.size());
  for (const Gpu* gpu : gpus) {
    const MeasuredGpu* measured = find_measured(request, *gpu);
    std::optional<EfficiencyModel> here;
    if (measured != nullptr) here = with_measured(knowledge.efficiency, *gpu, *measured);
    const RankContext of_gpu{catalog, here ? *here : knowledge.efficiency, request, book};
    for (const int count : request.hardware.counts) {
      report.candidates.push_back(evaluate(of_gpu, *gpu, count));
      if (measured == nullptr) continue;
      add_note(report.candidates.back().notes, NoteCode::kMeasuredHere, Severity::kInfo,
               measured_args(*measured));
    }
  }
  put_in_order(report.candidates, request.decision.rank_by);
  recommend(request, report);
  choose_alternatives(request, report);
  note_two_experiments(request, report);
  weigh(request, report);
  if (report.recommended) data_notes(catalog, request, report.candidates[*report.recommended]);
  describe_model(request, report);
  add_report_notes(request, report);
  return report;
}

}  // namespace xuanka
