#include <gtest/gtest.h>

#include <clocale>
#include <limits>
#include <set>
#include <string>

#include "xuanka/base/embedded.hpp"
#include "xuanka/base/enums.hpp"
#include "xuanka/text/text.hpp"

namespace xuanka {
namespace {

std::string_view message_file(std::string_view name) {
  for (const auto& file : assets::message_files()) {
    if (file.name == name) return file.text;
  }
  return {};
}

const Messages& shipped() {
  static const Messages messages =
      Messages::load(message_file("zh-CN.json"), message_file("en.json")).value();
  return messages;
}

// The placeholders of a template, formats and sections included.
std::multiset<std::string> placeholders(std::string_view text) {
  std::multiset<std::string> found;
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    const std::size_t end = text.find('}', at);
    if (end == text.npos) {
      found.insert("unclosed");
      break;
    }
    std::string inside(text.substr(at + 1, end - at - 1));
    if (inside != "/" && inside[0] != '?' && inside[0] != '!') found.insert(inside);
  }
  return found;
}
std::set<std::string> placeholder_set(std::string_view text) {
  const auto all = placeholders(text);
  return {all.begin(), all.end()};
}

int open_sections(std::string_view text) {
  int open = 0;
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    const char next = text[at + 1];
    if (next == '?' || next == '!') ++open;
    if (next == '/') --open;
    if (open < 0) return open;
  }
  return open;
}

TEST(Numbers, KeepSignificantDigitsAndNoExponent) {
  EXPECT_EQ(format_number(0), "0");
  EXPECT_EQ(format_number(-0.0), "0");
  EXPECT_EQ(format_number(152.4), "152");
  EXPECT_EQ(format_number(20.64), "20.6");
  EXPECT_EQ(format_number(9.999), "10");
  EXPECT_EQ(format_number(1234), "1230");
  EXPECT_EQ(format_number(0.000123), "0.000123");
  EXPECT_EQ(format_number(-2.5), "-2.5");
  EXPECT_EQ(format_number(1e14), "100000000000000");
  EXPECT_EQ(format_number(1e15), "1e15");
  EXPECT_EQ(format_number(1.5e-5), "1.5e-5");
  EXPECT_EQ(format_number(6.7384e9, 4), "6738000000");
  EXPECT_EQ(format_number(std::numeric_limits<double>::infinity()), "–");
  EXPECT_EQ(format_number(std::numeric_limits<double>::quiet_NaN()), "–");
  EXPECT_EQ(format_number(std::numeric_limits<double>::max()), "1.8e308");
}

TEST(Numbers, AreExactWhereAUserEnteredThem) {
  EXPECT_EQ(format_exact(118287), "118,287");
  EXPECT_EQ(format_exact(2048), "2048");
  EXPECT_EQ(format_exact(10000000), "10,000,000");
  EXPECT_EQ(format_exact(-3), "-3");
  EXPECT_EQ(format_exact(-12345.5), "-12,345.5");
  EXPECT_EQ(format_exact(0.1), "0.1");
  EXPECT_EQ(format_exact(1e300), "1e300");
}

TEST(Numbers, GroupFixedAndPercent) {
  EXPECT_EQ(format_grouped(123456), "123,000");
  EXPECT_EQ(format_fixed(2.005, 2), "2.01");  // by its decimal digits, as people read it
  EXPECT_EQ(format_fixed(-0.001, 2), "0.00");
  EXPECT_EQ(format_fixed(1234567.25, 1), "1234567.3");
  EXPECT_EQ(format_fixed(0.4, 0), "0");
  EXPECT_EQ(format_fixed(0.5, 0), "1");
  EXPECT_EQ(format_fixed(9.995, 2), "10.00");
  EXPECT_EQ(format_fixed(1e21, 1), "1000000000000000000000.0");
  EXPECT_EQ(format_fixed(1e-9, 3), "0.000");
  EXPECT_EQ(format_percent(0.38), "38 %");
  EXPECT_EQ(format_percent(0.0671), "6.7 %");
  EXPECT_EQ(format_percent(1), "100 %");
}

TEST(Numbers, DoNotDependOnTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "ps_AF.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;
    EXPECT_EQ(format_number(20.64), "20.6") << name;
    EXPECT_EQ(format_fixed(-3.14159, 3), "-3.142") << name;
    EXPECT_EQ(format_price({2.09, kCny}), "¥2.09") << name;
  }
  std::setlocale(LC_ALL, before.c_str());
}

TEST(Units, MemoryIsDecimalOrBinaryAsItsLabelSays) {
  EXPECT_EQ(format_gb(Bytes(24e9)), "24 GB");
  EXPECT_EQ(format_gb(Bytes(1.1234e12)), "1120 GB");
  EXPECT_EQ(format_gib(gibibytes(20.64)), "20.6 GiB");
  EXPECT_EQ(format_gib(Bytes(24e9)), "22.4 GiB");
  EXPECT_EQ(format_gib(gibibytes(0.0302)), "0.03 GiB");
  EXPECT_EQ(format_gib(gibibytes(-0.456)), "-0.46 GiB");
  EXPECT_EQ(format_gib(gibibytes(0.001)), "0 GiB");
}

TEST(Units, DurationsTakeTheUnitPeopleSay) {
  const auto en = [](double s) { return format_duration(Lang::kEn, Seconds(s)); };
  EXPECT_EQ(en(0), "0 ms");
  EXPECT_EQ(en(0.0123), "12 ms");
  EXPECT_EQ(en(4.2), "4.2 s");
  EXPECT_EQ(en(42), "42 s");
  EXPECT_EQ(en(35 * 60), "35 min");
  EXPECT_EQ(en(18.2 * 3600), "18 h");
  EXPECT_EQ(en(9.94 * 3600), "9.9 h");
  EXPECT_EQ(en(9.96 * 3600), "10 h");
  EXPECT_EQ(en(50.4 * 3600), "2.1 d");
  EXPECT_EQ(en(4000 * 86400.0), "11 y");
  EXPECT_EQ(en(1e15), "31,688,088 y");
  EXPECT_EQ(format_duration(Lang::kZh, hours(18)), "18 小时");
  EXPECT_EQ(format_duration(Lang::kZh, hours(50.4)), "2.1 天");
}

TEST(Units, RangesShareOneUnit) {
  EXPECT_EQ(format_duration_range(Lang::kEn, hours(15.1), hours(22.3)), "15–22 h");
  EXPECT_EQ(format_duration_range(Lang::kEn, hours(40), hours(60)), "1.7–2.5 d");
  EXPECT_EQ(format_duration_range(Lang::kZh, hours(18), hours(18.1)), "18 小时");
  EXPECT_EQ(format_money_range(Lang::kEn, 126, 184, kCny), "¥126–184");
  EXPECT_EQ(format_money_range(Lang::kZh, 126, 184, kCny), "126–184 元");
}

TEST(Units, MoneyShowsItsCurrency) {
  EXPECT_EQ(format_money({152.3, kCny}), "¥152");
  EXPECT_EQ(format_money({21.34, kUsd}), "$21.3");
  EXPECT_EQ(format_money({-14, kCny}), "-¥14");
  EXPECT_EQ(format_money({0.2349, kCny}), "¥0.23");
  EXPECT_EQ(format_money({0.01234, kUsd}), "$0.012");
  EXPECT_EQ(format_money({1234567, *Currency::parse("SEK")}), "SEK 1,230,000");
  EXPECT_EQ(format_price({2.09, kCny}), "¥2.09");
  EXPECT_EQ(format_price({16.7, kCny}), "¥16.7");
  EXPECT_EQ(format_price({27.4472, kUsd}), "$27.45");
  EXPECT_EQ(format_price({0.0551, kUsd}), "$0.0551");
  EXPECT_EQ(format_price({152345.5, kCny}), "¥152,345.5");
  EXPECT_EQ(format_money_words(Lang::kZh, {152.3, kCny}), "152 元");
  EXPECT_EQ(format_money_words(Lang::kZh, {21.34, kUsd}), "21.3 美元");
  EXPECT_EQ(format_money_words(Lang::kEn, {21.34, kUsd}), "$21.3");
}

TEST(Units, MoneyIsNeverWrittenWithAnExponent) {
  EXPECT_EQ(format_money({2.13e-14, kCny}), "¥0");
  EXPECT_EQ(format_money({2.13e-6, kCny}), "¥0.0000021");
  EXPECT_EQ(format_money({-2.5e-7, kUsd}), "-$0.00000025");
  EXPECT_EQ(format_money({1.234e17, kCny}), "¥123,000,000,000,000,000");
  EXPECT_EQ(format_price({0.0000123, kUsd}), "$0.0000123");
  EXPECT_EQ(format_money_words(Lang::kZh, {0.00002, kCny}), "0.00002 元");
  EXPECT_EQ(format_money_range(Lang::kEn, 1e-6, 3e-6, kCny), "¥0.000001–0.000003");
}

TEST(Units, ScaleWithoutEverReadingAThousandOfAUnit) {
  EXPECT_EQ(format_si(950), "950");
  EXPECT_EQ(format_si(2048), "2.05 k");
  EXPECT_EQ(format_si(5e7), "50 M");
  EXPECT_EQ(format_si(6738415616.0), "6.74 B");
  EXPECT_EQ(format_si(1.4e12), "1.4 T");
  EXPECT_EQ(format_si(999.9e6), "1 B");
  EXPECT_EQ(format_si(999.4e6), "999 M");
  EXPECT_EQ(format_unit(2.846e17, "FLOP"), "285 PFLOP");
  EXPECT_EQ(format_unit(165.2e12, "FLOP/s"), "165 TFLOP/s");
}

TEST(Width, CountsTerminalColumns) {
  EXPECT_EQ(display_width("4 × RTX 4090"), 12U);
  EXPECT_EQ(display_width("放得下"), 6U);
  EXPECT_EQ(display_width("15–22 小时"), 10U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("\xff\xfe"), 1U);  // broken bytes do not read beyond the end
}

Messages tiny(std::string_view text) {
  return Messages::load(R"({"a":"中"})", R"({"a":")" + std::string(text) + R"("})").value();
}

TEST(Templates, PutArgumentsInByFormat) {
  const auto say = [](std::string_view text, const Args& args) {
    return tiny(text).format(Lang::kEn, "a", args);
  };
  EXPECT_EQ(say("{x} of {y}", {{"x", 3.0}, {"y", std::string("z")}}), "3 of z");
  EXPECT_EQ(say("{x:gib} {x:gb}", {{"x", 1073741824.0}}), "1 GiB 1.07 GB");
  EXPECT_EQ(say("{x:hours}/{x:seconds}", {{"x", 18.0}}), "18 h/18 s");
  EXPECT_EQ(say("{x:percent}", {{"x", 0.78}}), "78 %");
  EXPECT_EQ(say("{x:money}", {{"x", 12.0}, {"currency", std::string("USD")}}), "$12");
  EXPECT_EQ(say("{x:money}", {{"x", 12.0}}), "¥12");
  EXPECT_EQ(say("{x:si} {x:n} {x}", {{"x", 1234567.0}}), "1.23 M 1,230,000 1,234,567");
  EXPECT_EQ(say("{x}", {}), "…");
  EXPECT_EQ(say("{x", {{"x", 1.0}}), "{x");
  EXPECT_EQ(say("{x}", {{"x", std::string("{x}")}}), "{x}");  // arguments are not templates
}

TEST(Templates, ShowSectionsOnlyWithTheirArgument) {
  const auto say = [](const Args& args) {
    return tiny("a{?x} x={x}{?y}, y={y}{/}{/}{!x} none{/}.").format(Lang::kEn, "a", args);
  };
  EXPECT_EQ(say({}), "a none.");
  EXPECT_EQ(say({{"y", 1.0}}), "a none.");
  EXPECT_EQ(say({{"x", 1.0}}), "a x=1.");
  EXPECT_EQ(say({{"x", 1.0}, {"y", 2.0}}), "a x=1, y=2.");
  EXPECT_EQ(say({{"x", std::string()}}), "a none.");
  EXPECT_EQ(tiny("{/}a{/}{/}").format(Lang::kEn, "a", {}), "a");
}

TEST(Templates, AMissingIdIsShownAsItself) {
  EXPECT_EQ(tiny("x").get(Lang::kEn, "no.such"), "no.such");
  EXPECT_EQ(tiny("x").get(Lang::kZh, "a"), "中");
}

TEST(Templates, LoadRefusesWhatIsNotAnObjectOfStrings) {
  EXPECT_FALSE(Messages::load("[]", "{}"));
  EXPECT_FALSE(Messages::load("{}", R"({"a": 1})"));
  EXPECT_FALSE(Messages::load("{", "{}"));
  const auto bad = Messages::load("{}", R"({"a": 1, "b": null})");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().size(), 2U);
  EXPECT_EQ(bad.error()[0].path, "a");
}

TEST(Shipped, BothLanguagesHaveTheSameIdsAndPlaceholders) {
  const auto& zh = shipped().all(Lang::kZh);
  const auto& en = shipped().all(Lang::kEn);
  for (const auto& [id, text] : zh) {
    ASSERT_TRUE(shipped().has(Lang::kEn, id)) << id << " has no English text";
    EXPECT_EQ(placeholder_set(text), placeholder_set(shipped().get(Lang::kEn, id))) << id;
  }
  for (const auto& [id, text] : en) EXPECT_TRUE(shipped().has(Lang::kZh, id)) << id;
  EXPECT_GT(zh.size(), 250U);
}

TEST(Shipped, TemplatesAreWellFormed) {
  for (const Lang lang : {Lang::kZh, Lang::kEn}) {
    for (const auto& [id, text] : shipped().all(lang)) {
      EXPECT_EQ(open_sections(text), 0) << lang_name(lang) << " " << id;
      EXPECT_FALSE(placeholders(text).contains("unclosed")) << id;
      EXPECT_EQ(text.find('!'), text.find("{!") == text.npos ? text.npos : text.find("{!") + 1)
          << id << ": no exclamation marks";
      EXPECT_EQ(text.find("！"), text.npos) << id;
    }
  }
}

template <class E>
void expect_every_word(std::string_view prefix) {
  for (const std::string_view name : EnumNames<E>::kNames) {
    const std::string id = std::string(prefix) + std::string(name);
    EXPECT_TRUE(shipped().has(Lang::kZh, id)) << id;
    EXPECT_TRUE(shipped().has(Lang::kEn, id)) << id;
  }
}

TEST(Shipped, EveryIssueNoteAndVerdictIsWordedInBothLanguages) {
  for (const Lang lang : {Lang::kZh, Lang::kEn}) {
    for (int i = 0; i < static_cast<int>(IssueCode::kCount_); ++i) {
      const std::string id = "issue." + std::string(issue_code_name(static_cast<IssueCode>(i)));
      EXPECT_TRUE(shipped().has(lang, id)) << id;
    }
    for (int i = 0; i < static_cast<int>(NoteCode::kCount_); ++i) {
      const std::string id = "note." + std::string(note_code_name(static_cast<NoteCode>(i)));
      EXPECT_TRUE(shipped().has(lang, id)) << id;
    }
    for (const Severity s : {Severity::kInfo, Severity::kWarning, Severity::kError}) {
      EXPECT_TRUE(shipped().has(lang, "severity." + std::string(severity_name(s))));
    }
  }
  expect_every_word<Verdict>("verdict.");
  expect_every_word<Verdict>("why.");
  expect_every_word<MemoryVerdict>("memory.");
  expect_every_word<MemoryVerdict>("pill.memory.");
  expect_every_word<JobKind>("word.");
  expect_every_word<Acquire>("word.");
  expect_every_word<Billing>("word.");
  expect_every_word<Recompute>("word.");
  expect_every_word<Offload>("word.");
  expect_every_word<RankBy>("why.best.");
}

TEST(Shipped, ErrorsSayWhatIsWrongWhereAndWhatToDo) {
  const Issue range{
      IssueCode::kOutOfRange, "workload.seq_len", {{"min", 1.0}, {"max", 1e7}, {"got", -3.0}}};
  EXPECT_EQ(shipped().issue_text(Lang::kEn, range),
            "workload.seq_len: must be between 1 and 10,000,000 (is -3)");
  EXPECT_EQ(shipped().issue_text(Lang::kZh, range),
            "workload.seq_len：须在 1 到 10,000,000 之间（现在是 -3）");
  const Issue least{IssueCode::kOutOfRange, "workload.data.tokens", {{"min", 1.0}, {"got", 0.0}}};
  EXPECT_EQ(shipped().issue_sentence(Lang::kEn, least), "must be at least 1 (is 0)");
  EXPECT_EQ(shipped().issue_sentence(Lang::kZh, least), "须不小于 1（现在是 0）");
  const Issue unknown{IssueCode::kUnknownId,
                      "hardware.gpus[0]",
                      {{"kind", std::string("gpu")},
                       {"got", std::string("rtx4090")},
                       {"nearest", std::string("rtx-4090-24gb")}}};
  EXPECT_EQ(shipped().issue_text(Lang::kEn, unknown),
            "hardware.gpus[0]: no GPU named \"rtx4090\"; did you mean rtx-4090-24gb?");
  EXPECT_EQ(shipped().issue_text(Lang::kZh, unknown),
            "hardware.gpus[0]：没有叫“rtx4090”的GPU，是不是 rtx-4090-24gb？");
}

TEST(Languages, AreReadFromLocaleNames) {
  EXPECT_EQ(parse_lang("zh"), Lang::kZh);
  EXPECT_EQ(parse_lang("zh_CN.UTF-8"), Lang::kZh);
  EXPECT_EQ(parse_lang("EN-us"), Lang::kEn);
  EXPECT_EQ(parse_lang("C"), std::nullopt);
  EXPECT_EQ(parse_lang("enx"), std::nullopt);
  EXPECT_EQ(parse_lang(""), std::nullopt);
}

}  // namespace
}  // namespace xuanka
