// One transformer layer, forward and backward, by plain kernels and cuBLAS.
#pragma once

#include "shell/probe/cuda/nvml.hpp"
#include "shell/probe/cuda/resources.hpp"

namespace xuanka::probe {

/// Times it on the current card. `bf16` false: fp16.
[[nodiscard]] Tried<BlockTiming> time_block(const Block& block, bool bf16, const Effort& effort,
                                            const Nvml& nvml, const char* pci);

}  // namespace xuanka::probe
