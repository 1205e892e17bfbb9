// Arithmetic of one pass that training and serving share.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "xuanka/time/step_model.hpp"

namespace xuanka {

/// Seconds of a pass of `tokens`; the shares are 1 over the degree that divides each part.
inline double pass_seconds(const PassCost& cost, double tokens, double per_tensor,
                           double per_sequence, double per_expert) {
  return tokens * (cost.token_t * per_tensor + cost.token + cost.token_sp * per_sequence) +
         cost.fixed_t * per_tensor + cost.fixed_e * per_expert;
}

/// ceil(log2 n) for n >= 1.
inline double doublings(double n) {
  if (n <= 1) return 0;
  return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
}

/// The larger of two that wait for one another now and then: (x^4 + y^4)^(1/4). Host and GPU of
/// nearly the same speed leave gaps at both; where one is twice as fast, it is within 2 % of the
/// larger.
inline double soft_max(double x, double y) {
  const double larger = std::max(x, y);
  if (larger <= 0) return 0;
  const double ratio = std::min(x, y) / larger;
  const double square = ratio * ratio;
  return larger * std::sqrt(std::sqrt(1 + square * square));
}

/// What part of `seconds` stays visible when it runs beside `cover` seconds of compute.
inline double exposed(double seconds, double share, double cover) {
  const double hidden = (1 - share) * seconds;
  return share * seconds + std::max(0.0, hidden - cover);
}

}  // namespace xuanka
