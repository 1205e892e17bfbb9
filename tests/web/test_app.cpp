// The wizard as a whole, frame by frame, without a browser.
#include "page.hpp"

#include <algorithm>

#include "web/fields.hpp"
#include "web/fragment.hpp"

namespace xuanka::web::test {
namespace {

std::string tr(std::string_view lang, std::string_view key) {
  return std::string(shared_api().messages().get(lang == "zh" ? Lang::kZh : Lang::kEn, key));
}

struct Size {
  float width, height;
};
constexpr std::array<Size, 3> kSizes{{{390, 844}, {834, 1112}, {1280, 860}}};
constexpr std::array<std::string_view, 9> kTabs{"plans", "charts",   "gpus", "offers", "value",
                                                "own",   "measured", "how",  "yours"};
constexpr std::array<std::string_view, 4> kSteps{"job", "model", "constraints", "answer"};

// What may be shortened: names and prices of the catalog in table cells and lists (their tooltip
// has the whole). Everything the wizard itself says must fit, inside the page and inside its room.
void expect_nothing_clipped(Page& page, std::string_view lang, float width,
                            std::string_view where) {
  const auto& words = shared_api().messages().all(lang == "zh" ? Lang::kZh : Lang::kEn);
  std::map<std::string, std::string> own;
  for (const auto& [key, text] : words) {
    if (key.starts_with("ui.")) own[text] = key;
  }
  for (const DrawnText& t : page.texts()) {
    const auto known = own.find(t.text);
    if (t.shortened && known != own.end())
      ADD_FAILURE() << where << ": \"" << t.text << "\" (" << known->second << ") is shortened";
    if (t.box.x < -1) ADD_FAILURE() << where << ": \"" << t.text << "\" begins outside the page";
    // A row of cards or tabs may go on to the right: what is in it is reached by scrolling.
    if (t.box.right() > width + 1 && t.box.x < width && !t.scrolls)
      ADD_FAILURE() << where << ": \"" << t.text << "\" runs out of the page";
  }
}

TEST(App, TheDefaultAnswerNeedsNoClick) {
  Page page(1280, 860);
  EXPECT_NE(page.app.report_json().find("\"ok\":true"), std::string::npos);
  EXPECT_TRUE(page.shows("RTX") || page.shows("A100") || page.shows("V100"));
}

TEST(App, NothingIsClippedInBothLanguagesAtThreeWidths) {
  for (const std::string_view lang : {"zh", "en"}) {
    for (const Size size : kSizes) {
      Page page(size.width, size.height);
      page.app.set_lang(lang);
      for (const std::string_view tab : kTabs) {
        page.app.set_field("view", tab);
        page.frames(2);
        expect_nothing_clipped(page, lang, size.width,
                               std::string(lang) + " " +
                                   std::to_string(static_cast<int>(size.width)) + " " +
                                   std::string(tab));
      }
    }
  }
}

TEST(App, EveryStepOfEveryKindOfJobIsDrawnAndFits) {
  for (const std::string_view lang : {"zh", "en"}) {
    for (const std::string_view job :
         {"k=lora", "k=inference", "k=train&m=resnet50&ds=imagenet-1k&e=90", "k=train&src=measured",
          "k=finetune&src=shape", "k=finetune&src=config", "k=train&src=vision&n=1000"}) {
      Page page(1280, 1400, "v=1&" + std::string(job) + "&lang=" + std::string(lang));
      for (const std::string_view step : kSteps) {
        page.click_text(tr(lang, "ui.step." + std::string(step)));
        expect_nothing_clipped(
            page, lang, 1280,
            std::string(lang) + " " + std::string(job) + " step " + std::string(step));
      }
    }
  }
}

TEST(App, NothingIsClippedOnThePhonesSheet) {
  for (const std::string_view lang : {"zh", "en"}) {
    Page page(390, 1600, "v=1&lang=" + std::string(lang));
    page.platform.fingers = true;
    page.frames(2);
    for (const DrawnText& t : page.texts()) {
      if (t.text.find("Llama 2 7B") == std::string::npos || t.room.h < 40) continue;
      page.click(t.box.x + 5, t.box.y + 5);
      break;
    }
    for (const std::string_view step : kSteps) {
      page.click_text(tr(lang, "ui.step." + std::string(step)));
      expect_nothing_clipped(page, lang, 390, std::string(lang) + " sheet " + std::string(step));
    }
  }
}

TEST(App, EveryColumnOfTheDrawnTableIsThereOnADesktop) {
  for (const std::string_view lang : {"zh", "en"}) {
    Page page(1280, 860, "v=1&lang=" + std::string(lang));
    for (const std::string_view key : {"ui.c.plan", "ui.c.verdict", "ui.c.cost", "ui.c.memory"})
      EXPECT_TRUE(page.shows(tr(lang, key))) << key;
    for (const std::string_view title : {"MFU", "PFLOP/¥", "GB·h/¥"})
      EXPECT_TRUE(page.shows(title)) << lang << " " << title;
    // And no plan among the first is cut.
    for (const DrawnText& t : page.texts())
      EXPECT_FALSE(t.shortened && t.text.find(" × ") != std::string::npos) << t.text;
  }
}

TEST(App, NextByKeyboardGoesIntoTheNextStep) {
  Page page(1280, 1400, "v=1&lang=en");
  page.click_text(tr("en", "ui.step.job"));
  const auto tab_to = [&](std::string_view key) {
    for (int i = 0; i < 80; ++i) {
      page.key(ImGuiKey_Tab);
      if (page.focused(key)) return true;
    }
    return false;
  };
  ASSERT_TRUE(tab_to("###next"));
  page.key(ImGuiKey_Enter);
  page.frames(2);
  // The first input of the step: its list of models.
  EXPECT_TRUE(page.focused("###model"));
}

TEST(App, PlansAreFilteredByWordAndByVerdict) {
  Page page(1280, 1400, "v=1&lang=en&k=finetune");
  page.app.on_sheet("filter:0", "A100");
  page.frames(2);
  int plans = 0;
  for (const DrawnText& t : page.texts()) {
    if (t.box.x < 400 || t.text.find(" × ") == std::string::npos || t.box.h > 14) continue;
    plans += t.text.find("A100") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(plans, 2);
  page.app.on_sheet("filter:0", "");
  page.frames(2);
}

TEST(App, ADesktopsAnswerStepShowsTheAnswer) {
  Page page(1280, 500, "v=1&lang=en");
  page.frames(2);
  ImGui::GetIO().AddMousePosEvent(900, 300);
  ImGui::GetIO().AddMouseWheelEvent(0, -20);
  page.frames(12);
  const auto headline = [&] {
    for (const DrawnText& t : page.texts()) {
      if (t.box.h > 24 && t.text.find(" × ") != std::string::npos) return t.box.y;
    }
    return -1000.0F;
  };
  ASSERT_LT(headline(), 52);
  page.app.set_field("lang", "en");
  // From the twin or by keyboard: the step is what counts.
  page.go_to_answer();
  EXPECT_GT(headline(), 52);
  EXPECT_LT(headline(), 140);
}

TEST(App, NextAndBackWalkTheStepsAndKeepTheInputs) {
  Page page(1280, 1400);
  page.app.set_lang("zh");
  page.app.set_field("t", "77M");
  page.frames(2);
  page.click_text("下一步：约束");
  EXPECT_TRUE(page.shows(tr("zh", "ui.f.h")));
  page.click_text(tr("zh", "ui.back"));
  EXPECT_TRUE(page.shows("77 M") || page.shows("77M"));
  EXPECT_NE(page.app.request_json().find("\"tokens\":77000000"), std::string::npos);
}

TEST(App, TheWholePageIsReachedByKeyboard) {
  Page page(1280, 860);
  std::vector<ImGuiID> visited;
  for (int i = 0; i < 40; ++i) {
    page.key(ImGuiKey_Tab);
    visited.push_back(ImGui::GetCurrentContext()->NavId);
  }
  std::sort(visited.begin(), visited.end());
  visited.erase(std::unique(visited.begin(), visited.end()), visited.end());
  EXPECT_GE(visited.size(), 20U);
}

TEST(App, TheFocusEntersAtEitherEnd) {
  Page page(1280, 860);
  page.app.focus_edge(false);
  page.frames(3);
  EXPECT_TRUE(page.app.focus_is_first());
  page.app.focus_edge(true);
  page.frames(3);
  EXPECT_TRUE(page.app.focus_is_last());
}

TEST(App, AnEmbeddedPageShowsItsPartAndTellsItsHeight) {
  Page page(600, 400, "v=1&lang=en");
  page.frames(2);
  const float whole = page.app.content_height();
  EXPECT_GT(whole, 400);
  for (const std::string_view part : {"answer", "table", "wizard"}) {
    page.app.set_field("embed", part);
    page.frames(3);
    EXPECT_GT(page.app.content_height(), 60) << part;
    if (part != "wizard") {
      EXPECT_LT(page.app.content_height(), whole) << part;
    }
  }
}

TEST(App, ARequestIsTakenOverExceptWhatIsFixed) {
  Page page(1280, 860, "v=1&lang=en&lock=m&s=4096");
  EXPECT_TRUE(page.app.set_request(
      R"({"version":1,"workload":{"model":{"id":"gpt2"},"kind":"qlora","seq_len":1024}})"));
  EXPECT_NE(page.app.request_json().find("\"llama-2-7b\""), std::string::npos);
  EXPECT_NE(page.app.request_json().find("\"seq_len\":1024"), std::string::npos);
  const std::string before = page.app.request_json();
  for (const std::string_view text : {"", "no json", "[1]", "{\"a\":1}"})
    EXPECT_FALSE(page.app.set_request(text)) << text;
  EXPECT_EQ(page.app.request_json(), before);
  EXPECT_EQ(page.app.lang(), "en");
}

TEST(App, TabPassesByWhatIsFixed) {
  Page page(1280, 860, "v=1&lock=k,m");
  page.frames(2);
  page.app.focus_edge(false);
  page.frames(3);
  for (int i = 0; i < 400 && !page.app.focus_is_last(); ++i) page.key(ImGuiKey_Tab);
  EXPECT_TRUE(page.app.focus_is_last());
}

TEST(App, LanguageChangesWordsAndNoFigure) {
  Page page(1280, 860);
  page.app.set_lang("zh");
  const std::string request = page.app.request_json();
  page.app.set_lang("en");
  EXPECT_EQ(page.app.request_json(), request);
  page.frames(2);
  EXPECT_TRUE(page.shows(tr("en", "ui.step.model")));
}

TEST(App, CurrencyChangesAmountsAndNoPlan) {
  Page page(1280, 860);
  const std::string request = page.app.request_json();
  page.app.set_currency("USD");
  EXPECT_EQ(page.app.request_json(), request);
  page.frames(2);
  EXPECT_TRUE(page.shows("$"));
}

TEST(App, ALinkRestoresThePage) {
  Page page(1280, 860, "v=1&k=qlora&m=llama-2-70b&g=rtx-4090-24gb&c=2,4&lang=en&cur=USD");
  EXPECT_EQ(page.app.fragment(), "v=1&k=qlora&m=llama-2-70b&g=rtx-4090-24gb&c=2,4&lang=en&cur=USD");
  EXPECT_NE(page.app.request_json().find("\"gpus\":[\"rtx-4090-24gb\"]"), std::string::npos);
}

TEST(App, ABadEntryIsSaidAndNothingElseIsLost) {
  Page page(1280, 860);
  page.app.set_lang("en");
  page.app.set_field("s", "-3");
  page.frames(2);
  EXPECT_NE(page.app.form_json().find("-3"), std::string::npos);
  // By the label of its field.
  EXPECT_NE(page.app.results_json().find(tr("en", "ui.f.s") + ": "), std::string::npos);
  page.app.set_field("s", "lots");
  page.frames(2);
  EXPECT_TRUE(page.shows(tr("en", "ui.e.not_a_number")) ||
              page.app.form_json().find(tr("en", "ui.e.not_a_number")) != std::string::npos);
  EXPECT_NE(page.app.request_json().find("llama-2-7b"), std::string::npos);
}

TEST(App, WhatIsOddAboutTheQuestionIsTold) {
  Page page(1280, 860, "v=1&lang=en&ds=squad-v1.1");
  page.frames(2);
  EXPECT_TRUE(page.shows("SQuAD v1.1"));
  EXPECT_TRUE(page.shows("a whole sequence of 2048 tokens"));
  page.app.set_field("ds", "");
  page.frames(2);
  EXPECT_FALSE(page.shows("a whole sequence of 2048 tokens"));
}

TEST(App, FilesAreToldApartByContent) {
  Page page(1280, 860);
  page.app.on_drop_file(
      "config.json",
      R"({"model_type":"llama","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,"intermediate_size":11008,"vocab_size":32000})");
  EXPECT_NE(page.app.request_json().find("\"hf_config\":{\"model_type\""), std::string::npos);
  page.app.on_drop_file(
      "request.json",
      R"({"version":1,"workload":{"kind":"finetune","model":{"id":"llama-3-8b"},"data":{"tokens":1e9}},"decision":{"deadline_hours":null}})");
  EXPECT_NE(page.app.request_json().find("llama-3-8b"), std::string::npos);
  EXPECT_NE(page.app.request_json().find("\"deadline_hours\":null"), std::string::npos);
  page.app.on_drop_file("mine.json", R"({"efficiency":0.42,"fx":{"USD_CNY":7.5}})");
  EXPECT_NE(page.app.request_json().find("\"efficiency\":0.42"), std::string::npos);
  const std::string before = page.app.request_json();
  page.app.on_drop_file("photo.png", std::string("\x89PNG\r\n\0\1", 8));
  page.app.on_drop_file("big.json", std::string(std::size_t{5} << 20, ' '));
  EXPECT_EQ(page.app.request_json(), before);
  EXPECT_FALSE(page.platform.announced.empty());
}

TEST(App, AProbesReportReplacesTheConstantsOfItsCards) {
  constexpr std::string_view report =
      R"({"xuanka_probe":1,"date":"2026-11-30","gpus":[{"index":0,"name":"NVIDIA GeForce RTX 4090",)"
      R"("compute_capability":"8.9","memory_bytes":25340307046,"matmul":[{"format":"bf16",)"
      R"("accumulate":"fp32","m":8192,"n":8192,"k":8192,"seconds":0.00916,"tflops":120}]}]})";
  Page page(1280, 860, "v=1&lang=en&g=rtx-4090-24gb&c=1");
  const std::string before = page.app.report_json();
  page.app.on_drop_file("probe.json", report);
  page.frames(2);
  EXPECT_NE(page.app.request_json().find(R"("measured":[{"gpu":"rtx-4090-24gb")"),
            std::string::npos);
  EXPECT_NE(page.app.report_json(), before);
  EXPECT_TRUE(page.shows("probe.json: what was measured replaces the constants of rtx-4090-24gb."));
  EXPECT_NE(page.app.report_json().find("measured"), std::string::npos);

  // Another version changes nothing and says why.
  const std::string kept = page.app.request_json();
  page.app.on_drop_file("other.json", R"({"xuanka_probe":99,"gpus":[]})");
  page.frames(2);
  EXPECT_EQ(page.app.request_json(), kept);
  EXPECT_TRUE(page.shows("other.json is no probe report"));
}

TEST(App, AStillPageAsksForNoFrame) {
  Page page(1280, 860);
  for (const std::string_view tab : kTabs) {
    page.app.set_field("view", tab);
    page.frames(5);
    page.platform.frames_wanted = 0;
    page.platform.timers = 0;
    page.frames(5);
    EXPECT_EQ(page.platform.frames_wanted, 0) << tab;
    EXPECT_EQ(page.platform.timers, 0) << tab;
  }
}

TEST(App, TouchOpensTheSheetInsteadOfTheKeyboard) {
  Page page(390, 844);
  page.platform.fingers = true;
  page.app.set_lang("zh");
  page.frames(2);
  for (const DrawnText& t : page.texts()) {
    if (t.text.find("Llama 2 7B") != std::string::npos && t.room.h > 40) {
      page.click(t.box.x + 5, t.box.y + 5);
      break;
    }
  }
  page.frames(3);
  ASSERT_TRUE(page.shows(tr("zh", "ui.done")) || page.shows(tr("zh", "ui.f.t")));
  page.click_text("50 M");
  EXPECT_EQ(page.platform.sheet.key, "t");
  page.app.on_sheet("t", "60M");
  EXPECT_NE(page.app.request_json().find("\"tokens\":60000000"), std::string::npos);
}

TEST(App, ShareCopiesALinkThatReadsBack) {
  Page page(1280, 860, "v=1&m=llama-3-8b");
  page.app.set_lang("zh");
  page.frames(2);
  page.click_text(tr("zh", "ui.share"));
  page.click_text(tr("zh", "ui.share.link"));
  ASSERT_NE(page.platform.copied.find('#'), std::string::npos);
  EXPECT_EQ(read_fragment(page.platform.copied.substr(page.platform.copied.find('#')))
                .text(FieldId::kModel),
            "llama-3-8b");
}

TEST(Twin, EveryInputOfTheTableIsThereWithALabel) {
  Page page(1280, 860);
  for (const std::string_view lang : {"zh", "en"}) {
    page.app.set_lang(lang);
    const std::string form = page.app.form_json();
    for (const FieldSpec& f : fields()) {
      if (f.path.empty()) continue;
      EXPECT_NE(form.find("\"key\":\"" + std::string(f.key) + "\""), std::string::npos) << f.key;
    }
    EXPECT_EQ(form.find("\"label\":\"ui."), std::string::npos);
    EXPECT_EQ(page.app.results_json().find("\"ui."), std::string::npos);
  }
}

}  // namespace
}  // namespace xuanka::web::test
