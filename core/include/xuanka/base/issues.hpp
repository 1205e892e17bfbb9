// One closed enum of problems with structured context. Text is made by the message catalog
// (assets/messages), never here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace xuanka {

/// Everything that can be wrong with an input. The report's `code` is `issue_code_name`.
/// Adding one means adding `issue.<name>` to every message catalog and a test that produces it.
enum class IssueCode {
  kSyntax,              ///< not JSON: args what, line, column
  kTooLarge,            ///< text or string longer than allowed: args max, got
  kTooDeep,             ///< nesting deeper than allowed: args max
  kDuplicateKey,        ///< the same key twice in one object
  kNotFinite,           ///< a number beyond double
  kWrongType,           ///< args want, got
  kMissing,             ///< a required field is absent
  kUnknownField,        ///< a key nobody reads (error in shipped data, warning in a request); args
                        ///< nearest
  kOutOfRange,          ///< args min, max, got
  kNotInteger,          ///< a whole number is needed; args got
  kUnknownId,           ///< no such GPU, model, dataset...; args kind, got, nearest
  kUnknownValue,        ///< not one of the words allowed; args got, allowed
  kDuplicateId,         ///< two entries of one list share an id
  kConflict,            ///< two fields contradict; args other
  kUnsupportedVersion,  ///< args got, supported
  kUnsupportedModel,    ///< a model structure that cannot be computed; args what
  kBadDate,             ///< not YYYY, YYYY-MM or YYYY-MM-DD, or in the future where that is wrong
  kBadCurrency,         ///< not a known three-letter code, or no rate to convert it
  kNoSource,            ///< a figure without provenance
  kLint,                ///< data that cannot be right; args rule, got, want
  kCannotRead,          ///< file cannot be read: args reason
  kCannotWrite,         ///< file cannot be written: args reason
  kCount_,              ///< number of codes, not a code
};

/// The stable snake_case name, e.g. "out_of_range".
[[nodiscard]] std::string_view issue_code_name(IssueCode code);

/// A named value put into a message: a number or a text.
struct Arg {
  std::string name;
  std::variant<double, std::string> value;
  bool operator==(const Arg&) const = default;
};
using Args = std::vector<Arg>;

/// One problem. `path` is the field as `workload.data.tokens` or `overrides.gpus[2].id`;
/// line and column (1-based) are set for files, 0 otherwise.
struct Issue {
  IssueCode code = IssueCode::kSyntax;
  std::string path;
  Args args;
  std::size_t line = 0;
  std::size_t column = 0;
  bool operator==(const Issue&) const = default;
};

enum class Severity { kInfo, kWarning, kError };
[[nodiscard]] std::string_view severity_name(Severity severity);

/// What an estimate wants to tell about a candidate or a request; `note.<name>` in the message
/// catalogs. Order groups by topic; the report's `code` is `note_code_name`.
enum class NoteCode {
  // formats and compatibility
  kBf16Emulated,       ///< no bf16 units: args slowdown
  kFp16NoTensor,       ///< fp16 without tensor cores
  kTf32OffByDefault,   ///< PyTorch leaves TF32 off; prefer fp16 or bf16
  kFp8Unavailable,     ///< args gpu
  kNoFlashAttention,   ///< the architecture is older than FlashAttention-2 supports
  kCudaTooOld,         ///< args have, need
  kCudaTooNew,         ///< args have, last
  kCudaDriver,         ///< args cuda, driver: the oldest driver that runs programs of this CUDA
  kCudaRecommended,    ///< works, but args recommended is the version to use
  kTransformerEngine,  ///< Hopper and newer: FP8 through Transformer Engine
  kPeakAccumulate,     ///< marketed peak is with FP16 accumulate: args marketed, used
  kPeakSparse,         ///< marketed peak is with sparsity: args marketed, used
  kVendorStack,        ///< not CUDA: args stack
  kEndOfLife,          ///< status eol: args last, the last CUDA where support has ended
  kAftermarket,        ///< modified memory
  kLowConfidence,      ///< figures conflict or lack a source
  // memory
  kMemoryTight,        ///< args margin_bytes
  kSumIsNotUsable,     ///< memory of several cards is not one memory
  kOffloadHostRam,     ///< args bytes
  kReservedKvCache,    ///< engine may reserve more: args bytes
  kUsableMemoryGuess,  ///< usable memory derived, not measured
  // time
  kNoP2p,                   ///< args efficiency
  kSlowLink,                ///< most of the step is communication: args share
  kInputBound,              ///< the data loader is the limit: args have_cores, want_cores
  kLaunchBound,             ///< kernels too small
  kFewMeasurements,         ///< args cases
  kEfficiencyFromRelative,  ///< no measured case on this GPU: args relative
  kOwnEfficiency,           ///< the user's efficiency was used
  kMeasuredHere,    ///< constants measured on the user's machine were used: args date, made_up
  kTwoExperiments,  ///< one card is enough; two run two experiments side by side
  kDeadlineMissed,  ///< args hours, deadline
  kIntervalCrossesDeadline,  ///< expected in time, high is late
  kNoAmountOfWork,           ///< rates only
  kConvention,               ///< which FLOP convention
  kOvertrainedEpochs,        ///< unused amount plausibility: args epochs
  // host
  kCpuCoresLow,       ///< args have, want
  kHostRamShort,      ///< args have, want
  kHostUnknown,       ///< the shape is not published
  kShapeThatWouldDo,  ///< args offer, ram_gb, gpu_count
  kHostRamAssumed,    ///< the plan needs host RAM of unknown size: args want
  kDiskShort,         ///< the data set is larger than the shape's disk: args have, want
  kDiskSlow,          ///< the job reads faster than the disk: args have, want (MB/s)
  kDataTransfer,      ///< the data set has to get there: args gb, seconds
  kCheckpointSize,    ///< args bytes, seconds to write it
  kGpuBusy,           ///< utilisation that nvidia-smi should show: args share
  // price
  kPriceConverted,  ///< args from, rate, rate_date
  kPriceUndated,
  kPriceOld,    ///< args days
  kPriceGuess,  ///< source is unverified
  kNoPrice,
  kWholeInstance,     ///< billed for more GPUs than used: args billed, used
  kSeveralInstances,  ///< args instances
  kOverBudget,        ///< args over
  kMarketplace,       ///< lowest listing, not a fixed price
  kMinimumBilling,    ///< args billed, used (hours)
  kSpotLosses,        ///< args saved, unsaved: hours billed with and without checkpoints
  // request
  kUnknownField,      ///< args path
  kEntryRefused,      ///< an own offer was left out: args path, issue
  kPlanMismatch,      ///< degrees do not divide the count
  kSamplesWhole,      ///< samples without a length count as whole sequences: args samples, seq_len
  kBeyondLength,      ///< longer sequences than the model's config allows: args seq_len, max
  kAdaptersOnConv,    ///< LoRA asked for a network of convolutions
  kModelFallback,     ///< unknown architecture read as a plain decoder: args what
  kTextPart,          ///< of a multimodal config only the language model counts: args what
  kPublishedWeights,  ///< served in the type they were published in: args type
  kFirstToken,        ///< first token later than asked
  kTokenRate,         ///< slower per request than asked
  kCount_,
};
[[nodiscard]] std::string_view note_code_name(NoteCode code);

/// A note of the report: text is made from code and args by the message catalog.
struct Note {
  NoteCode code = NoteCode::kConvention;
  Severity severity = Severity::kInfo;
  Args args;
  bool operator==(const Note&) const = default;
};

}  // namespace xuanka
