#pragma once

#include <optional>
#include <string>
#include <vector>

#include "xuanka/present/view_model.hpp"

namespace xuanka {

/// The view model as JSON, keys named and ordered as its members.
[[nodiscard]] std::string view_json(const ViewModel& view);
/// {"version":1,"ok":true,"candidate":{...} or null,"steps":[...]}
[[nodiscard]] std::string explain_json(const Report& report, std::optional<std::size_t> candidate,
                                       const std::vector<ExplainStep>& steps);

}  // namespace xuanka
