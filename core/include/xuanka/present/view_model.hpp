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
};
struct Alternative {
  std::string title, headline, detail;  ///< "faster", "8 x RTX 4090 · 9.9 h", "¥166, ¥14 more"
  std::size_t candidate = 0;
};
/// The answer card.
struct AnswerView {
  std::string headline;  ///< "4 × RTX 4090, 18 h, ¥152"
  std::string range;     ///< "(15–22 h, ¥126–184)"
  std::string why;       ///< one line
  std::vector<Pill> pills;
  std::vector<Alternative> alternatives;
  std::vector<std::string> watch;  ///< notes as sentences
  bool has_answer = false;
};
/// One row of the plan table; numbers for sorting and drawing, texts for showing.
struct CandidateRow {
  std::string label;                 ///< "4 × RTX 4090 24GB"
  std::string gpu;
  int count = 1;
  Verdict verdict = Verdict::kOk;
  Pill verdict_pill;
  std::optional<double> hours, hours_low, hours_high;
  std::string hours_text, hours_range_text;
  std::optional<double> cost;
  std::string cost_text;
  double memory_gb = 0, usable_gb = 0;
  MemoryVerdict memory_verdict = MemoryVerdict::kFits;
  std::string memory_text;
  std::optional<double> mfu, pflop_per_money, gb_per_money;
  std::string mfu_text, pflop_text, gb_text, cores_text, ram_text;
  std::string change_text;           ///< for does_not_fit: the change that would help
  std::vector<double> memory_parts_gb;  ///< in the order of `memory_part_names`
  bool recommended = false;
};
struct ViewModel {
  AnswerView answer;
  std::vector<CandidateRow> rows;
  std::vector<std::string> memory_part_names;
  std::optional<double> deadline_hours;
  std::string currency_symbol, model_line, data_line;
};

[[nodiscard]] ViewModel present(const Knowledge& knowledge, const Request& request, const Report& report,
                                const Messages& messages, Lang lang);

/// "How computed" of one candidate: formula, numbers put in, result, source, in order.
struct ExplainStep {
  std::string title, formula, substituted, result, source;
  std::string note;
};
[[nodiscard]] std::vector<ExplainStep> explain_candidate(const Knowledge& knowledge, const Request& request,
                                                         const Report& report, std::size_t candidate,
                                                         const Messages& messages, Lang lang);

}  // namespace xuanka
