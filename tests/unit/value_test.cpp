// The rental guide's table as facts: what a yuan buys (guide-aistudio).
#include <gtest/gtest.h>

#include <array>

#include "decision_support.hpp"
#include "xuanka/value/value.hpp"

namespace xuanka {
namespace {

using test::ask;

std::string guide_request(std::string_view precision, std::string_view currency = "CNY") {
  return std::string(
             "{'version':1,'workload':{'model':{'id':'llama-2-7b'},'kind':'lora',"
             "'precision':'") +
         std::string(precision) +
         "'},'hardware':{'gpus':['rtx-4090-24gb','a100-pcie-40gb']},'decision':{'currency':'" +
         std::string(currency) + "','offers':{'providers':['AIStudio'],'currencies':['CNY']}}}";
}

TEST(Value, GuideRowsInHalfPrecision) {
  for (const std::string_view precision : {"fp16", "bf16"}) {
    const auto answer = ask(guide_request(precision));
    for (const int count : {1, 2, 4, 8}) {
      const ValueMetrics& ada = answer->at("rtx-4090-24gb", count).value;
      EXPECT_NEAR(*ada.flops_per_money, 2.846e17, 5e13) << precision;  // 165.2e12 x 3600 / 2.09
      EXPECT_NEAR(*ada.gb_per_money, 11.48, 5e-3);                     // 24 / 2.09
      const ValueMetrics& ampere = answer->at("a100-pcie-40gb", count).value;
      EXPECT_NEAR(*ampere.flops_per_money, 2.335e17, 5e13) << precision;  // 312e12 x 3600 / 4.81
      EXPECT_NEAR(*ampere.gb_per_money, 8.316, 5e-4);                     // 40 / 4.81
      EXPECT_EQ(ada.per, "hour rented");
    }
  }
}

TEST(Value, GuideRowsInSinglePrecision) {
  const auto answer = ask(guide_request("fp32"));
  EXPECT_NEAR(*answer->at("rtx-4090-24gb", 1).value.flops_per_money, 1.422e17, 5e13);
  EXPECT_NEAR(*answer->at("a100-pcie-40gb", 1).value.flops_per_money, 1.459e16, 5e12);
}

TEST(Value, GuideRowsInDollarsAtTheStatedRate) {
  const auto rate = test::api().knowledge().catalog.fx.rate(kUsd, kCny);
  ASSERT_TRUE(rate);
  EXPECT_EQ(*rate, 7.17);
  const auto answer = ask(guide_request("fp16", "USD"));
  const Candidate& ada = answer->at("rtx-4090-24gb", 1);
  EXPECT_NEAR(*ada.value.flops_per_money, 2.846e17 * 7.17, 5e14);
  EXPECT_NEAR(*ada.value.gb_per_money, 24 / (2.09 / 7.17), 1e-9);
  EXPECT_EQ(test::number(ada.notes, NoteCode::kPriceConverted, "rate"), 1 / 7.17);
  EXPECT_EQ(test::text(ada.notes, NoteCode::kPriceConverted, "rate_date"), "2025-02");
}

TEST(Value, PricesCoresAndMemoryOfTheGuidesShapes) {
  struct Row {
    std::string_view gpu;
    int count;
    double price, cores, ram, memory;
  };
  constexpr std::array<Row, 8> kRows{{{"rtx-4090-24gb", 1, 2.09, 14, 28, 24},
                                      {"rtx-4090-24gb", 2, 4.18, 28, 56, 48},
                                      {"rtx-4090-24gb", 4, 8.36, 56, 112, 96},
                                      {"rtx-4090-24gb", 8, 16.72, 112, 224, 192},
                                      {"a100-pcie-40gb", 1, 4.81, 10, 86, 40},
                                      {"a100-pcie-40gb", 2, 9.62, 20, 172, 80},
                                      {"a100-pcie-40gb", 4, 19.24, 40, 344, 160},
                                      {"a100-pcie-40gb", 8, 38.48, 80, 688, 320}}};
  const auto answer = ask(guide_request("bf16"));
  for (const Row& row : kRows) {
    const Candidate& c = answer->at(row.gpu, row.count);
    EXPECT_EQ(c.cost->hourly->amount, row.price);
    EXPECT_EQ(c.host.cpu_cores, row.cores);
    EXPECT_EQ(c.host.ram_gb, row.ram);
    EXPECT_EQ(c.nodes, 1);
    const Gpu* gpu = test::api().knowledge().catalog.find_gpu(row.gpu);
    EXPECT_EQ(gpu->memory_gb * row.count, row.memory);
  }
}

TEST(Value, EffectiveIsPeakTimesUtilisation) {
  const auto answer = ask(guide_request("bf16"));
  for (const Candidate& c : answer->report.candidates) {
    EXPECT_DOUBLE_EQ(*c.value.effective_flops_per_money,
                     *c.value.flops_per_money * c.planned.time.mfu);
    EXPECT_DOUBLE_EQ(*c.value.units_per_money,
                     c.planned.time.units_per_second * 3600 / c.cost->hourly->amount);
  }
}

TEST(Value, BoughtIsPeakAndMemoryOverThePrice) {
  Gpu gpu;
  gpu.memory_gb = 24;
  Job job;
  job.peak.rate = teraflops(165.2);
  TimeEstimate time;
  time.mfu = 0.5;
  const ValueMetrics value = buy_value(gpu, &job, &time, CardPrice{Money{20000, kCny}});
  EXPECT_DOUBLE_EQ(*value.flops_per_money, 165.2e12 / 20000);
  EXPECT_DOUBLE_EQ(*value.gb_per_money, 24.0 / 20000);
  EXPECT_DOUBLE_EQ(*value.effective_flops_per_money, 165.2e12 / 20000 / 2);
  EXPECT_EQ(value.per, "bought");
}

TEST(Value, NothingIsDividedByAPriceOfZero) {
  const ValueMetrics value = buy_value(Gpu{}, nullptr, nullptr, CardPrice{});
  EXPECT_FALSE(value.flops_per_money);
  EXPECT_FALSE(value.gb_per_money);
  EXPECT_FALSE(rent_value(Gpu{}, nullptr, nullptr, Lease{}).gb_per_money);
}

}  // namespace
}  // namespace xuanka
