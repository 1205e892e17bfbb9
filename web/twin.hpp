// The inputs and results as JSON for the HTML twin: the same tables and texts as on the canvas.
#pragma once

#include <string>

#include "web/ui.hpp"

namespace xuanka::web {

/// See App::form_json.
[[nodiscard]] std::string write_form(const Api& api, const State& state, const Computed& computed,
                                     Lang lang);
/// See App::results_json.
[[nodiscard]] std::string write_results(const Ui& ui);

}  // namespace xuanka::web
