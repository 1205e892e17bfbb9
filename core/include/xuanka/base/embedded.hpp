// The catalog and the message texts as they lie in the program itself: the core reads no files.
#pragma once

#include <span>
#include <string_view>

namespace xuanka::assets {

/// One file of assets/, minified, compiled in. Both views live as long as the program.
struct EmbeddedFile {
  std::string_view name;  ///< file name without its folder, e.g. "gpus.json"
  std::string_view text;  ///< the JSON text, UTF-8, without insignificant white space
};

/// assets/catalog/*.json, ordered by name (bytewise).
[[nodiscard]] std::span<const EmbeddedFile> catalog_files();

/// assets/messages/*.json, ordered by name (bytewise).
[[nodiscard]] std::span<const EmbeddedFile> message_files();

/// assets/measurements/*.json, ordered by name (bytewise). Only in xuanka::measurements, which the
/// wasm modules do not link.
[[nodiscard]] std::span<const EmbeddedFile> measurement_files();

/// assets/reference/*.json, ordered by name (bytewise). Only in xuanka::reference, which the wasm
/// modules do not link: the page fetches these files when they are asked for.
[[nodiscard]] std::span<const EmbeddedFile> reference_files();

}  // namespace xuanka::assets
