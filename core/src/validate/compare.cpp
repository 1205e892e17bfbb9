// One case: the request answered by the engine, in the unit of the source.
#include "validate/compare.hpp"

#include <algorithm>
#include <cmath>

#include "validate/case_text.hpp"

namespace xuanka {
namespace {

using Q = MeasuredQuantity;

struct Answer {
  double value = 0, low = 0, high = 0;
  bool good = false;
};

/// Share of the layers (what recomputation repeats) in the model FLOPs; the head is not repeated.
double layer_share(const Model& model) {
  double layers = 0;
  for (const LayerGroup& group : model.groups) layers += group.count * group.matmul_params;
  return model.matmul_params > 0 ? layers / model.matmul_params : 1;
}

/// Rates of one matrix product or of one layer, with nothing around them.
Answer matmul_answer(const Knowledge& knowledge, const MeasuredCase& measured) {
  const Gpu gpu = measured.own_gpu ? *measured.own_gpu : *knowledge.catalog.find_gpu(measured.gpu);
  const EfficiencyModel& model = knowledge.efficiency;
  const Precision precision = measured.workload.precision.value_or(Precision::kFp16);
  const auto peak = peak_at(gpu, precision);
  if (!peak) return {};
  const auto c = static_cast<std::size_t>(gpu_class(gpu));
  // vendors' and libraries' own benchmarks: no casts around the products
  const double rate = product_rate(gpu, *peak, model, Framework::kMlperf).value();
  Answer answer;
  answer.good = true;
  answer.value = rate / 1e12;
  const std::string unit = lowered(measured.unit);
  if (has(unit, "layer")) {  // one transformer layer of BERT-large or GPT-2 medium, eager
    const double width = 1024;
    const double w = model.gemm_roof * peak->rate.value() / gpu.bandwidth.value() + model.gemm_tile;
    const double seq = 512, heads = 16, head = 64;
    const double params = 12 * width * width;
    const double product = (2 * params + 2 * w * (8 * width + 10 * width)) / rate;
    const double scores = heads * seq;
    const double core =
        4 * scores * head / rate +
        scores * model.score_bytes / (gpu.bandwidth.value() * model.bandwidth_reached[c]);
    const double element = model.elementwise[0] * 2 * (14 + 4 * 4 + 6) * width /
                           (gpu.bandwidth.value() * model.bandwidth_reached[c]);
    answer.value = (2 * params + 4 * scores * head) / (product + core + element) / 1e12;
  }
  answer.low = answer.value * 0.8;
  answer.high = answer.value * 1.25;
  return answer;
}

Answer link_answer(const Knowledge& knowledge, const MeasuredCase& measured) {
  MeasuredCase one = measured;
  one.workload.model.matmul_params = 1;
  const CaseSetting setting = make_case_setting(knowledge.catalog, measured);
  Answer answer;
  answer.good = true;
  const std::string unit = lowered(measured.unit);
  Job job;
  Model model;
  job.model = &model;
  job.peak = {teraflops(1), PeakFormat::kFp32, false, false};
  if (has(unit, "host-to-device")) {
    answer.value = setting.topology.host.value() * knowledge.efficiency.host_copy / 1e9;
  } else {
    const StepModel step(job, setting.gpu, setting.topology, {}, knowledge.efficiency);
    answer.value = step.all_reduce_bandwidth(std::max(2, measured.count)) / 1e9;
  }
  answer.low = answer.value * 0.75;
  answer.high = answer.value * 1.33;
  return answer;
}

/// One pass without loss and backward.
Answer forward_answer(const Knowledge& knowledge, const MeasuredCase& measured,
                      const CaseSetting& setting) {
  const StepModel step(*setting.job, setting.gpu, setting.topology, {}, knowledge.efficiency);
  Plan plan;
  plan.micro_batch = measured.workload.micro_batch.value_or(1);
  plan.tensor = measured.plan.tensor.value_or(1);
  const TimeEstimate range = step.estimate(plan);
  const double seconds = step.forward_pass(plan).value();
  return {seconds, seconds * range.low_factor, seconds * range.high_factor, true};
}

Answer time_answer(const MeasuredCase& measured, const Job& job, const PlannedCandidate& planned) {
  Answer answer;
  answer.good = true;
  answer.value = time_in_quantity(measured, job, planned.time, 1);
  const double a = time_in_quantity(measured, job, planned.time, planned.time.low_factor);
  const double b = time_in_quantity(measured, job, planned.time, planned.time.high_factor);
  answer.low = std::min(a, b);
  answer.high = std::max(a, b);
  return answer;
}

Answer memory_value(const Knowledge& knowledge, const MeasuredCase& measured,
                    const CaseSetting& setting, const PlannedCandidate& planned) {
  Answer answer;
  answer.good = true;
  if (measured.quantity == Q::kMaxMicroBatch) {
    answer.value = solve_for(SolveFor::kMicroBatch, measured.workload, measured.plan, setting.gpu,
                             measured.count, setting.topology, HostFeed{}, knowledge.efficiency);
    answer.low = answer.value * 0.75;
    answer.high = std::max(answer.value * 1.33, 1.0);
    return answer;
  }
  if (measured.quantity == Q::kBitsPerWeight) {
    answer.value = setting.job->weight_bits;
    answer.low = answer.value * 0.97;
    answer.high = answer.value * 1.03;
    return answer;
  }
  MeasuredCase scoped = measured;
  if (measured.quantity == Q::kActivationPercent) scoped.memory_scope = MemoryScope::kActivations;
  const MemoryAnswer memory = memory_answer(scoped, *setting.job, planned);
  double scale = 1;
  if (measured.quantity == Q::kActivationPercent) {
    MeasuredCase base = scoped;
    base.workload.recompute = Recompute::kNone;
    base.plan.sequence_parallel = false;
    std::vector<Note> notes;
    const auto job = make_job(base.workload, setting.gpu, notes);
    if (!job) return {};
    const auto whole = plan_candidate(*job, base.plan, setting.gpu, base.count, setting.topology,
                                      {}, knowledge.efficiency, 0);
    scale = 100 / memory_answer(base, *job, whole).predicted.value();
  }
  return {memory.predicted.value() * scale, memory.low.value() * scale, memory.high.value() * scale,
          true};
}

void put(ValidationRow& row, const MeasuredCase& measured, const Answer& answer) {
  const double scale = measured.unit_scale > 0 ? measured.unit_scale : 1;
  row.predicted = answer.value / scale;
  row.low = answer.low / scale;
  row.high = answer.high / scale;
  if (measured.measured <= 0 || answer.value <= 0) return;
  const double ratio = measured.measured / *row.predicted;
  row.under_ratio = is_rate(measured.quantity) ? 1 / ratio : ratio;
}

ValidationRow start_row(const MeasuredCase& measured) {
  ValidationRow row;
  row.id = measured.id;
  row.kind = measured.kind;
  row.gpu = measured.gpu.empty() ? measured.gpu_text : measured.gpu;
  row.source = measured.source;
  row.group = measured.group;
  row.family = measured.family;
  row.unit = measured.unit;
  row.measured = measured.measured;
  row.measured_fits = measured.measured_fits;
  row.skipped = measured.skipped;
  row.counts = !measured.exclude;
  const MemoryScope scope = measured.memory_scope;
  row.part = is_memory(measured.quantity) &&
             (measured.quantity == Q::kActivationPercent ||
              measured.quantity == Q::kBitsPerWeight || scope == MemoryScope::kActivations ||
              scope == MemoryScope::kStates || scope == MemoryScope::kWeights);
  return row;
}

}  // namespace

CaseSetting make_case_setting(const Catalog& catalog, const MeasuredCase& measured) {
  CaseSetting setting;
  if (measured.own_gpu) {
    setting.gpu = *measured.own_gpu;
  } else if (const Gpu* gpu = catalog.find_gpu(measured.gpu)) {
    setting.gpu = *gpu;
  }
  const double network = measured.network_gbit_s > 0 ? measured.network_gbit_s : 100;
  setting.topology =
      make_topology(setting.gpu, measured.link, measured.gpus_per_node.value_or(8), network);
  if (measured.host_cores > 0) {
    setting.feed.cores =
        measured.host_cores * std::min(measured.count, measured.gpus_per_node.value_or(8));
  }
  std::vector<Note> notes;
  setting.job = make_job(measured.workload, setting.gpu, notes);
  return setting;
}

bool is_rate(Q quantity) {
  switch (quantity) {
    case Q::kUnitsPerSecond:
    case Q::kUnitsPerSecondPerGpu:
    case Q::kModelTflopsPerGpu:
    case Q::kHardwareTflopsPerGpu:
    case Q::kMfuPercent:
    case Q::kMatmulTflops:
    case Q::kBusGigabytesPerSecond:
    case Q::kOutputTokensPerSecond:
    case Q::kMaxMicroBatch:
      return true;
    default:
      return false;
  }
}

bool is_memory(Q quantity) {
  return quantity == Q::kMemoryBytes || quantity == Q::kVerdict || quantity == Q::kMaxMicroBatch ||
         quantity == Q::kActivationPercent || quantity == Q::kBitsPerWeight;
}

double time_in_quantity(const MeasuredCase& measured, const Job& job, const TimeEstimate& time,
                        double seconds_factor) {
  const double n = measured.count;
  const double rate = time.units_per_second / seconds_factor;
  const double flops = rate * job.flops_per_unit.value() / n;
  switch (measured.quantity) {
    case Q::kSecondsPerStep:
      return time.step.value() * seconds_factor;
    case Q::kUnitsPerSecond:
    case Q::kOutputTokensPerSecond:
      return rate;
    case Q::kUnitsPerSecondPerGpu:
      return rate / n;
    case Q::kModelTflopsPerGpu:
      return flops / 1e12;
    case Q::kHardwareTflopsPerGpu:
      return flops * (1 + layer_share(*job.model) / 3) / 1e12;
    case Q::kMfuPercent:
      return 100 * flops / job.peak.rate.value();
    case Q::kSecondsTotal:
      return time.total ? time.total->value() * seconds_factor : 0;
    case Q::kGpuHours:
      return time.total ? time.total->value() * seconds_factor * n / 3600 : 0;
    default:
      return 0;
  }
}

ValidationRow compare_case(const Knowledge& knowledge, const MeasuredCase& measured) {
  ValidationRow row = start_row(measured);
  if (!row.skipped.empty()) return row;
  if (measured.quantity == Q::kMatmulTflops) {
    const Answer answer = matmul_answer(knowledge, measured);
    if (answer.good) put(row, measured, answer);
    if (!answer.good) row.skipped = "no such arithmetic on this card";
    return row;
  }
  if (measured.quantity == Q::kBusGigabytesPerSecond) {
    put(row, measured, link_answer(knowledge, measured));
    return row;
  }
  const CaseSetting setting = make_case_setting(knowledge.catalog, measured);
  if (!setting.job) {
    row.skipped = "no such arithmetic on this card";
    return row;
  }
  if (measured.forward_only) {
    put(row, measured, forward_answer(knowledge, measured, setting));
    return row;
  }
  const PlannedCandidate planned =
      plan_candidate(*setting.job, measured.plan, setting.gpu, measured.count, setting.topology,
                     setting.feed, knowledge.efficiency, 0);
  if (planned.mismatch) {
    row.skipped = "the stated degrees do not divide the number of cards";
    return row;
  }
  if (measured.measured_fits || measured.quantity == Q::kVerdict) {
    row.predicted_verdict = planned.memory.verdict;
    if (!row.measured_fits) row.measured_fits = !has(lowered(measured.unit), "oom");
  }
  if (measured.quantity == Q::kVerdict) return row;
  const Answer answer = is_memory(measured.quantity)
                            ? memory_value(knowledge, measured, setting, planned)
                            : time_answer(measured, *setting.job, planned);
  if (!answer.good || answer.value < 0 || !std::isfinite(answer.value) ||
      (answer.value == 0 && measured.quantity != Q::kMaxMicroBatch)) {
    row.skipped = "the amount of work is not stated";
    return row;
  }
  put(row, measured, answer);
  return row;
}

}  // namespace xuanka
