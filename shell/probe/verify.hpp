// Estimate against measurement: one layer of a request's model, forward and backward, on this
// machine.
#pragma once

#include "shell/probe/device.hpp"
#include "xuanka/api/api.hpp"
#include "xuanka/api/probe.hpp"

namespace xuanka::probe {

/// A layer of the request's model at its sequence length and micro-batch (1 without).
/// Errors: the request's, or kUnsupportedModel for what is no plain decoder layer.
[[nodiscard]] Result<Block> block_of(const Api& api, std::string_view request_json);

/// Seconds that the time model expects of `block` on `gpu`, forward and backward, with the fitted
/// constants or those `measured`: the difference that one more layer makes to a step of many
/// micro-batches, attention unfused as in the block. nullopt when the card cannot run it.
[[nodiscard]] std::optional<double> expected_seconds(const Api& api, const Block& block,
                                                     const std::string& gpu,
                                                     const MeasuredGpu* measured);

/// The `verify` member of a probe's report: the block, both estimates, the measurement and the
/// ratios.
[[nodiscard]] std::string verify_json(const Block& block, const std::string& gpu,
                                      std::optional<double> by_constants,
                                      std::optional<double> by_measured,
                                      const Tried<BlockTiming>& timing);

}  // namespace xuanka::probe
