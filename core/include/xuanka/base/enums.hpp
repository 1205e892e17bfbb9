// The closed vocabularies of the contract. Each enum has one table of names (`enum_names`), used to
// parse and to print; the order of a table is the order of the enum.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace xuanka {

enum class JobKind { kTrain, kFinetune, kLora, kQlora, kInference };
enum class Precision { kFp32, kTf32, kFp16, kBf16, kFp8 };
/// Types that weights, caches or states are stored in. nf4_dq = NF4 with double quantisation.
enum class StorageType { kFp32, kFp16, kBf16, kFp8, kInt8, kInt4, kNf4, kNf4Dq };
enum class Optimizer {
  kAdamw,
  kAdamw8bit,
  kPagedAdamw8bit,
  kAdafactor,
  kLion,
  kSgd,
  kSgdMomentum,
  kMuon
};
enum class Recompute { kNone, kSelective, kFull };
enum class Framework { kPytorch, kMegatron, kMlperf };
enum class LoraTargets { kAttention, kQv, kAllLinear };
enum class FlopsConvention { kFull, kCausal };
enum class LinkChoice { kAuto, kNvlink, kNvlinkPairs, kPcie, kPcieNoP2p };
enum class Offload { kNone, kOptimizer, kAll };
enum class Acquire { kRent, kBuy, kUsed };
enum class RankBy { kCost, kTime, kFlopsPerMoney, kMemoryPerMoney };
enum class Billing {
  kOnDemand,
  kSpot,
  kReserved1y,
  kReserved3y,
  kMonthly,
  kMarketplace,
  kOnDemandCommunity,
  kOnDemandShared
};
enum class SolveFor { kMicroBatch, kSeqLen, kConcurrency, kCount, kParams };
enum class VisionFamily { kConv, kDepthwise, kAttention, kDetector, kDiffusion, kAudio };
enum class Modality { kText, kImage, kSpeech };
enum class Verdict { kUnsupported, kDoesNotFit, kHostShort, kTooSlow, kOverBudget, kOk };
enum class MemoryVerdict { kFits, kTight, kDoesNotFit };

/// Names of an enum's values in order, as the contract spells them.
template <class E>
struct EnumNames;
#define XUANKA_ENUM_NAMES(E, ...)                                                  \
  template <>                                                                      \
  struct EnumNames<E> {                                                            \
    static constexpr auto kNames = std::to_array<std::string_view>({__VA_ARGS__}); \
  }
XUANKA_ENUM_NAMES(JobKind, "train", "finetune", "lora", "qlora", "inference");
XUANKA_ENUM_NAMES(Precision, "fp32", "tf32", "fp16", "bf16", "fp8");
XUANKA_ENUM_NAMES(StorageType, "fp32", "fp16", "bf16", "fp8", "int8", "int4", "nf4", "nf4-dq");
XUANKA_ENUM_NAMES(Optimizer, "adamw", "adamw-8bit", "paged-adamw-8bit", "adafactor", "lion", "sgd",
                  "sgd-momentum", "muon");
XUANKA_ENUM_NAMES(Recompute, "none", "selective", "full");
XUANKA_ENUM_NAMES(Framework, "pytorch", "megatron", "mlperf");
XUANKA_ENUM_NAMES(LoraTargets, "attention", "qv", "all-linear");
XUANKA_ENUM_NAMES(FlopsConvention, "full", "causal");
XUANKA_ENUM_NAMES(LinkChoice, "auto", "nvlink", "nvlink-pairs", "pcie", "pcie-no-p2p");
XUANKA_ENUM_NAMES(Offload, "none", "optimizer", "all");
XUANKA_ENUM_NAMES(Acquire, "rent", "buy", "used");
XUANKA_ENUM_NAMES(RankBy, "cost", "time", "flops_per_money", "memory_per_money");
XUANKA_ENUM_NAMES(Billing, "on-demand", "spot", "reserved-1y", "reserved-3y", "monthly",
                  "marketplace", "on-demand-community", "on-demand-shared");
XUANKA_ENUM_NAMES(SolveFor, "micro_batch", "seq_len", "concurrency", "count", "params");
XUANKA_ENUM_NAMES(VisionFamily, "conv", "depthwise", "attention", "detector", "diffusion", "audio");
XUANKA_ENUM_NAMES(Modality, "text", "image", "speech");
XUANKA_ENUM_NAMES(Verdict, "unsupported", "does_not_fit", "host_short", "too_slow", "over_budget",
                  "ok");
XUANKA_ENUM_NAMES(MemoryVerdict, "fits", "tight", "does_not_fit");
#undef XUANKA_ENUM_NAMES

/// The contract's word for a value.
template <class E>
[[nodiscard]] constexpr std::string_view name_of(E value) {
  return EnumNames<E>::kNames[static_cast<std::size_t>(value)];
}
/// The value for a word of the contract; nullopt for any other word.
template <class E>
[[nodiscard]] constexpr std::optional<E> value_of(std::string_view name) {
  for (std::size_t i = 0; i < EnumNames<E>::kNames.size(); ++i) {
    if (EnumNames<E>::kNames[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

/// Bits per element as stored, block scales included: int4 4.25 (group 128, fp16 scale and zero),
/// nf4 4.5 (block 64, fp32 scale), nf4-dq 4.127 (QLoRA, arXiv 2305.14314).
[[nodiscard]] constexpr double storage_bits(StorageType type) {
  constexpr std::array<double, 8> kBits{32, 16, 16, 8, 8, 4.25, 4.5, 4.127};
  return kBits[static_cast<std::size_t>(type)];
}

}  // namespace xuanka
