// clang-format off: what must not compile is numbered line by line
// Mixing dimensions, or a quantity with a plain number, must not compile.
#include "xuanka/base/units.hpp"

namespace xuanka {

constexpr Bytes kMemory = gigabytes(80);
constexpr Seconds kTime = Flop(1e15) / teraflops(312);
static_assert(kMemory / gibibytes(1) > 74.5 && kTime.value() > 3.2);

#if XUANKA_CASE == 1  // error: (no match for 'operator\+'|invalid operands to binary expression)
constexpr auto kWrong = Bytes(1) + Seconds(1);
#elif XUANKA_CASE == 2  // error: (conversion from 'double' to non-scalar|no viable conversion from 'double')
constexpr Bytes kWrong = 80e9;
#elif XUANKA_CASE == 3  // error: (cannot convert .xuanka::Bytes|no viable conversion from)
constexpr double kWrong = Bytes(1);
#elif XUANKA_CASE == 4  // error: (no match for 'operator/'|invalid operands to binary expression)
constexpr auto kWrong = Bytes(1) / teraflops(1);
#elif XUANKA_CASE == 5  // error: (no match for 'operator<'|invalid operands to binary expression)
constexpr bool kWrong = Flop(1) < Bytes(1);
#elif XUANKA_CASE == 6  // error: (conversion from .Quantity<.*FlopTag>. to|no viable conversion from 'Quantity<.*FlopTag>')
constexpr FlopPerSec kWrong = Flop(1) + Flop(1);
#elif XUANKA_CASE == 7  // error: (no match for 'operator\*'|invalid operands to binary expression)
constexpr auto kWrong = Bytes(2) * Bytes(2);
#elif XUANKA_CASE == 8  // error: (no match for 'operator\+'|invalid operands to binary expression)
constexpr auto kWrong = gigabytes(1) + gigabytes_per_sec(1);
#elif XUANKA_CASE == 9  // error: (no match for 'operator\+'|invalid operands to binary expression)
constexpr auto kWrong = Seconds(1) + 3600.0;
#endif

}  // namespace xuanka
