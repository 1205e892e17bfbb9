// What `xuanka probe` measured -> what a request puts over the constants.
#pragma once

#include <string>
#include <string_view>

#include "xuanka/api/request.hpp"
#include "xuanka/rank/rank.hpp"

namespace xuanka {

/// Version of the probe's JSON (assets/schema/probe.schema.json).
inline constexpr int kProbeVersion = 1;

/// `overrides.measured` of the cards in a probe's JSON: each measured rate over the catalog's
/// published one, by the formulas of the time model (core/docs/model.md), so that they stand for
/// the same constants. Cards alike are averaged. `gpu` names the card's id where its printed name
/// does not tell (empty: it must). Errors: not a probe's JSON, another version, rates that no card
/// reaches, an unknown or ambiguous card.
[[nodiscard]] Result<std::vector<MeasuredGpu>> read_probe(const Knowledge& knowledge,
                                                          std::string_view probe_json,
                                                          std::string_view gpu = {});

/// The list as JSON text, for `overrides.measured`.
[[nodiscard]] std::string measured_json(const std::vector<MeasuredGpu>& measured);

}  // namespace xuanka
