// --overlay FILE: what a file brings is put under `overrides` of the request.
#pragma once

#include "shell/cli/shell.hpp"

namespace xuanka::cli {

/// Members of an overlay file as JSON texts: an overlay as `xuanka check` takes it, or the report
/// of `xuanka probe`. Complains and gives nullopt when it is neither; `status` is how to leave.
struct OverlayMember {
  std::string key, text;
};
[[nodiscard]] std::optional<std::vector<OverlayMember>> read_overlay_file(const Shell& shell,
                                                                          const std::string& path,
                                                                          int& status);

/// `request` with the members put under its `overrides` that are not there yet. What is not a JSON
/// object stays as it is: the core says what is wrong with it.
[[nodiscard]] std::string with_overlay(const std::string& request,
                                       const std::vector<OverlayMember>& members);

}  // namespace xuanka::cli
