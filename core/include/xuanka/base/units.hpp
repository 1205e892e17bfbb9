// Units as types: only meaningful operators exist, and GB against GiB is decided once, in a named
// factory. All values are double; nothing here can throw.
#pragma once

#include <compare>

namespace xuanka {

/// A quantity of one dimension. `Tag` names the dimension and its base unit.
template <class Tag>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double value) : value_(value) {}
  /// The number in the base unit of `Tag` (bytes, FLOP, FLOP/s, bytes/s, seconds).
  [[nodiscard]] constexpr double value() const { return value_; }

  constexpr auto operator<=>(const Quantity&) const = default;

  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value_ -= other.value_;
    return *this;
  }
  constexpr Quantity& operator*=(double factor) {
    value_ *= factor;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator*(Quantity a, double factor) { return a *= factor; }
  friend constexpr Quantity operator*(double factor, Quantity a) { return a *= factor; }
  friend constexpr Quantity operator/(Quantity a, double divisor) {
    return Quantity(a.value_ / divisor);
  }
  /// The ratio of two quantities of one dimension is a number.
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value_ / b.value_; }

 private:
  double value_ = 0;
};

using Bytes = Quantity<struct BytesTag>;              ///< memory or traffic, bytes
using Flop = Quantity<struct FlopTag>;                ///< operations; a multiply and an add are 2
using FlopPerSec = Quantity<struct FlopPerSecTag>;    ///< rate, FLOP/s
using BytesPerSec = Quantity<struct BytesPerSecTag>;  ///< bandwidth, bytes/s
using Seconds = Quantity<struct SecondsTag>;          ///< time, seconds

constexpr Seconds operator/(Flop work, FlopPerSec rate) {
  return Seconds(work.value() / rate.value());
}
constexpr Seconds operator/(Bytes traffic, BytesPerSec rate) {
  return Seconds(traffic.value() / rate.value());
}
constexpr Flop operator*(FlopPerSec rate, Seconds time) {
  return Flop(rate.value() * time.value());
}
constexpr Flop operator*(Seconds time, FlopPerSec rate) { return rate * time; }
constexpr Bytes operator*(BytesPerSec rate, Seconds time) {
  return Bytes(rate.value() * time.value());
}
constexpr Bytes operator*(Seconds time, BytesPerSec rate) { return rate * time; }
constexpr FlopPerSec operator/(Flop work, Seconds time) {
  return FlopPerSec(work.value() / time.value());
}
constexpr BytesPerSec operator/(Bytes traffic, Seconds time) {
  return BytesPerSec(traffic.value() / time.value());
}

/// Decimal gigabytes, 10^9 bytes (marketed sizes, disk, transfer).
constexpr Bytes gigabytes(double gb) { return Bytes(gb * 1e9); }
/// Binary gibibytes, 2^30 bytes (what allocators and drivers report).
constexpr Bytes gibibytes(double gib) { return Bytes(gib * 1073741824.0); }
/// Binary mebibytes, 2^20 bytes.
constexpr Bytes mebibytes(double mib) { return Bytes(mib * 1048576.0); }
constexpr double to_gigabytes(Bytes b) { return b.value() / 1e9; }
constexpr double to_gibibytes(Bytes b) { return b.value() / 1073741824.0; }
/// 10^12 FLOP/s, the unit of every peak in the catalog.
constexpr FlopPerSec teraflops(double tflops) { return FlopPerSec(tflops * 1e12); }
constexpr double to_teraflops(FlopPerSec rate) { return rate.value() / 1e12; }
/// 10^9 bytes/s.
constexpr BytesPerSec gigabytes_per_sec(double gb_s) { return BytesPerSec(gb_s * 1e9); }
/// Network links are quoted in bits: 1 Gbit/s = 1.25e8 bytes/s.
constexpr BytesPerSec gigabits_per_sec(double gbit_s) { return BytesPerSec(gbit_s * 1.25e8); }
constexpr Seconds hours(double h) { return Seconds(h * 3600.0); }
constexpr double to_hours(Seconds s) { return s.value() / 3600.0; }

}  // namespace xuanka
