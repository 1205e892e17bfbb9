// The one door: JSON text in, JSON text out. Page, twin, command line, node and batch all come
// here.
#pragma once

#include <string>
#include <string_view>

#include "xuanka/present/view_model.hpp"
#include "xuanka/rank/rank.hpp"
#include "xuanka/text/text.hpp"

namespace xuanka {

/// What ships, loaded once. Reentrant: all calls are const.
class Api {
 public:
  /// Loads the embedded catalog, constants and messages. Errors: faults in shipped data.
  [[nodiscard]] static Result<Api> create();

  /// Request text -> report text (contract v1), or the `ok: false` form. One line, no line feed.
  [[nodiscard]] std::string rank(std::string_view request_json, Lang lang = Lang::kEn) const;
  /// The formulas of the best candidate as JSON:
  /// {"version":1,"ok":true,"candidate":..,"steps":[..]}.
  [[nodiscard]] std::string explain(std::string_view request_json, Lang lang) const;
  /// View model of a request as JSON, worded in `lang`: what the HTML twin shows.
  [[nodiscard]] std::string view(std::string_view request_json, Lang lang) const;
  /// As `view`, typed: what the canvas and the command line draw. Errors: the request's issues.
  [[nodiscard]] Result<ViewModel> view_model(std::string_view request_json, Lang lang) const;
  /// As `explain`, typed: the steps of the best candidate; empty when there is none.
  [[nodiscard]] Result<std::vector<ExplainStep>> explain_steps(std::string_view request_json,
                                                               Lang lang) const;
  /// `what`: gpus | models | offers | datasets | sources | purchase. JSON array
  /// text, as shipped; the `ok: false` form for any other word.
  [[nodiscard]] std::string catalog(std::string_view what) const;

  [[nodiscard]] const Knowledge& knowledge() const { return knowledge_; }
  [[nodiscard]] const Messages& messages() const { return messages_; }

 private:
  [[nodiscard]] std::string refusal(const ParsedRequest& parsed, Lang lang) const;

  Knowledge knowledge_;
  Messages messages_;
};

/// Version of the program, as the report's `versions.app`.
[[nodiscard]] std::string_view app_version();

/// The report as JSON text.
[[nodiscard]] std::string report_json(const Knowledge& knowledge, const Request& request,
                                      const Report& report, const Messages& messages, Lang lang);
/// The `ok: false` form. `id` is a JSON number's text when `id_is_number`.
[[nodiscard]] std::string issues_json(std::string_view id, bool has_id, bool id_is_number,
                                      const std::vector<Issue>& issues, const Messages& messages,
                                      Lang lang);

}  // namespace xuanka
