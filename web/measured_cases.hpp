// The shipped measurements beside their estimates, as a short text that is written when the site is
// built and read when somebody looks at it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "xuanka/validate/validate.hpp"

namespace xuanka::web {

/// What was measured: one mark in the picture.
enum class CaseKind : std::uint8_t { kTraining, kServing, kMemory, kMatmul, kLink, kCount_ };
inline constexpr std::size_t kCaseKinds = static_cast<std::size_t>(CaseKind::kCount_);
/// training | serving | memory | matmul | link: `ui.case.<word>` of the messages.
[[nodiscard]] std::string_view case_kind_name(CaseKind kind);

/// One measured case; both figures in the unit of its source.
struct MeasuredPoint {
  std::string id, gpu, source, unit;  ///< gpu: catalog id, or the name that was printed
  CaseKind kind = CaseKind::kTraining;
  double measured = 0, predicted = 0, low = 0, high = 0;
  /// predicted / measured - 1
  [[nodiscard]] double error() const { return predicted / measured - 1; }
};

/// Every compared case of a validation as lines of text. Skipped and excluded cases are left out.
[[nodiscard]] std::string write_measured(const ValidationReport& report);
/// Reads what write_measured wrote; lines of any other form are passed over.
[[nodiscard]] std::vector<MeasuredPoint> read_measured(std::string_view text);

/// How far the estimates lie from what was measured.
struct MeasuredSummary {
  std::size_t cases = 0;
  double median_error = 0;  ///< of |predicted / measured - 1|
  double near_share = 0;    ///< share within 20 %
  double inside_share = 0;  ///< share measured within [low, high]
};
[[nodiscard]] MeasuredSummary summarise(const std::vector<const MeasuredPoint*>& points);

}  // namespace xuanka::web
