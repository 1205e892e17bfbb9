// Seconds of one optimizer step as a closed form of the plan. Everything that does not depend on
// the plan is added up once per (job, GPU, topology); `evaluate` only does arithmetic.
#pragma once

#include <array>

#include "xuanka/time/time.hpp"

namespace xuanka {

/// Seconds of one pass over all layers for T tokens (or images) of a micro-batch on one GPU:
/// T (token_t / t + token + token_sp / t_sp) + fixed_t / t + fixed_e / (t e).
struct PassCost {
  double token_t = 0;   ///< per token, divided by the tensor degree
  double token = 0;     ///< per token, on every tensor rank
  double token_sp = 0;  ///< per token, divided only with sequence parallelism
  double fixed_t = 0;   ///< per pass: operands of the weights
  double fixed_e = 0;   ///< per pass: operands of routed experts
  PassCost& operator+=(const PassCost& other);
  friend PassCost operator*(double factor, PassCost cost);
};

/// One step, and apart what a pipeline adds that depends on how the batch is cut.
struct StepTerms {
  TimeParts parts;
  double sends = 0;  ///< s in `communication`: activations between stages; grows with interleaving
  double fill = 0;   ///< s in `bubble`: filling and draining; shrinks with interleaving
};

/// What one collective sees of the wires.
struct LinkCost {
  double seconds_per_byte = 0, latency = 0;
};

/// The time model of one job on one GPU type over one topology. Holds no references.
class StepModel {
 public:
  StepModel(const Job& job, const Gpu& gpu, const Topology& topology, const HostFeed& feed,
            const EfficiencyModel& model, double own_efficiency = 0);

  /// Seconds of one step, by part. Training jobs (and the passes of inference by `inference`).
  [[nodiscard]] TimeParts step(const Plan& plan) const { return terms(plan).parts; }
  /// The same with the terms of the pipeline: what bounds are made of.
  [[nodiscard]] StepTerms terms(const Plan& plan) const;
  /// What the parallel degrees of a plan decide, and what the pass of one of its micro-batches
  /// takes: worked out once for all plans that share them.
  struct Spread;
  struct Pass;
  [[nodiscard]] Spread spread(const Plan& plan) const;
  [[nodiscard]] Pass pass(const Spread& spread, const Plan& plan) const;
  [[nodiscard]] StepTerms terms(const Plan& plan, const Spread& spread, const Pass& pass) const;
  /// Work done by one step: tokens, samples; output tokens of one batch for inference.
  [[nodiscard]] double units_per_step(const Plan& plan) const;
  /// Seconds per unit of work: what the planner minimises.
  [[nodiscard]] double seconds_per_unit(const Plan& plan) const;
  /// Never more than seconds_per_unit of any plan over `gpus` GPUs.
  [[nodiscard]] double seconds_per_unit_bound(double gpus) const;
  /// The whole estimate with ranges and utilisations.
  [[nodiscard]] TimeEstimate estimate(const Plan& plan) const;
  /// Seconds of one forward pass of the micro-batch, no loss and no backward.
  [[nodiscard]] Seconds forward_pass(const Plan& plan) const;
  /// Bus bandwidth of an all-reduce over `ranks` GPUs [bytes/s]; what validation compares.
  [[nodiscard]] double all_reduce_bandwidth(double ranks) const;

 private:
  struct Serve {  // inference, per plan
    double prefill = 0, decode = 0, batch = 0;
    double host = 0;  ///< of decode: the device waits for the host
  };
  void build_layers(const Job& job, const Gpu& gpu, const EfficiencyModel& model);
  void build_vision(const Job& job, const Gpu& gpu, const EfficiencyModel& model);
  void build_measured(const Job& job, const Gpu& gpu, const EfficiencyModel& model);
  void build_states(const Job& job, const EfficiencyModel& model);
  void build_links(const Topology& topology, const EfficiencyModel& model, bool sharp);
  void build_serving(const Job& job, const Gpu& gpu, const EfficiencyModel& model);
  void build_range(const Job& job, const Gpu& gpu, const Topology& topology,
                   const EfficiencyModel& model);
  [[nodiscard]] LinkCost link(double ranks, double stride) const;
  [[nodiscard]] double data_traffic(const Spread& spread, const Plan& plan, double pass,
                                    double backward) const;
  struct Update {
    double optimizer = 0, accumulation = 0, overhead = 0;
  };
  [[nodiscard]] Update update(const Spread& spread, const Plan& plan) const;
  /// Whether a step is passes over micro-batches, not a timed job, an answer or a given efficiency.
  [[nodiscard]] bool trains() const {
    return !(measured_seconds_ > 0) && kind_ != JobKind::kInference &&
           !(own_efficiency_ > 0 && flops_per_unit_ > 0);
  }
  [[nodiscard]] StepTerms other_terms(const Plan& plan) const;
  [[nodiscard]] TimeParts by_own_efficiency(const Plan& plan) const;
  [[nodiscard]] Serve serve(const Plan& plan) const;

  // the job
  JobKind kind_ = JobKind::kTrain;
  double seq_ = 1, units_per_sample_ = 1;
  double peak_ = 1, flops_per_unit_ = 0;
  double recompute_flops_share_[3] = {0, 0, 0};  // of the model FLOPs, by recompute mode
  double own_efficiency_ = 0;
  std::optional<double> total_units_;
  // passes: index = Recompute for forward + backward; [3] = forward only
  std::array<PassCost, 4> compute_, memory_;
  double head_compute_token_ = 0, head_memory_token_ = 0, head_fixed_ = 0;
  double head_forward_token_ = 0;
  double layers_ = 1;
  std::array<double, 4> launch_{};  // s per pass over all layers, host side
  double pass_host_ = 0;            // s of the host per micro-batch beside its layers
  bool splits_sends_ = false;       // pipeline sends are divided by the tensor degree
  std::array<double, 4>
      expert_launch_{};  // the same for all routed experts, divided by their degree
  // states
  double dense_params_ = 0, expert_params_ = 0;  // trainable, per model replica
  double frozen_bytes_ = 0, gather_bytes_ = 0;   // per replica; gather: one ZeRO-3 all-gather
  double weight_comm_bytes_ = 2, grad_comm_bytes_ = 4, optimizer_seconds_ = 0,
         accumulate_seconds_ = 0;
  double overhead_ = 0;
  // links
  LinkKind inside_ = LinkKind::kNone;
  bool mesh_ = false;
  double gpus_per_node_ = 8;
  double inside_beta_ = 0, pair_beta_ = 0, network_beta_ = 0, host_beta_ = 0;
  double inside_latency_ = 0, pair_latency_ = 0, network_latency_ = 0;
  double switch_gain_ = 1;
  double tensor_bytes_token_ = 0;            // of one all-reduce, per token
  double tensor_reduces_[4] = {0, 0, 0, 0};  // all-reduces per pass over all layers
  double expert_bytes_token_ = 0;            // all-to-all bytes per token and pass (all layers)
  double context_bytes_token_ = 0;           // ring attention: K and V bytes per token and pass
  double data_exposed_ = 0, gather_exposed_ = 0, tensor_exposed_ = 1, pipeline_exposed_ = 0.5;
  double expert_exposed_ = 1, straggler_ = 0, collective_seconds_ = 0;
  double host_adam_seconds_ = 0;  // per parameter
  // vision and measured jobs
  double input_seconds_ = 0;     // core-seconds per sample / cores of a node; 0 = no floor
  double measured_seconds_ = 0;  // of the whole job on one of this GPU
  double measured_scale_ = 0;    // loss of scaling
  // inference
  double prefill_tokens_ = 0, output_tokens_ = 0, concurrency_ = 1;
  double weight_bytes_ = 0, expert_bytes_ = 0, experts_ = 0, top_k_ = 0, kv_bytes_seq_ = 0;
  double decode_beta_ = 1, decode_layer_seconds_ = 0, decode_token_compute_ = 0;
  double decode_gap_seconds_ = 0;
  // range
  double low_factor_ = 0.8, high_factor_ = 1.3;
  int evidence_cases_ = 0;
  bool card_measured_ = true;
  std::array<std::string, 4> band_keys_;  // one, inside, network, unused
  std::array<double, 3> band_low_{}, band_high_{};
  std::array<int, 3> band_cases_{};
};

/// Shares (1 over the degree that divides), counts and links of a plan's degrees.
struct StepModel::Spread {
  double per_t = 1, per_sp = 1, per_e = 1;
  double gpus = 1, nodes = 1, replicas = 1;
  double slow = 1;                        ///< factor for ranks that wait for the last
  double params = 0, trained = 0;         ///< trainable, of a replica and of a rank
  double tensor_ring = 0, data_ring = 0;  ///< the latter in s per byte
  double fullest = 1;                     ///< of all layers, on the stage with most
  LinkCost tensor, expert, context, stages, data;
};

/// One micro-batch through all layers and the head, forward and backward [s]; tokens of it on a
/// GPU.
struct StepModel::Pass {
  double compute = 0, memory = 0, head_compute = 0, head_memory = 0, launch = 0, traffic = 0;
  double tokens = 0;
};

}  // namespace xuanka
