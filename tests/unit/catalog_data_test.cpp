// What ships is complete: totals taken from the collected tables before they were brought into this
// schema. A figure, a source or a price that gets lost changes one of them.
#include <map>
#include <set>
#include <span>

#include "catalog_fixture.hpp"
#include "xuanka/base/date.hpp"

namespace xuanka {
namespace {

using testing::shipped_catalog;

struct Total {
  std::string_view field;
  int count;
  double sum;
};

double peak(const Gpu& gpu, PeakFormat format) {
  return gpu.tflops[static_cast<std::size_t>(format)].value_or(0);
}

TEST(CatalogData, Counts) {
  const Catalog& catalog = shipped_catalog();
  EXPECT_GE(catalog.gpus.size(), 100U);
  EXPECT_GE(catalog.offers.size(), 650U);
  EXPECT_GE(catalog.purchase_prices.size(), 146U);
  EXPECT_GE(catalog.price_history.size(), 33U);
  EXPECT_GE(catalog.rental_trend.size(), 20U);
  EXPECT_GE(catalog.depreciation.size(), 18U);
  EXPECT_GE(catalog.electricity.size(), 3U);
  EXPECT_GE(catalog.economic_defaults.size(), 7U);
  EXPECT_GE(catalog.sources.size(), 84U);
  EXPECT_EQ(catalog.data_date, "2026-11-30");
  ASSERT_EQ(catalog.data_version.size(), 19U);
  EXPECT_EQ(catalog.data_version.substr(0, 11), "2026-11-30+");
}

TEST(CatalogData, EveryPeakIsThere) {
  constexpr Total kTotals[] = {{"fp64", 83, 903.01},
                               {"fp32", 91, 4217.26},
                               {"tf32", 63, 14821.96},
                               {"fp16_vector", 25, 1214.65},
                               {"fp16_tensor", 90, 37056.4},
                               {"fp16_tensor_fp16acc", 67, 28748.55},
                               {"bf16_tensor", 77, 36739},
                               {"fp8_tensor", 39, 56597.6},
                               {"fp8_tensor_fp16acc", 34, 47133.7},
                               {"fp4_tensor", 11, 71583},
                               {"int8", 80, 62247.5}};
  for (std::size_t i = 0; i < static_cast<std::size_t>(PeakFormat::kCount_); ++i) {
    const auto format = static_cast<PeakFormat>(i);
    int count = 0;
    double sum = 0;
    // The cards of the first version, which later ones follow.
    for (const Gpu& gpu : std::span(shipped_catalog().gpus).first(100)) {
      count += gpu.peak(format).has_value() ? 1 : 0;
      sum += peak(gpu, format);
    }
    EXPECT_EQ(peak_format_name(format), kTotals[i].field);
    EXPECT_EQ(count, kTotals[i].count) << kTotals[i].field;
    EXPECT_NEAR(sum, kTotals[i].sum, 1e-6) << kTotals[i].field;
  }
}

TEST(CatalogData, EveryOtherFigureOfAGpuIsThere) {
  std::map<std::string, std::pair<int, double>> got;
  const auto add = [&](const std::string& field, std::optional<double> value) {
    if (!value) return;
    ++got[field].first;
    got[field].second += *value;
  };
  for (const Gpu& gpu : std::span(shipped_catalog().gpus).first(100)) {
    add("memory_gb", gpu.memory_gb);
    if (gpu.bandwidth.value() > 0) add("bandwidth_gb_s", gpu.bandwidth.value() / 1e9);
    add("tdp_w", gpu.tdp_w);
    add("msrp_usd", gpu.msrp_usd);
    add("msrp_cny", gpu.msrp_cny);
    add("verified_by", gpu.verified_by);
    if (gpu.nvlink) add("nvlink", gpu.nvlink->total.value() / 1e9);
    if (gpu.pcie) add("pcie", gpu.pcie->bidirectional.value() / 1e9);
    for (const auto& [format, factor] : gpu.sparse_multiplier) add("sparse", factor);
    if (gpu.measured_matmul) {
      add("matmul.fp32", gpu.measured_matmul->fp32);
      add("matmul.tf32", gpu.measured_matmul->tf32);
      add("matmul.fp16", gpu.measured_matmul->fp16);
      add("matmul.bf16", gpu.measured_matmul->bf16);
      add("matmul.samples", gpu.measured_matmul->samples);
    }
    add("compute_capability", gpu.compute_capability ? std::optional(0.0) : std::nullopt);
    add("cuda_min", gpu.cuda_min ? std::optional(0.0) : std::nullopt);
    add("cuda_last", gpu.cuda_last ? std::optional(0.0) : std::nullopt);
    add("ecc", gpu.ecc.value_or(false) ? std::optional(1.0) : std::nullopt);
    add("low confidence", gpu.low_confidence ? std::optional(1.0) : std::nullopt);
    add("disagreements", static_cast<double>(gpu.disagreements.size()));
    add("board", gpu.board_tdp_w);
  }
  constexpr Total kTotals[] = {{"memory_gb", 100, 6762},
                               {"bandwidth_gb_s", 99, 180996.6},
                               {"tdp_w", 94, 37871.5},
                               {"msrp_usd", 27, 49308},
                               {"msrp_cny", 3, 42497},
                               {"verified_by", 100, 236},
                               {"nvlink", 50, 31147.5},
                               {"pcie", 97, 7520},
                               {"sparse", 102, 162.62},
                               {"matmul.fp32", 42, 1321.17},
                               {"matmul.tf32", 17, 1777.13},
                               {"matmul.fp16", 42, 8539.08},
                               {"matmul.bf16", 42, 8568.01},
                               {"matmul.samples", 42, 65},
                               {"compute_capability", 73, 0},
                               {"cuda_min", 73, 0},
                               {"cuda_last", 12, 0},
                               {"ecc", 70, 70},
                               {"low confidence", 28, 28},
                               {"disagreements", 100, 186},
                               {"board", 1, 250}};
  for (const Total& total : kTotals) {
    EXPECT_EQ(got[std::string(total.field)].first, total.count) << total.field;
    EXPECT_NEAR(got[std::string(total.field)].second, total.sum, 1e-6) << total.field;
  }
}

TEST(CatalogData, EveryTextOfAGpuIsThere) {
  std::map<std::string, std::size_t> bytes;
  std::map<GpuStatus, int> status;
  for (const Gpu& gpu : std::span(shipped_catalog().gpus).first(100)) {
    bytes["name"] += gpu.name.size();
    bytes["vendor"] += gpu.vendor_name.size();
    bytes["architecture"] += gpu.architecture.size();
    bytes["launch"] += gpu.launch.size();
    bytes["memory_type"] += gpu.memory_type.size();
    bytes["form_factor"] += gpu.form_factor.size();
    bytes["p2p"] += gpu.p2p.size();
    bytes["notes"] += gpu.notes.size();
    ++status[gpu.status];
  }
  EXPECT_EQ(bytes["name"], 1703U);
  EXPECT_EQ(bytes["vendor"], 576U);
  EXPECT_EQ(bytes["architecture"], 773U);
  EXPECT_EQ(bytes["launch"], 700U);
  EXPECT_EQ(bytes["memory_type"], 537U);
  EXPECT_EQ(bytes["form_factor"], 1419U);
  EXPECT_EQ(bytes["p2p"], 1421U);
  EXPECT_GE(bytes["notes"], 11982U);
  EXPECT_EQ(status[GpuStatus::kCurrent], 59);
  EXPECT_EQ(status[GpuStatus::kEol], 36);
  EXPECT_EQ(status[GpuStatus::kAftermarket], 4);
  EXPECT_EQ(status[GpuStatus::kAnnounced], 1);
}

TEST(CatalogData, ProvenanceOfGpusIsWholeFieldByField) {
  std::map<std::string, std::size_t> got;
  for (const Gpu& gpu : std::span(shipped_catalog().gpus).first(100)) {
    for (const auto& [field, ids] : gpu.sources) got[field] += ids.size();
  }
  const std::map<std::string, std::size_t> want{{"bandwidth_gb_s", 221},
                                                {"compute_capability", 97},
                                                {"cuda_last", 91},
                                                {"cuda_min", 83},
                                                {"ecc", 100},
                                                {"launch", 100},
                                                {"matmul_measured_tflops", 42},
                                                {"memory_gb", 269},
                                                {"memory_type", 100},
                                                {"msrp_cny", 3},
                                                {"msrp_usd", 31},
                                                {"nvlink.total_gb_s", 63},
                                                {"p2p", 106},
                                                {"pcie", 97},
                                                {"sparse_multiplier", 100},
                                                {"tdp_w", 218},
                                                {"tflops.bf16_tensor", 150},
                                                {"tflops.fp16_tensor", 178},
                                                {"tflops.fp16_tensor_fp16acc", 72},
                                                {"tflops.fp16_vector", 39},
                                                {"tflops.fp32", 197},
                                                {"tflops.fp4_tensor", 17},
                                                {"tflops.fp64", 139},
                                                {"tflops.fp8_tensor", 57},
                                                {"tflops.fp8_tensor_fp16acc", 37},
                                                {"tflops.int8", 151},
                                                {"tflops.tf32", 99}};
  EXPECT_EQ(got, want);
}

TEST(CatalogData, EveryOfferIsThere) {
  std::map<Billing, int> billing;
  std::map<std::string, std::pair<int, double>> price;
  std::set<std::string> providers, regions, instances, gpus;
  double cores = 0, ram = 0, cards = 0;
  std::size_t disks = 0, dated = 0, sources = 0, notes = 0, per_gpu = 0, shaped = 0;
  for (const Offer& offer : std::span(shipped_catalog().offers).first(650)) {
    ++billing[offer.billing];
    auto& total = price[std::string(offer.price_per_hour.currency.code())];
    ++total.first;
    total.second += offer.price_per_hour.amount;
    providers.insert(offer.provider);
    regions.insert(offer.region);
    instances.insert(offer.instance);
    gpus.insert(offer.gpu);
    cores += offer.vcpus.value_or(0);
    ram += offer.ram_gb.value_or(0);
    cards += offer.gpu_count;
    shaped += offer.vcpus && offer.ram_gb ? 1U : 0U;
    disks += offer.disk ? 1U : 0U;
    dated += offer.as_of ? 1U : 0U;
    sources += offer.sources.size();
    notes += offer.note.size();
    per_gpu += offer.per_gpu ? 1U : 0U;
  }
  const std::map<Billing, int> want{
      {Billing::kOnDemand, 430},         {Billing::kSpot, 93},
      {Billing::kMarketplace, 46},       {Billing::kMonthly, 24},
      {Billing::kOnDemandCommunity, 19}, {Billing::kReserved3y, 17},
      {Billing::kReserved1y, 16},        {Billing::kOnDemandShared, 5}};
  EXPECT_EQ(billing, want);
  EXPECT_EQ(price["CNY"].first, 151);
  EXPECT_NEAR(price["CNY"].second, 6468.693695, 1e-6);
  EXPECT_EQ(price["USD"].first, 499);
  EXPECT_NEAR(price["USD"].second, 4378.77567, 1e-6);
  EXPECT_EQ(providers.size(), 29U);
  EXPECT_EQ(regions.size(), 18U);
  EXPECT_EQ(instances.size(), 299U);
  EXPECT_EQ(gpus.size(), 55U);
  EXPECT_EQ(cores, 22835);
  EXPECT_EQ(ram, 198028);
  EXPECT_EQ(cards, 1608);
  EXPECT_EQ(shaped, 439U);
  EXPECT_EQ(disks, 111U);
  EXPECT_EQ(dated, 621U);
  EXPECT_EQ(sources, 878U);
  EXPECT_EQ(notes, 28635U);
  EXPECT_EQ(per_gpu, 322U);
}

TEST(CatalogData, EveryPurchasePriceIsThere) {
  const Catalog& catalog = shipped_catalog();
  std::map<std::string, std::pair<int, double>> price;
  std::map<PurchasePrice::Condition, int> condition;
  int list = 0, dated = 0;
  std::size_t sources = 0, markets = 0;
  for (const PurchasePrice& entry : std::span(catalog.purchase_prices).first(146)) {
    auto& total = price[std::string(entry.price.currency.code())];
    ++total.first;
    total.second += entry.price.amount;
    ++condition[entry.condition];
    list += entry.kind == PurchasePrice::Kind::kList ? 1 : 0;
    dated += entry.date ? 1 : 0;
    sources += entry.sources.size();
    markets += entry.market.size();
  }
  EXPECT_EQ(price["CNY"].first, 42);
  EXPECT_NEAR(price["CNY"].second, 1907393, 1e-6);
  EXPECT_EQ(price["USD"].first, 104);
  EXPECT_NEAR(price["USD"].second, 555583.73, 1e-6);
  EXPECT_EQ(condition[PurchasePrice::Condition::kNew], 105);
  EXPECT_EQ(condition[PurchasePrice::Condition::kSecondHand], 25);
  EXPECT_EQ(condition[PurchasePrice::Condition::kUnspecified], 16);
  EXPECT_EQ(list, 30);
  EXPECT_EQ(dated, 109);
  EXPECT_EQ(sources, 150U);
  EXPECT_EQ(markets, 2900U);
}

TEST(CatalogData, EveryPointOfTheSeriesIsThere) {
  const auto total = [](const std::vector<PriceSeries>& list) {
    std::size_t points = 0;
    double sum = 0;
    int samples = 0;
    for (const PriceSeries& series : list) {
      points += series.points.size();
      for (const auto& point : series.points) {
        sum += point.amount;
        samples += point.samples.value_or(0);
      }
    }
    return std::tuple(points, sum, samples);
  };
  const auto [points, sum, samples] = total(shipped_catalog().price_history);
  EXPECT_EQ(points, 289U);
  EXPECT_NEAR(sum, 543897.39, 1e-4);
  EXPECT_EQ(samples, 9810);
  const auto [weeks, rents, none] = total(shipped_catalog().rental_trend);
  EXPECT_EQ(weeks, 440U);
  EXPECT_NEAR(rents, 1145.76, 1e-6);
  EXPECT_EQ(none, 0);
  double change = 0, start = 0, end = 0;
  for (const Depreciation& entry : shipped_catalog().depreciation) {
    change += entry.annual_change;
    start += entry.start_price.amount;
    end += entry.end_price.amount;
  }
  EXPECT_NEAR(change, -6.349, 1e-9);
  EXPECT_NEAR(start, 84658.51, 1e-6);
  EXPECT_NEAR(end, 48269.91, 1e-6);
}

TEST(CatalogData, EconomicDefaultsAndRate) {
  const Catalog& catalog = shipped_catalog();
  EXPECT_EQ(catalog.fx.rate(kUsd, kCny), 7.17);
  ASSERT_EQ(catalog.fx.rates().size(), 1U);
  EXPECT_EQ(catalog.fx.rates()[0].date, "2025-02");
  EXPECT_FALSE(catalog.fx.rates()[0].note.empty());
  std::map<std::string, double> values;
  for (const EconomicDefault& entry : catalog.economic_defaults) {
    values[entry.name] = entry.value;
    EXPECT_FALSE(entry.sources.empty()) << entry.name;
  }
  const std::map<std::string, double> want{{"pue", 1.4},
                                           {"node_overhead_w_per_gpu", 150},
                                           {"annual_maintenance_fraction", 0.05},
                                           {"residual_value_after_1_years", 0.7},
                                           {"residual_value_after_2_years", 0.5},
                                           {"residual_value_after_3_years", 0.35},
                                           {"residual_value_after_4_years", 0.25}};
  EXPECT_EQ(values, want);
}

TEST(CatalogData, EverySourceIsNamedAndDated) {
  std::size_t collected = 0;
  for (const Source& source : shipped_catalog().sources) {
    EXPECT_FALSE(source.title.empty()) << source.id;
    if (!source.date.empty()) {
      EXPECT_TRUE(parse_date(source.date).has_value()) << source.id;
      ++collected;
    }
  }
  EXPECT_GE(collected, 55U);
}

// Who pays for a rented card sees these rows: shapes and prices of the platform's page.
TEST(CatalogData, AiStudioRows) {
  struct Row {
    const char* id;
    const char* gpu;
    int count;
    double price, cores, ram, memory;
  };
  constexpr Row kRows[] = {{"aistudio-rtx-4090-24gb-x1", "rtx-4090-24gb", 1, 2.09, 14, 28, 24},
                           {"aistudio-rtx-4090-24gb-x2", "rtx-4090-24gb", 2, 4.18, 28, 56, 48},
                           {"aistudio-rtx-4090-24gb-x4", "rtx-4090-24gb", 4, 8.36, 56, 112, 96},
                           {"aistudio-rtx-4090-24gb-x8", "rtx-4090-24gb", 8, 16.72, 112, 224, 192},
                           {"aistudio-a100-40gb-x1", "a100-pcie-40gb", 1, 4.81, 10, 86, 40},
                           {"aistudio-a100-40gb-x2", "a100-pcie-40gb", 2, 9.62, 20, 172, 80},
                           {"aistudio-a100-40gb-x4", "a100-pcie-40gb", 4, 19.24, 40, 344, 160},
                           {"aistudio-a100-40gb-x8", "a100-pcie-40gb", 8, 38.48, 80, 688, 320}};
  for (const Row& row : kRows) {
    const Offer* found = nullptr;
    for (const Offer& offer : shipped_catalog().offers) {
      if (offer.provider == "AIStudio" && offer.gpu == row.gpu && offer.gpu_count == row.count) {
        found = &offer;
      }
    }
    ASSERT_NE(found, nullptr) << row.id;
    EXPECT_EQ(found->price_per_hour, (Money{row.price, kCny})) << row.id;
    EXPECT_EQ(found->vcpus, row.cores) << row.id;
    EXPECT_EQ(found->ram_gb, row.ram) << row.id;
    EXPECT_EQ(found->billing, Billing::kOnDemand) << row.id;
    EXPECT_EQ(shipped_catalog().find_gpu(row.gpu)->memory_gb * row.count, row.memory) << row.id;
    EXPECT_EQ(found->disk, "50 GB system + 20 GB cloud disk") << row.id;
  }
}

// Figures that guides and shops print wrongly: sparse or FP16-accumulate rates taken for dense
// ones.
TEST(CatalogData, PeaksAreDenseWithFp32Accumulate) {
  const Catalog& catalog = shipped_catalog();
  const Gpu& h100 = *catalog.find_gpu("h100-sxm-80gb");
  EXPECT_EQ(peak(h100, PeakFormat::kFp16Tensor), 989.4);
  EXPECT_EQ(peak(h100, PeakFormat::kTf32), 494.7);
  EXPECT_EQ(h100.sparse_multiplier.at("tensor"), 2);
  EXPECT_NEAR(peak(h100, PeakFormat::kFp16Tensor) * 2, 1979, 0.5);
  const Gpu& rtx4090 = *catalog.find_gpu("rtx-4090-24gb");
  EXPECT_EQ(peak(rtx4090, PeakFormat::kFp16Tensor), 165.2);
  EXPECT_NEAR(peak(rtx4090, PeakFormat::kFp16TensorAcc16), 330.3, 0.2);
  EXPECT_EQ(peak(rtx4090, PeakFormat::kFp32), 82.58);
  EXPECT_EQ(rtx4090.cuda_min, "11.8");
  EXPECT_FALSE(rtx4090.p2p_ok);
  const Gpu& a100 = *catalog.find_gpu("a100-pcie-40gb");
  EXPECT_EQ(peak(a100, PeakFormat::kFp16Tensor), 312);
  EXPECT_EQ(peak(a100, PeakFormat::kTf32), 156);
  EXPECT_EQ(peak(a100, PeakFormat::kFp32), 19.5);
  for (const Gpu& gpu : catalog.gpus) {  // no V100 with 24 or 64 GB
    if (gpu.id.starts_with("v100")) {
      EXPECT_TRUE(gpu.memory_gb == 16 || gpu.memory_gb == 32) << gpu.id;
      EXPECT_EQ(gpu.cuda_last, "12.9") << gpu.id;
    }
  }
}

TEST(CatalogData, CloudInstancesCarryTheRightCards) {
  std::map<std::string, std::set<std::string>> cards;
  for (const Offer& offer : shipped_catalog().offers) {
    if (offer.provider == "AWS") {
      cards[offer.instance.substr(0, offer.instance.find('.'))].insert(offer.gpu);
    }
  }
  EXPECT_EQ(cards.at("p3"), (std::set<std::string>{"v100-sxm-16gb"}));
  EXPECT_EQ(cards.at("p4d"), (std::set<std::string>{"a100-sxm-40gb"}));
  EXPECT_EQ(cards.at("g4dn"), (std::set<std::string>{"t4-16gb"}));
}

}  // namespace
}  // namespace xuanka
