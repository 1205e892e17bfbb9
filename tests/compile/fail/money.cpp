// clang-format off: what must not compile is numbered line by line
// Amounts cannot be added as if currencies did not matter.
#include "xuanka/base/money.hpp"

namespace xuanka {

constexpr Money kYuan{2.09, kCny};
constexpr Money kDollars{1.0, kUsd};
static_assert(!add(kYuan, kDollars) && add(kYuan, kYuan)->amount == 4.18);

#if XUANKA_CASE == 1  // error: (no match for 'operator\+'|invalid operands to binary expression)
constexpr auto kWrong = kYuan + kYuan;
#elif XUANKA_CASE == 2  // error: (no match for 'operator<'|invalid operands to binary expression)
constexpr bool kWrong = kYuan < kDollars;
#elif XUANKA_CASE == 3  // error: (cannot convert|no viable conversion)
constexpr double kWrong = kYuan;
#elif XUANKA_CASE == 4  // error: (no match for 'operator\*'|invalid operands to binary expression)
constexpr auto kWrong = kYuan * kYuan;
#elif XUANKA_CASE == 5  // error: (could not convert|cannot convert|conversion from|no viable conversion)
constexpr Money kWrong{1.0, "CNY"};
#endif

}  // namespace xuanka
