// The FLOP-based time model: seconds of one optimizer step (or of prefill and decode), by part.
#pragma once

#include "xuanka/base/units.hpp"
#include "xuanka/plan/plan.hpp"
#include "xuanka/time/efficiency.hpp"
#include "xuanka/time/link.hpp"
#include "xuanka/workload/job.hpp"

namespace xuanka {

/// Seconds of one step; they add up to the step.
struct TimeParts {
  Seconds compute, memory, communication, bubble, input, overhead;
  [[nodiscard]] Seconds sum() const {
    return compute + memory + communication + bubble + input + overhead;
  }
};
struct TimeEstimate {
  TimeParts parts;
  Seconds step;                 ///< = parts.sum()
  double units_per_second = 0;  ///< of the whole job (tokens, samples; output tokens for inference)
  double low_factor = 0.8, high_factor = 1.3;           ///< range: seconds x factor
  std::optional<Seconds> total, total_low, total_high;  ///< the whole job, when its work is known
  double mfu = 0, hfu = 0;            ///< model and hardware FLOPS utilisation of `job.peak`
  Seconds prefill, per_output_token;  ///< inference only
  int evidence_cases = 0;
  std::string evidence_key;  ///< residual band used
  bool own_efficiency = false;
  bool card_measured =
      true;  ///< a card of this class is among the measured cases; else the range is widened
};

/// CPU side of the input pipeline: samples per second that one node can feed.
struct HostFeed {
  double cores = 0;  ///< logical cores of the node, 0 = unknown (no floor)
};

/// Step time of `job` under `plan`. `own_efficiency` > 0 replaces the model's FLOPS utilisation.
[[nodiscard]] TimeEstimate estimate_time(const Job& job, const Plan& plan, const Gpu& gpu,
                                         const Topology& topology, const HostFeed& feed,
                                         const EfficiencyModel& model, double own_efficiency = 0);

}  // namespace xuanka
