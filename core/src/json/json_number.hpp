// Decimal text -> double, without the C library's locale.
#pragma once

#include <optional>
#include <string_view>

namespace xuanka::json {

/// The double nearest to `text` (ties to even), which must be a JSON number; nullopt beyond the
/// range of double. Tiny numbers become 0.
[[nodiscard]] std::optional<double> number_of(std::string_view text);

}  // namespace xuanka::json
