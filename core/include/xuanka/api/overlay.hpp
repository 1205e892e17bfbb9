#pragma once

#include "xuanka/api/request.hpp"

namespace xuanka {

/// Whether the request brings anything that `overlay` would put into the catalog.
[[nodiscard]] bool has_own_entries(const Overrides& overrides);

}  // namespace xuanka
