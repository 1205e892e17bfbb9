// The wizard's state and how it changes. A pure value: no Dear ImGui, no clock, no platform.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "web/fields.hpp"
#include "xuanka/base/issues.hpp"

namespace xuanka::web {

/// A sentence shown until it is closed: `ui.n.<code>` of the messages with `args`.
struct Notice {
  std::string code;
  Args args;
  bool bad = false;
  bool operator==(const Notice&) const = default;
};
/// Which column a table is sorted by; -1 = as ranked.
struct SortOrder {
  int column = -1;
  bool descending = false;
  bool operator==(const SortOrder&) const = default;
};
/// Tables and lists that remember a sort order and a filter.
enum class ListId : std::uint8_t {
  kPlans,
  kGpus,
  kOffers,
  kValue,
  kMeasured,
  kModels,
  kCases,
  kCount_
};
inline constexpr std::size_t kListCount = static_cast<std::size_t>(ListId::kCount_);

/// Lines of the forms for an own price and an own card, before they are added.
enum class DraftId : std::uint8_t {
  kOfferGpu,
  kOfferCount,
  kOfferPrice,
  kGpuName,
  kGpuMemory,
  kGpuBandwidth,
  kGpuTflops,
  kCount_
};

struct State {
  /// What was entered, field by field, exactly as typed ("" = left to the tool). Text, so that
  /// nothing typed is ever lost, however wrong.
  std::array<std::string, kFieldCount> values;
  /// Keys of a link that this version does not know: carried along.
  std::vector<std::pair<std::string, std::string>> unknown;
  std::vector<Notice> notices;
  Step step = Step::kModel;
  std::array<SortOrder, kListCount> sort{};
  std::array<std::string, kListCount> filter;
  std::array<std::string, static_cast<std::size_t>(DraftId::kCount_)> drafts;
  std::string case_kind;  ///< measured tab: which kind is shown; "" = all
  bool show_more = false;
  bool all_rows = false;    ///< the whole plan table
  bool sheet_open = false;  ///< phone: the wizard covers the page

  [[nodiscard]] const std::string& text(FieldId id) const {
    return values[static_cast<std::size_t>(id)];
  }
  [[nodiscard]] std::string& text(FieldId id) { return values[static_cast<std::size_t>(id)]; }
  [[nodiscard]] std::optional<double> number(FieldId id) const { return read_number(text(id)); }
  [[nodiscard]] bool is(FieldId id, std::string_view word) const { return text(id) == word; }
  [[nodiscard]] std::vector<std::string> many(FieldId id) const;
  /// The page that embeds this one has fixed the field (key `lock` of the link): it is shown, and
  /// no action changes it. A fixed model also fixes where the model comes from.
  [[nodiscard]] bool locked(FieldId id) const;
  bool operator==(const State&) const = default;
};

/// A fresh page.
[[nodiscard]] State initial_state();

// -- what can happen
struct SetField {
  FieldId id;
  std::string value;
};
/// Adds or removes one word of a kMany field.
struct ToggleWord {
  FieldId id;
  std::string word;
};
/// A preset was chosen; `group` is the catalog's (language, vision, ...), `dataset` what such
/// models are usually trained on (may be empty), `epochs` its usual number.
struct PickModel {
  std::string id, group, dataset;
  double epochs = 1;
};
struct GoStep {
  Step step;
};
struct SortBy {
  ListId list;
  int column;
};
struct SetFilter {
  ListId list;
  std::string text;
};
struct SetDraft {
  DraftId id;
  std::string text;
};
/// A change that the report proposes, by request path.
struct ApplyChange {
  std::string path;
  std::variant<double, std::string, bool> value;
};
/// Which measured cases are shown; "" = all.
struct ShowCases {
  std::string kind;
};
struct AddNotice {
  Notice notice;
};
struct CloseNotice {
  std::size_t index;
};
struct ShowMore {
  bool on;
};
struct ShowAllRows {
  bool on;
};
struct OpenSheet {
  bool on;
};
struct StartAgain {};
/// All inputs at once (a link, an imported request).
struct Replace {
  State state;
};
using Action = std::variant<SetField, ToggleWord, PickModel, GoStep, SortBy, SetFilter, SetDraft,
                            ApplyChange, ShowCases, AddNotice, CloseNotice, ShowMore, ShowAllRows,
                            OpenSheet, StartAgain, Replace>;

/// The next state. Pure; unknown paths and indexes change nothing.
[[nodiscard]] State reduce(State state, const Action& action);

/// Shortest decimal text that reads back as the same double ("5e7" style only from 1e21 on).
[[nodiscard]] std::string number_text(double value);

/// The step that follows or precedes, staying inside the wizard.
[[nodiscard]] Step step_after(Step step);
[[nodiscard]] Step step_before(Step step);

}  // namespace xuanka::web
