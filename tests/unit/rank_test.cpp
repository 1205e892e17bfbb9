// From candidates to a recommendation.
#include "xuanka/rank/rank.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "decision_support.hpp"
#include "rank/order.hpp"

namespace xuanka {
namespace {

using namespace std::string_literals;
using test::ask;
using test::has;
using test::number;

// A job timed on one card of one's own that costs 2 a card and hour, as instances of 1, 2, 4 and 8.
std::string timed(std::string_view hours, std::string_view more = "") {
  return "{'version':1,'workload':{'model':{'measured':{'gpu':'rtx-4090-24gb','count':1,'hours':" +
         std::string(hours) + "}}},'hardware':{'gpus':['rtx-4090-24gb'],'counts':[1,2,4,8]}," +
         "'decision':{'offers':{'providers':['AIStudio']}" + std::string(more) + "}}";
}

TEST(Rank, FortyHoursTakeTheSmallestCountThatEndsWithinADay) {
  const auto answer = ask(timed("40"));
  EXPECT_EQ(answer->best().count, 2);
  EXPECT_EQ(answer->at("rtx-4090-24gb", 1).verdict, Verdict::kTooSlow);
  EXPECT_EQ(number(answer->at("rtx-4090-24gb", 1).notes, NoteCode::kDeadlineMissed, "hours"), 40);
  EXPECT_LE(answer->best().planned.time.total->value(), 24 * 3600);
  EXPECT_FALSE(has(answer->best().notes, NoteCode::kTwoExperiments));
}

// What was timed on one card is told for others by the ratio the model gives two cards.
TEST(Rank, ATimedJobFollowsTheCard) {
  const auto cards =
      "'hardware':{'gpus':['t4-16gb','rtx-3090-24gb','h100-sxm-80gb'],'counts':[1]},"
      "'decision':{'acquire':'buy','deadline_hours':null}}";
  const auto by_ratio = ask(
      "{'version':1,'workload':{'model':{'measured':{'gpu':'rtx-3090-24gb','count':1,'hours':58}}},"s +
      cards);
  const auto counted = ask(
      "{'version':1,'workload':{'model':{'id':'resnet-50'},'data':{'dataset':'imagenet-1k'}},"s +
      cards);
  const auto seconds = [](const auto& answer, const char* gpu) {
    return answer->at(gpu, 1).planned.time.total->value();
  };
  EXPECT_NEAR(seconds(by_ratio, "rtx-3090-24gb"), 58 * 3600, 1);
  for (const char* gpu : {"t4-16gb", "h100-sxm-80gb"}) {
    const double ratio = seconds(by_ratio, gpu) / seconds(by_ratio, "rtx-3090-24gb");
    EXPECT_NEAR(ratio, seconds(counted, gpu) / seconds(counted, "rtx-3090-24gb"), 0.1 * ratio);
  }
  EXPECT_GT(seconds(by_ratio, "t4-16gb"), 2 * seconds(by_ratio, "rtx-3090-24gb"));
}

// A short job costs cents on any machine: who buys wants the smallest purchase that does it in
// time.
TEST(Rank, WhoBuysIsToldTheSmallestPurchase) {
  for (const char* acquire : {"buy", "used"}) {
    const auto answer = ask(
        "{'version':1,'workload':{'kind':'lora','model':{'id':'llama-2-7b'},'data':{'tokens':5e7}},"
        "'decision':{'acquire':'"s +
        acquire + "'}}");
    const double paid = *answer->best().cost->capital;
    EXPECT_EQ(answer->report.recommended, 0U);
    bool costs_less_by_the_hour = false;
    for (const Candidate& c : answer->report.candidates) {
      if (c.verdict != Verdict::kOk) continue;
      const bool tight = c.planned.memory.verdict == MemoryVerdict::kTight;  // gives way to room
      EXPECT_GE(*c.cost->capital * (tight ? 1.25 : 1), paid) << c.gpu << c.count;
      costs_less_by_the_hour |= *c.cost->amount < *answer->best().cost->amount;
    }
    EXPECT_TRUE(costs_less_by_the_hour) << "the order by cost alone would say otherwise";
  }
}

// Two cards alike but for memory and price: of 24 GB the job takes nearly all.
TEST(Rank, ALittleMoreIsPaidForMemoryToSpare) {
  const auto answer_at = [](const std::string& price_of_the_larger) {
    const auto card = [](const char* id, const char* memory) {
      return "{'id':'"s + id + "','memory_gb':" + memory +
             ",'bandwidth_gb_s':900,'tflops':{'fp32':20,'fp16_tensor':100}}";
    };
    const auto offer = [](const char* gpu, const std::string& price) {
      return "{'id':'of-"s + gpu + "','gpu':'" + gpu +
             "','gpu_count':1,'price_per_hour':{'amount':" + price + ",'currency':'CNY'}}";
    };
    return ask(
        "{'version':1,'workload':{'model':{'measured':{'gpu':'small','count':1,'hours':5,"
        "'memory_gb':24.5}}},'hardware':{'gpus':['small','large'],'counts':[1]},"
        "'overrides':{'gpus':["s +
        card("small", "24") + "," + card("large", "48") + "],'offers':[" + offer("small", "10") +
        "," + offer("large", price_of_the_larger) + "]}}");
  };
  const auto near = answer_at("12"), far = answer_at("13");
  EXPECT_EQ(near->best().gpu, "large");
  EXPECT_TRUE(near->report.chosen_for_room);
  ASSERT_TRUE(near->report.cheaper) << "the tight one is still offered";
  EXPECT_EQ(near->report.candidates[*near->report.cheaper].gpu, "small");
  EXPECT_EQ(far->best().gpu, "small");
  EXPECT_EQ(far->best().planned.memory.verdict, MemoryVerdict::kTight);
  EXPECT_FALSE(far->report.chosen_for_room);
}

TEST(Rank, TenHoursStayOnOneCardAndTwoRunTwoExperiments) {
  const auto answer = ask(timed("10"));
  EXPECT_EQ(answer->best().count, 1);
  EXPECT_EQ(number(answer->best().notes, NoteCode::kTwoExperiments, "count"), 2);
  EXPECT_EQ(answer->best().planned.time.total->value(), 36000);
}

TEST(Rank, LongerJobsNeverTakeFewerCards) {
  int before = 1;
  for (const char* hours : {"1", "5", "10", "20", "23", "30", "45", "60", "90", "120"}) {
    const int count = ask(timed(hours))->best().count;
    EXPECT_GE(count, before) << hours;
    before = count;
  }
  EXPECT_GE(before, 8);
}

TEST(Rank, NothingQualifiesAndNothingIsRecommended) {
  const auto answer = ask(timed("4000"));
  EXPECT_FALSE(answer->report.recommended);
  EXPECT_FALSE(answer->report.faster || answer->report.cheaper || answer->report.simpler);
  for (const Candidate& c : answer->report.candidates) EXPECT_EQ(c.verdict, Verdict::kTooSlow);
}

TEST(Rank, WithoutADeadlineTheCheapestCountIsTaken) {
  EXPECT_EQ(ask(timed("40", ",'deadline_hours':null"))->best().count, 1);
}

TEST(Rank, AnIntervalThatCrossesTheDeadlineIsTold) {
  const auto answer = ask(timed("23"));
  const Candidate& one = answer->at("rtx-4090-24gb", 1);
  ASSERT_EQ(one.verdict, Verdict::kOk);
  ASSERT_GT(23 * one.planned.time.high_factor, 24);
  EXPECT_TRUE(has(one.notes, NoteCode::kIntervalCrossesDeadline));
  EXPECT_FALSE(has(ask(timed("2"))->best().notes, NoteCode::kIntervalCrossesDeadline));
}

TEST(Rank, JobsOfTheGuideLandOnSensibleCounts) {
  // One card for Pascal VOC, more for larger sets; all within a day.
  const auto count = [](std::string_view model, std::string_view data) {
    const auto answer =
        ask("{'version':1,'workload':{'model':{'id':'" + std::string(model) +
            "'},'data':{'dataset':'" + std::string(data) +
            "'}},'hardware':{'gpus':['rtx-4090-24gb','a100-pcie-40gb']},'decision':{'offers':"
            "{'providers':['AIStudio']}}}");
    EXPECT_LE(answer->best().planned.time.total->value(), 24 * 3600);
    return answer->best().count;
  };
  EXPECT_EQ(count("fasterrcnn-resnet50-fpn", "pascal-voc"), 1);
  EXPECT_LE(count("fasterrcnn-resnet50-fpn", "coco-2017"), 4);
  EXPECT_LE(count("resnet50", "imagenet-1k"), 8);
}

TEST(Rank, TheBudgetIsConvertedAndHolds) {
  const auto dear = ask(timed("10", ",'budget':{'amount':20,'currency':'CNY'}"));
  EXPECT_EQ(dear->at("rtx-4090-24gb", 1).verdict, Verdict::kOverBudget);  // 10 h x 2.09 = 20.9
  EXPECT_NEAR(number(dear->at("rtx-4090-24gb", 1).notes, NoteCode::kOverBudget, "over"), 0.9, 1e-9);
  EXPECT_FALSE(dear->report.recommended);
  const auto fine = ask(timed("10", ",'budget':{'amount':3,'currency':'USD'}"));  // 21.51 yuan
  EXPECT_EQ(fine->at("rtx-4090-24gb", 1).verdict, Verdict::kOk);
}

TEST(Rank, VerdictsHoldInTheirOrder) {
  const auto verdict = [](std::string_view more) {
    return ask("{'version':1,'workload':{'model':{'id':'llama-2-7b'},'data':{'tokens':1e12}," +
               std::string(more) +
               "'budget':{'amount':1,'currency':'CNY'},'offers':{'providers':['AIStudio']}}}")
        ->report.candidates.front()
        .verdict;
  };
  const std::string one =
      "'hardware':{'gpus':['rtx-4090-24gb'],'counts':[1],'plan':{'offload':'none'}},'decision':{";
  const std::string lora = "'kind':'lora','micro_batch':1,'recompute':'full'},";
  EXPECT_EQ(verdict("'kind':'train'},'host':{'ram_gb':999,'cuda':'11.0'}," + one),
            Verdict::kUnsupported);
  EXPECT_EQ(verdict("'kind':'train'},'host':{'ram_gb':999}," + one), Verdict::kDoesNotFit);
  EXPECT_EQ(verdict(lora + "'host':{'ram_gb':999}," + one), Verdict::kHostShort);
  EXPECT_EQ(verdict(lora + one), Verdict::kTooSlow);
  EXPECT_EQ(verdict(lora + one + "'deadline_hours':null,"), Verdict::kOverBudget);
}

TEST(Rank, RanksByTheMetricAskedFor) {
  const auto asked = [](std::string_view rank_by, std::string_view data) {
    return ask(
        "{'version':1,'workload':{'model':{'id':'llama-2-7b'},'kind':'lora'" + std::string(data) +
        "},'hardware':{'gpus':['rtx-4090-24gb','a100-pcie-40gb','h20-96gb','v100-sxm-32gb']},"
        "'decision':{'rank_by':'" +
        std::string(rank_by) + "'}}");
  };
  for (const std::string_view data : {",'data':{'tokens':1e7}", ""}) {
    for (const std::string_view word : EnumNames<RankBy>::kNames) {
      const auto answer = asked(word, data);
      const RankBy by = *value_of<RankBy>(word);
      const auto& all = answer->report.candidates;
      EXPECT_EQ(all.size(), 16U);
      EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [by](const auto& a, const auto& b) {
        return ranks_before(a, b, by);
      }));
      const auto metric = [by](const Candidate& c) {
        if (by == RankBy::kCost) return *cost_metric(c);
        if (by == RankBy::kTime) return *time_metric(c);
        return by == RankBy::kFlopsPerMoney ? -*c.value.flops_per_money : -*c.value.gb_per_money;
      };
      for (std::size_t i = 1; i < all.size(); ++i) {
        EXPECT_LE(static_cast<int>(all[i].verdict), static_cast<int>(all[i - 1].verdict));
        if (all[i].verdict == all[i - 1].verdict && all[i].verdict == Verdict::kOk) {
          EXPECT_LE(metric(all[i - 1]), metric(all[i])) << word;
        }
      }
    }
  }
}

// Two makes of one card: the dearer machine publishes its RAM, the cheaper one does not.
std::string offloading(std::string_view gpus, std::string_view plan) {
  const auto card = [](std::string_view id) {
    return "{'id':'" + std::string(id) +
           "','memory_gb':24,'bandwidth_gb_s':900,'tflops':{'fp32':40,'fp16_tensor':160,"
           "'bf16_tensor':160}}";
  };
  return "{'version':1,'workload':{'kind':'finetune','model':{'id':'llama-2-7b'},'data':{'tokens':"
         "1e6}},'hardware':{'gpus':[" +
         std::string(gpus) + "],'counts':[1],'plan':{'offload':'" + std::string(plan) +
         "'}},'decision':{'deadline_hours':null},'overrides':{'gpus':[" + card("known") + "," +
         card("unknown") +
         "],'offers':[{'id':'dear','gpu':'known','gpu_count':1,'ram_gb':999,'price_per_hour':"
         "{'amount':3,'currency':'CNY'}},{'id':'cheap','gpu':'unknown','gpu_count':1,"
         "'price_per_hour':{'amount':1,'currency':'CNY'}}]}}";
}

TEST(Rank, WhatCountsOnUnknownHostRamComesLast) {
  const auto answer = ask(offloading("'known','unknown'", "all"));
  EXPECT_EQ(answer->best().gpu, "known");
  EXPECT_FALSE(answer->report.cheaper);  // cheaper, but nobody knows whether it would run
  const Candidate& unknown = answer->at("unknown", 1);
  EXPECT_EQ(unknown.verdict, Verdict::kOk);
  EXPECT_GT(number(unknown.notes, NoteCode::kHostRamAssumed, "want"), 50);
  EXPECT_FALSE(has(answer->best().notes, NoteCode::kHostRamAssumed));
  // Nothing else exists: it is named, with the warning.
  EXPECT_EQ(ask(offloading("'unknown'", "all"))->best().gpu, "unknown");
}

TEST(Rank, WithoutOffloadingTheCheaperMachineWins) {
  auto lora = offloading("'known','unknown'", "none");
  lora.replace(lora.find("finetune"), 8, "qlora");
  const auto answer = ask(lora);
  EXPECT_EQ(answer->best().gpu, "unknown");
  EXPECT_FALSE(has(answer->best().notes, NoteCode::kHostRamAssumed));
}

// 72 billion parameters on one RTX 4090 need more than a TB of host RAM.
TEST(Rank, ALargeModelIsNotSentToOneSmallCard) {
  const auto answer = ask(
      "{'version':1,'workload':{'kind':'finetune','model':{'id':'qwen2.5-72b'},'data':{'tokens':"
      "1e7}},'decision':{'deadline_hours':null}}");
  EXPECT_NE(answer->best().planned.plan.offload, Offload::kAll);
  EXPECT_FALSE(answer->best().host.ram_assumed);
}

TEST(Rank, TheLinkIsASubjectOnlyWhereItCosts) {
  const auto notes = [](std::string_view kind, std::string_view plan) {
    const auto answer =
        ask("{'version':1,'workload':{'kind':'" + std::string(kind) +
            "','model':{'id':'llama-2-7b'},'data':{'tokens':1e7}},'hardware':{'gpus':["
            "'rtx-4090-24gb'],'counts':[2]," +
            std::string(plan) + "'link':'pcie-no-p2p'}}");
    const Candidate& two = answer->at("rtx-4090-24gb", 2);
    const TimeParts& parts = two.planned.time.parts;
    const double share = parts.communication.value() / parts.sum().value();
    EXPECT_EQ(has(two.notes, NoteCode::kNoP2p), share > 0.05) << kind << " " << share;
    return has(two.notes, NoteCode::kNoP2p);
  };
  EXPECT_FALSE(notes("lora", ""));
  EXPECT_TRUE(notes("finetune", "'plan':{'data':2,'zero':3,'offload':'all'},"));
}

TEST(Rank, WithoutWorkRatesOnly) {
  const auto answer =
      ask("{'version':1,'workload':{'model':{'id':'resnet50'}},'hardware':{'gpus':"
          "['rtx-4090-24gb'],'counts':[1]}}");
  const Candidate& c = answer->best();
  EXPECT_FALSE(c.planned.time.total);
  EXPECT_FALSE(c.cost->amount);
  EXPECT_GT(c.planned.time.units_per_second, 0);
  EXPECT_GT(*c.value.units_per_money, 0);
  EXPECT_TRUE(has(answer->report.notes, NoteCode::kNoAmountOfWork));
}

TEST(Rank, AlternativesBeatTheRecommendationInOneRespect) {
  const auto answer =
      ask("{'version':1,'workload':{'model':{'id':'llama-2-7b'},'kind':'lora','data':"
          "{'tokens':2e8}},'hardware':{'counts':[1,2,4,8]}}");
  const Report& report = answer->report;
  ASSERT_TRUE(report.recommended);
  const Candidate& best = answer->best();
  if (report.faster) {
    EXPECT_LT(*report.candidates[*report.faster].planned.time.total, *best.planned.time.total);
    EXPECT_EQ(report.candidates[*report.faster].verdict, Verdict::kOk);
  }
  if (report.cheaper) {
    EXPECT_LT(*report.candidates[*report.cheaper].cost->amount, *best.cost->amount);
  }
  if (report.simpler) {
    EXPECT_LE(report.candidates[*report.simpler].count, best.count);
    EXPECT_EQ(report.candidates[*report.simpler].verdict, Verdict::kOk);
  }
  EXPECT_TRUE(report.faster || report.cheaper || report.simpler);
}

TEST(Rank, AbsentGpusAreThoseThatCanBeHad) {
  const Catalog& catalog = test::api().knowledge().catalog;
  const auto rented =
      ask("{'version':1,'workload':{'model':{'id':'resnet50'}},'hardware':{'counts':[1]}}");
  for (const Candidate& c : rented->report.candidates) {
    EXPECT_TRUE(std::any_of(catalog.offers.begin(), catalog.offers.end(), [&c](const Offer& offer) {
      return offer.gpu == c.gpu && offer.billing == Billing::kOnDemand;
    })) << c.gpu;
  }
  const auto bought =
      ask("{'version':1,'workload':{'model':{'id':'resnet50'}},'hardware':{'counts':"
          "[1]},'decision':{'acquire':'used'}}");
  EXPECT_FALSE(bought->report.candidates.empty());
  for (const Candidate& c : bought->report.candidates) {
    EXPECT_TRUE(c.value.flops_per_money || c.verdict == Verdict::kUnsupported);
    EXPECT_EQ(c.value.per, "bought");
    EXPECT_FALSE(has(c.notes, NoteCode::kNoPrice));
  }
}

TEST(Rank, NoPriceIsNoReasonToHideACard) {
  const auto answer =
      ask("{'version':1,'workload':{'model':{'id':'resnet50'},'data':{'samples':1e5}},"
          "'hardware':{'gpus':['mine'],'counts':[1]},'overrides':{'gpus':[{'id':'mine',"
          "'memory_gb':24,'bandwidth_gb_s':900,'tflops':{'fp16_tensor':100}}]}}");
  EXPECT_EQ(answer->best().verdict, Verdict::kOk);
  EXPECT_TRUE(has(answer->best().notes, NoteCode::kNoPrice));
  EXPECT_FALSE(answer->best().cost);
}

TEST(Rank, FormatsWithoutAFigureAreUnsupported) {
  const auto answer =
      ask("{'version':1,'workload':{'model':{'id':'llama-2-7b'},'precision':'fp8',"
          "'data':{'tokens':1e9}},'hardware':{'gpus':['a100-sxm-80gb'],'counts':[8]}}");
  const Candidate& c = answer->report.candidates.front();
  EXPECT_EQ(c.verdict, Verdict::kUnsupported);
  EXPECT_FALSE(c.value.flops_per_money);
  EXPECT_FALSE(c.planned.time.total);
  EXPECT_TRUE(has(c.notes, NoteCode::kFp8Unavailable));
  EXPECT_FALSE(answer->report.recommended);
}

TEST(Rank, DegreesThatDoNotDivideTheCount) {
  const auto answer =
      ask("{'version':1,'workload':{'model':{'id':'llama-2-7b'},'data':{'tokens':1e9}},"
          "'hardware':{'gpus':['a100-sxm-80gb'],'counts':[3,8],'plan':{'tensor':2}}}");
  EXPECT_EQ(answer->at("a100-sxm-80gb", 3).verdict, Verdict::kUnsupported);
  EXPECT_TRUE(has(answer->at("a100-sxm-80gb", 3).notes, NoteCode::kPlanMismatch));
  EXPECT_EQ(answer->at("a100-sxm-80gb", 8).planned.plan.tensor, 2);
}

TEST(Rank, OneRequestMayUseItsOwnCardsOffersAndRates) {
  const auto answer = ask(
      "{'version':1,'workload':{'model':{'id':'resnet50'},'data':{'samples':1e6}},'hardware':{'"
      "gpus':"
      "['mine'],'counts':[1]},'overrides':{'fx':{'USD_CNY':10},'gpus':[{'id':'mine','memory_gb':24,"
      "'bandwidth_gb_s':900,'tflops':{'fp32':20,'fp16_tensor':100}}],'offers':[{'id':'o','gpu':'"
      "mine',"
      "'gpu_count':1,'price_per_hour':{'amount':1,'currency':'USD'}}]}}");
  const Candidate& c = answer->best();
  EXPECT_EQ(c.cost->hourly->amount, 10);
  EXPECT_NEAR(*c.value.flops_per_money, 100e12 * 3600 / 10, 1);
  EXPECT_NEAR(*c.value.gb_per_money, 2.4, 1e-12);
}

TEST(Rank, OwnEfficiencyReplacesTheEngines) {
  const auto answer =
      ask("{'version':1,'workload':{'model':{'id':'llama-2-7b'},'kind':'lora','data':"
          "{'tokens':1e8}},'hardware':{'gpus':['a100-pcie-40gb'],'counts':[1]},"
          "'overrides':{'efficiency':0.42}}");
  EXPECT_NEAR(answer->best().planned.time.mfu, 0.42, 1e-9);
  EXPECT_TRUE(has(answer->best().notes, NoteCode::kOwnEfficiency));
}

TEST(Rank, ServingLimitsAreVerdicts) {
  const auto serve = [](std::string_view limit) {
    return ask(
        "{'version':1,'workload':{'model':{'id':'llama-2-7b'},'kind':'inference'},'hardware':"
        "{'gpus':['a100-pcie-40gb'],'counts':[1]},'decision':{" +
        std::string(limit) + "}}");
  };
  const auto first = serve("'max_first_token_seconds':0.001");
  EXPECT_EQ(first->report.candidates.front().verdict, Verdict::kTooSlow);
  EXPECT_TRUE(has(first->report.candidates.front().notes, NoteCode::kFirstToken));
  const auto rate = serve("'min_tokens_per_second_per_request':10000");
  EXPECT_EQ(rate->report.candidates.front().verdict, Verdict::kTooSlow);
  EXPECT_TRUE(has(rate->report.candidates.front().notes, NoteCode::kTokenRate));
  EXPECT_EQ(serve("'max_first_token_seconds':1000")->best().verdict, Verdict::kOk);
  EXPECT_EQ(serve("")->best().cost->per, "1e6 output tokens");
}

TEST(Rank, InverseQuestionsAreAnsweredForEachCandidate) {
  for (const auto& [what, path] :
       {std::pair{"micro_batch", "workload.micro_batch"}, std::pair{"seq_len", "workload.seq_len"},
        std::pair{"count", "hardware.counts"}, std::pair{"params", "workload.model.params"}}) {
    const auto answer = ask("{'version':1,'solve':'" + std::string(what) +
                            "','workload':{'model':{'id':'llama-2-7b'},'kind':'qlora'},'hardware':"
                            "{'gpus':['rtx-4090-24gb'],'counts':[1]}}");
    ASSERT_TRUE(answer->best().solved) << what;
    EXPECT_EQ(answer->best().solved->path, path);
    EXPECT_GE(answer->best().solved->value, 1) << what;
  }
}

TEST(Rank, ChangesAreOfferedWhereAJobDoesNotFit) {
  const auto answer =
      ask("{'version':1,'workload':{'model':{'id':'llama-2-7b'},'data':{'tokens':1e9},"
          "'seq_len':4096},'hardware':{'gpus':['rtx-4090-24gb'],'counts':[1],"
          "'plan':{'offload':'none'}}}");
  const Candidate& c = answer->report.candidates.front();
  EXPECT_EQ(c.verdict, Verdict::kDoesNotFit);
  ASSERT_FALSE(c.changes.empty());
  for (const FitChange& change : c.changes) EXPECT_FALSE(change.path.empty());
}

// Full fine-tuning of Llama 2 in bf16 at 4,096 tokens on 8 x A100 80 GB (the closed forms of ZeRO,
// arXiv 1910.02054: 112.96 GiB of states without sharding, 47.07 at stage 1).
class LlamaOnEight : public testing::Test {
 protected:
  static MemoryVerdict fits(std::string_view model, std::string_view plan,
                            std::string_view more = "") {
    const auto answer =
        ask("{'version':1,'workload':{'kind':'finetune','model':{'id':'" + std::string(model) +
            "'},'seq_len':4096,'precision':'bf16','data':{'tokens':1e8}" + std::string(more) +
            "},'hardware':{'gpus':['a100-sxm-80gb'],'counts':[8],'plan':{'data':8,'tensor':1,"
            "'pipeline':1,'context':1,'offload':'none'" +
            std::string(plan) + "}}}");
    return answer->report.candidates.front().planned.memory.verdict;
  }
};

TEST_F(LlamaOnEight, SevenBillionFitFromStageOneOn) {
  EXPECT_EQ(fits("llama-2-7b", ",'zero':0"), MemoryVerdict::kDoesNotFit);
  EXPECT_NE(fits("llama-2-7b", ",'zero':1"), MemoryVerdict::kDoesNotFit);
  EXPECT_NE(fits("llama-2-7b", ",'zero':2"), MemoryVerdict::kDoesNotFit);
  EXPECT_NE(fits("llama-2-7b", ",'zero':3"), MemoryVerdict::kDoesNotFit);
}

TEST_F(LlamaOnEight, ThirteenBillionFitAtStageOneOnlyWithBothSavings) {
  EXPECT_EQ(fits("llama-2-13b", ",'zero':1"), MemoryVerdict::kDoesNotFit);
  EXPECT_EQ(fits("llama-2-13b", ",'zero':1", ",'recompute':'full'"), MemoryVerdict::kDoesNotFit);
  EXPECT_EQ(fits("llama-2-13b", ",'zero':1", ",'grad_precision':'bf16','recompute':'none'"),
            MemoryVerdict::kDoesNotFit);
  EXPECT_NE(fits("llama-2-13b", ",'zero':1", ",'grad_precision':'bf16','recompute':'full'"),
            MemoryVerdict::kDoesNotFit);
  EXPECT_EQ(fits("llama-2-13b", ",'zero':2"), MemoryVerdict::kFits);
}

TEST_F(LlamaOnEight, SeventyBillionDoNot) {
  for (const char* plan : {",'zero':0", ",'zero':1", ",'zero':2", ",'zero':3"}) {
    EXPECT_EQ(fits("llama-2-70b", plan), MemoryVerdict::kDoesNotFit) << plan;
  }
}

}  // namespace
}  // namespace xuanka
