// The planner: the fastest plan that fits, for one GPU type and count.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "xuanka/memory/memory.hpp"
#include "xuanka/time/time.hpp"

namespace xuanka {

struct PlannedCandidate {
  Plan plan;
  MemoryEstimate memory;
  TimeEstimate time;
  bool mismatch = false;  ///< given degrees do not divide the count (note plan_mismatch)
};

/// One change that makes a job that does not fit (or is tight) fit, in a practitioner's order.
struct FitChange {
  std::string path;  ///< contract path, e.g. "workload.recompute"
  std::variant<double, std::string, bool> value;
  Bytes memory;                  ///< per GPU after the change
  std::optional<Seconds> total;  ///< whole job after the change
};

/// Chooses all degrees the request leaves open. When nothing fits, returns the plan with the least
/// memory, verdict does_not_fit.
[[nodiscard]] PlannedCandidate plan_candidate(const Job& job, const PlanRequest& fixed,
                                              const Gpu& gpu, int count, const Topology& topology,
                                              const HostFeed& feed, const EfficiencyModel& model,
                                              double own_efficiency);

/// The best plan that fits and differs from `best` in more than its micro-batch (degrees, ZeRO
/// stage, recomputation or offloading); nullopt when there is none. Why it lost: its seconds per
/// step, or `best` fits with more room.
[[nodiscard]] std::optional<PlannedCandidate> runner_up(
    const Job& job, const PlanRequest& fixed, const Gpu& gpu, int count, const Topology& topology,
    const HostFeed& feed, const EfficiencyModel& model, double own_efficiency, const Plan& best);

/// Changes for a candidate that does not fit or is tight, best first.
[[nodiscard]] std::vector<FitChange> fit_changes(const WorkloadRequest& workload,
                                                 const PlanRequest& fixed, const Gpu& gpu,
                                                 int count, const Topology& topology,
                                                 const HostFeed& feed,
                                                 const EfficiencyModel& model);

/// The inverse question: largest value of `what` that fits (0 = not even one); count: the fewest
/// cards on which the job fits and, with `limit`, ends in time (0 = no count up to 1024 does).
[[nodiscard]] double solve_for(SolveFor what, const WorkloadRequest& workload,
                               const PlanRequest& fixed, const Gpu& gpu, int count,
                               const Topology& topology, const HostFeed& feed,
                               const EfficiencyModel& model,
                               std::optional<Seconds> limit = std::nullopt);

}  // namespace xuanka
