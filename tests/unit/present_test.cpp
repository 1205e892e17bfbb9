#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "xuanka/api/api.hpp"

namespace xuanka {
namespace {

const Api& api() {
  static const Api loaded = Api::create().value();
  return loaded;
}

ViewModel view_of(std::string_view request, Lang lang = Lang::kEn) {
  auto view = api().view_model(request, lang);
  EXPECT_TRUE(view) << api().rank(request, lang);
  return view ? *view : ViewModel{};
}

constexpr std::string_view kLora =
    R"({"version":1,"workload":{"kind":"lora","model":{"id":"llama-2-7b"},"data":{"tokens":5e7},)"
    R"("seq_len":2048},"hardware":{"gpus":["rtx-4090-24gb"]},)"
    R"("decision":{"offers":{"providers":["AIStudio"]}}})";
constexpr std::string_view kMisfit =
    R"({"version":1,"workload":{"kind":"finetune","model":{"id":"llama-2-70b"},"data":{"tokens":1e9}},)"
    R"("hardware":{"gpus":["rtx-4090-24gb"],"counts":[1],"plan":{"offload":"none"}}})";
constexpr std::string_view kVision =
    R"({"version":1,"workload":{"model":{"id":"resnet-50"},"data":{"samples":1281167,"epochs":90}},)"
    R"("hardware":{"gpus":["rtx-4090-24gb","t4-16gb"]}})";
constexpr std::string_view kServe =
    R"({"version":1,"workload":{"kind":"inference","model":{"id":"llama-2-13b"}},)"
    R"("hardware":{"gpus":["rtx-4090-24gb","a100-pcie-40gb"]}})";
constexpr std::string_view kRates =
    R"({"version":1,"workload":{"model":{"id":"llama-2-7b"}},"hardware":{"gpus":["a100-sxm-80gb"]}})";
constexpr std::string_view kBuy =
    R"({"version":1,"workload":{"kind":"qlora","model":{"id":"llama-2-13b"},"data":{"tokens":1e8}},)"
    R"("decision":{"acquire":"buy","currency":"USD"},"host":{"cuda":"12.4"}})";
constexpr std::string_view kMeasured =
    R"({"version":1,"workload":{"model":{"measured":{"gpu":"rtx-3090-24gb","count":2,"hours":58}}},)"
    R"("hardware":{"gpus":["rtx-3090-24gb"]}})";
constexpr std::string_view kAll[] = {kLora, kMisfit, kVision, kServe, kRates, kBuy, kMeasured};

// Texts that a person would see.
std::vector<std::string> texts_of(const ViewModel& view) {
  std::vector<std::string> texts{view.answer.headline, view.answer.range, view.answer.why,
                                 view.model_line,      view.data_line,    view.assumed_line};
  const auto notes = [&texts](const std::vector<NoteLine>& lines) {
    for (const NoteLine& line : lines) texts.push_back(line.text);
  };
  for (const Pill& pill : view.answer.pills) {
    texts.push_back(pill.text);
    texts.push_back(pill.detail);
  }
  for (const Alternative& other : view.answer.alternatives) {
    texts.push_back(other.title + other.headline + other.detail);
  }
  notes(view.answer.watch);
  notes(view.notes);
  for (const CandidateRow& row : view.rows) {
    for (const std::string& text :
         {row.label, row.verdict_pill.text, row.verdict_pill.detail, row.hours_text,
          row.words.hours_range, row.words.rate, row.cost_text, row.words.cost_range,
          row.words.price, row.memory_text, row.words.memory, row.words.plan, row.words.change,
          row.mfu_text}) {
      texts.push_back(text);
    }
  }
  return texts;
}

// "…" stands for an argument that nobody gave; "why.best" and the like for a text that is missing.
void expect_worded(const std::string& text) {
  EXPECT_EQ(text.find("…"), text.npos) << text;
  EXPECT_EQ(text.find("{"), text.npos) << text;
  for (const char* prefix : {"answer.", "why.", "pill.", "row.", "plan.", "alt.", "note.",
                             "explain.", "verdict.", "memory_part.", "word."}) {
    EXPECT_NE(text.rfind(prefix, 0), 0U) << text;
  }
}

TEST(Present, EveryTextIsWordedInBothLanguages) {
  for (const std::string_view request : kAll) {
    for (const Lang lang : {Lang::kZh, Lang::kEn}) {
      for (const std::string& text : texts_of(view_of(request, lang))) expect_worded(text);
    }
  }
}

TEST(Present, NotesOfEveryCandidateAreWordedOnItsAnswerCard) {
  std::size_t notes = 0;
  for (const std::string_view text : kAll) {
    const auto request = parse_request(api().knowledge().catalog, text);
    ASSERT_TRUE(request);
    const Report report = rank(api().knowledge(), *request);
    for (std::size_t i = 0; i < report.candidates.size(); ++i) {
      for (const Lang lang : {Lang::kZh, Lang::kEn}) {
        const AnswerView card =
            present_answer(api().knowledge(), *request, report, i, api().messages(), lang);
        EXPECT_EQ(card.watch.size(), report.candidates[i].notes.size());
        for (const NoteLine& line : card.watch) expect_worded(line.text);
        notes += card.watch.size();
      }
    }
  }
  EXPECT_GT(notes, 100U);
}

TEST(Present, LanguagesDifferOnlyInWords) {
  for (const std::string_view request : kAll) {
    const ViewModel zh = view_of(request, Lang::kZh), en = view_of(request, Lang::kEn);
    ASSERT_EQ(zh.rows.size(), en.rows.size());
    EXPECT_EQ(zh.answer.pills.size(), en.answer.pills.size());
    for (std::size_t i = 0; i < zh.rows.size(); ++i) {
      EXPECT_EQ(zh.rows[i].label, en.rows[i].label);
      EXPECT_EQ(zh.rows[i].hours, en.rows[i].hours);
      EXPECT_EQ(zh.rows[i].cost_text, en.rows[i].cost_text);
      EXPECT_EQ(zh.rows[i].memory_text, en.rows[i].memory_text);
    }
  }
}

TEST(Present, TheHeadlineIsTheRecommendedRow) {
  const ViewModel view = view_of(kLora);
  ASSERT_TRUE(view.answer.has_answer);
  const CandidateRow& row = view.rows.front();
  EXPECT_TRUE(row.recommended);
  EXPECT_EQ(row.verdict_pill.text, "recommended");
  EXPECT_EQ(view.answer.headline.rfind(row.label + ", ", 0), 0U) << view.answer.headline;
  EXPECT_NE(view.answer.headline.find(row.cost_text), std::string::npos);
  EXPECT_EQ(view.answer.range, "(" + row.words.hours_range + ", " + row.words.cost_range + ")");
  EXPECT_NE(view.answer.why.find("The cheapest that ends within 24 h."), std::string::npos);
  EXPECT_NE(view.answer.why.find("AIStudio"), std::string::npos) << view.answer.why;
  EXPECT_EQ(view.answer.pills.front().tone,
            row.memory_verdict == MemoryVerdict::kFits ? Tone::kOk : Tone::kWarn);
  EXPECT_EQ(view.rows.size(), 4U);
  for (std::size_t i = 1; i < view.rows.size(); ++i) EXPECT_FALSE(view.rows[i].recommended);
}

TEST(Present, RowsKeepTheReportsNumbers) {
  for (const std::string_view request : kAll) {
    const ViewModel view = view_of(request);
    ASSERT_FALSE(view.rows.empty());
    for (const CandidateRow& row : view.rows) {
      double sum = 0;
      ASSERT_EQ(row.memory_parts_gib.size(), view.memory_part_names.size());
      for (const double part : row.memory_parts_gib) sum += part;
      EXPECT_NEAR(sum, row.memory_gib, 1e-9 * (1 + row.memory_gib)) << row.label;
      if (row.hours) {
        ASSERT_TRUE(row.hours_low && row.hours_high);
        EXPECT_LE(*row.hours_low, *row.hours);
        EXPECT_GE(*row.hours_high, *row.hours);
      }
      if (row.verdict == Verdict::kOk) {
        EXPECT_LE(row.memory_gib, row.usable_gib);
      }
    }
  }
}

TEST(Present, PricesThatDifferByLessThanHalfAPercentAreTheSame) {
  const Request request = parse_request(api().knowledge().catalog, kLora).value();
  Report report = rank(api().knowledge(), request);
  ASSERT_TRUE(report.recommended);
  report.faster = *report.recommended == 0 ? 1 : 0;
  const auto detail = [&](double more, Lang lang) {
    Candidate& other = report.candidates[*report.faster];
    other.cost = report.candidates[*report.recommended].cost;
    *other.cost->amount += more;
    return present_answer(api().knowledge(), request, report, *report.recommended, api().messages(),
                          lang)
        .alternatives.front()
        .detail;
  };
  EXPECT_NE(detail(2.13e-14, Lang::kEn).find("same price"), std::string::npos);
  EXPECT_NE(detail(-0.004, Lang::kZh).find("价钱一样"), std::string::npos);
  EXPECT_NE(detail(0.02, Lang::kEn).find("same price"), std::string::npos);
  EXPECT_NE(detail(0.2, Lang::kEn).find("¥0.2 more"), std::string::npos);
  EXPECT_NE(detail(-0.2, Lang::kZh).find("省 ¥0.2"), std::string::npos);
}

// The newest price of the H800 is of May; asked at the end of November it is half a year old.
TEST(Present, AnOldPriceSaysHowOldItIs) {
  const ViewModel view = view_of(
      R"({"version":1,"as_of":"2026-11-30","workload":{"kind":"lora","model":{"id":"llama-2-7b"},)"
      R"("data":{"tokens":5e7}},"hardware":{"gpus":["h800-sxm-80gb"],"counts":[1]},"overrides":)"
      R"({"offers":[{"id":"o","gpu":"h800-sxm-80gb","gpu_count":1,"as_of":"2026-05-24",)"
      R"("price_per_hour":{"amount":1,"currency":"CNY"}}]}})");
  const auto& pills = view.answer.pills;
  EXPECT_TRUE(std::any_of(pills.begin(), pills.end(),
                          [](const Pill& pill) { return pill.text == "price 190 days old"; }));
}

TEST(Present, NothingQualifiesSaysWhatCameNearest) {
  const ViewModel view = view_of(kMisfit);
  EXPECT_FALSE(view.answer.has_answer);
  EXPECT_EQ(view.answer.headline, "Nothing qualifies");
  EXPECT_NE(view.answer.why.find("Nearest: 1 × RTX 4090"), std::string::npos) << view.answer.why;
  EXPECT_TRUE(view.answer.alternatives.empty());
  EXPECT_EQ(view.answer.pills.front().tone, Tone::kBad);
  EXPECT_EQ(view_of(kMisfit, Lang::kZh).answer.headline, "没有合适的方案");
}

TEST(Present, WhatDoesNotFitHasNoHoursAndNoCost) {
  const ViewModel view = view_of(kMisfit);
  EXPECT_EQ(view.rows[0].verdict, Verdict::kDoesNotFit);
  EXPECT_FALSE(view.rows[0].hours);
  EXPECT_EQ(view.rows[0].hours_text, "—");
  EXPECT_EQ(view.rows[0].cost_text, "—");
  EXPECT_GT(view.rows[0].memory_gib, view.rows[0].usable_gib);
}

TEST(Present, AJobWithoutAnEndShowsRates) {
  const ViewModel view = view_of(kRates);
  EXPECT_TRUE(view.answer.range.empty());
  EXPECT_NE(view.answer.headline.find("tokens/s"), std::string::npos) << view.answer.headline;
  EXPECT_FALSE(view.rows.front().hours);
  EXPECT_EQ(view.rows.front().hours_text, "—");
  EXPECT_EQ(view.rows.front().cost_text, "—");
}

TEST(Present, ServingIsPricedPerMillionTokens) {
  const ViewModel view = view_of(kServe);
  ASSERT_TRUE(view.answer.has_answer);
  EXPECT_NE(view.answer.headline.find("per million output tokens"), std::string::npos)
      << view.answer.headline;
  EXPECT_NE(view_of(kServe, Lang::kZh).answer.headline.find("每百万输出词元"), std::string::npos);
}

TEST(Present, ACardOfOnesOwnIsShownByItsName) {
  const ViewModel view = view_of(
      R"({"version":1,"workload":{"model":{"id":"resnet-50"},"data":{"samples":100000,"epochs":1}},
          "hardware":{"gpus":["my-card-48gb"],"counts":[1]},
          "overrides":{"gpus":[{"id":"my-card-48gb","name":"My Card","memory_gb":48,
             "bandwidth_gb_s":900,"tflops":{"fp32":40,"fp16_tensor":150,"bf16_tensor":150}}],
            "offers":[{"id":"mine","gpu":"my-card-48gb","gpu_count":1,
             "price_per_hour":{"amount":3,"currency":"CNY"}}]}})");
  ASSERT_EQ(view.rows.size(), 1U);
  EXPECT_EQ(view.rows[0].label, "1 × My Card");
  EXPECT_NE(view.rows[0].words.price.find("your quote"), std::string::npos)
      << view.rows[0].words.price;
}

const ExplainStep* find_step(const std::vector<ExplainStep>& steps, std::string_view id) {
  for (const ExplainStep& step : steps) {
    if (step.id == id) return &step;
  }
  return nullptr;
}

double value_of_step(const std::vector<ExplainStep>& steps, std::string_view id) {
  const ExplainStep* step = find_step(steps, id);
  EXPECT_NE(step, nullptr) << id;
  return step == nullptr ? 0 : step->value;
}

TEST(Explain, EveryStepIsWordedWithAFormulaAndAResult) {
  for (const std::string_view request : kAll) {
    for (const Lang lang : {Lang::kZh, Lang::kEn}) {
      const auto steps = api().explain_steps(request, lang).value();
      ASSERT_FALSE(steps.empty());
      for (const ExplainStep& step : steps) {
        EXPECT_FALSE(step.title.empty());
        EXPECT_FALSE(step.formula.empty());
        EXPECT_FALSE(step.result.empty()) << step.id;
        for (const auto& text : {step.title, step.formula, step.source, step.note, step.result}) {
          expect_worded(text);
        }
      }
    }
  }
}

TEST(Explain, NumbersFollowFromEachOther) {
  const auto steps =
      api()
          .explain_steps(
              R"({"version":1,"workload":{"kind":"train","model":{"id":"llama-2-7b"},"seq_len":4096,
                  "data":{"tokens":1e9}},"hardware":{"gpus":["a100-sxm-80gb"],"counts":[8]}})",
              Lang::kEn)
          .value();
  const auto value = [&steps](std::string_view id) { return value_of_step(steps, id); };
  EXPECT_EQ(value("params"), 6738415616.0);
  EXPECT_EQ(find_step(steps, "params")->result, "6,738,415,616");
  // 2 N_x with N_x = N - V h, and 4 L a d s for one token.
  EXPECT_EQ(value("matmul"), 2 * (6738415616.0 - 32000.0 * 4096));
  EXPECT_EQ(value("attention"), 4 * 32.0 * 32 * 128 * 4096);
  EXPECT_EQ(find_step(steps, "attention")->substituted, "2 × 32 × 32 × (128 + 128) × 4096");
  EXPECT_EQ(value("flops"), 3 * (value("matmul") + value("attention")));
  EXPECT_NEAR(value("flops"), 46.09e9, 0.005e9);
  EXPECT_DOUBLE_EQ(value("work"), value("flops") * 1e9);
  EXPECT_EQ(value("peak"), 312e12);
  EXPECT_NEAR(value("mfu"), value("flops") * value("rate") / (8 * 312e12), 1e-9);
  EXPECT_NEAR(value("time"), 1e9 / value("rate"), 1e-6 * value("time"));
  EXPECT_LT(value("ideal"), value("step"));
  EXPECT_LT(value("memory.sum"), value("memory.usable"));
}

TEST(Explain, MoneyFollowsFromTheGuidesPrices) {
  const auto steps = api().explain_steps(kLora, Lang::kEn).value();
  const auto view = view_of(kLora);
  ASSERT_EQ(view.rows[0].gpu, "rtx-4090-24gb");
  EXPECT_NEAR(value_of_step(steps, "flops_per_money"), 2.846e17, 0.0005e17);
  EXPECT_NEAR(value_of_step(steps, "gb_per_money"), 11.48, 0.005);
  EXPECT_NEAR(value_of_step(steps, "cost"), view.rows[0].hours.value() * view.rows[0].count * 2.09,
              1e-6);
}

}  // namespace
}  // namespace xuanka
