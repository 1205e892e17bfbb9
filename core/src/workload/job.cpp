// Defaults resolved for one GPU: precision, state recipe, adapters, amount of work.

#include "xuanka/workload/job.hpp"

#include <algorithm>

#include "workload/adapters.hpp"
#include "xuanka/compat/compat.hpp"

namespace xuanka {
namespace {

// bf16 where the card has units for it, fp16 before Ampere (contract "Defaults").
Precision default_precision(const Gpu& gpu) {
  return has_native_bf16(gpu) ? Precision::kBf16 : Precision::kFp16;
}

bool is_mixed(Precision precision) {
  return precision != Precision::kFp32 && precision != Precision::kTf32;
}

// Bytes of optimizer states per parameter, master weights apart. Sources by row:
// (arXiv 1910.02054 for Adam; bitsandbytes for 8-bit blocks: 1.6 % above one byte).
double state_bytes(const WorkloadRequest& w, double table_share) {
  const double element = storage_bits(w.optimizer_precision) / 8;
  constexpr double kBlocked = 1.016;  // one byte and its share of a block's scale
  switch (w.optimizer) {
    case Optimizer::kAdamw:
      return 2 * element;
    case Optimizer::kAdamw8bit:
      return 2 * kBlocked;
    case Optimizer::kPagedAdamw8bit:
      return 2 * kBlocked;
    case Optimizer::kAdafactor:
      return 0;  // one row and one column a matrix
    case Optimizer::kLion:
      return element;
    case Optimizer::kSgd:
      return 0;
    case Optimizer::kSgdMomentum:
      return element;
    // Momentum for matrices; embeddings, head and norms stay with Adam.
    case Optimizer::kMuon:
      return element * (1 + table_share);
  }
  return 2 * element;
}

double table_share(const Model& model) {
  if (model.params <= 0) return 0;
  const double tables =
      model.embedding_params + model.position_params + model.head_params + model.final_norm_params;
  return std::min(1.0, tables / model.params);
}

void resolve_states(const WorkloadRequest& w, Job& job) {
  const bool mixed = is_mixed(job.precision);
  // States in 16 bit mean 16-bit training throughout unless a master copy is asked for.
  const bool low_states = w.optimizer_precision != StorageType::kFp32;
  job.optimizer = w.optimizer;
  job.master_weights = mixed && w.master_weights.value_or(!low_states);
  job.weight_bytes = mixed ? 2 : 4;
  const double default_grad = mixed && !job.master_weights ? 2 : 4;
  job.grad_bytes = w.grad_precision ? storage_bits(*w.grad_precision) / 8 : default_grad;
  job.optimizer_bytes = state_bytes(w, table_share(w.model)) + (job.master_weights ? 4 : 0);
}

void resolve_adapters(const WorkloadRequest& w, Job& job) {
  job.frozen_base = w.kind == JobKind::kLora || w.kind == JobKind::kQlora;
  if (!job.frozen_base) return;
  job.lora = w.lora;
  const StorageType fallback = w.kind == JobKind::kQlora ? StorageType::kNf4Dq : StorageType::kBf16;
  const StorageType base = w.lora.base.value_or(fallback);
  job.base_bits = storage_bits(base);
  const bool sixteen = base == StorageType::kBf16 || base == StorageType::kFp16;
  if (sixteen && !is_mixed(job.precision)) job.base_bits = 32;
  job.adapter_params = adapter_params(w.model, w.lora);
}

// Tokens of one image at the size asked for, class token included.
double image_tokens(const Model& model, double area_scale) {
  const double classes = std::max(0.0, model.patches - 1);
  return std::max(1.0, classes * area_scale + 1);
}

void resolve_sizes(const WorkloadRequest& w, Job& job) {
  const Model& model = w.model;
  const bool image = model.patches > 0 || model.kind == ModelKind::kVision;
  if (image) {
    const double height = model.vision ? model.vision->image_height : model.image_size;
    const double width = model.vision ? model.vision->image_width : model.image_size;
    const double asked = w.image_height.value_or(height) * w.image_width.value_or(width);
    job.area_scale = height * width > 0 ? asked / (height * width) : 1;
    job.seq_len = model.patches > 0 ? image_tokens(model, job.area_scale) : 1;
    job.tokens_per_sample = job.seq_len;
    job.units_per_sample = 1;
    return;
  }
  job.seq_len = w.seq_len;
  if (w.kind == JobKind::kInference)
    job.seq_len = w.inference.prompt_tokens + w.inference.output_tokens;
  job.tokens_per_sample = w.packed ? job.seq_len : w.mean_tokens.value_or(job.seq_len);
  job.units_per_sample = model.kind == ModelKind::kMeasured ? 1 : job.tokens_per_sample;
}

void resolve_work(const WorkloadRequest& w, Job& job) {
  if (w.kind == JobKind::kInference) {
    job.total_units = w.inference.output_tokens_total;
  } else if (w.tokens && job.units_per_sample > 1) {
    job.total_units = w.tokens;
  } else if (w.samples) {
    job.total_units = *w.samples * w.epochs * job.units_per_sample;
  } else if (w.tokens) {
    job.total_units = w.tokens;
  }
  job.global_batch = w.global_batch;
  job.micro_batch = w.micro_batch;
  job.recompute = w.recompute;
}

}  // namespace

std::optional<Job> make_job(const WorkloadRequest& w, const Gpu& gpu, std::vector<Note>& notes) {
  Job job;
  job.model = &w.model;
  job.kind = w.kind;
  job.precision = w.precision.value_or(default_precision(gpu));
  const auto peak = peak_at(gpu, job.precision);
  if (!peak) return std::nullopt;
  job.peak = *peak;
  job.flash_attention = supports_flash_attention(gpu) && w.flash_attention.value_or(true);
  if (w.flash_attention.value_or(false) && !job.flash_attention) {
    notes.push_back({NoteCode::kNoFlashAttention, Severity::kWarning, {{"gpu", gpu.name}}});
  }
  job.compile = w.compile;
  job.channels_last = w.channels_last;
  job.activation_offload = w.activation_offload;
  job.optimizer_in_backward = w.optimizer_in_backward;
  job.loss_chunk_tokens = w.loss_chunk_tokens;
  job.framework = w.framework;
  job.software = w.software;
  job.copies = w.copies;
  job.convention = w.flops_convention;
  resolve_states(w, job);
  resolve_adapters(w, job);
  job.inference = w.inference;
  job.weight_bits = w.inference.weight_bits.value_or(storage_bits(w.inference.weights));
  job.kv_bits = storage_bits(w.inference.kv_cache);
  resolve_sizes(w, job);
  resolve_work(w, job);
  job.flops_per_unit = training_flops(w.model, job.seq_len, w.flops_convention, job.frozen_base);
  if (w.model.vision) job.flops_per_unit *= job.area_scale;
  return job;
}

}  // namespace xuanka
