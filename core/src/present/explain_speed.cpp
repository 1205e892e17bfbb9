// How fast it goes: peak, the seconds of a step, rate, utilisation, time of the job.
#include <algorithm>
#include <array>

#include "present/explain.hpp"
#include "xuanka/workload/flops.hpp"

namespace xuanka::present_detail {
namespace {

/// FLOPs behind a unit of the answer's rate: of an answer's token, its share of the prompt too.
double unit_flops(const Candidate& c) {
  const TimeEstimate& time = c.planned.time;
  if (c.job.kind != JobKind::kInference || !(time.units_per_second > 0))
    return c.job.flops_per_unit.value();
  return time.mfu * c.count * c.job.peak.rate.value() / time.units_per_second;
}

constexpr std::array<std::string_view, static_cast<std::size_t>(PeakFormat::kCount_)> kFormatKeys{
    "fp64",        "fp32",        "tf32",
    "fp16_vector", "fp16_tensor", "fp16_tensor_fp16acc",
    "bf16_tensor", "fp8_tensor",  "fp8_tensor_fp16acc",
    "fp4_tensor",  "int8"};

std::string seconds(Seconds value) { return format_number(value.value()) + " s"; }

std::string peak_source(const Context& context, const Gpu& gpu, PeakFormat format) {
  const std::string key = "tflops." + std::string(kFormatKeys[static_cast<std::size_t>(format)]);
  const auto it = gpu.sources.find(key);
  return it == gpu.sources.end() ? std::string() : source_titles(context, it->second);
}

void explain_peak(Explanation& out) {
  const Job& job = out.candidate().job;
  const Gpu* gpu = find_gpu(out.context(), out.candidate().gpu);
  std::string source;
  if (gpu != nullptr) source = peak_source(out.context(), *gpu, job.peak.format);
  ExplainStep& step =
      out.add("peak", job.peak.rate.value(),
              std::string(name_of(job.precision)) + " → " +
                  std::string(kFormatKeys[static_cast<std::size_t>(job.peak.format)]),
              format_unit(job.peak.rate.value(), "FLOP/s", 4), std::move(source));
  if (job.peak.emulated) step.note = out.context().say("explain.peak.emulated");
}

std::string step_sum(const Context& context, const TimeParts& parts) {
  struct Part {
    std::string_view id;
    Seconds value;
  };
  const std::array<Part, 6> all{{{"compute", parts.compute},
                                 {"memory", parts.memory},
                                 {"communication", parts.communication},
                                 {"bubble", parts.bubble},
                                 {"input", parts.input},
                                 {"overhead", parts.overhead}}};
  std::string text;
  for (const Part& part : all) {
    if (part.value.value() <= 0) continue;
    if (!text.empty()) text += " + ";
    text += format_number(part.value.value()) + " (" +
            context.say("time_part." + std::string(part.id)) + ")";
  }
  return text;
}

// The least a step can take: its FLOPs at the peak of all cards.
void explain_ideal(Explanation& out) {
  const Candidate& c = out.candidate();
  const double per_step = c.planned.time.units_per_second * c.planned.time.step.value();
  const double flops = per_step * unit_flops(c);
  const double ideal = flops / (c.count * c.job.peak.rate.value());
  if (!(ideal > 0)) return;
  out.add("ideal", ideal,
          format_unit(flops, "FLOP") + " / (" + std::to_string(c.count) + " × " +
              format_unit(c.job.peak.rate.value(), "FLOP/s", 4) + ")",
          seconds(Seconds(ideal)));
}

void explain_rate(Explanation& out) {
  const Candidate& c = out.candidate();
  const TimeEstimate& time = c.planned.time;
  const double units = time.units_per_second * time.step.value();
  out.add("rate", time.units_per_second, format_grouped(units, 6) + " / " + seconds(time.step),
          rate_text(out.context(), time.units_per_second));
  if (!(time.mfu > 0)) return;
  out.add("mfu", time.mfu,
          format_unit(unit_flops(c), "FLOP") + " × " + format_grouped(time.units_per_second) +
              " / (" + std::to_string(c.count) + " × " +
              format_unit(c.job.peak.rate.value(), "FLOP/s", 4) + ")",
          format_percent(time.mfu));
}

void explain_time(Explanation& out) {
  const Candidate& c = out.candidate();
  const TimeEstimate& time = c.planned.time;
  if (!time.total || !c.job.total_units) return;
  const Context& context = out.context();
  out.add("time", time.total->value(),
          format_si(*c.job.total_units) + " / " + format_grouped(time.units_per_second) + " s⁻¹",
          context.duration(*time.total));
  if (!time.total_low || !time.total_high) return;
  ExplainStep& range =
      out.add("range", time.total_high->value(),
              format_number(time.low_factor) + " … " + format_number(time.high_factor) + " × " +
                  context.duration(*time.total),
              format_duration_range(context.lang, *time.total_low, *time.total_high));
  if (time.own_efficiency) return;
  std::vector<std::string> nearest;
  for (const ResidualBand& band : context.knowledge.efficiency.bands) {
    if (band.key == time.evidence_key) nearest = band.nearest;
  }
  std::string names;
  for (const std::string& id : nearest) names += (names.empty() ? "" : ", ") + id;
  range.note =
      context.say("explain.range.cases", {{"cases", static_cast<double>(time.evidence_cases)},
                                          {"group", time.evidence_key},
                                          {"nearest", names}});
}

// Why the next best plan of another kind lost: it takes longer, or leaves memory tight.
void explain_runner_up(Explanation& out) {
  const Context& context = out.context();
  const Candidate& c = out.candidate();
  const Gpu* gpu = find_gpu(context, c.gpu);
  if (gpu == nullptr || c.planned.memory.verdict == MemoryVerdict::kDoesNotFit) return;
  const HardwareRequest& hardware = context.request.hardware;
  const int nodes = std::max(1, c.nodes);
  const Topology topology =
      make_topology(*gpu, hardware.link, (c.count + nodes - 1) / nodes, hardware.network_gbit_s);
  auto next = runner_up(c.job, hardware.plan, *gpu, c.count, topology,
                        HostFeed{c.host.cpu_cores.value_or(0)}, context.knowledge.efficiency,
                        context.request.overrides.efficiency.value_or(0), c.planned.plan);
  if (!next) return;
  Candidate other = c;
  other.planned = std::move(*next);
  const double slower = c.planned.time.units_per_second / other.planned.time.units_per_second - 1;
  Args args{{"slower", slower}};
  if (other.planned.memory.verdict == MemoryVerdict::kTight) {
    args.push_back({"spare", other.planned.memory.margin.value()});
  }
  ExplainStep& step =
      out.add("runner_up", slower, plan_text(context, other), seconds(other.planned.time.step));
  step.note = context.say("explain.runner_up.why", args);
}

// Both as what the card could do at best, over the share of it that is reached.
void explain_serving(Explanation& out) {
  const Candidate& c = out.candidate();
  const TimeEstimate& time = c.planned.time;
  const Plan& plan = c.planned.plan;
  const MemoryParts& parts = c.planned.memory.parts;
  const double requests = requests_at_once(c);
  const double prompt = c.job.inference.prompt_tokens;
  const double flops =
      c.job.model->vision || !(prompt > 0)
          ? 0
          : forward_flops(*c.job.model, prompt, FlopsConvention::kCausal).total().value();
  const double shards = plan.tensor * plan.pipeline;
  const auto share = [](double ideal, Seconds taken) {
    return taken.value() > 0 ? ideal / taken.value() : 0;
  };
  std::string numbers;
  if (flops > 0) {
    const double rate = shards * c.job.peak.rate.value();
    numbers = times({format_exact(requests), format_exact(prompt), format_unit(flops, "FLOP")}) +
              " / (" +
              times({format_exact(shards), format_unit(c.job.peak.rate.value(), "FLOP/s", 4),
                     format_percent(share(requests * prompt * flops / rate, time.prefill))}) +
              ")";
  }
  out.add("prefill", time.prefill.value(), std::move(numbers),
          out.context().duration(time.prefill));
  std::string reads;
  if (const Gpu* gpu = find_gpu(out.context(), c.gpu); gpu != nullptr && flops > 0) {
    const double bytes = (parts.weights + parts.kv_cache).value();
    reads = "(" + format_gb(parts.weights) + " + " + format_gb(parts.kv_cache) + ") / (" +
            times({format_unit(gpu->bandwidth.value(), "B/s", 4),
                   format_percent(share(bytes / gpu->bandwidth.value(), time.per_output_token))}) +
            ")";
  }
  out.add("decode", time.per_output_token.value(), std::move(reads),
          out.context().duration(time.per_output_token));
}

}  // namespace

void explain_speed(Explanation& out) {
  const TimeEstimate& time = out.candidate().planned.time;
  explain_peak(out);
  if (out.context().inference()) {
    explain_serving(out);
  } else {
    explain_ideal(out);
    ExplainStep& step =
        out.add("step", time.step.value(), step_sum(out.context(), time.parts), seconds(time.step));
    step.note = plan_text(out.context(), out.candidate());
    explain_runner_up(out);
  }
  explain_rate(out);
  explain_time(out);
}

}  // namespace xuanka::present_detail
