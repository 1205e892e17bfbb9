// Wording shared by the answer card, the plan table and the explanation. Internal to present.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xuanka/present/view_model.hpp"

namespace xuanka::present_detail {

inline constexpr std::string_view kNothing = "—";

/// Everything a sentence needs, passed on together.
struct Context {
  const Knowledge& knowledge;
  const Request& request;
  const Report& report;
  const Messages& messages;
  Lang lang;

  [[nodiscard]] std::string say(std::string_view id, const Args& args = {}) const {
    return messages.format(lang, id, args);
  }
  [[nodiscard]] std::string word(std::string_view contract_word) const {
    return messages.word(lang, contract_word);
  }
  [[nodiscard]] std::string duration(Seconds seconds) const {
    return format_duration(lang, seconds);
  }
  /// ", " or "，".
  [[nodiscard]] std::string_view comma() const { return lang == Lang::kZh ? "，" : ", "; }
  [[nodiscard]] bool inference() const { return request.workload.kind == JobKind::kInference; }
};

/// The card, of the user's own list first; nullptr when the id is in neither.
[[nodiscard]] const Gpu* find_gpu(const Context& context, std::string_view id);
/// The offer, of the user's own list first.
[[nodiscard]] const Offer* find_offer(const Context& context, std::string_view id);
/// "RTX 4090" of "GeForce RTX 4090": the maker's product line adds nothing.
[[nodiscard]] std::string short_gpu_name(const Gpu& gpu);
/// Whether the plan can run at all: only then do its hours and cost mean anything.
[[nodiscard]] inline bool runs(const Candidate& candidate) {
  return candidate.verdict != Verdict::kUnsupported && candidate.verdict != Verdict::kDoesNotFit;
}
/// "tokens/s" and the like: 23 k tokens/s.
[[nodiscard]] std::string rate_text(const Context& context, double units_per_second);
/// "152 元" / "¥152 per 1e6 output tokens".
[[nodiscard]] std::string cost_words(const Context& context, const CostEstimate& cost);
/// "AIStudio, ¥8.36/h, undated"; empty without a price.
[[nodiscard]] std::string price_text(const Context& context, const Candidate& candidate);
/// "ZeRO-2, micro-batch 2, full recompute".
[[nodiscard]] std::string plan_text(const Context& context, const Candidate& candidate);
/// "micro-batch 1": one change in words.
[[nodiscard]] std::string change_text(const Context& context, const FitChange& change);
/// "4", "6.74 B": the answer of the inverse question; empty where none was asked.
[[nodiscard]] std::string solved_text(const Candidate& candidate);
/// "The largest micro-batch that fits is 4." or that there is none; empty where none was asked.
[[nodiscard]] std::string solved_sentence(const Context& context, const Candidate& candidate);
/// Notes as sentences, errors first, then warnings; otherwise in the report's order.
[[nodiscard]] std::vector<NoteLine> note_lines(const Context& context,
                                               const std::vector<Note>& notes);
/// Texts joined by ", " or "，".
[[nodiscard]] std::string join(const Context& context, const std::vector<std::string>& parts);

}  // namespace xuanka::present_detail
