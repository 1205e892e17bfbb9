// Estimates against measurements: published cases in, predicted / low / high beside each measured
// value out, with the errors by kind, GPU and source. Texts in, texts out; the caller reads files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xuanka/rank/rank.hpp"

namespace xuanka {

/// What a measured number is, after reading its unit.
enum class MeasuredQuantity {
  kSecondsPerStep,  ///< one optimizer step (or one pass for `forward_only`)
  kSecondsTotal,    ///< of the amount of work in the case
  kGpuHours,        ///< total x GPUs
  kUnitsPerSecond,  ///< tokens or samples per second of the whole job
  kUnitsPerSecondPerGpu,
  kModelTflopsPerGpu,     ///< model FLOPs only
  kHardwareTflopsPerGpu,  ///< recomputation counted
  kMfuPercent,
  kMatmulTflops,           ///< the rate of a matrix product
  kBusGigabytesPerSecond,  ///< all-reduce bus bandwidth per GPU
  kMemoryBytes,            ///< peak per GPU; `memory_scope` says what is counted
  kVerdict,                ///< fits / out of memory only
  kFirstTokenSeconds,
  kOutputTokensPerSecond,
  kMaxMicroBatch,      ///< largest micro-batch that fits; 0 = not even one
  kActivationPercent,  ///< of the same job without recomputation and sequence parallelism
  kBitsPerWeight,
};
/// What a memory figure includes.
enum class MemoryScope { kDevice, kReserved, kAllocated, kActivations, kStates, kWeights };

/// One measured case as a request the engine can answer.
struct MeasuredCase {
  std::string id, kind;        ///< kind as in the file: throughput, train_time, memory, matmul, ...
  std::string gpu_text, gpu;   ///< as printed by the source; catalog id
  std::optional<Gpu> own_gpu;  ///< a card or a variant that the catalog does not hold
  std::string source;          ///< title, else place
  std::string group;           ///< sources that share people or set-up: the unit of leaving out
  std::string family;          ///< decoder, encoder, vision/<family>, ...: for summaries and bands
  int count = 1;
  std::optional<int> gpus_per_node;
  double network_gbit_s = 0;  ///< 0 = the default of the request
  LinkChoice link = LinkChoice::kAuto;
  WorkloadRequest workload;
  PlanRequest plan;
  double host_cores = 0;  ///< logical cores per GPU that decode images; 0 = not a limit, or unknown
  bool forward_only = false;
  bool exclude = false;  ///< cannot be right or is a formula: never counts
  MeasuredQuantity quantity = MeasuredQuantity::kUnitsPerSecond;
  MemoryScope memory_scope = MemoryScope::kDevice;
  double measured = 0;    ///< in `unit` as printed
  double unit_scale = 1;  ///< measured x unit_scale = base unit of `quantity`
  std::string unit;
  std::optional<bool> measured_fits;  ///< outcome, where the case states one
  std::string notes;                  ///< as given; settings in words were read from here
  std::string skipped;                ///< why the case cannot be computed; empty = compared
};

/// One text with its name; CSV when the name ends in ".csv", JSON otherwise.
struct MeasurementText {
  std::string name, text;
};

/// Reads measured.json, user_cases.json and the Megatron CSV forms (and files of the same form).
/// Errors: text that is none of these. A row that cannot be read becomes a skipped case.
[[nodiscard]] Result<std::vector<MeasuredCase>> read_cases(const Catalog& catalog,
                                                           const MeasurementText& text);

/// The card behind a GPU name as sources print it ("H100-SXM5-80GB"): the catalog's, or one of a
/// few that were measured and are not in the catalog (TITAN X, Quadro RTX 8000, ...).
[[nodiscard]] std::optional<Gpu> gpu_from_printed_name(const Catalog& catalog,
                                                       std::string_view printed);

/// Predicted beside measured, in the unit of the source.
struct ValidationRow {
  std::string id, kind, gpu, source, group, family, unit;
  std::optional<double> predicted, low, high;
  double measured = 0;
  std::string skipped;  ///< reason; empty = compared
  std::optional<MemoryVerdict> predicted_verdict;
  std::optional<bool> measured_fits;
  bool counts = true;  ///< false: excluded from every summary
  bool part = false;   ///< of memory: states, weights or activations alone, not a peak
  /// measured / predicted seen as seconds or bytes: above 1 the estimate was too low (optimistic).
  std::optional<double> under_ratio;
};

/// Errors of one group of rows. Shares are fractions of the compared rows.
struct ErrorSummary {
  std::string name;
  int count = 0, skipped = 0;
  double median_error = 0, mape = 0, p90_error = 0;  ///< |predicted - measured| / measured
  double under_share = 0, over_share = 0;
  double inside_share = 0;  ///< measured in [low, high]
  double median_width = 0;  ///< median of high / low
  int verdicts = 0, verdicts_right = 0;
};
/// A stated bound and where it stands.
struct StatedBound {
  std::string name;
  double value = 0, limit = 0;
  bool at_least = false;  ///< the value must be >= limit (else <=)
  int cases = 0;          ///< 0: not judged, holds
  [[nodiscard]] bool holds() const {
    return cases == 0 || (at_least ? value >= limit : value <= limit);
  }
};
struct ValidationReport {
  std::vector<ValidationRow> rows;
  std::vector<ErrorSummary> by_kind, by_gpu, by_source, by_family;
  std::vector<StatedBound> bounds;
  std::vector<UnseenError> unseen;  ///< of the shipped fit, leaving one source out at a time
  std::vector<Issue> issues;        ///< texts that could not be read
  [[nodiscard]] bool passed() const;
};

/// One case: estimates it and fills a row.
[[nodiscard]] ValidationRow compare_case(const Knowledge& knowledge, const MeasuredCase& measured);

/// Reads every text, compares every case, sums up.
[[nodiscard]] ValidationReport validate(const Knowledge& knowledge,
                                        const std::vector<MeasurementText>& texts);

/// {"cases":[{"id","kind","predicted","low","high","measured","unit","skipped",...}],"summary":{...}}
[[nodiscard]] std::string validation_json(const ValidationReport& report);
/// A table for people, in English (the field's words), one row a case, then the summaries.
[[nodiscard]] std::string validation_table(const ValidationReport& report);

/// Memory side of a case (core/src/validate/memory_case.cpp): the part of `estimate` that the
/// case's scope counts, in bytes.
struct MemoryAnswer {
  Bytes predicted, low, high;
};
[[nodiscard]] MemoryAnswer memory_answer(const MeasuredCase& measured, const Job& job,
                                         const PlannedCandidate& planned);

}  // namespace xuanka
