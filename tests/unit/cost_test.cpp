// Offers that count, how they are billed, and what a job costs on them. The arithmetic stands
// beside each figure.
#include "xuanka/cost/cost.hpp"

#include <gtest/gtest.h>

#include "decision_support.hpp"
#include "xuanka/cost/offer_book.hpp"

namespace xuanka {
namespace {

using test::ask;
using test::has;
using test::number;

// A catalog of one card, with offers and prices put in by each test.
class CostTest : public testing::Test {
 protected:
  CostTest() {
    Gpu gpu;
    gpu.id = "card";
    gpu.name = "Card";
    gpu.memory_gb = 24;
    gpu.tdp_w = 400;
    catalog_.gpus.push_back(gpu);
    catalog_.fx = FxTable({{kUsd, kCny, 7.0, "2026-01-01", {}, false, {}}});
    catalog_.electricity.push_back({"CN", {0.6, kCny}, std::nullopt, {}, {}});
    request_.as_of = "2026-11-30";
  }
  Offer& add(std::string id, int count, double amount, Currency currency = kCny) {
    Offer offer;
    offer.id = std::move(id);
    offer.gpu = "card";
    offer.provider = offer.id;  // nothing alike unless a test says so
    offer.gpu_count = count;
    offer.price_per_hour = {amount, currency};
    catalog_.offers.push_back(offer);
    return catalog_.offers.back();
  }
  std::vector<Lease> leases(int count) const {
    return leases_for(catalog_, request_, catalog_.gpus.front(), count);
  }
  std::string cheapest(int count) const {
    const auto found = leases(count);
    return found.empty() ? "" : found.front().offer->id;
  }

  Catalog catalog_;
  Request request_;
};

TEST_F(CostTest, AnInstanceIsBilledWhole) {
  add("x8", 8, 16);
  const auto found = leases(3);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].billed_gpus, 8);
  EXPECT_EQ(found[0].hourly.amount, 16);
  EXPECT_EQ(found[0].hourly_per_gpu.amount, 2);  // 16 / 8
  EXPECT_EQ(found[0].nodes, 1);
}

TEST_F(CostTest, LargerCountsTakeSeveralInstancesThatIsSeveralNodes) {
  add("x4", 4, 10).ram_gb = 100;
  const auto found = leases(10);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].instances, 3);  // ceil(10 / 4)
  EXPECT_EQ(found[0].nodes, 3);
  EXPECT_EQ(found[0].billed_gpus, 12);
  EXPECT_EQ(found[0].hourly.amount, 30);
  EXPECT_EQ(found[0].gpus_per_node, 4);
  EXPECT_EQ(found[0].ram_gb, 100);  // of one node
}

TEST_F(CostTest, PerGpuOffersServeOneToEightInOneNode) {
  Offer& offer = add("rate", 1, 2);
  offer.per_gpu = true;
  offer.vcpus = 16;
  offer.ram_gb = 60;
  for (const int count : {1, 3, 8}) {
    const auto found = leases(count);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].hourly.amount, 2.0 * count);
    EXPECT_EQ(found[0].billed_gpus, count);
    EXPECT_EQ(found[0].nodes, 1);
    EXPECT_EQ(found[0].cores, 16.0 * count);
    EXPECT_EQ(found[0].ram_gb, 60.0 * count);
  }
  EXPECT_TRUE(leases(9).empty());
}

TEST_F(CostTest, PerGpuRatesQuotedForSeveralGpusAreDividedFirst) {
  Offer& offer = add("rate", 4, 8);
  offer.per_gpu = true;
  EXPECT_EQ(leases(1).front().hourly.amount, 2);   // 8 / 4
  EXPECT_EQ(leases(8).front().hourly.amount, 16);  // 8 x 8 / 4
}

TEST_F(CostTest, GpusPerNodeSplitsNodesButNotTheBill) {
  add("x8", 8, 16);
  request_.hardware.gpus_per_node = 4;
  const auto found = leases(8);
  EXPECT_EQ(found[0].nodes, 2);
  EXPECT_EQ(found[0].instances, 1);
  EXPECT_EQ(found[0].hourly.amount, 16);
}

TEST_F(CostTest, OffersInTheCurrencyComeFirst) {
  add("yuan", 1, 10);
  add("dollars", 1, 1, kUsd);  // 7 yuan, and yet not asked for
  EXPECT_EQ(cheapest(1), "yuan");
  EXPECT_EQ(leases(1).size(), 1U);
  request_.decision.currency = kUsd;
  EXPECT_EQ(cheapest(1), "dollars");
}

TEST_F(CostTest, WithoutOneTheCheapestInAnotherCurrencyIsConverted) {
  add("a", 1, 2, kUsd);
  add("b", 1, 1, kUsd);
  const auto found = leases(1);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].offer->id, "b");
  EXPECT_EQ(found[0].hourly.amount, 7);  // 1 x 7.0
  EXPECT_EQ(found[0].hourly.currency, kCny);
  EXPECT_TRUE(found[0].converted);
}

TEST_F(CostTest, CurrenciesAskedForReplaceTheDecisions) {
  add("yuan", 1, 10);
  add("dollars", 1, 1, kUsd);
  request_.decision.offers.currencies = {kUsd};
  EXPECT_EQ(cheapest(1), "dollars");
  request_.decision.offers.currencies = {kUsd, kCny};
  EXPECT_EQ(leases(1).size(), 2U);
}

TEST_F(CostTest, AnOfferWithoutARateIsLeftOut) {
  add("pounds", 1, 1, *Currency::parse("GBP"));
  EXPECT_TRUE(leases(1).empty());
  catalog_.fx.set({*Currency::parse("GBP"), kUsd, 1.25, "2026-01-01", {}, false, {}});
  EXPECT_EQ(leases(1).front().hourly.amount, 8.75);  // 1 x 1.25 x 7
}

TEST_F(CostTest, OtherBillingCountsOnlyWhenAskedFor) {
  add("plain", 1, 10);
  int price = 1;
  for (const Billing billing :
       {Billing::kSpot, Billing::kReserved1y, Billing::kReserved3y, Billing::kMonthly,
        Billing::kMarketplace, Billing::kOnDemandCommunity, Billing::kOnDemandShared}) {
    add(std::string(name_of(billing)), 1, price++).billing = billing;
  }
  EXPECT_EQ(leases(1).size(), 1U);
  EXPECT_EQ(cheapest(1), "plain");
  for (const std::string_view word : EnumNames<Billing>::kNames) {
    request_.decision.offers.billing = {*value_of<Billing>(word)};
    EXPECT_EQ(leases(1).size(), 1U) << word;
    EXPECT_EQ(leases(1).front().offer->billing, *value_of<Billing>(word));
  }
}

TEST_F(CostTest, ProvidersAndRegionsAreMatchedWithoutCase) {
  add("cheap", 1, 1).region = "east";
  add("dear", 1, 5).region = "West";
  request_.decision.offers.providers = {"DEAR"};
  EXPECT_EQ(cheapest(1), "dear");
  request_.decision.offers.providers = {};
  request_.decision.offers.regions = {"west"};
  EXPECT_EQ(cheapest(1), "dear");
  request_.decision.offers.providers = {"cheap"};
  EXPECT_TRUE(leases(1).empty());
}

TEST_F(CostTest, OfAlikeOffersOnlyTheNewestCounts) {
  const auto alike = [this](std::string id, double price, std::optional<std::string> date) {
    Offer& offer = add(std::move(id), 1, price);
    offer.provider = "p";
    offer.as_of = std::move(date);
  };
  alike("undated", 1, std::nullopt);
  EXPECT_EQ(cheapest(1), "undated");
  alike("year", 2, "2026");  // counts as 2026-01-01
  EXPECT_EQ(cheapest(1), "year");
  alike("before", 3, "2025-12-31");
  EXPECT_EQ(cheapest(1), "year");
  alike("after", 4, "2026-01-02");
  EXPECT_EQ(cheapest(1), "after");
  EXPECT_EQ(leases(1).size(), 1U);
  catalog_.offers.back().instance = "another";
  EXPECT_EQ(leases(1).size(), 2U);
}

TEST_F(CostTest, TwoOfOneDayBothCount) {
  for (const double price : {3.0, 2.0}) {
    Offer& offer = add(price > 2 ? "dear" : "cheap", 1, price);
    offer.provider = "p";
    offer.as_of = "2026-05-24";
  }
  EXPECT_EQ(cheapest(1), "cheap");
}

TEST_F(CostTest, OldPricesAreLeftOutAndUndatedOnesPassWithANote) {
  add("old", 1, 1).as_of = "2025-11-29";   // 366 days
  add("just", 1, 3).as_of = "2025-11-30";  // 365 days
  add("undated", 1, 4);
  ASSERT_EQ(leases(1).size(), 2U);
  EXPECT_EQ(cheapest(1), "just");
  EXPECT_EQ(leases(1).front().age_days, 365);
  std::vector<Note> notes;
  lease_notes(catalog_, leases(1)[1], 1, notes);
  EXPECT_TRUE(has(notes, NoteCode::kPriceUndated));
  request_.decision.offers.max_age_days = 366;
  EXPECT_EQ(cheapest(1), "old");
}

TEST_F(CostTest, AYearCountsAsItsFirstDay) {
  EXPECT_EQ(age_days("2026", "2026-11-30"), 333);
  EXPECT_EQ(age_days("2026-02", "2026-03-01"), 28);
  EXPECT_EQ(age_days("2024-02", "2024-03-01"), 29);
  EXPECT_EQ(age_days("2025-11-30", "2026-11-30"), 365);
  EXPECT_EQ(age_days("2026-12-01", "2026-11-30"), -1);
  EXPECT_FALSE(age_days("soon", "2026-11-30"));
  EXPECT_FALSE(age_days("2026-02-30", "2026-11-30"));
}

TEST_F(CostTest, NotesOfALease) {
  Offer& offer = add("m", 4, 4, kUsd);
  offer.billing = Billing::kMarketplace;
  offer.as_of = "2026-01-01";
  offer.sources = {"unverified-memory"};
  request_.decision.offers.billing = {Billing::kMarketplace};
  std::vector<Note> notes;
  lease_notes(catalog_, leases(5).front(), 5, notes);
  EXPECT_EQ(number(notes, NoteCode::kPriceConverted, "rate"), 7);
  EXPECT_EQ(number(notes, NoteCode::kPriceOld, "days"), 333);
  EXPECT_TRUE(has(notes, NoteCode::kPriceGuess));
  EXPECT_EQ(number(notes, NoteCode::kWholeInstance, "billed"), 8);
  EXPECT_EQ(number(notes, NoteCode::kWholeInstance, "used"), 5);
  EXPECT_EQ(number(notes, NoteCode::kSeveralInstances, "instances"), 2);
  EXPECT_TRUE(has(notes, NoteCode::kMarketplace));
}

TEST_F(CostTest, RentIsHoursTimesTheWholePrice) {
  add("x4", 4, 8);
  TimeEstimate time;
  time.total = hours(10);
  time.total_low = hours(8);
  time.total_high = hours(15);
  const CostEstimate cost = rent_cost(leases(2).front(), time, Job{}, request_);
  EXPECT_DOUBLE_EQ(*cost.amount, 80);  // 10 h x 8
  EXPECT_DOUBLE_EQ(*cost.low, 64);
  EXPECT_DOUBLE_EQ(*cost.high, 120);
  EXPECT_EQ(cost.billed_gpus, 4);
  EXPECT_EQ(cost.billed_hours, 10);
  EXPECT_EQ(cost.offer, "x4");
}

TEST_F(CostTest, SpotPaysForWorkThatIsLost) {
  Offer& offer = add("spot", 1, 2);
  offer.billing = Billing::kSpot;
  request_.decision.offers.billing = {Billing::kSpot};
  request_.decision.spot = {4, 60};  // 4 a day, hourly checkpoints: 4/24 x 1/2 h lost per hour
  EXPECT_DOUBLE_EQ(spot_factor(request_.decision.spot), 1 / (1 - 4.0 / 24 / 2));
  TimeEstimate time;
  time.total = time.total_low = time.total_high = hours(11);
  const CostEstimate cost = rent_cost(leases(1).front(), time, Job{}, request_);
  EXPECT_NEAR(cost.billed_hours, 12, 1e-12);  // 11 / (11/12)
  EXPECT_NEAR(*cost.amount, 24, 1e-12);
  EXPECT_EQ(spot_factor({0, 30}), 1);
  EXPECT_EQ(spot_factor({48, 60}), kSpotFactorMax);  // loses as much as it does
}

TEST_F(CostTest, ServingIsPricedPerMillionTokens) {
  add("x1", 1, 3.6);
  Job job;
  job.kind = JobKind::kInference;
  TimeEstimate time;
  time.units_per_second = 1000;
  time.low_factor = 0.5;
  time.high_factor = 2;
  const CostEstimate cost = rent_cost(leases(1).front(), time, job, request_);
  EXPECT_DOUBLE_EQ(*cost.amount, 1);  // 1e6 / 1000 / 3600 h x 3.6
  EXPECT_DOUBLE_EQ(*cost.low, 0.5);
  EXPECT_DOUBLE_EQ(*cost.high, 2);
  EXPECT_EQ(cost.per, "1e6 output tokens");
}

TEST_F(CostTest, NoWorkNoSum) {
  add("x1", 1, 3.6);
  const CostEstimate cost = rent_cost(leases(1).front(), TimeEstimate{}, Job{}, request_);
  EXPECT_FALSE(cost.amount);
  EXPECT_EQ(cost.hourly->amount, 3.6);
}

PurchasePrice price(double amount, PurchasePrice::Condition condition, PurchasePrice::Kind kind,
                    std::optional<std::string> date, Currency currency = kCny) {
  PurchasePrice entry;
  entry.gpu = "card";
  entry.condition = condition;
  entry.kind = kind;
  entry.price = {amount, currency};
  entry.date = std::move(date);
  return entry;
}

TEST_F(CostTest, TheCardPriceIsTheNewestStreetPriceOfTheCondition) {
  using enum PurchasePrice::Condition;
  using enum PurchasePrice::Kind;
  const auto ask_price = [this](Acquire acquire) {
    const auto found = card_price(catalog_, request_, catalog_.gpus.front(), acquire);
    return found ? found->price.amount : -1;
  };
  EXPECT_EQ(ask_price(Acquire::kBuy), -1);
  catalog_.purchase_prices.push_back(price(9000, kNew, kList, "2022-10"));
  EXPECT_EQ(ask_price(Acquire::kBuy), 9000);
  catalog_.purchase_prices.push_back(price(1000, kNew, kStreet, "2025", kUsd));
  EXPECT_EQ(ask_price(Acquire::kBuy), 7000);  // street before list, converted
  catalog_.purchase_prices.push_back(price(8000, kNew, kStreet, "2023"));
  EXPECT_EQ(ask_price(Acquire::kBuy), 8000);  // the decision's currency before a converted one
  catalog_.purchase_prices.push_back(price(7500, kNew, kStreet, "2024-05"));
  EXPECT_EQ(ask_price(Acquire::kBuy), 7500);  // newer
  catalog_.purchase_prices.push_back(price(7400, kNew, kStreet, std::nullopt));
  EXPECT_EQ(ask_price(Acquire::kBuy), 7500);  // undated after dated
  EXPECT_EQ(ask_price(Acquire::kUsed), -1);
  catalog_.purchase_prices.push_back(price(4000, kSecondHand, kStreet, "2025-04"));
  EXPECT_EQ(ask_price(Acquire::kUsed), 4000);
  EXPECT_EQ(ask_price(Acquire::kBuy), 7500);
}

TEST_F(CostTest, TheLaunchPriceServesWhereNothingElseIsKnown) {
  catalog_.gpus.front().msrp_usd = 1599;
  const auto found = card_price(catalog_, request_, catalog_.gpus.front(), Acquire::kBuy);
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->price.amount, 1599 * 7.0);
  EXPECT_FALSE(card_price(catalog_, request_, catalog_.gpus.front(), Acquire::kUsed));
}

TEST_F(CostTest, AnHourOfOnesOwn) {
  OwnOptions& own = request_.decision.own;
  own.hours_per_month = 100;
  own.years = 2;
  own.residual = 0.25;
  own.pue = 1.5;
  own.finance_rate = 0.1;
  own.machine_price = {10000, kCny};
  const auto cost =
      own_cost(catalog_, request_, catalog_.gpus.front(), 2, 1, CardPrice{{15000, kCny}});
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->capital.amount, 40000);  // 2 x 15000 + 10000
  EXPECT_EQ(cost->hours, 2400);            // 100 x 12 x 2
  // Electricity: 2 x 0.4 kW x 1.5 x 0.6 = 0.72
  EXPECT_DOUBLE_EQ(cost->energy.amount, 0.72);
  // Lost: 40000 x 0.75 = 30000. Finance: 40000 x 1.25 / 2 x 0.1 x 2 = 5000. 35000 / 2400 + 0.72
  EXPECT_DOUBLE_EQ(cost->hourly.amount, 35000.0 / 2400 + 0.72);
  TimeEstimate time;
  time.total = time.total_low = time.total_high = hours(24);
  const CostEstimate job = own_job_cost(*cost, time, Job{}, request_, 2);
  EXPECT_DOUBLE_EQ(*job.amount, 24 * cost->hourly.amount);
  EXPECT_TRUE(job.offer.empty());
}

TEST_F(CostTest, OnesOwnElectricityPriceIsUsed) {
  request_.overrides.electricity_per_kwh = Money{0.1, kUsd};
  request_.decision.own.pue = 1;
  const auto cost =
      own_cost(catalog_, request_, catalog_.gpus.front(), 1, 1, CardPrice{{15000, kCny}});
  EXPECT_DOUBLE_EQ(cost->energy.amount, 0.4 * 0.1 * 7);
}

TEST(Money, ConvertsEitherWayAndThroughOneCurrency) {
  const Currency eur = *Currency::parse("EUR");
  const Currency gbp = *Currency::parse("GBP");
  FxTable table(
      {{kUsd, kCny, 8.0, "2026", {}, false, {}}, {eur, kUsd, 1.25, "2026", {}, false, {}}});
  EXPECT_EQ(table.rate(kUsd, kCny), 8);
  EXPECT_EQ(table.rate(kCny, kUsd), 0.125);
  EXPECT_EQ(table.rate(eur, kCny), 10);
  EXPECT_EQ(table.rate(kCny, eur), 0.1);
  EXPECT_EQ(table.rate(gbp, gbp), 1);
  EXPECT_FALSE(table.rate(gbp, kCny));
  table.set({kCny, kUsd, 0.25, "2027", {}, true, {}});  // the same pair, said the other way round
  EXPECT_EQ(table.rates().size(), 2U);
  EXPECT_EQ(table.rate(kUsd, kCny), 4);
  EXPECT_FALSE(add(Money{1, kCny}, Money{1, kUsd}));
}

// In the shipped catalog.
TEST(Cost, EightCardsAreRentedWhereThreeAreNeeded) {
  const auto answer = ask(
      "{'version':1,'workload':{'model':{'id':'llama-2-7b'},'kind':'lora','data':{'tokens':1e7}},"
      "'hardware':{'gpus':['v100-sxm-32gb'],'counts':[3]},'decision':{'currency':'USD','offers':"
      "{'providers':['AWS']}}}");
  const Candidate& three = answer->at("v100-sxm-32gb", 3);
  EXPECT_EQ(three.cost->billed_gpus, 8);
  EXPECT_EQ(number(three.notes, NoteCode::kWholeInstance, "billed"), 8);
}

TEST(Cost, SpotInterruptionsCountAgainstTheDeadline) {
  const auto spot = [](std::string_view interruptions) {
    return ask(
        std::string("{'version':1,'workload':{'model':{'measured':{'gpu':'mine','hours':20}}},"
                    "'hardware':{'gpus':['mine'],'counts':[1]},'decision':{'offers':{'billing':"
                    "['spot']},'spot':{'checkpoint_minutes':60,'interruptions_per_day':") +
        std::string(interruptions) +
        "}},'overrides':{'gpus':[{'id':'mine','memory_gb':24,'bandwidth_gb_s':900,'tflops':"
        "{'fp32':20,'fp16_tensor':100}}],'offers':[{'id':'s','gpu':'mine','gpu_count':1,"
        "'billing':'spot','price_per_hour':{'amount':1,'currency':'CNY'}}]}}");
  };
  EXPECT_EQ(spot("4")->at("mine", 1).verdict, Verdict::kOk);        // 20 / (1 - 4/48) = 21.8 h
  EXPECT_EQ(spot("12")->at("mine", 1).verdict, Verdict::kTooSlow);  // 20 / (1 - 12/48) = 26.7 h
}

}  // namespace
}  // namespace xuanka
