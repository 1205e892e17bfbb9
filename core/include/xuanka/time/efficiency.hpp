// The constants of the time and memory models, as data (assets/catalog/efficiency.json), each with
// the cases it was fitted on. The fitting tool writes the file; nothing here is tuned by hand.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "xuanka/base/result.hpp"

namespace xuanka {

/// One fitted constant with its provenance.
struct FittedConstant {
  double value = 0;
  double low = 0, high = 0;             ///< plausible range over the fitting sources
  std::vector<std::string> cases;       ///< ids (or id prefixes) of the measurements behind it
  std::string unit, note;
};

/// Relative spread of measured / predicted, by group of cases ("decoder/nvlink", "vision/conv", ...).
struct ResidualBand {
  std::string key;
  double low = 0.7, high = 1.4;         ///< factors on the expected value
  int cases = 0;
  std::vector<std::string> nearest;     ///< ids of representative cases
};

/// All constants, read once; estimates take the struct, never the names.
/// The owner of the time model adds named members filled from `constants` on load.
struct EfficiencyModel {
  std::map<std::string, FittedConstant> constants;
  std::vector<ResidualBand> bands;
  int model_version = 1;

  // Resolved values used by the inner loops (filled by load_efficiency from `constants`).
  // Units: fractions unless said otherwise. See core/docs/model.md for each symbol.
  double matmul_efficiency = 0.71;      ///< of peak for wide matmuls
  double matmul_half_width = 370;       ///< elements; efficiency = matmul_efficiency * w / (w + this)
  double fp8_efficiency = 0.67;
  double attention_efficiency = 0.22;   ///< of the 16-bit peak on causal FLOPs
  double moe_factor = 0.49;
  double memory_bandwidth_efficiency = 0.75;
  double kernel_launch_seconds = 5e-6;
  double step_overhead_seconds = 5e-3;
  double conv_efficiency = 0.35, depthwise_efficiency = 0.1, vision_attention_efficiency = 0.35,
         detector_efficiency = 0.25, diffusion_efficiency = 0.35, audio_efficiency = 0.3;
  double mlperf_speedup = 1.9;
};

/// Reads efficiency.json. Errors: every unknown or missing constant, with its path.
[[nodiscard]] Result<EfficiencyModel> load_efficiency(std::string_view json_text);

}  // namespace xuanka
