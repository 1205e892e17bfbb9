#include "xuanka/base/math.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace xuanka {
namespace {

constexpr double kLn2High = 6.93147180369123816490e-01;  // ln 2 with 32 trailing zero bits
constexpr double kLn2Low = 1.90821492927058770002e-10;   // the rest of it
constexpr double kSqrtHalf = 0.70710678118654752440;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// 2^n for -1022 <= n <= 1023, by the exponent bits.
double two_to(int n) { return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52U); }

}  // namespace

double log_exact(double x) {
  if (!(x >= 0)) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return -kInfinity;
  if (x == kInfinity) return x;
  double exponent = 0;
  if (x < std::numeric_limits<double>::min()) {  // subnormal
    x *= 18014398509481984.0;                    // 2^54
    exponent -= 54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  exponent += static_cast<double>(static_cast<int>(bits >> 52U) - 1022);
  double m = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFFU) | 0x3FE0000000000000U);  // [0.5, 1)
  if (m < kSqrtHalf) {
    m *= 2;
    exponent -= 1;
  }
  // ln m = 2 atanh(z), z = (m - 1)/(m + 1), |z| <= 0.1716: the series ends below 1e-17 after z^21.
  const double z = (m - 1) / (m + 1);
  const double z2 = z * z;
  double series = 0;
  for (int k = 23; k >= 3; k -= 2) series = (series + 1.0 / k) * z2;
  return exponent * kLn2High + (exponent * kLn2Low + 2 * (z + z * series));
}

double exp_exact(double x) {
  if (x != x) return x;
  if (x > 709.7) return kInfinity;
  if (x < -708.3) return 0;
  const double n = std::floor(x / (kLn2High + kLn2Low) + 0.5);
  const double r = (x - n * kLn2High) - n * kLn2Low;  // |r| <= 0.3466
  double series = 1;
  for (int k = 16; k >= 1; --k) series = 1 + series * r / k;
  return series * two_to(static_cast<int>(n));
}

double pow_exact(double x, double y) {
  if (y == 0) return 1;
  if (x == 0) return y > 0 ? 0 : kInfinity;
  if (y == 1) return x;
  if (y == 0.5) return std::sqrt(x);
  return exp_exact(y * log_exact(x));
}

double pow_int(double x, int n) {
  double base = n < 0 ? 1 / x : x;
  double result = 1;
  for (unsigned int k = n < 0 ? 0U - static_cast<unsigned int>(n) : static_cast<unsigned int>(n);
       k != 0; k >>= 1U) {
    if ((k & 1U) != 0) result *= base;
    base *= base;
  }
  return result;
}

double pow10_int(int n) {
  constexpr std::array<double, 23> kPowers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                           1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const int size = n < 0 ? -n : n;
  double power = 1;
  for (int left = size; left > 0; left -= 22) {
    power *= kPowers[static_cast<std::size_t>(left < 22 ? left : 22)];
  }
  return n < 0 ? 1 / power : power;
}

Decimal to_decimal(double x, int significant) {
  Decimal out;
  if (!std::isfinite(x) || x == 0) return out;
  out.negative = x < 0;
  const double size = std::abs(x);
  // The decimal exponent from the binary one, at most one too small; then put right.
  const int binary = static_cast<int>(std::bit_cast<std::uint64_t>(size) >> 52U) - 1023;
  int exponent = static_cast<int>(std::floor(static_cast<double>(binary) * 0.30102999566398119521));
  const auto scaled = [size](int shift) {  // size / 10^shift, in two steps where one would overflow
    if (shift < -300) return size * pow10_int(300) * pow10_int(-shift - 300);
    return shift >= 0 ? size / pow10_int(shift) : size * pow10_int(-shift);
  };
  const double limit = pow10_int(significant);
  int shift = exponent - significant + 1;
  double digits = std::floor(scaled(shift) + 0.5);
  while (digits >= limit) digits = std::floor(scaled(++shift) + 0.5);
  while (digits > 0 && digits < limit / 10) digits = std::floor(scaled(--shift) + 0.5);
  out.digits = static_cast<std::uint64_t>(digits);
  out.exponent = shift;
  while (out.digits != 0 && out.digits % 10 == 0) {
    out.digits /= 10;
    ++out.exponent;
  }
  return out;
}

double round_significant(double x, int significant) {
  if (!std::isfinite(x)) return x;
  const Decimal d = to_decimal(x, significant);
  const auto digits = static_cast<double>(d.digits);
  double size = digits;
  if (d.exponent >= 0) {
    size *= pow10_int(d.exponent);
  } else if (d.exponent >= -300) {
    size /= pow10_int(-d.exponent);
  } else {  // in two steps: 10^308 and more is no double
    size = size / pow10_int(300) / pow10_int(-d.exponent - 300);
  }
  return d.negative ? -size : size;
}

}  // namespace xuanka
