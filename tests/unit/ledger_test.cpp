// Rent or own. Each figure with its arithmetic.
#include "xuanka/cost/ledger.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "xuanka/rank/report.hpp"

namespace xuanka {
namespace {

class LedgerTest : public testing::Test {
 protected:
  LedgerTest() {
    Gpu gpu;
    gpu.id = "card";
    gpu.tdp_w = 400;
    catalog_.gpus.push_back(gpu);
    catalog_.electricity.push_back({"CN", {0.5, kCny}, std::nullopt, {}, {}});
    Offer offer;
    offer.id = "offer";
    offer.gpu = "card";
    offer.price_per_hour = {2, kCny};
    catalog_.offers.push_back(offer);
    PurchasePrice price;
    price.gpu = "card";
    price.price = {10000, kCny};
    catalog_.purchase_prices.push_back(price);
    price.condition = PurchasePrice::Condition::kSecondHand;
    price.price = {4000, kCny};
    catalog_.purchase_prices.push_back(price);
    request_.as_of = "2026-11-30";
    request_.decision.own = {.hours_per_month = 200,
                             .years = 2.5,
                             .utilisation = 0.27,
                             .pue = 1.25,
                             .residual = 0.2,
                             .finance_rate = 0,
                             .machine_price = {2000, kCny},
                             .hosting_per_month = {0, kCny},
                             .failure_rate = 0};
  }
  Ledger ledger(int count = 1, int nodes = 1) const {
    const OfferBook book(catalog_, request_);
    return make_ledger(catalog_, book, request_, catalog_.gpus.front(), count, nodes);
  }

  Catalog catalog_;
  Request request_;
};

TEST_F(LedgerTest, OneCardByHand) {
  const Ledger l = ledger();
  EXPECT_EQ(l.hours, 6000);                    // 200 x 12 x 2.5
  EXPECT_EQ(l.rent->total, 12000);             // 2 x 6000
  EXPECT_EQ(l.own->capital, 12000);            // 10000 + 2000
  EXPECT_DOUBLE_EQ(l.own->resale, 2400);       // 12000 x 0.2
  EXPECT_DOUBLE_EQ(l.own->power_kw, 0.5);      // 0.4 x 1.25
  EXPECT_DOUBLE_EQ(l.own->electricity, 1500);  // 0.5 kW x 6000 h x 0.5
  EXPECT_DOUBLE_EQ(l.own->total, 11100);       // 12000 - 2400 + 1500
  EXPECT_DOUBLE_EQ(l.own->hourly, 1.85);       // 11100 / 6000
  // (12000 - 2400) / (2 - 0.5 x 0.5) = 9600 / 1.75
  EXPECT_DOUBLE_EQ(*l.break_even_hours, 9600 / 1.75);
  EXPECT_DOUBLE_EQ(*l.break_even_utilisation, 9600 / 1.75 / (2.5 * 8766));
}

TEST_F(LedgerTest, AtTheBreakEvenBothCostTheSame) {
  for (const double rate : {0.0, 0.08}) {
    request_.decision.own.finance_rate = rate;
    const double hours = *ledger().break_even_hours;
    request_.decision.own.hours_per_month = hours / 12 / 2.5;
    const Ledger there = ledger();
    EXPECT_NEAR(there.rent->total, there.own->total, 1e-9 * there.own->total);
    request_.decision.own.hours_per_month = 200;
  }
}

TEST_F(LedgerTest, FourCardsInTwoMachines) {
  const Ledger l = ledger(4, 2);
  EXPECT_EQ(l.own->cards, 40000);
  EXPECT_EQ(l.own->machines, 4000);
  EXPECT_EQ(l.rent->hourly, 8);                // 4 x 2
  EXPECT_DOUBLE_EQ(l.own->electricity, 6000);  // 4 x 1500
}

TEST_F(LedgerTest, MoneyTiedUpCosts) {
  request_.decision.own.finance_rate = 0.1;
  EXPECT_DOUBLE_EQ(ledger().own->finance, 12000 * 1.2 / 2 * 0.1 * 2.5);  // 1800
}

TEST_F(LedgerTest, SecondHand) {
  request_.decision.acquire = Acquire::kUsed;
  const Ledger l = ledger();
  EXPECT_EQ(l.own->card, 4000);
  EXPECT_EQ(l.own->acquire, Acquire::kUsed);
  EXPECT_DOUBLE_EQ(*l.break_even_hours, 6000 * 0.8 / 1.75);
}

TEST_F(LedgerTest, CheapRentNeverBreaksEven) {
  catalog_.offers.front().price_per_hour.amount = 0.2;  // below 0.25 of electricity
  EXPECT_FALSE(ledger().break_even_hours);
  EXPECT_FALSE(ledger().break_even_utilisation);
}

TEST_F(LedgerTest, WhatIsMissingIsAbsent) {
  catalog_.offers.clear();
  EXPECT_FALSE(ledger().rent);
  EXPECT_TRUE(ledger().own);
  EXPECT_TRUE(ledger().sensitivity.empty());
  catalog_.purchase_prices.clear();
  EXPECT_FALSE(ledger().own);
}

TEST_F(LedgerTest, SensitivityIsOrderedAndItsTurningPointsHold) {
  const Ledger l = ledger();
  const double now = l.own->total - l.rent->total;
  ASSERT_FALSE(l.sensitivity.empty());
  double before = 1e300;
  bool any = false;
  for (const Sensitivity& entry : l.sensitivity) {
    const double swing = std::abs(entry.difference_high - entry.difference_low);
    EXPECT_LE(swing, before) << entry.path;
    before = swing;
    EXPECT_LT(entry.low, entry.high);
    EXPECT_LE(std::min(entry.difference_low, entry.difference_high), now + 1e-9) << entry.path;
    EXPECT_GE(std::max(entry.difference_low, entry.difference_high), now - 1e-9) << entry.path;
    if (!entry.flips_at) continue;
    any = true;
    if (entry.path == "price.rent") {
      // own 11100 = rent x 6000
      EXPECT_NEAR(*entry.flips_at, 1.85, 1e-9);
    }
    if (entry.path == "decision.own.hours_per_month") {
      EXPECT_NEAR(*entry.flips_at, 9600 / 1.75 / 30, 1e-9);
    }
  }
  EXPECT_TRUE(any);
}

}  // namespace
}  // namespace xuanka
