// Bytes per GPU as a closed form of the plan. Everything that does not depend on the plan is added
// up once per (job, GPU); `estimate` only does arithmetic and allocates nothing.
// Formulas, symbols and sources: core/docs/model.md, section "Memory".
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "xuanka/memory/memory.hpp"

namespace xuanka {

/// Bytes of activations that the layers keep for the backward pass, per token and all layers:
/// whole / (t with sequence parallelism) + split / t + score s / t + gathered.
struct ActivationTerms {
  double whole = 0;     ///< on every tensor rank unless sequence parallel (norms, dropout)
  double split = 0;     ///< divided by the tensor degree
  double score = 0;     ///< per key: attention scores without FlashAttention; divided by t
  double gathered = 0;  ///< kept whole under sequence parallelism in ordinary PyTorch
  ActivationTerms& operator+=(const ActivationTerms& other);
  friend ActivationTerms operator*(double factor, ActivationTerms terms);
};

/// What a term of a memory part is.
enum class TermKind : std::uint8_t {
  kParameters,      ///< of the whole model, or of the adapters where only they are trained
  kStage,           ///< parameters of the fullest pipeline stage
  kExperts,         ///< parameters of the experts
  kTables,          ///< embeddings, head and norms that stay in 16 bits
  kAdapters,        ///< adapters beside frozen weights
  kStaging,         ///< room for parameters on their way from the host
  kLargest,         ///< the largest layer's gradients, where the others are applied as they come
  kGatheredLayers,  ///< weights of the layer at work and of the next one (ZeRO-3)
  kGatheredTables,  ///< embedding or head (ZeRO-3)
  kReduction,       ///< a layer's gradients before they are reduced (ZeRO-3)
  kGatheredStage,   ///< weights and gradients of a whole stage (ZeRO-3 with a pipeline)
  kWholeModel,      ///< which some loaders hold once before it is sharded
  kDequantised,     ///< matrices in 16 bits beside quantised weights
  kCopy,            ///< DDP's flat copy of all gradients
  kBuckets,         ///< buckets to reduce and to gather (ZeRO-1, ZeRO-2)
  kSends,           ///< activations sent and received at the borders of a pipeline stage
  kStep,            ///< temporaries of the optimizer step
  kCache,           ///< the copy of a KV cache that grows
};
/// count x elements x element_bytes / shards.
struct MemoryTerm {
  TermKind kind = TermKind::kParameters;
  double count = 1;
  double elements = 0;
  double element_bytes = 0;
  double shards = 1;
  [[nodiscard]] double bytes() const { return count * elements * element_bytes / shards; }
};
/// Terms of the parts that have some; each part is the sum of its own.
struct MemoryTerms {
  std::vector<MemoryTerm> weights, gradients, optimizer, buffers;
};

/// The memory model of one job on one GPU type. Holds no references.
class MemoryModel {
 public:
  MemoryModel(const Job& job, const Gpu& gpu, double gpus_per_node, const EfficiencyModel& model);

  /// The whole estimate: parts, range, verdict, host memory.
  [[nodiscard]] MemoryEstimate estimate(const Plan& plan) const;
  /// Expected peak per GPU only [bytes]; what a planner compares with `usable`.
  [[nodiscard]] double peak(const Plan& plan) const;
  /// The terms of `estimate(plan).parts`; none where a part is 0.
  [[nodiscard]] MemoryTerms terms(const Plan& plan) const;
  /// That peak with the verdict of `estimate`, without the rest of it.
  struct Fit {
    double peak = 0;
    MemoryVerdict verdict = MemoryVerdict::kFits;
  };
  [[nodiscard]] Fit fit(const Plan& plan) const;
  /// What the degrees, the ZeRO stage and offloading leave on a GPU before any batch: worked out
  /// once for all plans that share them.
  struct States;
  [[nodiscard]] States states(const Plan& plan) const;
  /// The same where only the offloading differs.
  void offload(const Plan& plan, States& states) const;
  [[nodiscard]] Fit fit(const Plan& plan, const States& states) const;
  /// No larger micro-batch fits, whatever the rest; 0 when none does. `samples` go through each
  /// data rank per step.
  [[nodiscard]] double micro_batch_limit(const Plan& plan, const States& states,
                                         double samples) const;
  /// False when no micro-batch and no recomputation makes the plan fit.
  [[nodiscard]] bool may_fit(const Plan& plan, const States& states) const;
  [[nodiscard]] Bytes usable() const { return usable_; }

 private:
  /// States where offloading leaves them.
  struct Resident {
    double weights = 0, gradients = 0, optimizer = 0, host = 0;
  };
  /// Bytes on one pipeline stage, before the moments of a step are compared.
  struct Stage {
    double weights = 0, gradients = 0, optimizer = 0, largest_gradient = 0;
    double activations = 0, layer = 0, logits = 0, local_params = 0;
    double dense = 0, tables = 0, experts = 0;  ///< parameters before any data sharding
    double share = 1;                           ///< of all layers
    double collectives = 0;                     ///< buffers whatever the batch
    Resident kept;
  };
  struct Peak {
    MemoryParts parts;
    double context = 0, reserve = 0, host = 0, kept = 0;
    bool at_step = false;     ///< in the optimizer step, not in a pass
    bool at_load = false;     ///< while the model is loaded
    bool last_stage = false;  ///< of a pipeline
  };
  [[nodiscard]] Bytes high(const MemoryParts& parts, Bytes per_gpu) const;
  [[nodiscard]] MemoryVerdict judge(Bytes per_gpu, Bytes high) const;
  void build_parameters(const Job& job);
  void build_layers(const Job& job);
  void build_loss(const Job& job, const EfficiencyModel& model);
  void build_vision(const Job& job, const EfficiencyModel& model);
  void build_serving(const Job& job, const EfficiencyModel& model);
  [[nodiscard]] Stage stage_states(const Plan& plan, bool first) const;
  void add_batch(const Plan& plan, bool first, Stage& stage) const;
  [[nodiscard]] Resident resident(const Plan& plan, const Stage& stage) const;
  [[nodiscard]] Peak moment(const Plan& plan, const Stage& stage) const;
  [[nodiscard]] Peak training_peak(const Plan& plan, const States& states) const;
  [[nodiscard]] Peak serving_peak(const Plan& plan) const;
  [[nodiscard]] Peak measured_peak(const Plan& plan) const;
  [[nodiscard]] Peak any_peak(const Plan& plan, const States& states) const;
  [[nodiscard]] double activation_bytes(const ActivationTerms& terms, const Plan& plan) const;
  /// Among how many ranks a state is sharded.
  struct Shards {
    double dense = 1, experts = 1;
  };
  /// The share of all layers that the fullest stage of a pipeline holds.
  [[nodiscard]] double stage_share(const Plan& plan) const;
  [[nodiscard]] std::vector<MemoryTerm> parameter_terms(const Plan& plan, const Shards& shards,
                                                        double tables, double bytes) const;
  [[nodiscard]] std::vector<MemoryTerm> weight_terms(const Plan& plan, const Shards& shards,
                                                     double tables) const;
  template <class Visit>
  void each_gathered(const Plan& plan, const Stage& stage, Visit visit) const;
  template <class Visit>
  void each_collective(const Plan& plan, const Stage& stage, Visit visit) const;
  [[nodiscard]] double collective_bytes(const Plan& plan, const Stage& stage) const;
  [[nodiscard]] MemoryTerm sends(const Plan& plan) const;
  [[nodiscard]] double step_temporaries(const Plan& plan) const;
  [[nodiscard]] MemoryTerm dequantised(double tensor_degree) const;
  [[nodiscard]] double before_batch(const Plan& plan, const Stage& stage) const;

  enum class Form { kTraining, kServing, kMeasured };
  Form form_ = Form::kTraining;
  Bytes usable_;
  double gpus_per_node_ = 8;
  Framework framework_ = Framework::kPytorch;
  bool cuda_ = true;
  // parameters of one replica
  double layers_ = 1;
  double dense_params_ = 0, expert_params_ = 0;  ///< all layers
  double first_params_ = 0, last_params_ = 0;    ///< tables of the first and the last stage
  bool tied_ = false;
  double largest_layer_ = 0;  ///< parameters of the largest layer, dense part
  double largest_experts_ = 0;
  double largest_matrix_ = 0;  ///< elements of the largest matrix
  double adapter_params_ = 0;
  // bytes per parameter
  double weight_bytes_ = 2, table_bytes_ = 2, grad_bytes_ = 4, optimizer_bytes_ = 12;
  double compute_bytes_ = 2;  ///< of one element of the arithmetic's type
  bool frozen_ = false, quantised_ = false, paged_ = false;
  double dequantised_ = 0;  ///< matrices that are whole in 16 bits at once
  bool gradients_in_backward_ = false, offload_activations_ = false;
  double copies_ = 1;
  // activations: index = Recompute
  std::array<ActivationTerms, 3> kept_{};
  ActivationTerms layer_;      ///< one layer's working set, the largest
  double outer_ = 0;           ///< per token: around the layers (embedding output, final norm)
  double outer_gathered_ = 0;  ///< the same, kept whole beside a sequence-parallel head
  double hidden_ = 0;          ///< elements per token at the border of a pipeline stage
  double seq_ = 1;
  double vision_bytes_ = 0, vision_recompute_[3] = {1, 1, 1}, vision_layer_ = 0;
  bool vision_ = false;
  // loss
  double logit_bytes_ = 14, logit_width_ = 0, loss_chunk_ = 0;
  // serving
  double kv_bytes_seq_ = 0, kv_heads_ = 1, concurrency_ = 1, prompt_ = 0, output_ = 0;
  double live_bytes_token_ = 0, kv_growth_ = 0;
  // measured job
  double measured_bytes_ = 0;
  // machine
  double context_ = 0, nccl_ = 0, reserve_ = 0, workspace_ = 0, working_set_ = 1.25;
  double foreach_bytes_ = 0, phase_overlap_ = 0;
  double step_bytes_ = 0;  ///< per local parameter, present all the time
  bool loads_whole_ = false;
  double low_states_ = 0.97, high_states_ = 1.05, low_rest_ = 0.8, high_rest_ = 1.25;
};

/// The first and, with a pipeline, the last stage.
struct MemoryModel::States {
  Stage first, last;
};

inline MemoryModel::Fit MemoryModel::fit(const Plan& plan) const { return fit(plan, states(plan)); }

}  // namespace xuanka
