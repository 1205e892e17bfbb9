// What the probe asks of a machine with GPUs: facts, and how long pieces of work took. CUDA answers
// (cuda/), or a fixture; what is asked, in which order, and what is made of it, knows nothing of
// either.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace xuanka::probe {

/// A value, or why there is none: a word that the messages know ("not_supported", "out_of_memory",
/// "no_driver", "driver_too_old", "no_gpu"), or the text of a driver's error.
template <class T>
using Tried = tl::expected<T, std::string>;

/// A card as its driver describes it. What is not known is absent.
struct Card {
  std::string name, uuid, compute_capability;  ///< "8.9"
  double memory_bytes = 0, free_bytes = 0;
  int multiprocessors = 0;
  std::optional<double> sm_clock_mhz, memory_clock_mhz;  ///< the highest
  std::optional<double> power_limit_w;
  std::optional<int> pcie_gen, pcie_width;          ///< as now running
  std::optional<int> pcie_max_gen, pcie_max_width;  ///< of card and slot
  std::optional<int> nvlinks;                       ///< active
  std::optional<int> other_processes;               ///< computing on it beside the probe
};
struct Rig {
  std::string driver;                     ///< empty when NVML is not there
  std::string cuda_driver, cuda_runtime;  ///< "13.0"
  std::string cublas, nccl;               ///< nccl is empty when there is none
  bool made_up = false;                   ///< a fixture
  std::vector<Card> cards;
};

/// How often: once warm, `repeats` timings, each of as many runs as take `least_seconds`.
struct Effort {
  int repeats = 7;
  double warm_seconds = 0.2;
  double least_seconds = 2e-3;
};
/// Seconds of one run in each repeat, and the state of the card while it worked.
struct Timing {
  std::vector<double> seconds;
  std::optional<double> sm_clock_mhz, power_w;
};

enum class Format { kFp32, kTf32, kFp16, kFp16Acc16, kBf16, kInt8, kFp8, kCount_ };
/// "fp32", "tf32", "fp16", "fp16", "bf16", "int8", "fp8".
[[nodiscard]] std::string_view format_name(Format format);
/// "fp32", "fp16" or "int32".
[[nodiscard]] std::string_view accumulate_name(Format format);

/// D(m x n) = A(m x k) B(k x n).
struct Shape {
  double m = 0, n = 0, k = 0;
};
enum class MemoryKind { kCopy, kTriad };

/// One transformer layer of a decoder, forward and backward, in bf16 (fp16 before Ampere): products
/// through cuBLAS, attention with its scores written out, norms and activations as kernels of their
/// own.
struct Block {
  double hidden = 4096, heads = 32, kv_heads = 32, head_dim = 128, ffn = 11008;
  bool gated = true;
  double batch = 1, seq_len = 2048;
};
struct BlockTiming {
  Timing forward, backward;
};

/// A machine. Every call leaves the cards as it found them: no settings, no resets, no memory kept.
class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual Tried<Rig> rig() = 0;
  [[nodiscard]] virtual Tried<Timing> matmul(int gpu, Format format, Shape shape,
                                             const Effort& effort) = 0;
  /// Copy moves `bytes` twice, triad (a = b + s c) three times.
  [[nodiscard]] virtual Tried<Timing> memory(int gpu, MemoryKind kind, double bytes,
                                             const Effort& effort) = 0;
  [[nodiscard]] virtual Tried<Timing> host_copy(int gpu, bool to_device, bool pinned, double bytes,
                                                const Effort& effort) = 0;
  /// Whether `from` can write to `to` without going through the host.
  [[nodiscard]] virtual bool peer_access(int from, int to) = 0;
  [[nodiscard]] virtual Tried<Timing> pair_copy(int from, int to, bool peer, double bytes,
                                                const Effort& effort) = 0;
  /// Sum of `bytes` over all cards.
  [[nodiscard]] virtual Tried<Timing> all_reduce(double bytes, const Effort& effort) = 0;
  /// An empty kernel, launched and waited for one after the other.
  [[nodiscard]] virtual Tried<Timing> launch(int gpu, const Effort& effort) = 0;
  [[nodiscard]] virtual Tried<BlockTiming> block(int gpu, const Block& block,
                                                 const Effort& effort) = 0;
};

}  // namespace xuanka::probe
