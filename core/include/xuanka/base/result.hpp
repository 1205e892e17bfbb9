// The result type of everything in core that can fail, and the early-return helper.
#pragma once

#include <tl/expected.hpp>
#include <vector>

#include "xuanka/base/issues.hpp"

namespace xuanka {

/// A value, or every problem found (never empty in the error case).
template <class T>
using Result = tl::expected<T, std::vector<Issue>>;

}  // namespace xuanka

/// Evaluates `expr` (a Result); on error returns its issues from the enclosing function, else binds
/// the value to `var`.
#define XUANKA_TRY(var, expr)                                                \
  auto var##_result = (expr);                                                \
  if (!var##_result) return tl::unexpected(std::move(var##_result).error()); \
  auto var = std::move(*var##_result)
