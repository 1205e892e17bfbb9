// Every input of the wizard as one table: its key in links, its place in the request, its choices.
// The state, the link, the request, the HTML twin and the panels all read this table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace xuanka::web {

enum class Step : std::uint8_t { kJob, kModel, kConstraints, kAnswer };
inline constexpr std::size_t kStepCount = 4;

/// What an input is: one of some words, a number (also "50M", "1.4e9", "3万"), a short text, a long
/// text (JSON), a switch ("" = decided by the tool, "1", "0") or several words joined by commas.
enum class FieldKind : std::uint8_t { kChoice, kNumber, kText, kLong, kSwitch, kMany };

enum class FieldId : std::uint8_t {
  // the job
  kKind,
  kDomain,
  // the model
  kSource,
  kModel,
  kConfig,
  kParams,
  kActiveParams,
  kLayers,
  kHidden,
  kHeads,
  kKvHeads,
  kHeadDim,
  kFfn,
  kVocab,
  kGated,
  kTied,
  kExperts,
  kTopK,
  kExpertFfn,
  kVisionParams,
  kVisionMacs,
  kVisionImage,
  kVisionActivations,
  kVisionFamily,
  kTimedGpu,
  kTimedCount,
  kTimedHours,
  kTimedMemory,
  kTimedFamily,
  // the data and how it is trained
  kTokens,
  kDataset,
  kSamples,
  kEpochs,
  kSeqLen,
  kImageSize,
  kMicroBatch,
  kGlobalBatch,
  kPrecision,
  kOptimizer,
  kLoraRank,
  kLoraTargets,
  kLoraBase,
  kRecompute,
  kFlash,
  kPacked,
  kMeanTokens,
  kOptimizerPrecision,
  kMasterWeights,
  kGradPrecision,
  kInBackward,
  kActivationOffload,
  kCompile,
  kLossChunk,
  kFramework,
  kCopies,
  kConvention,
  kPromptTokens,
  kOutputTokens,
  kConcurrency,
  kOutputTotal,
  kWeights,
  kWeightBits,
  kKvCache,
  // constraints
  kDeadline,
  kBudget,
  kBudgetCurrency,
  kAcquire,
  kRankBy,
  kMarket,
  kFirstToken,
  kTokenRate,
  kGpus,
  kNeeds,
  kCounts,
  kGpusPerNode,
  kLink,
  kNetwork,
  kDataDegree,
  kTensorDegree,
  kPipelineDegree,
  kContextDegree,
  kExpertDegree,
  kZero,
  kSequenceParallel,
  kInterleave,
  kOffload,
  kProviders,
  kRegions,
  kBilling,
  kOfferCurrencies,
  kMaxAge,
  kHostRam,
  kHostCores,
  kDatasetGb,
  kCuda,
  kHaveRam,
  kHaveCores,
  kHoursPerMonth,
  kYears,
  kUtilisation,
  kPue,
  kResidual,
  kMachinePrice,
  kHosting,
  kFailure,
  kFinance,
  kInterruptions,
  kCheckpoint,
  kSolve,
  kAsOf,
  // yours
  kEfficiency,
  kRate,
  kElectricity,
  kOwnGpus,
  kOwnOffers,
  kOwnMeasured,
  // beside the request
  kLang,
  kCurrency,
  kTheme,
  kView,
  kLock,
  kSelected,
  kCompare,
  kEmbed,
  kCount_,
};
inline constexpr std::size_t kFieldCount = static_cast<std::size_t>(FieldId::kCount_);

struct FieldSpec {
  FieldId id;
  std::string_view key;  ///< in links and in the twin; also `ui.f.<key>` (label) of the messages
  FieldKind kind;
  Step step;
  std::string_view path;                        ///< in the request; empty = not part of it
  std::string_view initial;                     ///< value of a fresh page; left out of links
  std::span<const std::string_view> options{};  ///< words of kChoice and kMany; empty = open
  std::string_view option_set{};                ///< `ui.o.<option_set>.<word>` of the messages
  double step_by = 0;       ///< of the - and + buttons; 0 = none, negative = doubling and halving
  std::string_view unit{};  ///< `ui.u.<unit>` behind the value; empty = none
  bool more = false;        ///< shown under "more"
};

/// The whole table, in the order of FieldId.
[[nodiscard]] std::span<const FieldSpec> fields();
[[nodiscard]] const FieldSpec& spec(FieldId id);
/// The field of a link key; nullptr when there is none.
[[nodiscard]] const FieldSpec* field_by_key(std::string_view key);
/// The field whose request path is `path` or a parent of it; nullptr when there is none.
[[nodiscard]] const FieldSpec* field_by_path(std::string_view path);

/// Reads a number as people type it: "2048", "1.4e9", "50 M", "7B", "3万", "1,281,167", "38%".
/// nullopt for anything else and for what double cannot hold.
[[nodiscard]] std::optional<double> read_number(std::string_view text);

}  // namespace xuanka::web
