// The constants of the time and memory models, as data (assets/catalog/efficiency.json), each with
// the cases it was fitted on. The fitting tool writes the file; nothing here is tuned by hand.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "xuanka/base/enums.hpp"
#include "xuanka/base/result.hpp"
#include "xuanka/catalog/catalog.hpp"

namespace xuanka {

/// One fitted constant with its provenance.
struct FittedConstant {
  double value = 0;
  double low = 0, high = 0;        ///< plausible range over the fitting sources
  std::vector<std::string> cases;  ///< ids (or id prefixes) of the measurements behind it
  std::string unit, note;
};

/// Relative spread of measured / predicted, by group of cases ("decoder/nvlink", "conv/one", ...).
struct ResidualBand {
  std::string key;
  double low = 0.7, high = 1.4;  ///< factors on the expected value
  int cases = 0;
  std::vector<std::string> nearest;  ///< ids of representative cases
};

/// Generations of accelerators that share their constants. A class without measured cases takes
/// the constants of its nearest relative (in the file), with a wider range.
/// How well fits predict the sources that they have not seen, one group of cases each.
struct UnseenError {
  std::string name;
  int cases = 0;
  double median = 0, mean = 0, p90 = 0;  ///< of |predicted - measured| / measured
};

enum class GpuClass {
  kPascal,
  kVolta,
  kTuring,
  kAmpereServer,
  kAmpere,
  kAda,
  kHopper,
  kBlackwellServer,
  kBlackwell,
  kCdna,
  kOther,
  kCount_
};
inline constexpr std::size_t kGpuClasses = static_cast<std::size_t>(GpuClass::kCount_);
/// "volta", "ampere_server" (GA100), "ampere" (GA10x), ...: suffixes of constants by class.
[[nodiscard]] std::string_view gpu_class_name(GpuClass gpu_class);
[[nodiscard]] GpuClass gpu_class(const Gpu& gpu);

inline constexpr std::size_t kFrameworks = 3;      ///< order of enum Framework
inline constexpr std::size_t kVisionFamilies = 6;  ///< order of enum VisionFamily
inline constexpr std::size_t kLinkKinds = 5;       ///< order of enum LinkKind

/// All constants, read once; estimates take the struct, never the names. Units: fractions unless
/// said otherwise. core/docs/model.md has each symbol.
struct EfficiencyModel {
  std::map<std::string, FittedConstant> constants;
  std::vector<ResidualBand> bands;
  std::vector<UnseenError> unseen;  ///< by assets/tools/fit_efficiency.py
  int model_version = 1;

  // Matrix products: t = [2 mnk + 2 w (mk + kn + mn)] / (peak x matmul_peak), w = gemm_roof x
  // peak / bandwidth + gemm_tile: a product with small dimensions is bound by moving its operands.
  std::array<double, kGpuClasses> matmul_peak{};  ///< of the dense peak, wide products
  double gemm_roof = 0.8;
  double gemm_tile = 50;  ///< elements
  std::array<double, kFrameworks>
      fp8_peak{};  ///< of matmul_peak, for FP8 products with their casts
  /// W per 16-bit TFLOPS below which a board's power limit slows its matrix units (0: never): the
  /// clock that is left goes with the square root of the power (dynamic power ~ voltage^2 x clock).
  std::array<double, kGpuClasses> power_need{};
  double vector_peak = 0.8;  ///< of the FP32 peak, products without matrix units
  double moe_peak = 0.7;     ///< of matmul_peak, grouped expert products
  // Attention core
  std::array<double, kGpuClasses> attention_peak{};  ///< of the 16-bit peak, on causal FLOPs
  double softmax_flops = 20;                         ///< FP32 operations per score, fused kernels
  double score_bytes = 14;                           ///< bytes moved per score, unfused, forward
  // Memory-bound work
  std::array<double, kGpuClasses> bandwidth_reached{};  ///< of the bandwidth
  std::array<double, kFrameworks> elementwise{};  ///< factor on the counted traffic, by framework
  double compiled_elementwise = 0.6;              ///< factor with torch.compile
  std::array<double, kFrameworks> loss_bytes{};   ///< per logit, forward and backward, by framework
  double optimizer_traffic = 1.5;                 ///< factor on states read and written once
  double dequant_bytes = 5;                       ///< per 4-bit weight and pass
  double adapter_traffic = 3;  ///< elements per input and output of an adapted linear
  // Host side
  std::array<double, kFrameworks> layer_seconds{};  ///< s to launch one layer's forward
  double lora_launch = 1.6, moe_launch = 2.0, compiled_launch = 0.6;  ///< factors on layer_seconds
  double expert_seconds = 1e-4;  ///< s to launch one local expert's forward
  std::array<double, kFrameworks>
      pass_seconds{};  ///< s per micro-batch beside its layers: data, embedding, loss
  std::array<double, kFrameworks> step_seconds{};          ///< s per optimizer step
  std::array<double, kFrameworks> decode_layer_seconds{};  ///< s per layer and decode step
  // Links: fraction of the specified one-way bandwidth, and latency per collective
  std::array<double, kLinkKinds> link_reached{};  ///< by LinkKind
  std::array<double, kLinkKinds> link_latency{};  ///< s
  double network_reached = 0.75, network_latency = 4e-5;
  double switch_reduction = 1.2;                   ///< all-reduce gain with in-switch reduction
  std::array<double, kFrameworks> data_exposed{};  ///< share of data-parallel traffic never hidden
  double gather_exposed = 0.15;                    ///< the same for ZeRO-3 gathers
  std::array<double, kFrameworks> tensor_exposed{};  ///< the same for tensor-parallel collectives
  double pipeline_exposed = 0.5;                     ///< the same for pipeline sends
  double expert_exposed = 0.8;                       ///< the same for expert all-to-all
  double collective_seconds = 5e-5;  ///< s of the host for a collective and each further rank
  double straggler = 0.01;           ///< slowdown per doubling of nodes
  // Vision, by family
  std::array<double, kVisionFamilies> vision_peak{};  ///< of matmul_peak x peak
  std::array<double, kVisionFamilies>
      vision_traffic{};  ///< bytes moved per activation byte kept, fwd + bwd
  std::array<double, kVisionFamilies> activations_per_mac{};  ///< where a model states none
  double vector_convolution = 1.3;  ///< speed of FP32 convolutions beside products (Winograd)
  double channels_first = 1.3;      ///< factor on time of NCHW 16-bit convolutions
  std::array<double, kFrameworks> vision_host_seconds{};  ///< s per pass, convolutional classifiers
  std::array<double, kVisionFamilies>
      vision_launch{};                             ///< factor on vision_host_seconds, by family
  std::array<double, kFrameworks> vision_speed{};  ///< factor on time, by framework
  double input_seconds = 6e-3;                     ///< s of one core per image: decode
  double input_pixel_seconds = 4e-8;               ///< s of one core per output pixel
  // Inference
  std::array<double, 2> decode_bandwidth{};  ///< of the bandwidth, weights and cache: HBM, others
  double decode_gap_seconds = 1e-4;  ///< s per layer and decode step between kernels, on the device
  std::array<double, kFrameworks> decode_cache_passes{};  ///< times the cache is moved per decode
                                                          ///< step (PyTorch: per query head)
  std::array<double, kFrameworks>
      decode_dequant_bytes{};  ///< moved per weight of 4 bits or so, above its own
  // Offload to the host
  double host_copy = 0.8;             ///< of the host link
  double host_adam_bandwidth = 6e10;  ///< bytes/s of optimizer states per node
  // Memory (core/docs/model.md, "Memory")
  double memory_context_gib = 0.55;        ///< GiB: CUDA context and loaded kernels
  double memory_nccl_gib = 0.35;           ///< GiB: communicators, when GPUs talk
  double memory_reserve = 0.03;            ///< share of what is allocated, held above it
  double memory_workspace_gib = 0.1;       ///< GiB: matrix library workspace
  double memory_conv_workspace_gib = 0.5;  ///< GiB: convolution workspace
  double memory_working_set = 1.25;        ///< one layer's working set under recomputation
  std::array<double, kFrameworks> memory_logit_bytes{14, 12, 12};  ///< peak bytes per logit
  double memory_phase_overlap = 0.2;  ///< of the smaller of loss and working set, fragmentation
  double memory_foreach_bytes = 1.5;  ///< per local parameter at the optimizer step
  double memory_kv_growth = 0.85;     ///< copies of a concatenated cache, ordinary code
  double memory_lora_dropout = 1;     ///< 1: adapters are trained with dropout
  std::array<double, kVisionFamilies> memory_vision_bytes{4.1, 5.8, 4.0, 4.5,
                                                          4.5, 4.5};  ///< per activation, 16-bit
  double memory_channels_first = 1.1;  ///< factor on NCHW 16-bit activations
  double memory_low_states = 0.96, memory_high_states = 1.08;  ///< range of weights and states
  double memory_low_rest = 0.78, memory_high_rest = 1.32;      ///< range of everything else
  // Ranges
  double relative_widening = 1.15;  ///< range factor for a class without cases
  double size_only_widening = 1.2;  ///< range factor for a model known by size only
};

/// Share of the matrix units' peak that the board's power limit leaves, 0 to 1: the square root of
/// (watts per 16-bit TFLOPS) / power_need, no more than 1; 1 where the card's power is not known.
[[nodiscard]] double power_share(const Gpu& gpu, const EfficiencyModel& model);

/// FLOP/s of wide dense matrix products at `peak`, by class, power limit and format.
[[nodiscard]] FlopPerSec product_rate(const Gpu& gpu, const EffectivePeak& peak,
                                      const EfficiencyModel& model, Framework framework);

/// Reads efficiency.json. Errors: every unknown or missing constant, with its path.
[[nodiscard]] Result<EfficiencyModel> load_efficiency(std::string_view json_text);

/// Key of the band of all measured cases together.
inline constexpr std::string_view kEveryCase = "all";
/// A band of fewer cases is no narrower than that of all.
inline constexpr int kFewCases = 5;
/// The bands that concern an estimate.
struct NearBands {
  /// The first that exists of "family/place", "family", kEveryCase; nullptr when there is none.
  std::array<const ResidualBand*, 3> place{};
  const ResidualBand* every = nullptr;  ///< of all cases
  bool card_seen = false;               ///< cards of this class are among the cases
};
/// `places`: names of three, as in "one", "nvswitch", "network".
[[nodiscard]] NearBands near_bands(const EfficiencyModel& model, std::string_view family,
                                   const std::array<std::string_view, 3>& places, GpuClass card);

}  // namespace xuanka
