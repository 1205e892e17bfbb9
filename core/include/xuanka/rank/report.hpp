// The typed report (contract v1). `api` writes it as JSON, `present` turns it into a view model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "xuanka/api/request.hpp"
#include "xuanka/plan/planner.hpp"

namespace xuanka {

struct CostEstimate {
  std::optional<double> amount, low, high;  ///< null when the request has no amount of work
  Currency currency;
  Acquire acquire = Acquire::kRent;
  std::string offer;  ///< id; empty when bought
  double billed_gpus = 0, billed_hours = 0;
  std::optional<std::string> as_of;
  std::string per;              ///< "" = the whole job, "1e6 output tokens" for inference
  std::optional<Money> hourly;  ///< whole billed price per hour in `currency`
};
struct ValueMetrics {
  std::optional<double> flops_per_money, gb_per_money, effective_flops_per_money, units_per_money;
  std::string per;  ///< "hour rented" | "bought"
};
struct HostCheck {
  std::optional<double> ram_gb, cpu_cores;  ///< of the shape (or what the machine has)
  double ram_needed_gb = 0, cores_needed = 0;
  bool ok = true;
  bool ram_assumed = false;  ///< the plan keeps states in host RAM of which nobody knows the size
};
struct Solved {
  std::string path;
  double value = 0;
};

struct Candidate {
  std::string gpu;
  int count = 1, nodes = 1;
  Verdict verdict = Verdict::kOk;
  Job job;  ///< `model` points into the request
  PlannedCandidate planned;
  std::optional<CostEstimate> cost;
  ValueMetrics value;
  HostCheck host;
  std::vector<FitChange> changes;
  std::optional<Solved> solved;
  std::vector<Note> notes;
};

struct Report {
  std::string id;
  bool has_id = false;
  std::string model_name;
  double params = 0, active_params = 0;
  Flop flops_per_unit;
  std::string unit;  ///< token | sample
  FlopsConvention convention = FlopsConvention::kFull;
  std::vector<Candidate> candidates;  ///< ranked, best first
  std::optional<std::size_t> recommended;
  std::optional<std::size_t> faster, cheaper, simpler;
  std::vector<std::string> assumed;
  std::vector<Note> notes;
};

}  // namespace xuanka
