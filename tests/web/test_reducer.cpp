// The state changes only by actions; entries are kept as typed. No Dear ImGui here.
#include <gtest/gtest.h>

#include "web/state.hpp"

namespace xuanka::web {
namespace {

TEST(Reducer, KeepsWhatWasTypedHoweverWrong) {
  State s = reduce(initial_state(), SetField{FieldId::kSeqLen, "two thousand"});
  EXPECT_EQ(s.text(FieldId::kSeqLen), "two thousand");
  EXPECT_FALSE(s.number(FieldId::kSeqLen).has_value());
}

TEST(Reducer, StepsForwardAndBackLoseNothing) {
  State s = reduce(initial_state(), SetField{FieldId::kTokens, "123M"});
  const auto values = s.values;
  for (const Step step : {Step::kJob, Step::kModel, Step::kConstraints, Step::kAnswer, Step::kJob})
    s = reduce(s, GoStep{step});
  EXPECT_EQ(s.values, values);
  EXPECT_EQ(step_after(Step::kAnswer), Step::kAnswer);
  EXPECT_EQ(step_before(Step::kJob), Step::kJob);
}

TEST(Reducer, TogglesWordsInTheOrderOfTheTable) {
  State s = initial_state();
  s = reduce(s, ToggleWord{FieldId::kCounts, "2"});
  EXPECT_EQ(s.text(FieldId::kCounts), "1,4,8");
  s = reduce(s, ToggleWord{FieldId::kCounts, "2"});
  EXPECT_EQ(s.text(FieldId::kCounts), "1,2,4,8");
  for (const char* word : {"1", "2", "4", "8"}) s = reduce(s, ToggleWord{FieldId::kCounts, word});
  EXPECT_EQ(s.text(FieldId::kCounts), "");
}

TEST(Reducer, AModelOfImagesBringsADatasetAndNoAdapter) {
  State s = reduce(initial_state(), PickModel{"resnet50", "vision", "imagenet-1k", 90});
  EXPECT_EQ(s.text(FieldId::kKind), "train");
  EXPECT_EQ(s.text(FieldId::kDataset), "imagenet-1k");
  EXPECT_EQ(s.text(FieldId::kEpochs), "90");
  s = reduce(s, PickModel{"llama-2-7b", "language", "", 1});
  EXPECT_EQ(s.text(FieldId::kDataset), "");
  EXPECT_EQ(s.text(FieldId::kEpochs), "3");
}

TEST(Reducer, ADatasetOfAnotherKindGivesWay) {
  State s = reduce(initial_state(), PickModel{"resnet50", "vision", "imagenet-1k", 90});
  s = reduce(s, SetField{FieldId::kDataset, "cifar-10"});
  s = reduce(s, PickModel{"vit-b-16", "vision", "imagenet-1k", 90});
  EXPECT_EQ(s.text(FieldId::kDataset), "cifar-10");
  s = reduce(s, PickModel{"whisper-small", "speech", "librispeech-960h", 10});
  EXPECT_EQ(s.text(FieldId::kDataset), "librispeech-960h");
}

TEST(Reducer, AnOwnDatasetSurvivesAnotherModel) {
  State s = reduce(initial_state(), SetField{FieldId::kSamples, "5000"});
  s = reduce(s, PickModel{"resnet50", "vision", "imagenet-1k", 90});
  EXPECT_EQ(s.text(FieldId::kDataset), "");
  EXPECT_EQ(s.text(FieldId::kSamples), "5000");
}

TEST(Reducer, WhatTheEmbeddingPageHasFixedNoActionChanges) {
  State s = reduce(initial_state(), SetField{FieldId::kLock, "m,s,c,k"});
  const State before = s;
  for (const Action& action :
       std::vector<Action>{SetField{FieldId::kModel, "gpt2"}, SetField{FieldId::kSource, "size"},
                           SetField{FieldId::kSeqLen, "512"}, ToggleWord{FieldId::kCounts, "2"},
                           PickModel{"resnet50", "vision", "imagenet-1k", 90},
                           ApplyChange{"workload.seq_len", 512.0}})
    EXPECT_EQ(reduce(s, action), before);
  s = reduce(s, SetField{FieldId::kDeadline, "12"});
  EXPECT_EQ(s.text(FieldId::kDeadline), "12");
  // A dropped file and a fresh start bring everything else.
  State other = initial_state();
  other.text(FieldId::kModel) = "gpt2";
  other.text(FieldId::kDeadline) = "48";
  s = reduce(s, Replace{other});
  EXPECT_EQ(s.text(FieldId::kModel), before.text(FieldId::kModel));
  EXPECT_EQ(s.text(FieldId::kDeadline), "48");
  s = reduce(s, StartAgain{});
  EXPECT_EQ(s.text(FieldId::kLock), "m,s,c,k");
  EXPECT_EQ(s.text(FieldId::kDeadline), "24");
}

TEST(Reducer, AppliesAProposedChangeByItsPath) {
  State s = reduce(initial_state(), ApplyChange{"workload.micro_batch", 1.0});
  EXPECT_EQ(s.text(FieldId::kMicroBatch), "1");
  s = reduce(s, ApplyChange{"workload.recompute", std::string("full")});
  EXPECT_EQ(s.text(FieldId::kRecompute), "full");
  s = reduce(s, ApplyChange{"workload.activation_offload", true});
  EXPECT_EQ(s.text(FieldId::kActivationOffload), "1");
  EXPECT_EQ(reduce(s, ApplyChange{"workload.no_such_thing", 1.0}), s);
}

TEST(Reducer, SortsUpDownAndBackToTheRanking) {
  State s = reduce(initial_state(), SortBy{ListId::kPlans, 3});
  EXPECT_EQ(s.sort[0].column, 3);
  EXPECT_FALSE(s.sort[0].descending);
  s = reduce(s, SortBy{ListId::kPlans, 3});
  EXPECT_TRUE(s.sort[0].descending);
  s = reduce(s, SortBy{ListId::kPlans, 3});
  EXPECT_EQ(s.sort[0].column, -1);
}

TEST(Reducer, NoticesAreSaidOnceAndClosed) {
  State s = reduce(initial_state(), AddNotice{{"link_broken", {}, true}});
  s = reduce(s, AddNotice{{"link_broken", {}, true}});
  ASSERT_EQ(s.notices.size(), 1U);
  s = reduce(s, CloseNotice{7});
  EXPECT_EQ(s.notices.size(), 1U);
  s = reduce(s, CloseNotice{0});
  EXPECT_TRUE(s.notices.empty());
}

TEST(Reducer, StartingAgainKeepsLanguageAndTheme) {
  State s = reduce(initial_state(), SetField{FieldId::kLang, "en"});
  s = reduce(s, SetField{FieldId::kTheme, "dark"});
  s = reduce(s, SetField{FieldId::kTokens, "1"});
  s = reduce(s, StartAgain{});
  EXPECT_EQ(s.text(FieldId::kLang), "en");
  EXPECT_EQ(s.text(FieldId::kTheme), "dark");
  EXPECT_EQ(s.text(FieldId::kTokens), "50M");
}

TEST(Numbers, AreReadAsPeopleTypeThem) {
  EXPECT_EQ(read_number("2048"), 2048);
  EXPECT_EQ(read_number(" 50 M "), 5e7);
  EXPECT_EQ(read_number("7B"), 7e9);
  EXPECT_EQ(read_number("1.4e9"), 1.4e9);
  EXPECT_EQ(read_number("1,281,167"), 1281167);
  EXPECT_EQ(read_number("3万"), 30000);
  EXPECT_EQ(read_number("5千万"), 5e7);
  EXPECT_EQ(read_number("1.5亿"), 1.5e8);
  EXPECT_EQ(read_number("38%"), 0.38);
  EXPECT_EQ(read_number("-3"), -3);
  EXPECT_EQ(read_number("0.1"), 0.1);
  EXPECT_EQ(read_number("2.09"), 2.09);
}

TEST(Numbers, RefuseEverythingElse) {
  for (const char* text :
       {"", " ", "abc", "1e999", "12 apples", "--3", "0x10", "NaN", "inf", "1.2.3", "M", "."})
    EXPECT_FALSE(read_number(text).has_value()) << text;
}

TEST(Numbers, PrintAndReadBack) {
  for (const double value : {0.0, 1.0, 0.1, 1.0 / 3, 1.4e9, 5e7, 1e21, 6738415616.0,
                             1.7976931348623157e308, 2.2250738585072014e-300}) {
    const auto back = read_number(number_text(value));
    ASSERT_TRUE(back.has_value()) << value;
    EXPECT_NEAR(*back / (value == 0 ? 1 : value), value == 0 ? 0 : 1, 1e-14) << number_text(value);
  }
}

TEST(Fields, EachKeyAndPathIsFoundAndUnique) {
  for (const FieldSpec& f : fields()) {
    EXPECT_EQ(field_by_key(f.key), &f);
    if (f.path.empty()) continue;
    EXPECT_EQ(field_by_path(f.path), &f) << f.path;
  }
  EXPECT_EQ(field_by_path("workload.model.hf_config.hidden_size")->id, FieldId::kConfig);
  EXPECT_EQ(field_by_path("workloads"), nullptr);
  EXPECT_EQ(field_by_key("nope"), nullptr);
}

}  // namespace
}  // namespace xuanka::web
