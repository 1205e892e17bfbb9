// The machine as CUDA and NVML know it.
#pragma once

#include <memory>

#include "shell/probe/device.hpp"

namespace xuanka::probe {

/// Errors come from its calls: without a driver `rig` says "no_driver".
[[nodiscard]] std::unique_ptr<Device> make_cuda_device();

}  // namespace xuanka::probe
