// Elementary functions whose results are the same bits on every target: built from the operations
// that IEEE 754 rounds exactly (+ - * / sqrt floor round) and never from the C library's pow, exp
// or log, which differ between platforms in the last digit.
#pragma once

#include <cstdint>

namespace xuanka {

/// Natural logarithm; -inf at 0, NaN below. Relative error under 1e-15.
[[nodiscard]] double log_exact(double x);
/// e^x; 0 or inf beyond the range of double. Relative error under 1e-14.
[[nodiscard]] double exp_exact(double x);
/// x^y for x > 0 (0 for x = 0, y > 0). Relative error under 1e-13 for |y log x| < 100.
[[nodiscard]] double pow_exact(double x, double y);
/// x^n by repeated squaring.
[[nodiscard]] double pow_int(double x, int n);
/// 10^n; correctly rounded for -22 <= n <= 22.
[[nodiscard]] double pow10_int(int n);

/// A decimal number `digits` x 10^`exponent`, `digits` without trailing zeros.
struct Decimal {
  bool negative = false;
  std::uint64_t digits = 0;
  int exponent = 0;
};
/// The decimal of at most `significant` (1 to 15) digits nearest to a finite `x`.
[[nodiscard]] Decimal to_decimal(double x, int significant);
/// `x` rounded to `significant` digits.
[[nodiscard]] double round_significant(double x, int significant);

}  // namespace xuanka
