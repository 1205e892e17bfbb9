// Which card runs what: the guides' facts, and what a format means on a card without it.
#include "xuanka/compat/compat.hpp"

#include <gtest/gtest.h>

#include "decision_support.hpp"

namespace xuanka {
namespace {

using test::has;
using test::number;
using test::text;

const Gpu& gpu(std::string_view id) {
  const Gpu* found = test::api().knowledge().catalog.find_gpu(id);
  static const Gpu none;
  EXPECT_NE(found, nullptr) << id;
  return found != nullptr ? *found : none;
}

struct Checked {
  bool runs = false;
  std::vector<Note> notes;
};
Checked check(std::string_view id, Precision precision,
              std::optional<std::string_view> cuda = std::nullopt) {
  Checked out;
  out.runs = check_compat(gpu(id), precision, cuda, out.notes);
  return out;
}

TEST(Compat, ReadsVersions) {
  EXPECT_EQ(parse_cuda("12.4"), (CudaVersion{12, 4}));
  EXPECT_EQ(parse_cuda("13"), (CudaVersion{13, 0}));
  EXPECT_EQ(parse_cuda("11.8.0"), (CudaVersion{11, 8}));
  EXPECT_LT(*parse_cuda("11.10"), *parse_cuda("12"));
  EXPECT_LT(*parse_cuda("11.8"), *parse_cuda("11.10"));
  for (const std::string_view bad : {"", "12.", ".4", "12.4.1.2", "cu124", "12,4", "-1", "99999"}) {
    EXPECT_FALSE(parse_cuda(bad)) << bad;
  }
}

TEST(Compat, CudaBoundsOfTheGuides) {
  struct Row {
    std::string_view gpu, cuda;
    bool runs;
  };
  for (const Row& row : {Row{"rtx-4090-24gb", "11.7", false}, Row{"rtx-4090-24gb", "11.8", true},
                         Row{"h100-sxm-80gb", "11.7", false}, Row{"h100-sxm-80gb", "11.8", true},
                         Row{"h100-pcie-80gb", "12.4", true}, Row{"v100-sxm-32gb", "13.0", false},
                         Row{"v100-sxm-32gb", "12.9", true}, Row{"rtx-5090-32gb", "12.4", false},
                         Row{"rtx-5090-32gb", "12.8", true}, Row{"a100-pcie-40gb", "11.0", true},
                         Row{"t4-16gb", "13.0", true}}) {
    EXPECT_EQ(check(row.gpu, Precision::kFp16, row.cuda).runs, row.runs) << row.gpu << row.cuda;
  }
  EXPECT_EQ(
      text(check("rtx-4090-24gb", Precision::kFp16, "11.7").notes, NoteCode::kCudaTooOld, "need"),
      "11.8");
  EXPECT_EQ(
      text(check("rtx-5090-32gb", Precision::kFp16, "12.4").notes, NoteCode::kCudaTooOld, "need"),
      "12.8");
  EXPECT_EQ(
      text(check("v100-sxm-32gb", Precision::kFp16, "13.0").notes, NoteCode::kCudaTooNew, "last"),
      "12.9");
}

TEST(Compat, TheDriverFollowsFromTheMajorVersion) {
  const auto driver = [](std::string_view cuda) {
    const auto checked = check("rtx-4090-24gb", Precision::kFp16, cuda);
    for (const Note& note : checked.notes) {
      if (note.code == NoteCode::kCudaDriver) return std::get<double>(note.args.at(1).value);
    }
    return 0.0;
  };
  EXPECT_EQ(driver("11.8"), 450);
  EXPECT_EQ(driver("12.4"), 525);
  EXPECT_EQ(driver("13.0"), 580);
  EXPECT_EQ(driver("10.2"), 0);
}

TEST(Compat, HopperOnElevenEightIsToldToMoveOn) {
  const auto old = check("h100-sxm-80gb", Precision::kBf16, "11.8");
  EXPECT_TRUE(old.runs);
  EXPECT_EQ(text(old.notes, NoteCode::kCudaRecommended, "recommended"), "12.x");
  EXPECT_FALSE(
      has(check("h100-sxm-80gb", Precision::kBf16, "12.4").notes, NoteCode::kCudaRecommended));
  EXPECT_FALSE(
      has(check("rtx-4090-24gb", Precision::kBf16, "11.8").notes, NoteCode::kCudaRecommended));
}

TEST(Compat, Bf16WithoutUnitsIsEmulatedAndSlower) {
  const auto volta = check("v100-sxm-16gb", Precision::kBf16);
  EXPECT_TRUE(volta.runs);
  // Measured 91.9 against 10.1 TFLOPS (zzc0721/torch-performance-test-data): about nine times.
  EXPECT_NEAR(number(volta.notes, NoteCode::kBf16Emulated, "slowdown"), 9.1, 0.2);
  for (const std::string_view id : {"t4-16gb", "p100-pcie-16gb", "v100-sxm-32gb"}) {
    const auto notes = check(id, Precision::kBf16).notes;
    EXPECT_GT(number(notes, NoteCode::kBf16Emulated, "slowdown"), 1) << id;
    EXPECT_FALSE(has_native_bf16(gpu(id)));
    EXPECT_FALSE(has(check(id, Precision::kFp16).notes, NoteCode::kBf16Emulated));
  }
  EXPECT_FALSE(has(check("a100-sxm-80gb", Precision::kBf16).notes, NoteCode::kBf16Emulated));
}

TEST(Compat, PascalHasNoTensorCores) {
  EXPECT_TRUE(has(check("p100-pcie-16gb", Precision::kFp16).notes, NoteCode::kFp16NoTensor));
  EXPECT_FALSE(has(check("t4-16gb", Precision::kFp16).notes, NoteCode::kFp16NoTensor));
}

TEST(Compat, Tf32IsOffByDefaultWhereItExists) {
  for (const std::string_view id :
       {"a100-pcie-40gb", "rtx-3090-24gb", "h100-sxm-80gb", "a40-48gb"}) {
    EXPECT_TRUE(has(check(id, Precision::kTf32).notes, NoteCode::kTf32OffByDefault)) << id;
    EXPECT_TRUE(has(check(id, Precision::kFp32).notes, NoteCode::kTf32OffByDefault)) << id;
    EXPECT_FALSE(has(check(id, Precision::kBf16).notes, NoteCode::kTf32OffByDefault)) << id;
  }
  EXPECT_FALSE(has(check("v100-sxm-32gb", Precision::kTf32).notes, NoteCode::kTf32OffByDefault));
}

TEST(Compat, MarketedFiguresAreLabelledAndNeverUsed) {
  const auto ada = check("rtx-4090-24gb", Precision::kFp16);
  EXPECT_NEAR(number(ada.notes, NoteCode::kPeakAccumulate, "marketed"), 330.3, 0.5);
  EXPECT_NEAR(number(ada.notes, NoteCode::kPeakAccumulate, "used"), 165.2, 0.1);
  const auto hopper = check("h100-sxm-80gb", Precision::kFp16);
  EXPECT_NEAR(number(hopper.notes, NoteCode::kPeakSparse, "marketed"), 1979, 1);
  EXPECT_NEAR(number(hopper.notes, NoteCode::kPeakSparse, "used"), 989.4, 0.1);
  const auto single = check("h100-sxm-80gb", Precision::kTf32);
  EXPECT_NEAR(number(single.notes, NoteCode::kPeakSparse, "marketed"), 989, 1);
  EXPECT_NEAR(number(single.notes, NoteCode::kPeakSparse, "used"), 494.7, 0.1);
  EXPECT_FALSE(has(hopper.notes, NoteCode::kPeakAccumulate));
  EXPECT_FALSE(has(check("v100-sxm-32gb", Precision::kFp16).notes, NoteCode::kPeakSparse));
}

TEST(Compat, Fp8OnlyWhereItExists) {
  const auto ampere = check("a100-sxm-80gb", Precision::kFp8);
  EXPECT_FALSE(ampere.runs);
  EXPECT_TRUE(has(ampere.notes, NoteCode::kFp8Unavailable));
  EXPECT_TRUE(check("h100-sxm-80gb", Precision::kFp8).runs);
  EXPECT_TRUE(check("rtx-4090-24gb", Precision::kFp8).runs);
}

TEST(Compat, TransformerEngineFromHopperOn) {
  for (const std::string_view id : {"h100-sxm-80gb", "b200-sxm-180gb", "rtx-5090-32gb"}) {
    EXPECT_TRUE(has(check(id, Precision::kBf16).notes, NoteCode::kTransformerEngine)) << id;
  }
  EXPECT_FALSE(has(check("a100-sxm-80gb", Precision::kBf16).notes, NoteCode::kTransformerEngine));
}

TEST(Compat, FlashAttentionNeedsAmpere) {
  for (const std::string_view id : {"v100-sxm-32gb", "t4-16gb", "p40-24gb", "rtx-2080-ti-11gb"}) {
    EXPECT_FALSE(supports_flash_attention(gpu(id))) << id;
  }
  for (const std::string_view id : {"a100-sxm-80gb", "rtx-3090-24gb", "l4-24gb", "mi300x-192gb"}) {
    EXPECT_TRUE(supports_flash_attention(gpu(id))) << id;
  }
}

TEST(Compat, OtherVendorsHaveOtherStacks) {
  struct Row {
    std::string_view gpu, stack;
  };
  for (const Row& row : {Row{"mi300x-192gb", "ROCm"}, Row{"gaudi2-96gb", "SynapseAI"},
                         Row{"arc-a770-16gb", "oneAPI"}, Row{"ascend-910b-64gb", "CANN"},
                         Row{"mtt-s4000-48gb", "MUSA"}, Row{"dcu-k100-64gb", "DTK (ROCm)"},
                         Row{"mlu370-x8-48gb", "Neuware"}, Row{"m2-ultra-192gb", "Metal (MPS)"}}) {
    const auto checked = check(row.gpu, Precision::kFp16);
    EXPECT_EQ(text(checked.notes, NoteCode::kVendorStack, "stack"), row.stack) << row.gpu;
    EXPECT_TRUE(checked.runs) << row.gpu;
    EXPECT_FALSE(check(row.gpu, Precision::kFp16, "12.4").runs) << row.gpu;
  }
  EXPECT_FALSE(has(check("l4-24gb", Precision::kFp16).notes, NoteCode::kVendorStack));
}

// 330 TFLOPS of the RTX 4090 is dense with FP16 accumulate; sparsity doubles that once more.
TEST(Compat, EachAdvertisedFigureIsExplainedOnce) {
  for (const Precision precision : {Precision::kFp16, Precision::kBf16}) {
    const auto notes = check("rtx-4090-24gb", precision).notes;
    EXPECT_NEAR(number(notes, NoteCode::kPeakAccumulate, "marketed"), 330.3, 0.1);
    EXPECT_NEAR(number(notes, NoteCode::kPeakSparse, "marketed"), 660.6, 0.2);
    EXPECT_NEAR(number(notes, NoteCode::kPeakSparse, "used"), 165.2, 0.1);
  }
  const auto server = check("l40-48gb", Precision::kFp16).notes;  // data sheet: 181.05 | 362.1
  EXPECT_FALSE(has(server, NoteCode::kPeakAccumulate));
  EXPECT_NEAR(number(server, NoteCode::kPeakSparse, "marketed"), 362.1, 0.1);
}

TEST(Compat, ACardNoLongerMadeSaysWhetherItIsStillSupported) {
  EXPECT_EQ(text(check("p100-pcie-16gb", Precision::kFp16).notes, NoteCode::kEndOfLife, "last"),
            "12.9");
  const auto ada = check("rtx-4090-24gb", Precision::kFp16).notes;
  EXPECT_TRUE(has(ada, NoteCode::kEndOfLife));
  EXPECT_EQ(text(ada, NoteCode::kEndOfLife, "last"), "");
}

TEST(Compat, StatusOfTheCardIsTold) {
  EXPECT_TRUE(has(check("v100-sxm-32gb", Precision::kFp16).notes, NoteCode::kEndOfLife));
  EXPECT_TRUE(has(check("rtx-2080-ti-22gb", Precision::kFp16).notes, NoteCode::kAftermarket));
  EXPECT_TRUE(has(check("a10g-24gb", Precision::kFp16).notes, NoteCode::kLowConfidence));
  EXPECT_FALSE(has(check("l4-24gb", Precision::kFp16).notes, NoteCode::kEndOfLife));
}

}  // namespace
}  // namespace xuanka
