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
  std::string per;                      ///< "" = the whole job, "1e6 output tokens" for inference
  std::optional<Money> hourly;          ///< whole billed price per hour in `currency`
  std::optional<double> capital;        ///< to pay before the first hour, when bought
  std::optional<double> unsaved_hours;  ///< billed on spot capacity without checkpoints
};
struct ValueMetrics {
  std::optional<double> flops_per_money, gb_per_money, effective_flops_per_money, units_per_money;
  std::optional<double> gb_s_per_money;  ///< memory bandwidth in GB/s, as gb_per_money
  std::optional<double> flops_per_watt;  ///< dense peak over TDP
  std::optional<double>
      pflop_hour;   ///< money for 3.6e18 useful FLOPs: an effective PFLOP/s for an hour
  std::string per;  ///< "hour rented" | "bought"
};
struct HostCheck {
  std::optional<double> ram_gb, cpu_cores;  ///< of the shape (or what the machine has)
  double ram_needed_gb = 0, cores_needed = 0;
  bool ok = true;
  bool ram_assumed = false;  ///< the plan keeps states in host RAM of which nobody knows the size
};
/// What the job asks of disk and network, and what its GPUs should look like at work.
struct DataNeeds {
  std::optional<double> read_bytes_per_second;  ///< all nodes together
  std::optional<double> transfer_seconds;       ///< of the data set over the upload line
  std::optional<double> checkpoint_bytes, checkpoint_seconds;
  std::optional<double> storage_cost,
      transfer_cost;               ///< where the request has prices, its currency
  std::optional<double> gpu_busy;  ///< share of a step in which kernels run
};
/// How far the recommendation holds.
struct Robustness {
  std::size_t against = 0;  ///< index of the best candidate of another card that qualifies
  double price_factor = 1;  ///< its price may rise by so much before the other is as good
  std::optional<double> time_factor;  ///< the time may grow by so much: the other, or the deadline
  bool holds = false;                 ///< over the whole ranges of time of both
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
  DataNeeds data;
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
  bool chosen_for_room = false;  ///< something cheaper would do, with memory that is tight
  std::optional<std::size_t> faster, cheaper, simpler;
  std::optional<Robustness> robustness;
  std::vector<std::string> assumed;
  std::vector<Note> notes;
};

}  // namespace xuanka
