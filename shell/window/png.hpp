// A picture as PNG, without compression: no library for one file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace xuanka::window {

/// `rgb`: rows from the top, three bytes a pixel.
[[nodiscard]] std::string png_of(std::uint32_t width, std::uint32_t height,
                                 const std::vector<std::uint8_t>& rgb);

}  // namespace xuanka::window
