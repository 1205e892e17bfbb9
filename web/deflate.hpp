// Raw DEFLATE (RFC 1951) and base64url (RFC 4648 section 5) for long links. Small and synchronous,
// the same bytes on every platform.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace xuanka::web {

/// One block with the fixed Huffman code, matches found by hashing.
[[nodiscard]] std::string deflate(std::string_view plain);
/// The plain bytes of a raw DEFLATE stream; nullopt when it is broken or longer than `max_size`.
[[nodiscard]] std::optional<std::string> inflate(std::string_view packed, std::size_t max_size);

/// Without padding.
[[nodiscard]] std::string to_base64url(std::string_view bytes);
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

}  // namespace xuanka::web
