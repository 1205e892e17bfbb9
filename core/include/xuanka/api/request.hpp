// The typed request (contract v1). Raw JSON becomes a Request once; afterwards nobody checks again:
// every number is finite and in range, every id resolved to an existing entry.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "xuanka/base/enums.hpp"
#include "xuanka/base/money.hpp"
#include "xuanka/base/result.hpp"
#include "xuanka/catalog/catalog.hpp"
#include "xuanka/workload/model.hpp"

namespace xuanka {

struct LoraOptions {
  double rank = 16;
  LoraTargets targets = LoraTargets::kAllLinear;
  std::optional<StorageType> base;  ///< absent: bf16 for lora, nf4-dq for qlora
};
struct InferenceOptions {
  double prompt_tokens = 1024, output_tokens = 256, concurrency = 8;
  std::optional<double> output_tokens_total;
  StorageType weights = StorageType::kFp16;
  std::optional<double> weight_bits;  ///< overrides `weights`
  StorageType kv_cache = StorageType::kFp16;
};

/// Habits of a training or serving program that change its memory; the defaults are those of the
/// framework. Known for published measurements, rarely for a user.
struct SoftwareDetails {
  std::optional<double> logit_bytes;  ///< peak bytes per logit (8 to 18)
  bool fused_optimizer = false;       ///< no temporaries at the optimizer step
  bool cache_in_place = false;  ///< the cache of generation is allocated once, not concatenated
  bool bare_ops = false;  ///< element-wise functions written out, optimizer temporaries beside
                          ///< everything else: TensorFlow 1 graphs
  bool loads_whole_model = false;  ///< sharded training that first loads all weights on each GPU
};

/// What is to be computed. Optionals are what the request may leave open; the planner or the
/// defaults fill them and `Report::assumed` says so.
struct WorkloadRequest {
  JobKind kind = JobKind::kTrain;
  Model model;                    ///< resolved from any of the six forms
  std::optional<double> tokens;   ///< of the whole job, epochs included
  std::optional<double> samples;  ///< per epoch
  double epochs = 1;
  std::string dataset;  ///< id, empty when none
  bool packed = true;
  std::optional<double> mean_tokens;  ///< real tokens per sample when not packed
  double seq_len = 2048;
  std::optional<double> image_height, image_width;  ///< absent = the model's
  std::optional<double> global_batch, micro_batch;
  std::optional<Precision> precision;  ///< absent = bf16, fp16 before Ampere
  Optimizer optimizer = Optimizer::kAdamw;
  StorageType optimizer_precision = StorageType::kFp32;
  std::optional<bool> master_weights;
  std::optional<StorageType> grad_precision;
  bool optimizer_in_backward = false;
  std::optional<Recompute> recompute;
  bool activation_offload = false, compile = false;
  bool channels_last = false;  ///< convolutions on NHWC tensors
  double loss_chunk_tokens = 0;
  std::optional<bool> flash_attention;  ///< absent = where the GPU supports it
  Framework framework = Framework::kPytorch;
  SoftwareDetails software;
  double copies = 1;
  LoraOptions lora;
  InferenceOptions inference;
  FlopsConvention flops_convention = FlopsConvention::kFull;
};

/// Degrees the request fixes; absent ones are chosen by the planner.
struct PlanRequest {
  std::optional<double> data, tensor, pipeline, context, expert, interleave;
  std::optional<int> zero;
  std::optional<bool> sequence_parallel;
  std::optional<Offload> offload;
};
struct HardwareRequest {
  std::vector<std::string> gpus;  ///< ids; empty = every GPU that can be had as asked
  std::vector<int> counts{1, 2, 4, 8};
  std::optional<int> gpus_per_node;  ///< absent = the offer's, else 8
  LinkChoice link = LinkChoice::kAuto;
  PlanRequest plan;
  double network_gbit_s = 100;  ///< between nodes, per GPU
};

struct OfferFilter {
  std::vector<std::string> providers, regions;
  std::vector<Billing> billing{Billing::kOnDemand};
  std::vector<Currency> currencies;  ///< empty = the decision's currency first, then converted
  double max_age_days = 365;
};
struct OwnOptions {
  double hours_per_month = 300, years = 3, utilisation = 0.4, pue = 1.3, residual = 0.3,
         finance_rate = 0;
  Money machine_price{8000, kCny};
  Money hosting_per_month{0, kCny};  ///< of one node: rack, network, admin
  std::optional<double>
      failure_rate;  ///< share of the cards' price to replace each year; absent =
                     ///< none for new cards (warranty), the data's upkeep for used
};
struct SpotOptions {
  double interruptions_per_day = 2, checkpoint_minutes = 30;
};
struct DecisionRequest {
  std::optional<double> deadline_hours;  ///< default filled by the parser: 24 for training
  std::optional<Money> budget;
  Acquire acquire = Acquire::kRent;
  Currency currency = kCny;
  RankBy rank_by = RankBy::kCost;
  std::optional<double> max_first_token_seconds, min_tokens_per_second_per_request;
  OfferFilter offers;
  OwnOptions own;
  SpotOptions spot;
};
struct HostRequest {
  std::optional<double> ram_gb, cpu_cores_per_gpu, dataset_gb;  ///< what the job needs
  std::optional<std::string> cuda;                              ///< "12.4"
  std::optional<double> have_ram_gb, have_cpu_cores;            ///< what the machine has
  double upload_mbit_s = 100;  ///< of the line over which the data set reaches the machine
  double disk_mb_s = 125;      ///< reads and writes of its disk
  std::optional<Money> storage_per_gb_month, transfer_per_gb;
};
/// What a probe of one's own card measured: fractions that replace the fitted constants of the same
/// names (time/efficiency.hpp) for this card. Absent ones keep the constant.
struct MeasuredGpu {
  std::string gpu;       ///< id
  std::string date;      ///< of the measurement; empty when not known
  bool made_up = false;  ///< from a fixture, not from a card
  std::optional<double> matmul_peak, fp8_peak, vector_peak, bandwidth_reached, host_copy,
      link_reached;
};
struct Overrides {
  std::optional<double> efficiency;
  std::vector<MeasuredGpu> measured;
  std::vector<Gpu> gpus;
  std::vector<Offer> offers;
  std::vector<PurchasePrice> prices;  ///< of one card, new or second-hand
  std::vector<FxRate> fx;
  std::optional<Money> electricity_per_kwh;
};

struct Request {
  int version = 1;
  std::string id;  ///< echoed
  bool has_id = false;
  bool id_is_number = false;  ///< `id` is the text of a JSON number
  std::string as_of;          ///< YYYY-MM-DD; the data's date when absent
  WorkloadRequest workload;
  HardwareRequest hardware;
  DecisionRequest decision;
  HostRequest host;
  std::optional<SolveFor> solve;
  Overrides overrides;
  std::vector<std::string> assumed;  ///< paths filled in by defaults
  std::vector<Note> notes;           ///< e.g. unknown fields
  std::vector<Issue> refused;        ///< problems of own offers that were left out
};

/// A request, or its problems, with the id to answer under in either case.
struct ParsedRequest {
  std::string id;
  bool has_id = false, id_is_number = false;
  Result<Request> request;
};
[[nodiscard]] ParsedRequest parse_request_with_id(const Catalog& catalog,
                                                  std::string_view json_text);

/// `base` with the request's own GPUs, offers and rates put in; a known id is replaced.
[[nodiscard]] Catalog overlay(const Catalog& base, const Overrides& overrides);

/// Parses and resolves a request. Errors: every problem at once, each with its path.
[[nodiscard]] Result<Request> parse_request(const Catalog& catalog, std::string_view json_text);

}  // namespace xuanka
