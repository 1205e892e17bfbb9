#include "xuanka/base/issues.hpp"

#include <array>

namespace xuanka {
namespace {

constexpr auto kIssueNames = std::to_array<std::string_view>({
    "syntax",
    "too_large",
    "too_deep",
    "duplicate_key",
    "not_finite",
    "wrong_type",
    "missing",
    "unknown_field",
    "out_of_range",
    "not_integer",
    "unknown_id",
    "unknown_value",
    "duplicate_id",
    "conflict",
    "unsupported_version",
    "unsupported_model",
    "bad_date",
    "bad_currency",
    "no_source",
    "lint",
    "cannot_read",
    "cannot_write",
});
static_assert(kIssueNames.size() == static_cast<std::size_t>(IssueCode::kCount_));

constexpr auto kNoteNames = std::to_array<std::string_view>({
    // formats and compatibility
    "bf16_emulated",
    "fp16_no_tensor",
    "tf32_off_by_default",
    "fp8_unavailable",
    "no_flash_attention",
    "cuda_too_old",
    "cuda_too_new",
    "cuda_driver",
    "cuda_recommended",
    "transformer_engine",
    "peak_accumulate",
    "peak_sparse",
    "vendor_stack",
    "end_of_life",
    "aftermarket",
    "low_confidence",
    // memory
    "memory_tight",
    "sum_is_not_usable",
    "offload_host_ram",
    "reserved_kv_cache",
    "usable_memory_guess",
    // time
    "no_p2p",
    "slow_link",
    "input_bound",
    "launch_bound",
    "few_measurements",
    "efficiency_from_relative",
    "own_efficiency",
    "measured_here",
    "two_experiments",
    "deadline_missed",
    "interval_crosses_deadline",
    "no_amount_of_work",
    "convention",
    "overtrained_epochs",
    // host
    "cpu_cores_low",
    "host_ram_short",
    "host_unknown",
    "shape_that_would_do",
    "host_ram_assumed",
    "disk_short",
    "disk_slow",
    "data_transfer",
    "checkpoint_size",
    "gpu_busy",
    // price
    "price_converted",
    "price_undated",
    "price_old",
    "price_guess",
    "no_price",
    "whole_instance",
    "several_instances",
    "over_budget",
    "marketplace",
    "minimum_billing",
    "spot_losses",
    // request
    "unknown_field",
    "entry_refused",
    "plan_mismatch",
    "samples_whole",
    "beyond_length",
    "adapters_on_conv",
    "model_fallback",
    "text_part",
    "published_weights",
    "first_token",
    "token_rate",
});
static_assert(kNoteNames.size() == static_cast<std::size_t>(NoteCode::kCount_));

constexpr auto kSeverityNames = std::to_array<std::string_view>({"info", "warning", "error"});

template <std::size_t N, class E>
std::string_view entry(const std::array<std::string_view, N>& names, E value) {
  const auto index = static_cast<std::size_t>(value);
  return index < N ? names[index] : std::string_view{};
}

}  // namespace

std::string_view issue_code_name(IssueCode code) { return entry(kIssueNames, code); }
std::string_view note_code_name(NoteCode code) { return entry(kNoteNames, code); }
std::string_view severity_name(Severity severity) { return entry(kSeverityNames, severity); }

}  // namespace xuanka
