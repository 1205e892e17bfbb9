// What a candidate's estimates want to tell.
#include <algorithm>
#include <cmath>

#include "rank/evaluate.hpp"
#include "xuanka/compat/compat.hpp"
#include "xuanka/host/data_needs.hpp"
#include "xuanka/time/step_model.hpp"

namespace xuanka {
namespace {

constexpr double kMuch = 0.3;     // share of a step from which a part is named
constexpr double kLittle = 0.05;  // share of communication below which the link is no subject

void memory_notes(const Gpu& gpu, Candidate& c) {
  const MemoryEstimate& memory = c.planned.memory;
  if (memory.verdict == MemoryVerdict::kTight) {
    add_note(c.notes, NoteCode::kMemoryTight, Severity::kWarning,
             {{"margin_bytes", memory.margin.value()}});
  }
  const Bytes sum = memory.usable * static_cast<double>(c.count);
  if (memory.verdict == MemoryVerdict::kDoesNotFit && c.count > 1 && sum >= memory.per_gpu) {
    add_note(c.notes, NoteCode::kSumIsNotUsable, Severity::kInfo,
             {{"sum_bytes", sum.value()}, {"per_gpu_bytes", memory.per_gpu.value()}});
  }
  if (keeps_states_in_host_ram(c)) {
    add_note(c.notes, NoteCode::kOffloadHostRam, Severity::kInfo,
             {{"bytes", memory.host_ram.value()}});
  }
  if (gpu.own || gpu.vendor != Vendor::kNvidia) {
    add_note(c.notes, NoteCode::kUsableMemoryGuess, Severity::kInfo,
             {{"usable_bytes", memory.usable.value()}});
  }
}

// Engines may keep whole-length caches for layers that attend to a window only.
void kv_cache_note(Candidate& c) {
  if (c.job.kind != JobKind::kInference || c.job.model == nullptr) return;
  double needed = 0;
  double whole = 0;
  for (const LayerGroup& group : c.job.model->groups) {
    if (group.encoder || group.attention.linear) continue;
    const double window = group.attention.window;
    needed += group.count * (window > 0 ? std::min(window, c.job.seq_len) : c.job.seq_len);
    whole += group.count * c.job.seq_len;
  }
  if (!(needed > 0) || whole < needed * 1.01) return;
  add_note(c.notes, NoteCode::kReservedKvCache, Severity::kInfo,
           {{"bytes", c.planned.memory.parts.kv_cache.value() * whole / needed}});
}

void link_notes(const Gpu& gpu, const Topology& topology, Candidate& c) {
  if (c.count == 1) return;
  const TimeEstimate& time = c.planned.time;
  const double step = time.step.value();
  if (!(step > 0)) return;
  const double share = time.parts.communication.value() / step;
  const bool pcie = topology.inside == LinkKind::kPcieHost ||
                    (topology.inside == LinkKind::kNvPairs && !gpu.p2p_ok);
  if (pcie && c.count > c.nodes && share > kLittle) {
    add_note(c.notes, NoteCode::kNoP2p, Severity::kWarning, {{"efficiency", 1.0 - share}});
  }
  if (share > kMuch) {
    add_note(c.notes, NoteCode::kSlowLink, Severity::kWarning, {{"share", share}});
  }
}

// Tokens per second of the same plan under an engine that launches a whole step at once.
double rate_in_engine(const RankContext& context, const Gpu& gpu, const Topology& topology,
                      const Candidate& c) {
  Job job = c.job;
  job.framework = Framework::kMlperf;
  const StepModel engine(job, gpu, topology, {}, context.efficiency);
  return engine.estimate(c.planned.plan).units_per_second;
}

void step_notes(const RankContext& context, const Gpu& gpu, const Topology& topology,
                Candidate& c) {
  const TimeEstimate& time = c.planned.time;
  const double step = time.step.value();
  if (!(step > 0)) return;
  if (time.parts.overhead.value() > kMuch * step) {
    Args args{{"share", time.parts.overhead.value() / step}};
    if (c.job.kind == JobKind::kInference && c.job.framework == Framework::kPytorch) {
      args.push_back({"rate", rate_in_engine(context, gpu, topology, c)});
    }
    add_note(c.notes, NoteCode::kLaunchBound, Severity::kInfo, std::move(args));
  }
  if (time.parts.input.value() > 0.02 * step) {
    // The cores that would feed it: the wait shrinks in proportion.
    const double nodes = c.nodes;
    const double have = c.host.cpu_cores.value_or(c.host.cores_needed);
    const double fed = step - time.parts.input.value();
    add_note(c.notes, NoteCode::kInputBound, Severity::kWarning,
             {{"have_cores", have},
              {"want_cores", fed > 0 ? std::ceil(have * step / fed) : have},
              {"nodes", nodes}});
  }
}

void evidence_notes(Candidate& c) {
  const TimeEstimate& time = c.planned.time;
  if (time.own_efficiency) {
    add_note(c.notes, NoteCode::kOwnEfficiency, Severity::kInfo, {{"mfu", time.mfu}});
  } else if (time.evidence_cases == 0 || !time.card_measured) {
    add_note(c.notes, NoteCode::kEfficiencyFromRelative, Severity::kWarning,
             {{"relative", time.evidence_key}});
  } else if (time.evidence_cases < kFewCases) {
    add_note(c.notes, NoteCode::kFewMeasurements, Severity::kInfo,
             {{"cases", static_cast<double>(time.evidence_cases)}});
  }
}

}  // namespace

void add_estimate_notes(const RankContext& context, const Gpu& gpu, const Topology& topology,
                        Candidate& c) {
  memory_notes(gpu, c);
  kv_cache_note(c);
  link_notes(gpu, topology, c);
  step_notes(context, gpu, topology, c);
  evidence_notes(c);
  data_warnings(context.request, c);
  const bool wants_fused = context.request.workload.flash_attention.value_or(true);
  const bool attends = c.job.model != nullptr && !c.job.model->groups.empty();
  if (attends && wants_fused && !supports_flash_attention(gpu)) {
    add_note(c.notes, NoteCode::kNoFlashAttention, Severity::kInfo, {{"gpu", gpu.name}});
  }
}

}  // namespace xuanka
