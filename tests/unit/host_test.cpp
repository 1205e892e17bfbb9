// Cores feed the card, host memory is a hard limit (guide-aistudio).
#include "xuanka/host/host.hpp"

#include <gtest/gtest.h>

#include "decision_support.hpp"

namespace xuanka {
namespace {

using test::ask;
using test::has;
using test::number;
using test::text;

std::string guide_job(std::string_view host, std::string_view counts = "[1,2,4,8]") {
  return std::string(
             "{'version':1,'workload':{'model':{'id':'resnet50'},'data':{'samples':16551,"
             "'epochs':10}},'hardware':{'gpus':['rtx-4090-24gb','a100-pcie-40gb'],'counts':") +
         std::string(counts) + "},'host':" + std::string(host) +
         ",'decision':{'offers':{'providers':['AIStudio']}}}";
}

TEST(Host, SixtyFourGigabytesDoNotFitOneSlice) {
  const auto answer = ask(guide_job("{'ram_gb':64}"));
  const Candidate& one = answer->at("rtx-4090-24gb", 1);
  EXPECT_EQ(one.verdict, Verdict::kHostShort);
  EXPECT_FALSE(one.host.ok);
  EXPECT_EQ(number(one.notes, NoteCode::kHostRamShort, "have"), 28);
  EXPECT_EQ(number(one.notes, NoteCode::kHostRamShort, "want"), 64);
  EXPECT_EQ(text(one.notes, NoteCode::kShapeThatWouldDo, "offer"), "aistudio-rtx-4090-24gb-x4");
  EXPECT_EQ(number(one.notes, NoteCode::kShapeThatWouldDo, "ram_gb"), 112);
  EXPECT_EQ(number(one.notes, NoteCode::kShapeThatWouldDo, "gpu_count"), 4);
  EXPECT_EQ(answer->at("rtx-4090-24gb", 2).verdict, Verdict::kHostShort);  // 56 GB
  EXPECT_EQ(answer->at("rtx-4090-24gb", 4).verdict, Verdict::kOk);         // 112 GB
  EXPECT_EQ(answer->at("a100-pcie-40gb", 1).verdict, Verdict::kOk);        // 86 GB
}

TEST(Host, NoShapeIsNamedWhenNoneWouldDo) {
  const auto answer = ask(guide_job("{'ram_gb':500}", "[1]"));
  const Candidate& one = answer->at("rtx-4090-24gb", 1);
  EXPECT_EQ(one.verdict, Verdict::kHostShort);
  EXPECT_FALSE(has(one.notes, NoteCode::kShapeThatWouldDo));  // 224 GB at most
}

TEST(Host, CoresBelowWhatTheJobNeeds) {
  const auto answer = ask(guide_job("{'cpu_cores_per_gpu':12}"));
  for (const int count : {1, 2, 4, 8}) {
    const Candidate& ampere = answer->at("a100-pcie-40gb", count);
    EXPECT_EQ(number(ampere.notes, NoteCode::kCpuCoresLow, "have"), 10);
    EXPECT_EQ(number(ampere.notes, NoteCode::kCpuCoresLow, "want"), 12);
    EXPECT_EQ(ampere.verdict, Verdict::kOk);  // a warning, no refusal
    EXPECT_FALSE(has(answer->at("rtx-4090-24gb", count).notes, NoteCode::kCpuCoresLow));
  }
}

TEST(Host, ImagesWantTwelveCoresByDefault) {
  const auto answer = ask(guide_job("{}", "[1]"));
  EXPECT_EQ(answer->at("a100-pcie-40gb", 1).host.cores_needed, 12);
  EXPECT_TRUE(has(answer->at("a100-pcie-40gb", 1).notes, NoteCode::kCpuCoresLow));
}

TEST(Host, WhatTheMachineHasReplacesTheShape) {
  const auto answer = ask(guide_job("{'ram_gb':64,'have_ram_gb':128,'have_cpu_cores':8}", "[1]"));
  const Candidate& one = answer->at("rtx-4090-24gb", 1);
  EXPECT_EQ(one.verdict, Verdict::kOk);
  EXPECT_EQ(one.host.ram_gb, 128);
  EXPECT_EQ(number(one.notes, NoteCode::kCpuCoresLow, "have"), 8);
  const auto small = ask(guide_job("{'ram_gb':64,'have_ram_gb':32}", "[1]"));
  EXPECT_EQ(small->at("a100-pcie-40gb", 1).verdict, Verdict::kHostShort);
  EXPECT_FALSE(has(small->at("a100-pcie-40gb", 1).notes, NoteCode::kShapeThatWouldDo));
}

TEST(Host, AnUnpublishedShapeIsNeverARefusal) {
  const auto answer =
      ask("{'version':1,'workload':{'model':{'id':'resnet50'},'data':{'samples':1000}},'hardware':"
          "{'gpus':['rtx-4090-24gb'],'counts':[1]},'host':{'ram_gb':64},"
          "'decision':{'offers':{'providers':['AutoDL']}}}");
  const Candidate& one = answer->at("rtx-4090-24gb", 1);
  EXPECT_EQ(one.verdict, Verdict::kOk);
  EXPECT_TRUE(has(one.notes, NoteCode::kHostUnknown));
  EXPECT_FALSE(one.host.ram_gb);
}

TEST(Host, AnotherOfferOfTheSameSizeIsTakenBeforeARefusal) {
  const auto answer = ask(
      "{'version':1,'workload':{'model':{'id':'resnet50'},'data':{'samples':1000}},'hardware':"
      "{'gpus':['mine'],'counts':[1]},'host':{'ram_gb':64},'overrides':{'gpus':[{'id':'mine',"
      "'memory_gb':24,'bandwidth_gb_s':900,'tflops':{'fp32':20,'fp16_tensor':100}}],'offers':["
      "{'id':'small','gpu':'mine','gpu_count':1,'ram_gb':32,'price_per_hour':{'amount':1,"
      "'currency':'CNY'}},{'id':'large','gpu':'mine','gpu_count':1,'ram_gb':96,'price_per_hour':"
      "{'amount':2,'currency':'CNY'}}]}}");
  EXPECT_EQ(answer->at("mine", 1).verdict, Verdict::kOk);
  EXPECT_EQ(answer->at("mine", 1).cost->offer, "large");
}

TEST(Host, DisksAreReadFromTheirDescription) {
  Offer offer;
  EXPECT_FALSE(disk_gb(offer));
  for (const auto& [text, gb] :
       {std::pair{"50 GB system + 20 GB cloud disk", 70.0}, std::pair{"1800 GB local NVMe", 1800.0},
        std::pair{"2 TB NVMe", 2000.0}}) {
    offer.disk = text;
    EXPECT_EQ(disk_gb(offer), gb) << text;
  }
  offer.disk = "large";
  EXPECT_FALSE(disk_gb(offer));
}

TEST(Host, ADiskThatIsSmallerThanTheDataIsTold) {
  const Candidate one = ask(guide_job("{'dataset_gb':150}", "[1]"))->at("rtx-4090-24gb", 1);
  EXPECT_EQ(one.verdict, Verdict::kOk);
  EXPECT_EQ(number(one.notes, NoteCode::kDiskShort, "have"), 70);
  EXPECT_EQ(number(one.notes, NoteCode::kDiskShort, "want"), 150);
  const Candidate small = ask(guide_job("{'dataset_gb':60}", "[1]"))->at("rtx-4090-24gb", 1);
  EXPECT_FALSE(has(small.notes, NoteCode::kDiskShort));
}

TEST(Host, TheDataSetTakesWhatTheRequestOrTheCatalogSays) {
  const Catalog& catalog = test::api().knowledge().catalog;
  Request request;
  EXPECT_FALSE(dataset_gb(catalog, request));
  request.workload.dataset = "coco-2017";
  EXPECT_EQ(dataset_gb(catalog, request), catalog.find_dataset("coco-2017")->disk_gb);
  request.host.dataset_gb = 25;
  EXPECT_EQ(dataset_gb(catalog, request), 25);
}

}  // namespace
}  // namespace xuanka
