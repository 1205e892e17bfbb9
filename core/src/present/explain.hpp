// The parts of the explanation, one function per topic. Internal to present.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "present/wording.hpp"

namespace xuanka::present_detail {

/// Steps as they are added; texts come from `explain.<id>.title`, `.formula` and, where they
/// exist, `.source` and `.note`.
class Explanation {
 public:
  Explanation(const Context& context, const Candidate& candidate)
      : context_(context), candidate_(candidate) {}

  [[nodiscard]] const Context& context() const { return context_; }
  [[nodiscard]] const Candidate& candidate() const { return candidate_; }
  /// A step; `source` replaces the message's.
  ExplainStep& add(std::string_view id, double value, std::string substituted, std::string result,
                   std::string source = {});
  [[nodiscard]] std::vector<ExplainStep> take() { return std::move(steps_); }

 private:
  const Context& context_;
  const Candidate& candidate_;
  std::vector<ExplainStep> steps_;
};

/// The factors with " × " between them.
[[nodiscard]] std::string times(std::initializer_list<std::string> factors);

/// Requests that one replica serves at once.
[[nodiscard]] double requests_at_once(const Candidate& candidate);

/// Titles of the sources with these ids, "; " between them.
[[nodiscard]] std::string source_titles(const Context& context,
                                        const std::vector<std::string>& ids);

void explain_work(Explanation& out);    ///< parameters, FLOPs per unit and of the job
void explain_speed(Explanation& out);   ///< peak, step, rate, utilisation, time
void explain_memory(Explanation& out);  ///< parts, sum, usable
void explain_money(Explanation& out);   ///< price, cost, value
void explain_host(Explanation& out);    ///< cores, RAM

}  // namespace xuanka::present_detail
