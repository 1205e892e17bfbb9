// The view model: what every skin shows (canvas, HTML twin, command line), already worded for one
// language, so that skins only lay out. Built from a Report; holds no engine types.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "xuanka/rank/rank.hpp"
#include "xuanka/text/text.hpp"

namespace xuanka {

enum class Tone { kNeutral, kOk, kWarn, kBad, kAccent };

struct Pill {
  std::string text;
  Tone tone = Tone::kNeutral;
  std::string detail;  ///< longer explanation, shown on hover
  bool operator==(const Pill&) const = default;
};
struct Alternative {
  std::string title, headline, detail;  ///< "faster", "8 × RTX 4090 · 9.9 h", "¥166, ¥14 more"
  std::size_t candidate = 0;
};
/// A note as a sentence.
struct NoteLine {
  std::string text;
  Severity severity = Severity::kInfo;
  NoteCode code = NoteCode::kConvention;
};
/// The answer card: of the recommendation, or of the row that was clicked.
struct AnswerView {
  std::string headline;  ///< "4 × RTX 4090, 18 h, ¥152"
  std::string range;     ///< "(15–22 h, ¥126–184)"; empty without an amount of work
  std::string why;       ///< one line
  std::vector<Pill> pills;
  std::vector<Alternative> alternatives;
  std::vector<NoteLine> watch;  ///< notes, warnings first
  bool has_answer = false;      ///< false: nothing qualifies, `why` says what came nearest
};
/// What is said of a row only where there is room or somebody points at it; an em dash where there
/// is nothing to say.
struct RowWords {
  std::string hours_range;  ///< "15–22 h"
  std::string rate;         ///< "23 k tokens/s"
  std::string cost_range;   ///< "¥126–184"
  std::string price;        ///< "AIStudio, ¥8.36/h, undated"; empty without a price
  std::string memory;       ///< "20.6 GiB of 23.5, 2.9 to spare"
  std::string plan;         ///< "ZeRO-2, micro-batch 2, full recompute"
  std::string change;       ///< for does_not_fit and tight: the change that would help
};
/// One row of the plan table, in the order of the report; numbers for sorting and drawing, texts
/// for showing (an em dash where there is nothing to show).
struct CandidateRow {
  std::string label;  ///< "4 × RTX 4090"
  std::string gpu;    ///< id
  int count = 1, nodes = 1;
  Verdict verdict = Verdict::kOk;
  Pill verdict_pill;
  std::optional<double> hours, hours_low, hours_high;
  std::string hours_text;  ///< "18"
  double units_per_second = 0;
  std::optional<double> cost, cost_low, cost_high;
  std::string cost_text;                  ///< "¥152"
  double memory_gib = 0, usable_gib = 0;  ///< per GPU: 2^30 bytes, as nvidia-smi counts
  double memory_low_gib = 0, memory_high_gib = 0;
  MemoryVerdict memory_verdict = MemoryVerdict::kFits;
  std::string memory_text;                                   ///< "20.6"
  std::optional<double> mfu, pflop_per_money, gb_per_money;  ///< in the view's units
  std::string mfu_text, pflop_text, gb_text, cores_text, ram_text;
  std::string solved_text;               ///< answer of the inverse question; empty without one
  std::vector<double> memory_parts_gib;  ///< in the order of `ViewModel::memory_part_names`
  bool recommended = false;
  RowWords words;  ///< with RowTexts::kAll
};
struct ViewModel {
  AnswerView answer;
  std::vector<CandidateRow> rows;
  std::vector<NoteLine> notes;  ///< of the request, not of a candidate
  std::vector<std::string> memory_part_names;
  std::optional<double> deadline_hours;
  std::string currency_symbol;
  /// What `pflop_text` and `gb_text` of the rows are in: "PFLOP/¥", "GB·h/¥" when renting,
  /// "GFLOPS/¥", "GB/k¥" of cards that are bought.
  std::string flops_unit, memory_unit;
  std::string model_line;    ///< "Llama 2 7B, 6.74 B parameters, 46.1 GFLOP per token"
  std::string data_line;     ///< "50 M tokens, sequences of 2,048"; empty for a rate only
  std::string assumed_line;  ///< what was filled in; empty when nothing was
};

/// Which texts of the rows are made: hundreds of words take as long as the ranking itself.
enum class RowTexts { kAll, kTable };

[[nodiscard]] ViewModel present(const Knowledge& knowledge, const Request& request,
                                const Report& report, const Messages& messages, Lang lang,
                                RowTexts texts = RowTexts::kAll);

/// `CandidateRow::words` of one candidate (`candidate` < report.candidates.size()).
[[nodiscard]] RowWords row_words(const Knowledge& knowledge, const Request& request,
                                 const Report& report, std::size_t candidate,
                                 const Messages& messages, Lang lang);

/// The answer card of one candidate (`candidate` < report.candidates.size()).
[[nodiscard]] AnswerView present_answer(const Knowledge& knowledge, const Request& request,
                                        const Report& report, std::size_t candidate,
                                        const Messages& messages, Lang lang);

/// "4 × RTX 4090": count and display name.
[[nodiscard]] std::string candidate_label(const Knowledge& knowledge, const Request& request,
                                          const Candidate& candidate);

/// "How computed" of one candidate: formula, numbers put in, result, source, in order.
struct ExplainStep {
  std::string id;  ///< "params", "flops", "peak", ...: stable, for tests and anchors
  std::string title, formula, substituted, result, source;
  std::string note;
  double value = 0;  ///< the result as a number, in the unit of `result`'s base
};
[[nodiscard]] std::vector<ExplainStep> explain_candidate(const Knowledge& knowledge,
                                                         const Request& request,
                                                         const Report& report,
                                                         std::size_t candidate,
                                                         const Messages& messages, Lang lang);

}  // namespace xuanka
