// Rent or buy: the break-even holds by its own formula.
#include <gtest/gtest.h>

#include "web/own_cost.hpp"

namespace xuanka::web {
namespace {

OwnCost usual() {
  OwnCost c;
  c.capital = 24000;
  c.resale = 4800;
  c.energy_per_hour = 0.25;
  c.rent_per_hour = 2.09;
  c.hours_per_month = 300;
  c.years = 3;
  return c;
}

TEST(OwnCost, LinesMeetAtTheBreakEven) {
  const OwnCost c = usual();
  const auto months = c.break_even_months();
  ASSERT_TRUE(months.has_value());
  EXPECT_NEAR(c.owned(*months), c.rented(*months), 1e-9 * c.owned(*months));
  // price / (monthly rent - monthly power), the published form without resale.
  EXPECT_NEAR(*months, 24000 / (300 * 2.09 - 300 * 0.25), 1e-12);
}

TEST(OwnCost, ResaleLowersTheHoursNeeded) {
  OwnCost c = usual();
  const double with = *c.break_even_hours();
  EXPECT_NEAR(with, (24000 - 4800) / (2.09 - 0.25), 1e-9);
  c.resale = 0;
  EXPECT_GT(*c.break_even_hours(), with);
  EXPECT_NEAR(*c.break_even_utilisation(), *c.break_even_hours() / (3 * kHoursPerYear), 1e-12);
}

TEST(OwnCost, CheapRentNeverPaysBack) {
  OwnCost c = usual();
  c.rent_per_hour = 0.2;
  EXPECT_FALSE(c.break_even_months().has_value());
  EXPECT_FALSE(c.break_even_hours().has_value());
}

TEST(OwnCost, InterestDelaysIt) {
  OwnCost c = usual();
  const double before = *c.break_even_months();
  c.finance_per_month = 100;
  EXPECT_GT(*c.break_even_months(), before);
}

}  // namespace
}  // namespace xuanka::web
