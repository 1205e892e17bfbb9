// From the state to everything the panels show. Recomputed only when the request changed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "web/measured_cases.hpp"
#include "web/request.hpp"
#include "web/state.hpp"
#include "web/value_rows.hpp"
#include "xuanka/api/api.hpp"
#include "xuanka/cost/ledger.hpp"
#include "xuanka/present/view_model.hpp"

namespace xuanka::web {

struct Computed {
  Facts facts;
  std::string request_text;
  std::vector<FieldFault> faults;  ///< entries that are no numbers, ...
  std::vector<Issue> issues;       ///< what the core refused; `view` is then the last good one
  bool current = false;            ///< `view` belongs to `request_text`
  Currency shown;                  ///< what amounts are in
  Currency asked;                  ///< the request's own: prices are looked up in it

  std::unique_ptr<Request> request;  ///< outlives `report`, which points into it
  Report report;                     ///< amounts in `shown`
  ViewModel view;
  AnswerView answer;                     ///< of the selected row, else of the recommendation
  std::optional<std::size_t> candidate;  ///< the row `answer` is about
  int generation = 0;                    ///< counts recomputations
  std::string key;                       ///< what was computed last: request, language, currency
  std::string answer_key;                ///< and the row shown

  std::vector<MeasuredPoint> measured;  ///< empty until the tab that shows them was opened
  bool measured_failed = false;         ///< they could not be had

  /// Computed when a panel first asks, kept until the request changes.
  [[nodiscard]] const std::vector<ValueRow>& values(const Api& api) const;
  /// What is said of a row beside the table.
  [[nodiscard]] const RowWords& words(const Api& api, Lang lang, std::size_t row) const;
  /// How the row `candidate` was computed.
  [[nodiscard]] const std::vector<ExplainStep>& explained(const Api& api, Lang lang) const;
  /// Renting against owning the row `candidate`, amounts in `shown`. Where the recommended card
  /// cannot be bought, the best one that can. Empty without one.
  [[nodiscard]] const std::optional<Ledger>& ledger(const Api& api) const;
  /// The row it is about.
  [[nodiscard]] std::size_t ledger_row() const { return ledger_row_; }

 private:
  mutable std::optional<Ledger> ledger_;
  mutable std::string ledger_of_;
  mutable std::size_t ledger_row_ = 0;
  mutable std::vector<ValueRow> values_;
  mutable int values_of_ = -1;
  mutable std::vector<std::optional<RowWords>> words_;
  mutable std::string words_of_;
  mutable std::vector<ExplainStep> steps_;
  mutable std::string steps_of_;
};

/// Brings `computed` up to date with `state`; true when anything was computed anew.
bool recompute(const Api& api, const State& state, Lang lang, Computed& computed);

/// "rtx-4090-24gb:4": how a row is named in links.
[[nodiscard]] std::string row_name(std::string_view gpu, int count);

/// A problem of the request by the label of its field, or by its path where no field is its own.
[[nodiscard]] std::string fault_text(const Messages& messages, Lang lang, const Issue& issue);
/// What is wrong with an input, as a sentence; empty when nothing is.
[[nodiscard]] std::string field_error(const Messages& messages, Lang lang, const Computed& computed,
                                      FieldId id);

}  // namespace xuanka::web
