#include "web/fields.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "xuanka/base/enums.hpp"

namespace xuanka::web {
namespace {

using enum FieldKind;
using enum FieldId;
using Words = std::span<const std::string_view>;

template <class E>
constexpr Words words() {
  return Words(EnumNames<E>::kNames);
}
constexpr std::array<std::string_view, 6> kDomains{"language",  "vision", "detection",
                                                   "diffusion", "speech", "timed"};
constexpr std::array<std::string_view, 6> kSources{"preset", "config", "size",
                                                   "shape",  "vision", "measured"};
constexpr std::array<std::string_view, 3> kGradTypes{"fp32", "bf16", "fp16"};
constexpr std::array<std::string_view, 2> kStateTypes{"fp32", "bf16"};
constexpr std::array<std::string_view, 5> kBaseTypes{"bf16", "fp16", "int8", "nf4", "nf4-dq"};
constexpr std::array<std::string_view, 7> kWeightTypes{"fp32", "fp16", "bf16", "fp8",
                                                       "int8", "int4", "nf4"};
constexpr std::array<std::string_view, 4> kKvTypes{"fp16", "bf16", "fp8", "int8"};
constexpr std::array<std::string_view, 4> kZeroStages{"0", "1", "2", "3"};
constexpr std::array<std::string_view, 4> kCountWords{"1", "2", "4", "8"};
constexpr std::array<std::string_view, 2> kLangs{"zh", "en"};
constexpr std::array<std::string_view, 4> kThemes{"auto", "light", "dark", "contrast"};
constexpr std::array<std::string_view, 9> kViews{"plans", "charts",   "gpus", "offers", "value",
                                                 "own",   "measured", "how",  "yours"};
constexpr std::array<std::string_view, 7> kNeedWords{"bf16", "fp8",  "nvlink", "ecc",
                                                     "16gb", "32gb", "64gb"};
constexpr Words kNone{};
constexpr Step kJ = Step::kJob, kM = Step::kModel, kC = Step::kConstraints, kA = Step::kAnswer;

// id, key, kind, step, path, initial, options, option set, step_by, unit, more
constexpr auto kFields = std::to_array<FieldSpec>({
    {kKind, "k", kChoice, kJ, "workload.kind", "lora", words<JobKind>(), "kind"},
    {kDomain, "dom", kChoice, kJ, "", "", kDomains, "domain"},
    {kSource, "src", kChoice, kM, "", "preset", kSources, "source"},
    {kModel, "m", kText, kM, "workload.model.id", "llama-2-7b", kNone, ""},
    {kConfig, "cfg", kLong, kM, "workload.model.hf_config", "", kNone, ""},
    {kParams, "p", kNumber, kM, "workload.model.params", "7B", kNone, "", -1, "params"},
    {kActiveParams, "pa", kNumber, kM, "workload.model.active_params", "", kNone, "", 0, "params"},
    {kLayers, "sl", kNumber, kM, "workload.model.transformer.layers", "32", kNone, "", 1, ""},
    {kHidden, "sh", kNumber, kM, "workload.model.transformer.hidden", "4096", kNone, "", -1, ""},
    {kHeads, "sa", kNumber, kM, "workload.model.transformer.heads", "32", kNone, "", 1, ""},
    {kKvHeads, "skv", kNumber, kM, "workload.model.transformer.kv_heads", "", kNone, "", 1, ""},
    {kHeadDim, "sd", kNumber, kM, "workload.model.transformer.head_dim", "", kNone, "", 0, ""},
    {kFfn, "sf", kNumber, kM, "workload.model.transformer.ffn", "11008", kNone, "", 0, ""},
    {kVocab, "sv", kNumber, kM, "workload.model.transformer.vocab", "32000", kNone, "", 0, ""},
    {kGated, "sg", kSwitch, kM, "workload.model.transformer.gated_mlp", "", kNone, "switch"},
    {kTied, "st", kSwitch, kM, "workload.model.transformer.tied_embeddings", "", kNone, "switch"},
    {kExperts, "se", kNumber, kM, "workload.model.transformer.moe.experts", "", kNone, "", 0, "",
     true},
    {kTopK, "sk", kNumber, kM, "workload.model.transformer.moe.top_k", "", kNone, "", 1, "", true},
    {kExpertFfn, "sx", kNumber, kM, "workload.model.transformer.moe.ffn", "", kNone, "", 0, "",
     true},
    {kVisionParams, "vp", kNumber, kM, "workload.model.vision.params", "25.6M", kNone, "", 0,
     "params"},
    {kVisionMacs, "vm", kNumber, kM, "workload.model.vision.macs_per_sample", "4.09G", kNone, "", 0,
     "macs"},
    {kVisionImage, "vi", kNumber, kM, "workload.model.vision.image_size", "224", kNone, "", 32,
     "px"},
    {kVisionActivations, "va", kNumber, kM, "workload.model.vision.activations_per_sample", "11.1M",
     kNone, "", 0, "elements"},
    {kVisionFamily, "vf", kChoice, kM, "workload.model.vision.family", "conv",
     words<VisionFamily>(), "family"},
    {kTimedGpu, "mg", kText, kM, "workload.model.measured.gpu", "rtx-3090-24gb", kNone, ""},
    {kTimedCount, "mn", kNumber, kM, "workload.model.measured.count", "1", kNone, "", -1, "cards"},
    {kTimedHours, "mh", kNumber, kM, "workload.model.measured.hours", "40", kNone, "", 1, "hours"},
    {kTimedMemory, "mm", kNumber, kM, "workload.model.measured.memory_gb", "", kNone, "", 1, "gb"},
    {kTimedFamily, "mf", kChoice, kM, "workload.model.measured.family", "conv",
     words<VisionFamily>(), "family"},
    {kTokens, "t", kNumber, kM, "workload.data.tokens", "50M", kNone, "", 0, "tokens"},
    {kDataset, "ds", kText, kM, "workload.data.dataset", "", kNone, ""},
    {kSamples, "n", kNumber, kM, "workload.data.samples", "", kNone, "", 0, "samples"},
    {kEpochs, "e", kNumber, kM, "workload.data.epochs", "3", kNone, "", 1, ""},
    {kSeqLen, "s", kNumber, kM, "workload.seq_len", "2048", kNone, "", -1, ""},
    {kImageSize, "i", kNumber, kM, "workload.image_size", "", kNone, "", 32, "px"},
    {kMicroBatch, "mb", kNumber, kM, "workload.micro_batch", "", kNone, "", -1, ""},
    {kGlobalBatch, "gb", kNumber, kM, "workload.global_batch", "", kNone, "", -1, "", true},
    {kPrecision, "pr", kChoice, kM, "workload.precision", "", words<Precision>(), "precision"},
    {kOptimizer, "o", kChoice, kM, "workload.optimizer", "", words<Optimizer>(), "optimizer"},
    {kLoraRank, "lr", kNumber, kM, "workload.lora.rank", "", kNone, "", -1, "", true},
    {kLoraTargets, "lt", kChoice, kM, "workload.lora.targets", "", words<LoraTargets>(),
     "lora_targets", 0, "", true},
    {kLoraBase, "lb", kChoice, kM, "workload.lora.base", "", kBaseTypes, "storage", 0, "", true},
    {kRecompute, "rc", kChoice, kM, "workload.recompute", "", words<Recompute>(), "recompute", 0,
     "", true},
    {kFlash, "fa", kSwitch, kM, "workload.flash_attention", "", kNone, "switch", 0, "", true},
    {kPacked, "pk", kSwitch, kM, "workload.packed", "", kNone, "switch", 0, "", true},
    {kMeanTokens, "mt", kNumber, kM, "workload.mean_tokens", "", kNone, "", 0, "tokens", true},
    {kOptimizerPrecision, "op", kChoice, kM, "workload.optimizer_precision", "", kStateTypes,
     "storage", 0, "", true},
    {kMasterWeights, "mw", kSwitch, kM, "workload.master_weights", "", kNone, "switch", 0, "",
     true},
    {kGradPrecision, "gp", kChoice, kM, "workload.grad_precision", "", kGradTypes, "storage", 0, "",
     true},
    {kInBackward, "ob", kSwitch, kM, "workload.optimizer_in_backward", "", kNone, "switch", 0, "",
     true},
    {kActivationOffload, "ao", kSwitch, kM, "workload.activation_offload", "", kNone, "switch", 0,
     "", true},
    {kCompile, "tc", kSwitch, kM, "workload.compile", "", kNone, "switch", 0, "", true},
    {kLossChunk, "lc", kNumber, kM, "workload.loss_chunk_tokens", "", kNone, "", -1, "tokens",
     true},
    {kFramework, "fw", kChoice, kM, "workload.framework", "", words<Framework>(), "framework", 0,
     "", true},
    {kCopies, "cp", kNumber, kM, "workload.copies", "", kNone, "", 1, "", true},
    {kConvention, "fc", kChoice, kM, "workload.flops_convention", "", words<FlopsConvention>(),
     "convention", 0, "", true},
    {kPromptTokens, "ip", kNumber, kM, "workload.inference.prompt_tokens", "", kNone, "", -1,
     "tokens"},
    {kOutputTokens, "io", kNumber, kM, "workload.inference.output_tokens", "", kNone, "", -1,
     "tokens"},
    {kConcurrency, "ic", kNumber, kM, "workload.inference.concurrency", "", kNone, "", -1,
     "requests"},
    {kOutputTotal, "it", kNumber, kM, "workload.inference.output_tokens_total", "", kNone, "", 0,
     "tokens"},
    {kWeights, "iw", kChoice, kM, "workload.inference.weights", "", kWeightTypes, "storage"},
    {kWeightBits, "ib", kNumber, kM, "workload.inference.weight_bits", "", kNone, "", 0, "bits",
     true},
    {kKvCache, "ik", kChoice, kM, "workload.inference.kv_cache", "", kKvTypes, "storage"},
    {kDeadline, "h", kNumber, kC, "decision.deadline_hours", "24", kNone, "", 1, "hours"},
    {kBudget, "b", kNumber, kC, "decision.budget", "", kNone, "", 0, ""},
    {kBudgetCurrency, "bc", kText, kC, "", "", kNone, ""},
    {kAcquire, "a", kChoice, kC, "decision.acquire", "rent", words<Acquire>(), "acquire"},
    {kRankBy, "r", kChoice, kC, "decision.rank_by", "cost", words<RankBy>(), "rank_by"},
    {kMarket, "dc", kText, kC, "decision.currency", "CNY", kNone, ""},
    {kFirstToken, "ft", kNumber, kC, "decision.max_first_token_seconds", "", kNone, "", 0,
     "seconds"},
    {kTokenRate, "tr", kNumber, kC, "decision.min_tokens_per_second_per_request", "", kNone, "", 0,
     "tokens_s"},
    {kGpus, "g", kMany, kC, "hardware.gpus", "", kNone, ""},
    {kNeeds, "nd", kMany, kC, "", "", kNeedWords, "need"},
    {kCounts, "c", kMany, kC, "hardware.counts", "1,2,4,8", kCountWords, "count"},
    {kGpusPerNode, "gn", kNumber, kC, "hardware.gpus_per_node", "", kNone, "", -1, "cards", true},
    {kLink, "l", kChoice, kC, "hardware.link", "", words<LinkChoice>(), "link", 0, "", true},
    {kNetwork, "nw", kNumber, kC, "hardware.network_gbit_s", "", kNone, "", 0, "gbit_s", true},
    {kDataDegree, "dp", kNumber, kC, "hardware.plan.data", "", kNone, "", -1, "", true},
    {kTensorDegree, "tp", kNumber, kC, "hardware.plan.tensor", "", kNone, "", -1, "", true},
    {kPipelineDegree, "pp", kNumber, kC, "hardware.plan.pipeline", "", kNone, "", -1, "", true},
    {kContextDegree, "cx", kNumber, kC, "hardware.plan.context", "", kNone, "", -1, "", true},
    {kExpertDegree, "ep", kNumber, kC, "hardware.plan.expert", "", kNone, "", -1, "", true},
    {kZero, "z", kChoice, kC, "hardware.plan.zero", "", kZeroStages, "zero", 0, "", true},
    {kSequenceParallel, "sp", kSwitch, kC, "hardware.plan.sequence_parallel", "", kNone, "switch",
     0, "", true},
    {kInterleave, "il", kNumber, kC, "hardware.plan.interleave", "", kNone, "", 1, "", true},
    {kOffload, "of", kChoice, kC, "hardware.plan.offload", "", words<Offload>(), "offload", 0, "",
     true},
    {kProviders, "pv", kMany, kC, "decision.offers.providers", "", kNone, ""},
    {kRegions, "rg", kMany, kC, "decision.offers.regions", "", kNone, "", 0, "", true},
    {kBilling, "bl", kMany, kC, "decision.offers.billing", "on-demand", words<Billing>(), "billing",
     0, "", true},
    {kOfferCurrencies, "oc", kMany, kC, "decision.offers.currencies", "", kNone, "", 0, "", true},
    {kMaxAge, "ag", kNumber, kC, "decision.offers.max_age_days", "", kNone, "", 0, "days", true},
    {kHostRam, "hr", kNumber, kC, "host.ram_gb", "", kNone, "", 0, "gb"},
    {kHostCores, "hc", kNumber, kC, "host.cpu_cores_per_gpu", "", kNone, "", 1, "cores"},
    {kDatasetGb, "dg", kNumber, kC, "host.dataset_gb", "", kNone, "", 0, "gb", true},
    {kCuda, "cu", kText, kC, "host.cuda", "", kNone, ""},
    {kHaveRam, "ha", kNumber, kC, "host.have_ram_gb", "", kNone, "", 0, "gb", true},
    {kHaveCores, "hv", kNumber, kC, "host.have_cpu_cores", "", kNone, "", 0, "cores", true},
    {kHoursPerMonth, "um", kNumber, kC, "decision.own.hours_per_month", "", kNone, "", 0, "hours",
     true},
    {kYears, "uy", kNumber, kC, "decision.own.years", "", kNone, "", 1, "years", true},
    {kUtilisation, "uu", kNumber, kC, "decision.own.utilisation", "", kNone, "", 0, "", true},
    {kPue, "up", kNumber, kC, "decision.own.pue", "", kNone, "", 0, "", true},
    {kResidual, "ur", kNumber, kC, "decision.own.residual", "", kNone, "", 0, "", true},
    {kMachinePrice, "mp", kNumber, kC, "decision.own.machine_price", "", kNone, "", 0, "", true},
    {kHosting, "uo", kNumber, kC, "decision.own.hosting_per_month", "", kNone, "", 0, "", true},
    {kFailure, "ux", kNumber, kC, "decision.own.failure_rate", "", kNone, "", 0, "", true},
    {kFinance, "uf", kNumber, kC, "decision.own.finance_rate", "", kNone, "", 0, "", true},
    {kInterruptions, "si", kNumber, kC, "decision.spot.interruptions_per_day", "", kNone, "", 1, "",
     true},
    {kCheckpoint, "sc", kNumber, kC, "decision.spot.checkpoint_minutes", "", kNone, "", 0,
     "minutes", true},
    {kSolve, "so", kChoice, kC, "solve", "", words<SolveFor>(), "solve", 0, "", true},
    {kAsOf, "d", kText, kC, "as_of", "", kNone, "", 0, "", true},
    {kEfficiency, "ef", kNumber, kA, "overrides.efficiency", "", kNone, ""},
    {kRate, "fx", kNumber, kA, "overrides.fx", "", kNone, ""},
    {kElectricity, "el", kNumber, kA, "overrides.electricity_per_kwh", "", kNone, ""},
    {kOwnGpus, "xg", kLong, kA, "overrides.gpus", "", kNone, ""},
    {kOwnOffers, "xo", kLong, kA, "overrides.offers", "", kNone, ""},
    {kOwnMeasured, "xm", kLong, kA, "overrides.measured", "", kNone, ""},
    {kLang, "lang", kChoice, kA, "", "", kLangs, "lang"},
    {kCurrency, "cur", kText, kA, "", "", kNone, ""},
    {kTheme, "theme", kChoice, kA, "", "", kThemes, "theme"},
    {kView, "view", kChoice, kA, "", "plans", kViews, "view"},
    {kLock, "lock", kMany, kA, "", "", kNone, ""},
    {kSelected, "sel", kText, kA, "", "", kNone, ""},
    {kCompare, "cmp", kMany, kA, "", "", kNone, ""},
    {kEmbed, "embed", kText, kA, "", "", kNone, ""},
});
static_assert(kFields.size() == kFieldCount);
static_assert([] {
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    if (static_cast<std::size_t>(kFields[i].id) != i) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if (kFields[i].key == kFields[j].key) return false;
    }
  }
  return true;
}());

struct Suffix {
  std::string_view text;
  double factor;
};
constexpr auto kSuffixes = std::to_array<Suffix>({
    {"千万", 1e7},
    {"百万", 1e6},
    {"千", 1e3},
    {"万", 1e4},
    {"亿", 1e8},
    {"万亿", 1e12},
    {"K", 1e3},
    {"k", 1e3},
    {"M", 1e6},
    {"m", 1e6},
    {"G", 1e9},
    {"g", 1e9},
    {"B", 1e9},
    {"b", 1e9},
    {"T", 1e12},
    {"t", 1e12},
    {"%", 0.01},
});

// The decimal value of digits [. digits] [e exponent]; advances `text` past it.
std::optional<double> take_decimal(std::string_view& text) {
  double mantissa = 0;
  int exponent = 0, digits = 0;
  bool point = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9') {
      ++digits;
      if (mantissa < 9e15) {
        mantissa = mantissa * 10 + (c - '0');
        if (point) --exponent;
      } else if (!point) {
        ++exponent;
      }
    } else if (c == ',' || c == '_' || c == ' ') {
      if (i + 1 >= text.size() || text[i + 1] < '0' || text[i + 1] > '9') break;
    } else {
      break;
    }
  }
  if (digits == 0) return std::nullopt;
  if (i + 1 < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    std::size_t j = i + 1;
    const bool negative = text[j] == '-';
    if (text[j] == '-' || text[j] == '+') ++j;
    int power = 0;
    const std::size_t first = j;
    for (; j < text.size() && text[j] >= '0' && text[j] <= '9'; ++j) {
      if (power < 10000) power = power * 10 + (text[j] - '0');
    }
    if (j > first) {
      exponent += negative ? -power : power;
      i = j;
    }
  }
  text.remove_prefix(i);
  // Powers up to 10^22 are exact, so usual inputs come out correctly rounded.
  const bool up = exponent > 0;
  for (int left = up ? exponent : -exponent; left > 0 && mantissa != 0 && std::isfinite(mantissa);
       left -= 22) {
    double factor = 1;
    for (int k = 0; k < left && k < 22; ++k) factor *= 10;
    mantissa = up ? mantissa * factor : mantissa / factor;
  }
  if (!std::isfinite(mantissa)) return std::nullopt;
  return mantissa;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '\n' ||
                           text.front() == '\r'))
    text.remove_prefix(1);
  while (!text.empty() &&
         (text.back() == ' ' || text.back() == '\t' || text.back() == '\n' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

}  // namespace

std::span<const FieldSpec> fields() { return kFields; }

const FieldSpec& spec(FieldId id) { return kFields[static_cast<std::size_t>(id)]; }

const FieldSpec* field_by_key(std::string_view key) {
  for (const FieldSpec& f : kFields) {
    if (f.key == key) return &f;
  }
  return nullptr;
}

const FieldSpec* field_by_path(std::string_view path) {
  const FieldSpec* best = nullptr;
  for (const FieldSpec& f : kFields) {
    if (f.path.empty() || !path.starts_with(f.path)) continue;
    const std::string_view rest = path.substr(f.path.size());
    if (!rest.empty() && rest[0] != '.' && rest[0] != '[') continue;
    if (best == nullptr || f.path.size() > best->path.size()) best = &f;
  }
  return best;
}

std::optional<double> read_number(std::string_view text) {
  text = trim(text);
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  auto value = take_decimal(text);
  if (!value) return std::nullopt;
  text = trim(text);
  if (!text.empty()) {
    const Suffix* match = nullptr;
    for (const Suffix& s : kSuffixes) {
      if (s.text == text) match = &s;
    }
    if (match == nullptr) return std::nullopt;
    *value *= match->factor;
  }
  if (!std::isfinite(*value)) return std::nullopt;
  return negative ? -*value : *value;
}

}  // namespace xuanka::web
