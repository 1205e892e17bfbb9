// The state as the fragment of a link: `v=1&k=lora&m=...`. Defaults are left out, the order is that
// of the field table, unknown keys are kept. Beyond 1,500 characters `z1=` (deflate, base64url).
#pragma once

#include <string>
#include <string_view>

#include "web/state.hpp"

namespace xuanka::web {

inline constexpr std::size_t kPlainLimit = 1500;  ///< characters of a plain fragment
inline constexpr std::size_t kLinkLimit = 8000;   ///< characters beyond which a link is refused

/// Without '#'. When even the packed form is over the limit, the long texts (config.json, own GPUs
/// and offers) are left out and `left_out` is set.
[[nodiscard]] std::string write_fragment(const State& state, bool* left_out = nullptr);
/// The state a fragment stands for, over a fresh page; faults become notices, never a loss of what
/// could be read. A leading '#' is accepted; empty = a fresh page.
[[nodiscard]] State read_fragment(std::string_view fragment);

}  // namespace xuanka::web
