// What the programs behind published memory figures do, as far as it changes memory. One rule per
// program, from its code or documentation; no rule for a single row.
#include "validate/case_model.hpp"
#include "validate/case_text.hpp"

#include <algorithm>
#include <cmath>

namespace xuanka {
namespace {

void pure_bf16(WorkloadRequest& w) {
  w.master_weights = false;
  w.optimizer_precision = StorageType::kBf16;
  w.grad_precision = StorageType::kBf16;
}

// torchtune: bf16 weights and states, fused AdamW, repeated packed flags; its tables list flags
// cumulatively. The default loss works on eight chunks over whole 16-bit logits: 4.2 bytes a logit
// at the peak (two for the logits, two for their gradient, the chunk's fp32 copies).
void torchtune(const CaseWords& words, MeasuredCase& out) {
  WorkloadRequest& w = out.workload;
  pure_bf16(w);
  w.software.fused_optimizer = true;
  const bool adapters = w.kind == JobKind::kLora || w.kind == JobKind::kQlora;
  const std::string text =
      words.title + " " + words.where + " " + words.framework + " " + out.group;
  const bool flags =
      has_any(text, {"flags table", "ablation"}) || has_any(words.method, {"+compile", "+packed"});
  const bool recipes = has_any(text, {"readme", "compile on"}) && !flags;
  const bool chunked = has_any(words.method, {"+chunked", "+activation", "+optimizer", "+8-bit"});
  // A frozen head needs no gradient of the whole logits.
  if (adapters && (flags || recipes)) w.software.logit_bytes = 2.5;
  if (!adapters && (chunked || recipes)) w.software.logit_bytes = 4.2;
  w.loss_chunk_tokens = 0;
  if (adapters && flags) {  // printed below the full set of flags
    w.compile = true;
    w.activation_offload = true;
  }
  // Every recipe checkpoints its layers; those for several GPUs shard fully.
  if (recipes || (adapters && flags)) w.recompute = Recompute::kFull;
  if (recipes && out.count > 1) {
    out.plan.zero = 3;
    out.plan.tensor = out.plan.pipeline = out.plan.context = 1;
  }
  if (recipes && adapters && out.count == 1) w.activation_offload = true;
  if (recipes && !adapters && out.count == 1) {  // the single-device recipe's own optimizer
    const bool paged = has_any(words.method, {"paged", "memory-optimised"});
    w.optimizer = paged ? Optimizer::kPagedAdamw8bit : Optimizer::kAdamw8bit;
    w.optimizer_in_backward = true;
  }
  // Alpaca's samples, not packed, are short.
  const bool unpacked =
      has_any(words.method + words.notes, {"unpacked", "sequence short", "baseline"});
  if (unpacked) w.seq_len = std::min(w.seq_len, 512.0);
}

// LitGPT: micro-batches are accumulated; adapters sit on queries and values; generation writes into
// a cache allocated once; FSDP loads the whole model on each GPU and checkpoints every block.
void litgpt(const CaseWords& words, MeasuredCase& out) {
  WorkloadRequest& w = out.workload;
  pure_bf16(w);
  if (!has(words.method, "all")) w.lora.targets = LoraTargets::kQv;
  w.software.cache_in_place = true;
  if (w.kind == JobKind::kInference) {
    w.inference.output_tokens = 256;
    return;
  }
  if (!w.global_batch && w.micro_batch) w.global_batch = 4 * *w.micro_batch * out.count;
  if (!w.recompute) w.recompute = Recompute::kNone;
  if (out.count > 1) {
    out.plan.zero = 3;
    out.plan.tensor = out.plan.pipeline = out.plan.context = 1;
    w.recompute = Recompute::kFull;
    w.software.loads_whole_model = true;
  }
}

// What ordinary users run where a memory case does not say: data parallelism alone, nothing
// offloaded, nothing recomputed, one sequence at a time, no accumulation.
void ordinary_settings(MeasuredCase& out) {
  WorkloadRequest& w = out.workload;
  PlanRequest& plan = out.plan;
  if (!plan.offload) plan.offload = Offload::kNone;
  if (w.kind == JobKind::kInference) return;
  if (!plan.interleave) plan.interleave = 1;
  if (!plan.tensor) plan.tensor = 1;
  if (!plan.pipeline) plan.pipeline = 1;
  if (!plan.context) plan.context = 1;
  if (!plan.expert) plan.expert = 1;
  if (!plan.zero) plan.zero = 0;
  if (!plan.sequence_parallel) {
    plan.sequence_parallel = *plan.tensor > 1 && w.framework == Framework::kPytorch;
  }
  if (!w.recompute) w.recompute = Recompute::kNone;
  if (out.quantity == MeasuredQuantity::kMaxMicroBatch) return;
  const double ranks = std::max(1.0, out.count / (*plan.tensor * *plan.pipeline * *plan.context));
  if (!w.micro_batch && w.global_batch && *plan.pipeline <= 1) {
    w.micro_batch = std::max(1.0, std::floor(*w.global_batch / ranks));
  }
  if (!w.micro_batch) w.micro_batch = 1;
  if (!w.global_batch) w.global_batch = *w.micro_batch * ranks;
}

}  // namespace

void read_memory_words(const CaseWords& words, MeasuredCase& out) {
  WorkloadRequest& w = out.workload;
  const std::string text = words.title + " " + words.where + " " + words.framework;
  if (has(text, "torchtune")) {
    torchtune(words, out);
  } else if (has(text, "litgpt")) {
    litgpt(words, out);
  } else if (has(text, "torchtitan")) {
    w.software.logit_bytes = 12;  // fp32 upcast, the 16-bit copy freed
    w.software.fused_optimizer = true;
    if (out.plan.context.value_or(1) > 1) out.plan.zero = 3;  // shards over data x context
  } else if (has_any(text, {"fsdp_qlora", "fsdp+qlora", "transformers", "llamafactory",
                            "llama-factory", "openrlhf", "trl", "peft", "alpaca", "qlora"})) {
    w.software.logit_bytes = 18;  // Hugging Face keeps the 16-bit logits beside their fp32 copy
  }
  // Preparing a model for k-bit training turns checkpointing on (peft).
  const bool k_bit = w.kind == JobKind::kQlora ||
                     (w.kind == JobKind::kLora && w.lora.base == StorageType::kInt8) ||
                     has_any(words.method, {"8-bit", "8bit"});
  if (k_bit && w.kind != JobKind::kInference && !w.recompute) w.recompute = Recompute::kFull;
  if (has_any(text, {"fsdp_qlora", "fsdp+qlora"})) w.lora.rank = 64;  // the script's default
  // GPT models of the LayerNorm era train with dropout.
  Model& model = w.model;
  if (w.framework == Framework::kMegatron && model.layer_norm && !model.groups.empty() &&
      !model.groups.front().ffn.gated) {
    model.dropout = true;
  }
  w.software.bare_ops = has_any(words.notes + words.framework, {"tensorflow 1"});
  if (has(words.notes, "2p+2p+12p")) w.grad_precision = StorageType::kFp16;
  if (has(lowered(out.unit), "after model init")) out.memory_scope = MemoryScope::kWeights;
  // Peaks printed by training programs come from the allocator's counters, not from nvidia-smi.
  const bool printed = has(lowered(out.unit), "peak") || has(lowered(out.unit), "generate") ||
                       has(lowered(out.unit), "batch 1");
  if (out.memory_scope == MemoryScope::kDevice && printed && !has(words.notes, "nvidia-smi")) {
    out.memory_scope = has(text, "litgpt") || has(text, "torchtune") ? MemoryScope::kAllocated
                                                                     : MemoryScope::kReserved;
  }
  // A pipeline splits the batch of a data rank into as many micro-batches as it has stages.
  const double pipeline = out.plan.pipeline.value_or(1);
  if (has(text, "torchtitan") && pipeline > 1 && !w.micro_batch && w.global_batch) {
    const double stages = pipeline * out.plan.interleave.value_or(1);
    const double ranks = out.plan.data.value_or(1);
    w.micro_batch = std::max(1.0, std::floor(*w.global_batch / ranks / stages));
  }
  if (has(out.kind, "memory")) ordinary_settings(out);
}

}  // namespace xuanka
