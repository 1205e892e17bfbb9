#include "web/deflate.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace xuanka::web {
namespace {

// RFC 1951 section 3.2.5.
constexpr std::array<int, 29> kLengthBase{3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                          15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                          67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<int, 29> kLengthBits{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                          2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::array<int, 30> kDistanceBase{
    1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
    193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr std::array<int, 30> kDistanceBits{0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                            6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

class BitWriter {
 public:
  void bits(unsigned value, int count) {
    for (int i = 0; i < count; ++i) {
      if (fill_ == 0) out_ += '\0';
      out_.back() = static_cast<char>(static_cast<unsigned char>(out_.back()) |
                                      (((value >> i) & 1U) << fill_));
      fill_ = (fill_ + 1) & 7;
    }
  }
  // Huffman codes are packed from their most significant bit.
  void code(unsigned value, int count) {
    for (int i = count - 1; i >= 0; --i) bits((value >> i) & 1U, 1);
  }
  // The fixed literal and length code of section 3.2.6.
  void symbol(int s) {
    const auto u = static_cast<unsigned>(s);
    if (s < 144) {
      code(0x30 + u, 8);
    } else if (s < 256) {
      code(0x190 + u - 144, 9);
    } else if (s < 280) {
      code(u - 256, 7);
    } else {
      code(0xC0 + u - 280, 8);
    }
  }
  void match(int length, int distance) {
    const auto l = static_cast<std::size_t>(
        std::upper_bound(kLengthBase.begin(), kLengthBase.end(), length) - kLengthBase.begin() - 1);
    symbol(257 + static_cast<int>(l));
    bits(static_cast<unsigned>(length - kLengthBase[l]), kLengthBits[l]);
    const auto d = static_cast<std::size_t>(
        std::upper_bound(kDistanceBase.begin(), kDistanceBase.end(), distance) -
        kDistanceBase.begin() - 1);
    code(static_cast<unsigned>(d), 5);
    bits(static_cast<unsigned>(distance - kDistanceBase[d]), kDistanceBits[d]);
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  int fill_ = 0;
};

class BitReader {
 public:
  explicit BitReader(std::string_view in) : in_(in) {}
  int bit() {
    if (at_ >= in_.size()) {
      failed_ = true;
      return 0;
    }
    const int value = (static_cast<unsigned char>(in_[at_]) >> fill_) & 1;
    fill_ = (fill_ + 1) & 7;
    if (fill_ == 0) ++at_;
    return value;
  }
  int bits(int count) {
    int value = 0;
    for (int i = 0; i < count; ++i) value |= bit() << i;
    return value;
  }
  void align() {
    if (fill_ != 0) {
      fill_ = 0;
      ++at_;
    }
  }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  std::string_view in_;
  std::size_t at_ = 0;
  int fill_ = 0;
  bool failed_ = false;
};

// Canonical Huffman decoding by counting (as described in RFC 1951 section 3.2.2).
class Huffman {
 public:
  explicit Huffman(const std::vector<int>& lengths) : symbols_(lengths.size()) {
    for (const int length : lengths) ++count_[static_cast<std::size_t>(length)];
    count_[0] = 0;
    std::array<int, 17> offset{};
    for (std::size_t i = 1; i < 16; ++i) offset[i + 1] = offset[i] + count_[i];
    for (std::size_t s = 0; s < lengths.size(); ++s) {
      if (lengths[s] != 0)
        symbols_[static_cast<std::size_t>(offset[static_cast<std::size_t>(lengths[s])]++)] =
            static_cast<int>(s);
    }
  }
  // -1 when the code is not one of the table.
  int read(BitReader& in) const {
    int code = 0, first = 0, index = 0;
    for (std::size_t length = 1; length < 16; ++length) {
      code |= in.bit();
      if (in.failed()) return -1;
      const int count = count_[length];
      if (code - count < first) return symbols_[static_cast<std::size_t>(index + code - first)];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return -1;
  }

 private:
  std::array<int, 16> count_{};
  std::vector<int> symbols_;
};

bool inflate_codes(BitReader& in, const Huffman& literals, const Huffman& distances,
                   std::string& out, std::size_t max_size) {
  for (;;) {
    const int symbol = literals.read(in);
    if (symbol < 0 || symbol > 285) return false;
    if (symbol == 256) return true;
    if (symbol < 256) {
      if (out.size() >= max_size) return false;
      out += static_cast<char>(symbol);
      continue;
    }
    const auto l = static_cast<std::size_t>(symbol - 257);
    const int length = kLengthBase[l] + in.bits(kLengthBits[l]);
    const int d = distances.read(in);
    if (d < 0 || d > 29) return false;
    const int distance = kDistanceBase[static_cast<std::size_t>(d)] +
                         in.bits(kDistanceBits[static_cast<std::size_t>(d)]);
    if (in.failed() || static_cast<std::size_t>(distance) > out.size() ||
        out.size() + static_cast<std::size_t>(length) > max_size)
      return false;
    for (int i = 0; i < length; ++i) out += out[out.size() - static_cast<std::size_t>(distance)];
  }
}

bool inflate_stored(BitReader& in, std::string& out, std::size_t max_size) {
  in.align();
  const int size = in.bits(16);
  const int check = in.bits(16);
  if (in.failed() || (size ^ 0xFFFF) != check ||
      out.size() + static_cast<std::size_t>(size) > max_size)
    return false;
  for (int i = 0; i < size; ++i) out += static_cast<char>(in.bits(8));
  return !in.failed();
}

bool inflate_dynamic(BitReader& in, std::string& out, std::size_t max_size) {
  constexpr std::array<std::size_t, 19> kOrder{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                               11, 4,  12, 3, 13, 2, 14, 1, 15};
  const auto literals = static_cast<std::size_t>(in.bits(5) + 257);
  const auto distances = static_cast<std::size_t>(in.bits(5) + 1);
  const auto codes = static_cast<std::size_t>(in.bits(4) + 4);
  std::vector<int> lengths(19, 0);
  for (std::size_t i = 0; i < codes; ++i) lengths[kOrder[i]] = in.bits(3);
  const Huffman meta(lengths);
  std::vector<int> all;
  while (all.size() < literals + distances) {
    const int symbol = meta.read(in);
    if (symbol < 0 || in.failed()) return false;
    if (symbol < 16) {
      all.push_back(symbol);
      continue;
    }
    if (symbol == 16 && all.empty()) return false;
    const int value = symbol == 16 ? all.back() : 0;
    const int times = symbol == 16   ? 3 + in.bits(2)
                      : symbol == 17 ? 3 + in.bits(3)
                                     : 11 + in.bits(7);
    all.insert(all.end(), static_cast<std::size_t>(times), value);
  }
  if (all.size() != literals + distances) return false;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(literals);
  return inflate_codes(in, Huffman({all.begin(), middle}), Huffman({middle, all.end()}), out,
                       max_size);
}

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string deflate(std::string_view plain) {
  BitWriter out;
  out.bits(1, 1);  // last block
  out.bits(1, 2);  // fixed code
  constexpr std::size_t kHashSize = 1 << 12;
  std::vector<std::ptrdiff_t> last(kHashSize, -1), previous(plain.size(), -1);
  const auto hash_at = [&](std::size_t i) {
    const auto byte = [&](std::size_t k) {
      return static_cast<std::uint32_t>(static_cast<unsigned char>(plain[i + k]));
    };
    return ((byte(0) << 16 | byte(1) << 8 | byte(2)) * 2654435761U) >> 20;
  };
  for (std::size_t i = 0; i < plain.size();) {
    std::size_t best = 0, best_distance = 0;
    if (i + 3 <= plain.size()) {
      int tries = 64;
      for (std::ptrdiff_t j = last[hash_at(i)]; j >= 0 && tries-- > 0;
           j = previous[static_cast<std::size_t>(j)]) {
        const auto from = static_cast<std::size_t>(j);
        if (i - from > 32768) break;
        std::size_t length = 0;
        while (length < 258 && i + length < plain.size() &&
               plain[from + length] == plain[i + length])
          ++length;
        if (length > best) {
          best = length;
          best_distance = i - from;
        }
      }
    }
    const std::size_t step = best >= 3 ? best : 1;
    if (best >= 3) {
      out.match(static_cast<int>(best), static_cast<int>(best_distance));
    } else {
      out.symbol(static_cast<unsigned char>(plain[i]));
    }
    for (std::size_t k = i; k < i + step && k + 3 <= plain.size(); ++k) {
      previous[k] = last[hash_at(k)];
      last[hash_at(k)] = static_cast<std::ptrdiff_t>(k);
    }
    i += step;
  }
  out.symbol(256);
  return out.take();
}

std::optional<std::string> inflate(std::string_view packed, std::size_t max_size) {
  BitReader in(packed);
  std::string out;
  for (bool final_block = false; !final_block;) {
    final_block = in.bit() == 1;
    const int type = in.bits(2);
    bool good = false;
    if (type == 0) {
      good = inflate_stored(in, out, max_size);
    } else if (type == 1) {
      std::vector<int> lengths(288, 8);
      std::fill(lengths.begin() + 144, lengths.begin() + 256, 9);
      std::fill(lengths.begin() + 256, lengths.begin() + 280, 7);
      good = inflate_codes(in, Huffman(lengths), Huffman(std::vector<int>(30, 5)), out, max_size);
    } else if (type == 2) {
      good = inflate_dynamic(in, out, max_size);
    }
    if (!good || in.failed()) return std::nullopt;
  }
  return out;
}

std::string to_base64url(std::string_view bytes) {
  std::string out;
  std::uint32_t buffer = 0;
  int bits = 0;
  for (const char c : bytes) {
    buffer = buffer << 8 | static_cast<unsigned char>(c);
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      out += kAlphabet[buffer >> bits & 63U];
    }
    buffer &= (1U << bits) - 1;
  }
  if (bits > 0) out += kAlphabet[buffer << (6 - bits) & 63U];
  return out;
}

std::optional<std::string> from_base64url(std::string_view text) {
  std::string out;
  std::uint32_t buffer = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t value = kAlphabet.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    buffer = buffer << 6 | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out += static_cast<char>(buffer >> bits & 255U);
      buffer &= (1U << bits) - 1;
    }
  }
  return out;
}

}  // namespace xuanka::web
