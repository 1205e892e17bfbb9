// Names as people write them, and the peak a precision runs at.
#include <algorithm>

#include "catalog/lookup.hpp"
#include "catalog_fixture.hpp"
#include "xuanka/base/nearest.hpp"

namespace xuanka {
namespace {

using testing::shipped_catalog;

std::vector<std::string_view> gpu_ids() {
  std::vector<std::string_view> ids;
  for (const Gpu& gpu : shipped_catalog().gpus) ids.push_back(gpu.id);
  return ids;
}

TEST(CatalogLookup, FindsByIdNameAndAliasInAnySpelling) {
  const std::pair<const char*, const char*> kNames[] = {
      {"rtx-4090-24gb", "rtx-4090-24gb"},
      {"RTX 4090", "rtx-4090-24gb"},
      {"rtx4090", "rtx-4090-24gb"},
      {"4090", "rtx-4090-24gb"},
      {"NVIDIA GeForce RTX 4090", "rtx-4090-24gb"},
      {"NVIDIA A100-SXM4-80GB", "a100-sxm-80gb"},
      {"A100-PCIE-40GB", "a100-pcie-40gb"},
      {"Tesla T4", "t4-16gb"},
      {"NVIDIA H100 80GB HBM3", "h100-sxm-80gb"},
      {"vGPU-32GB", "rtx-4080-super-32gb"},
      {"Tesla V100-SXM2-32GB", "v100-sxm-32gb"},
      {"NVIDIA RTX A6000", "rtx-a6000-48gb"}};
  for (const auto& [name, id] : kNames) {
    const Gpu* gpu = shipped_catalog().find_gpu(name);
    ASSERT_NE(gpu, nullptr) << name;
    EXPECT_EQ(gpu->id, id) << name;
  }
  EXPECT_EQ(shipped_catalog().find_gpu("a100"), nullptr);  // several: a suggestion, not a guess
  EXPECT_EQ(shipped_catalog().find_gpu(""), nullptr);
  EXPECT_EQ(shipped_catalog().find_gpu("-- --"), nullptr);
}

TEST(CatalogLookup, ModelsAndDatasetsAnswerToTheirUsualNames) {
  const std::pair<const char*, const char*> kModels[] = {
      {"meta-llama/Llama-2-7b-hf", "llama-2-7b"},
      {"Llama 2 7B", "llama-2-7b"},
      {"ResNet-50", "resnet50"},
      {"resnet_50", "resnet50"},
      {"bert-base", "bert-base-uncased"},
      {"mask-rcnn", "maskrcnn-resnet50-fpn"},
      {"SDXL", "sdxl"},
      {"openai/whisper-large-v3", "whisper-large-v3"},
      {"regnet-x-1.6gf", "regnet-x-1.6gf"},
      {"regnet_x_16gf", "regnet-x-16gf"}};
  for (const auto& [name, id] : kModels) {
    const ModelPreset* model = shipped_catalog().find_model(name);
    ASSERT_NE(model, nullptr) << name;
    EXPECT_EQ(model->id, id) << name;
  }
  EXPECT_EQ(shipped_catalog().find_dataset("MS COCO 2017")->samples, 118287);
  EXPECT_EQ(shipped_catalog().find_dataset("pascal-voc")->samples, 16551);
  EXPECT_EQ(shipped_catalog().find_dataset("ImageNet-1k")->samples, 1281167);
}

TEST(CatalogLookup, SuggestsTheNearestId) {
  const auto ids = gpu_ids();
  const std::pair<const char*, const char*> kNear[] = {
      {"rtx4090", "rtx-4090-24gb"},       {"rtx-4090-24g", "rtx-4090-24gb"},
      {"rtx-4909-24gb", "rtx-4090-24gb"}, {"v100 32", "v100-sxm-32gb"},
      {"5090d", "rtx-5090-d-32gb"},       {"h100-sxm5-80gb", "h100-sxm-80gb"},
      {"mi300", "mi300x-192gb"}};
  for (const auto& [got, want] : kNear) EXPECT_EQ(nearest_id(got, ids), want) << got;
  for (const std::string_view id : nearest_ids("a100", ids, 4)) {
    EXPECT_TRUE(id.starts_with("a100-")) << id;
  }
  EXPECT_EQ(nearest_ids("a100", ids, 4).size(), 4U);
  EXPECT_EQ(nearest_id("quantum computer", ids), "");
  EXPECT_EQ(nearest_id("", ids), "");
}

TEST(CatalogLookup, SuggestionsDoNotDependOnTheOrderOfTheCatalog) {
  auto ids = gpu_ids();
  for (const char* got : {"a100", "rtx", "h10O", "l4o", "4090 48", "ascend"}) {
    const auto first = nearest_ids(got, ids, 3);
    std::reverse(ids.begin(), ids.end());
    EXPECT_EQ(nearest_ids(got, ids, 3), first) << got;
  }
}

TEST(CatalogLookup, EditDistanceCountsNeighbourSwapsOnce) {
  EXPECT_EQ(edit_distance("trian", "train"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("RTX", "rtx"), 0U);
  EXPECT_EQ(edit_distance(std::string(100000, 'a'), std::string(100000, 'b')), 64U);
  const std::string_view words[] = {"seq_len", "micro_batch", "precision"};
  EXPECT_EQ(nearest("seqlen", words), "seq_len");
  EXPECT_FALSE(nearest("colour", words).has_value());
}

TEST(CatalogPeak, FollowsTheRuleOfEachPrecision) {
  const Catalog& catalog = shipped_catalog();
  struct Row {
    const char* gpu;
    Precision precision;
    double tflops;  // 0 = unsupported
    PeakFormat format;
    bool emulated, tensor;
  };
  const Row kRows[] = {
      {"rtx-4090-24gb", Precision::kBf16, 165.2, PeakFormat::kBf16Tensor, false, true},
      {"rtx-4090-24gb", Precision::kFp16, 165.2, PeakFormat::kFp16Tensor, false, true},
      {"rtx-4090-24gb", Precision::kFp32, 82.58, PeakFormat::kFp32, false, false},
      {"a100-pcie-40gb", Precision::kTf32, 156, PeakFormat::kTf32, false, true},
      {"a100-pcie-40gb", Precision::kFp8, 0, PeakFormat::kFp8Tensor, false, false},
      {"h100-sxm-80gb", Precision::kFp8, 1978.9, PeakFormat::kFp8Tensor, false, true},
      {"p40-24gb", Precision::kFp16, 11.76, PeakFormat::kFp32, false, false},
      {"p4-8gb", Precision::kTf32, 5.5, PeakFormat::kFp32, false, false},
      {"p4-8gb", Precision::kBf16, 2.82, PeakFormat::kFp32, true, false}};
  for (const Row& row : kRows) {
    const auto peak = peak_at(*catalog.find_gpu(row.gpu), row.precision);
    if (row.tflops == 0) {
      EXPECT_FALSE(peak.has_value()) << row.gpu;
      continue;
    }
    ASSERT_TRUE(peak.has_value()) << row.gpu;
    EXPECT_NEAR(to_teraflops(peak->rate), row.tflops, 0.2) << row.gpu;
    EXPECT_EQ(peak->format, row.format) << row.gpu;
    EXPECT_EQ(peak->emulated, row.emulated) << row.gpu;
    EXPECT_EQ(peak->tensor, row.tensor) << row.gpu;
  }
  // P100 runs packed FP16 at twice FP32; V100 without a measured bf16 rate runs it at half FP32.
  const auto p100 = peak_at(*catalog.find_gpu("p100-pcie-16gb"), Precision::kFp16);
  EXPECT_EQ(p100->format, PeakFormat::kFp16Vector);
  Gpu own;
  own.tflops[static_cast<std::size_t>(PeakFormat::kFp32)] = 15;
  EXPECT_EQ(to_teraflops(peak_at(own, Precision::kBf16)->rate), 7.5);
  EXPECT_TRUE(peak_at(own, Precision::kBf16)->emulated);
  EXPECT_FALSE(peak_at(Gpu{}, Precision::kFp32).has_value());
}

TEST(CatalogPeak, NoPrecisionOfAnyCardUsesSparsityOrFp16Accumulate) {
  for (const Gpu& gpu : shipped_catalog().gpus) {
    for (const Precision precision : {Precision::kFp32, Precision::kTf32, Precision::kFp16,
                                      Precision::kBf16, Precision::kFp8}) {
      const auto peak = peak_at(gpu, precision);
      if (!peak) continue;
      EXPECT_NE(peak->format, PeakFormat::kFp16TensorAcc16) << gpu.id;
      EXPECT_NE(peak->format, PeakFormat::kFp8TensorAcc16) << gpu.id;
      EXPECT_GT(peak->rate.value(), 0) << gpu.id;
    }
  }
}

}  // namespace
}  // namespace xuanka
