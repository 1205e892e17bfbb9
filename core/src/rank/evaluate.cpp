#include "rank/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rank/order.hpp"
#include "xuanka/compat/compat.hpp"
#include "xuanka/host/data_needs.hpp"
#include "xuanka/host/host.hpp"
#include "xuanka/value/value.hpp"

namespace xuanka {
namespace {

constexpr int kUsualGpusPerNode = 8;

// How a candidate is had: an offer, or cards of one's own.
struct Acquisition {
  const Lease* lease = nullptr;
  std::optional<CardPrice> card;
  int nodes = 1;
  int gpus_per_node = kUsualGpusPerNode;
  std::optional<double> cores;
};

Topology topology_of(const RankContext& context, const Gpu& gpu, int gpus_per_node) {
  return make_topology(gpu, context.request.hardware.link, gpus_per_node,
                       context.request.hardware.network_gbit_s);
}

int ceil_div(int a, int b) { return (a + b - 1) / b; }

Acquisition from_lease(const RankContext& context, const Lease& lease) {
  Acquisition had;
  had.lease = &lease;
  had.nodes = lease.nodes;
  had.gpus_per_node = lease.gpus_per_node;
  had.cores =
      context.request.host.have_cpu_cores ? context.request.host.have_cpu_cores : lease.cores;
  return had;
}

Acquisition without_lease(const RankContext& context, const Gpu& gpu, int count) {
  const Request& request = context.request;
  Acquisition had;
  had.gpus_per_node = request.hardware.gpus_per_node.value_or(kUsualGpusPerNode);
  had.nodes = ceil_div(count, had.gpus_per_node);
  had.cores = request.host.have_cpu_cores;
  if (request.decision.acquire != Acquire::kRent) {
    had.card = card_price(context.catalog, request, gpu, request.decision.acquire);
  }
  return had;
}

bool at_least(const std::optional<double>& have, const std::optional<double>& other) {
  return !have || (other && *have >= *other);
}

// Hours that are billed however short the job.
double commitment(const Lease& lease) {
  return std::max(lease.offer->min_hours.value_or(0), term_hours(lease.offer->billing));
}

// Leases worth a plan: each is cheaper than all those with as few nodes, as good a host and as
// short a commitment. Shapes
// that bill more GPUs than the smallest one needs are no answer to a short host: they are named.
std::vector<Lease> shortlist(std::vector<Lease> leases) {
  const auto fewest =
      std::min_element(leases.begin(), leases.end(), [](const auto& a, const auto& b) {
        return std::pair(a.nodes, a.billed_gpus) < std::pair(b.nodes, b.billed_gpus);
      });
  if (fewest == leases.end()) return leases;
  const double most_billed = fewest->billed_gpus;
  std::vector<Lease> kept;
  for (Lease& lease : leases) {
    const bool dominated = std::any_of(kept.begin(), kept.end(), [&lease](const Lease& other) {
      return other.nodes <= lease.nodes && at_least(other.ram_gb, lease.ram_gb) &&
             at_least(other.cores, lease.cores) && commitment(other) <= commitment(lease) &&
             (lease.offer->billing == Billing::kSpot || other.offer->billing != Billing::kSpot);
    });
    if (!dominated && lease.billed_gpus <= most_billed) kept.push_back(std::move(lease));
  }
  return kept;
}

// Hours paid for beyond the work.
void billing_notes(const Lease& lease, Candidate& c) {
  if (!c.planned.time.total || !c.cost || !c.cost->amount) return;
  const double hours = to_hours(*c.planned.time.total);
  if (lease.offer->billing == Billing::kSpot) {
    Args args{{"saved", c.cost->billed_hours}};
    if (c.cost->unsaved_hours) args.push_back({"unsaved", *c.cost->unsaved_hours});
    add_note(c.notes, NoteCode::kSpotLosses, Severity::kInfo, std::move(args));
  } else if (c.cost->billed_hours > hours) {
    add_note(c.notes, NoteCode::kMinimumBilling, Severity::kWarning,
             {{"billed", c.cost->billed_hours}, {"used", hours}});
  }
}

void price(const RankContext& context, const Gpu& gpu, const Acquisition& had, bool has_job,
           Candidate& c) {
  const Job* job = has_job ? &c.job : nullptr;
  const TimeEstimate* time = has_job ? &c.planned.time : nullptr;
  if (had.lease != nullptr) {
    c.value = rent_value(gpu, job, time, *had.lease);
    if (has_job) c.cost = rent_cost(*had.lease, *time, *job, context.request);
    lease_notes(context.catalog, *had.lease, c.count, c.notes);
    if (has_job) billing_notes(*had.lease, c);
  } else if (had.card) {
    c.value = buy_value(gpu, job, time, *had.card);
    if (had.card->converted && had.card->entry != nullptr) {
      c.notes.push_back(converted_note(context.catalog.fx, had.card->entry->price.currency,
                                       had.card->price.currency));
    }
    if (had.card->guess) add_note(c.notes, NoteCode::kPriceGuess, Severity::kWarning);
    if (had.card->entry != nullptr && !had.card->entry->date) {
      add_note(c.notes, NoteCode::kPriceUndated, Severity::kInfo);
    }
    const auto own = own_cost(context.catalog, context.request, gpu, c.count, c.nodes, *had.card);
    if (!own || !has_job) return;
    c.cost = own_job_cost(*own, *time, *job, context.request, c.count);
    if (had.card->entry != nullptr) c.cost->as_of = had.card->entry->date;
    if (time->units_per_second > 0 && own->hourly.amount > 0) {
      c.value.units_per_money = time->units_per_second * 3600.0 / own->hourly.amount;
    }
  } else {
    add_note(c.notes, NoteCode::kNoPrice, Severity::kWarning);
  }
}

// Wall-clock hours of the whole job; interruptions of spot capacity included.
std::optional<double> job_hours(const RankContext& context, const Acquisition& had,
                                const Candidate& c) {
  if (!c.planned.time.total) return std::nullopt;
  const bool spot = had.lease != nullptr && had.lease->offer->billing == Billing::kSpot;
  const double factor = spot ? spot_factor(context.request.decision.spot) : 1.0;
  return to_hours(*c.planned.time.total) * factor;
}

bool misses_deadline(const RankContext& context, const Acquisition& had, Candidate& c) {
  const auto& deadline = context.request.decision.deadline_hours;
  const auto hours = job_hours(context, had, c);
  if (!deadline || !hours) return false;
  if (*hours > *deadline) {
    add_note(c.notes, NoteCode::kDeadlineMissed, Severity::kError,
             {{"hours", *hours}, {"deadline", *deadline}});
    return true;
  }
  const double late = *hours * c.planned.time.high_factor;
  if (late > *deadline) {
    add_note(c.notes, NoteCode::kIntervalCrossesDeadline, Severity::kWarning,
             {{"hours", *hours}, {"high", late}, {"deadline", *deadline}});
  }
  return false;
}

bool misses_serving_limits(const RankContext& context, Candidate& c) {
  if (c.job.kind != JobKind::kInference) return false;
  const DecisionRequest& decision = context.request.decision;
  bool misses = false;
  const double first = c.planned.time.prefill.value();
  if (decision.max_first_token_seconds && first > *decision.max_first_token_seconds) {
    add_note(c.notes, NoteCode::kFirstToken, Severity::kError,
             {{"seconds", first}, {"limit", *decision.max_first_token_seconds}});
    misses = true;
  }
  const double token = c.planned.time.per_output_token.value();
  const double rate = token > 0 ? 1.0 / token : 0;
  if (decision.min_tokens_per_second_per_request &&
      rate < *decision.min_tokens_per_second_per_request) {
    add_note(c.notes, NoteCode::kTokenRate, Severity::kError,
             {{"rate", rate}, {"limit", *decision.min_tokens_per_second_per_request}});
    misses = true;
  }
  return misses;
}

// The budget is for the whole job: a price per million tokens says nothing about it.
bool exceeds_budget(const RankContext& context, Candidate& c) {
  const auto& budget = context.request.decision.budget;
  if (!budget || !c.cost || !c.cost->amount || !c.cost->per.empty()) return false;
  const auto limit = context.catalog.fx.convert(*budget, c.cost->currency);
  if (!limit || *c.cost->amount <= limit->amount) return false;
  add_note(c.notes, NoteCode::kOverBudget, Severity::kError,
           {{"over", *c.cost->amount - limit->amount},
            {"currency", std::string(c.cost->currency.code())}});
  return true;
}

// The first that holds, in the contract's order.
Verdict judge(const RankContext& context, const Acquisition& had, bool runs, Candidate& c) {
  const bool late = misses_deadline(context, had, c);
  const bool slow = misses_serving_limits(context, c) || late;
  const bool dear = exceeds_budget(context, c);
  if (!runs) return Verdict::kUnsupported;
  if (c.planned.memory.verdict == MemoryVerdict::kDoesNotFit) return Verdict::kDoesNotFit;
  if (!c.host.ok) return Verdict::kHostShort;
  if (slow) return Verdict::kTooSlow;
  return dear ? Verdict::kOverBudget : Verdict::kOk;
}

void add_changes(const RankContext& context, const Gpu& gpu, const Topology& topology,
                 const HostFeed& feed, Candidate& c) {
  if (c.planned.mismatch || c.planned.memory.verdict == MemoryVerdict::kFits) return;
  c.changes = fit_changes(context.request.workload, context.request.hardware.plan, gpu, c.count,
                          topology, feed, context.efficiency);
}

// A deadline that was asked for limits the count; the default one does not.
std::optional<Seconds> deadline_asked_for(const Request& request) {
  constexpr std::string_view kDeadline = "decision.deadline_hours";
  const auto& assumed = request.assumed;
  const bool given = std::find(assumed.begin(), assumed.end(), kDeadline) == assumed.end();
  if (!given || !request.decision.deadline_hours) return std::nullopt;
  return hours(*request.decision.deadline_hours);
}

void add_solved(const RankContext& context, const Gpu& gpu, const Acquisition& had, Candidate& c) {
  const Request& request = context.request;
  if (!request.solve) return;
  static constexpr std::string_view kPaths[] = {"workload.micro_batch", "workload.seq_len",
                                                "workload.inference.concurrency", "hardware.counts",
                                                "workload.model.params"};
  const SolveFor what = *request.solve;
  // Other counts are not bound to the machines of this one.
  const int per_node = what == SolveFor::kCount
                           ? request.hardware.gpus_per_node.value_or(kUsualGpusPerNode)
                           : had.gpus_per_node;
  const double value =
      solve_for(what, request.workload, request.hardware.plan, gpu, c.count,
                topology_of(context, gpu, per_node), HostFeed{had.cores.value_or(0)},
                context.efficiency, deadline_asked_for(request));
  c.solved = Solved{std::string(kPaths[static_cast<std::size_t>(what)]), value};
}

// The format a card would be asked for although it lacks it: to tell why it cannot run.
Precision asked_precision(const Request& request, const Gpu& gpu) {
  return request.workload.precision.value_or(has_native_bf16(gpu) ? Precision::kBf16
                                                                  : Precision::kFp16);
}

// A card without units for the format still holds the job or not: formats of one width take the
// same memory. Its time is unknown.
void plan_without_peak(const RankContext& context, const Gpu& gpu, const Topology& topology,
                       Candidate& c) {
  WorkloadRequest other = context.request.workload;
  std::vector<Note> unused;
  for (const Precision precision : {Precision::kFp16, Precision::kFp32}) {
    other.precision = precision;
    auto job = make_job(other, gpu, unused);
    if (!job) continue;
    job->model = &context.request.workload.model;
    c.planned = plan_candidate(*job, context.request.hardware.plan, gpu, c.count, topology, {},
                               context.efficiency, 0);
    c.planned.time = {};
    return;
  }
  c.planned.memory.usable = usable_memory(gpu);
}

// Offloaded states fill host RAM by the hundred GB: a machine of unknown size may well lack them.
void assume_host_ram(Candidate& c) {
  c.host.ram_assumed = keeps_states_in_host_ram(c) && !c.host.ram_gb;
  if (!c.host.ram_assumed) return;
  add_note(c.notes, NoteCode::kHostRamAssumed, Severity::kWarning,
           {{"want", c.host.ram_needed_gb}});
}

// Jobs whose step the host's cores may hold up (the time model's input floor).
bool reads_images(const Job& job) { return job.model->vision || job.model->patches > 0; }

/// The plans found so far for one GPU and count. Machines differ for a plan only in the cards that
/// share a node, when that is fewer than all, and in the cores that feed images.
class PlansByMachine {
 public:
  const PlannedCandidate& find(const RankContext& context, const Gpu& gpu, const Candidate& base,
                               const Acquisition& had) {
    const int local = std::min(had.gpus_per_node, base.count);
    const double cores = reads_images(base.job) ? had.cores.value_or(0) : 0;
    for (const Entry& entry : entries_) {
      if (entry.local == local && entry.cores == cores) return entry.planned;
    }
    const Request& request = context.request;
    entries_.push_back(
        {local, cores,
         plan_candidate(base.job, request.hardware.plan, gpu, base.count,
                        topology_of(context, gpu, had.gpus_per_node), HostFeed{cores},
                        context.efficiency, request.overrides.efficiency.value_or(0))});
    return entries_.back().planned;
  }

 private:
  struct Entry {
    int local = 1;
    double cores = 0;
    PlannedCandidate planned;
  };
  std::vector<Entry> entries_;
};

// The candidate as had in one way. `base` holds what does not depend on it.
Candidate evaluate_as(const RankContext& context, const Gpu& gpu, const Candidate& base, bool runs,
                      bool has_job, const Acquisition& had, PlansByMachine& plans) {
  Candidate c = base;
  c.nodes = had.nodes;
  const Request& request = context.request;
  const Topology topology = topology_of(context, gpu, had.gpus_per_node);
  if (!has_job) {
    plan_without_peak(context, gpu, topology, c);
    price(context, gpu, had, false, c);
    c.verdict = Verdict::kUnsupported;
    return c;
  }
  c.planned = plans.find(context, gpu, base, had);
  if (c.planned.mismatch) {
    add_note(c.notes, NoteCode::kPlanMismatch, Severity::kError,
             {{"count", static_cast<double>(c.count)}});
    c.planned.time = {};  // of a plan that nobody asked for
    runs = false;
  }
  price(context, gpu, had, !c.planned.mismatch, c);
  add_value(gpu, c);
  c.host = check_host(context.book, request, gpu, had.lease, c.planned.memory, c.count, c.notes);
  assume_host_ram(c);
  c.data = data_needs(context.catalog, request, c);
  c.verdict = judge(context, had, runs, c);
  if (c.planned.mismatch) return c;
  add_estimate_notes(context, gpu, topology, c);
  return c;
}

}  // namespace

bool keeps_states_in_host_ram(const Candidate& c) {
  const bool paged = c.job.optimizer == Optimizer::kPagedAdamw8bit && !c.job.frozen_base &&
                     c.job.kind != JobKind::kInference;
  return c.planned.plan.offload != Offload::kNone || paged;
}

void add_note(std::vector<Note>& notes, NoteCode code, Severity severity, Args args) {
  const bool there = std::any_of(notes.begin(), notes.end(),
                                 [code](const Note& note) { return note.code == code; });
  if (!there) notes.push_back({code, severity, std::move(args)});
}

Candidate evaluate(const RankContext& context, const Gpu& gpu, int count) {
  const Request& request = context.request;
  Candidate base;
  base.gpu = gpu.id;
  base.count = count;
  std::vector<Note> compat;
  const auto cuda =
      request.host.cuda ? std::optional<std::string_view>(*request.host.cuda) : std::nullopt;
  const bool runs = check_compat(gpu, asked_precision(request, gpu), cuda, compat);
  auto job = make_job(request.workload, gpu, base.notes);
  // Without a published bandwidth there is no figure to compute a time with.
  if (!(gpu.bandwidth.value() > 0)) job.reset();
  for (Note& note : compat) add_note(base.notes, note.code, note.severity, std::move(note.args));
  if (job) base.job = std::move(*job);

  std::vector<Lease> leases;
  if (request.decision.acquire == Acquire::kRent) {
    leases = shortlist(context.book.leases(gpu, count));
  }
  std::optional<Candidate> best;
  std::optional<Acquisition> best_had;
  PlansByMachine plans;
  const auto consider = [&](const Acquisition& had) {
    Candidate c = evaluate_as(context, gpu, base, runs, job.has_value(), had, plans);
    if (best && !ranks_before(c, *best, request.decision.rank_by)) return;
    best = std::move(c);
    best_had = had;
  };
  for (const Lease& lease : leases) consider(from_lease(context, lease));
  if (!best) consider(without_lease(context, gpu, count));
  if (job) {
    const Topology topology = topology_of(context, gpu, best_had->gpus_per_node);
    add_changes(context, gpu, topology, HostFeed{best_had->cores.value_or(0)}, *best);
    add_solved(context, gpu, *best_had, *best);
  }
  return std::move(*best);
}

}  // namespace xuanka
