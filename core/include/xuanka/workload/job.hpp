// A job made ready for the estimates: the model and the request's settings with every default
// resolved for one GPU type. Built once per (request, GPU); plans vary over it.
#pragma once

#include "xuanka/api/request.hpp"
#include "xuanka/catalog/catalog.hpp"
#include "xuanka/workload/flops.hpp"
#include "xuanka/workload/model.hpp"

namespace xuanka {

struct Job {
  const Model* model = nullptr;
  JobKind kind = JobKind::kTrain;
  Precision precision = Precision::kBf16;
  EffectivePeak peak;     ///< of this GPU at `precision`
  double seq_len = 2048;  ///< s; ViT and vision: 1 sample = 1 unit, s = tokens per image
  double tokens_per_sample =
      2048;  ///< units that count as work per sample (mean_tokens when padded)
  double units_per_sample = 2048;  ///< tokens per sample for language, 1 for vision
  double area_scale = 1;           ///< requested image area / model's image area
  bool flash_attention = true;
  bool compile = false, activation_offload = false, optimizer_in_backward = false;
  bool channels_last = false;  ///< convolutions on NHWC tensors
  double loss_chunk_tokens = 0;
  Framework framework = Framework::kPytorch;
  SoftwareDetails software;
  double copies = 1;
  FlopsConvention convention = FlopsConvention::kFull;
  // state recipe, bytes per parameter (core/docs/model.md, "States")
  double weight_bytes = 2, grad_bytes = 4, optimizer_bytes = 12;
  Optimizer optimizer = Optimizer::kAdamw;
  bool master_weights = true;
  // LoRA / QLoRA
  bool frozen_base = false;
  double base_bits = 16;  ///< stored bits per frozen linear weight
  double adapter_params = 0;
  LoraOptions lora;
  InferenceOptions inference;
  double weight_bits = 16;  ///< inference
  double kv_bits = 16;
  // work
  std::optional<double> total_units;  ///< tokens or samples of the whole job
  std::optional<double> global_batch, micro_batch;
  std::optional<Recompute> recompute;
  Flop flops_per_unit;  ///< training: forward + backward, convention applied
};

/// Resolves a workload for one GPU. nullopt when the GPU has no peak at the precision asked for.
/// Fills notes about formats (bf16 emulated, TF32 off by default, ...).
[[nodiscard]] std::optional<Job> make_job(const WorkloadRequest& workload, const Gpu& gpu,
                                          std::vector<Note>& notes);

}  // namespace xuanka
