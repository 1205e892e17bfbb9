#include "shell/window/png.hpp"

#include <algorithm>
#include <string_view>

namespace xuanka::window {
namespace {

void put32(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((value >> shift) & 0xFFU);
}

// PNG (ISO/IEC 15948), annex D.
std::uint32_t crc(std::string_view bytes) {
  std::uint32_t value = 0xFFFFFFFFU;
  for (const char byte : bytes) {
    value ^= static_cast<std::uint8_t>(byte);
    for (int i = 0; i < 8; ++i)
      value = (value & 1U) != 0 ? 0xEDB88320U ^ (value >> 1U) : value >> 1U;
  }
  return ~value;
}

void put_chunk(std::string& out, const char* type, std::string_view data) {
  put32(out, static_cast<std::uint32_t>(data.size()));
  const std::string body = std::string(type).append(data);
  out += body;
  put32(out, crc(body));
}

// zlib (RFC 1950) around stored blocks (RFC 1951).
std::string stored(std::string_view data) {
  constexpr std::size_t kBlock = 65535;
  std::string out = "\x78\x01";
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const char byte : data) {
    a = (a + static_cast<std::uint8_t>(byte)) % 65521U;
    b = (b + a) % 65521U;
  }
  for (std::size_t at = 0; at < data.size(); at += kBlock) {
    const std::size_t size = std::min(kBlock, data.size() - at);
    out += static_cast<char>(at + size == data.size() ? 1 : 0);
    for (const std::size_t value : {size, ~size}) {
      out += static_cast<char>(value & 0xFFU);
      out += static_cast<char>((value >> 8U) & 0xFFU);
    }
    out.append(data, at, size);
  }
  put32(out, (b << 16U) | a);
  return out;
}

}  // namespace

std::string png_of(std::uint32_t width, std::uint32_t height,
                   const std::vector<std::uint8_t>& rgb) {
  std::string rows;
  const std::size_t stride = std::size_t{width} * 3;
  for (std::size_t y = 0; y < height; ++y) {
    rows += '\0';  // filter: none
    for (std::size_t i = 0; i < stride; ++i) rows += static_cast<char>(rgb[y * stride + i]);
  }
  std::string head;
  put32(head, width);
  put32(head, height);
  head += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, RGB
  std::string out = "\x89PNG\r\n\x1a\n";
  put_chunk(out, "IHDR", head);
  put_chunk(out, "IDAT", stored(rows));
  put_chunk(out, "IEND", {});
  return out;
}

}  // namespace xuanka::window
