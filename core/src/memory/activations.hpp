// Bytes that one layer keeps for its backward pass, per token: counted tensor by tensor.
#pragma once

#include "xuanka/memory/memory_model.hpp"

namespace xuanka {

/// What the software does, as far as kept tensors depend on it.
struct KernelChoice {
  double element = 2;                ///< bytes of an activation: 2 in mixed precision, 4 in fp32
  bool flash = true;                 ///< no score matrix
  bool fused_norms = false;          ///< compiled or hand-written: no fp32 copy of the norm's input
  bool repeat_kv = true;             ///< key and value heads are expanded to the query heads
  bool recompute_gate = false;       ///< the compiler recomputes SwiGLU's product
  bool per_op_selective = true;      ///< selective recompute by operation (ordinary PyTorch)
  bool fused_softmax = false;        ///< scores stay 16-bit
  bool dropout = false;              ///< masks of hidden states and scores
  bool layer_norm = false;           ///< LayerNorm has a fused kernel everywhere
  bool autocast = false;             ///< fp32 weights cast per operation: fp32 residual stream
  bool bare_ops = false;             ///< GELU written out: seven more tensors of width f
  bool frozen = false;               ///< LoRA: frozen matrices do not keep their input
  bool keeps_frozen_inputs = false;  ///< 4-bit kernels that keep it anyway
  bool lora_dropout = true;
  LoraTargets targets = LoraTargets::kAllLinear;
  double lora_rank = 16;
};

/// Kept by one layer of `group` under `mode`; core/docs/model.md.
[[nodiscard]] ActivationTerms layer_activations(const LayerGroup& group, Recompute mode,
                                                const KernelChoice& kernels);

}  // namespace xuanka
