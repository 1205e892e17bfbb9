// The reader of JSON texts: every fault with its path, line and column, all at once.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "json/json_document.hpp"
#include "json/json_text.hpp"
#include "json/json_view.hpp"

namespace xuanka::json {
namespace {

struct Expected {
  std::string text;
  IssueCode code;
  std::string path;
  std::size_t line, column;
};

TEST(Json, TellsWhereATextIsBroken) {
  const std::vector<Expected> cases{
      {"", IssueCode::kSyntax, "", 1, 1},
      {"[1,2", IssueCode::kSyntax, "[2]", 1, 5},
      {"{\"x\":\n  tru}", IssueCode::kSyntax, "x", 2, 3},
      {"{\"a\":NaN}", IssueCode::kSyntax, "a", 1, 6},
      {"{\"a\":1}x", IssueCode::kSyntax, "", 1, 8},
      {"{\"a\":'b'}", IssueCode::kSyntax, "a", 1, 6},
      {"{\"a\":\"\xff\"}", IssueCode::kSyntax, "a", 1, 7},
      {"\"\\ud800\"", IssueCode::kSyntax, "", 1, 8},
      {"{\"a\":[1,2,{\"b\":1e999}]}", IssueCode::kNotFinite, "a[2].b", 1, 16},
      {"{\"a\":-1e400}", IssueCode::kNotFinite, "a", 1, 6},
      {"{\"a\":1,\n \"a\":2}", IssueCode::kDuplicateKey, "a", 2, 6},
      {"{\"o\":[{\"k\":1,\"k\":2}]}", IssueCode::kDuplicateKey, "o[0].k", 1, 18},
  };
  for (const Expected& expected : cases) {
    const Parsed parsed = parse(expected.text);
    ASSERT_EQ(parsed.issues.size(), 1U) << expected.text;
    EXPECT_EQ(parsed.issues[0].code, expected.code) << expected.text;
    EXPECT_EQ(parsed.issues[0].path, expected.path) << expected.text;
    EXPECT_EQ(parsed.issues[0].line, expected.line) << expected.text;
    EXPECT_EQ(parsed.issues[0].column, expected.column) << expected.text;
    EXPECT_FALSE(parse_strict(expected.text).has_value()) << expected.text;
  }
}

TEST(Json, RefusesWhatIsNotJson) {
  for (const char* text : {"{\"a\":1,}",
                           "[1,]",
                           "[,1]",
                           "{,}",
                           "{a:1}",
                           "{\"a\" 1}",
                           "01",
                           "-",
                           "1.",
                           ".5",
                           "1e",
                           "+1",
                           "0x10",
                           "\"a",
                           "\"\\x\"",
                           "\"\\u12g4\"",
                           "\"\\udc00\"",
                           "\"\\ud800\\u0041\"",
                           "\"\t\"",
                           "tru",
                           "nul",
                           "truefalse",
                           "// c\n1",
                           "[1 2]",
                           "{\"a\":1 \"b\":2}",
                           "]",
                           "}",
                           "\xc0\x80",
                           "\"\xc0\x80\"",
                           "\"\xed\xa0\x80\"",
                           "\"\xf4\x90\x80\x80\"",
                           "\"\xe4\xb8\"",
                           "\"\x80\"",
                           "\"\\",
                           "\"\\u00"}) {
    const Parsed parsed = parse(text);
    EXPECT_FALSE(parsed.document.has_value()) << text;
    ASSERT_EQ(parsed.issues.size(), 1U) << text;
    EXPECT_EQ(parsed.issues[0].code, IssueCode::kSyntax) << text;
  }
  EXPECT_FALSE(parse(std::string_view("[1\0]", 4)).document.has_value());
  EXPECT_FALSE(parse(std::string_view("\"a\0b\"", 5)).document.has_value());
}

TEST(Json, NumbersAreRoundedAsTheLibraryDoes) {
  for (const char* text : {"0",
                           "-0",
                           "0.0",
                           "1",
                           "-1",
                           "0.1",
                           "2.09",
                           "4.09e9",
                           "1e22",
                           "1e23",
                           "123456789012345",
                           "1234567890123456789",
                           "9007199254740993",
                           "1.7976931348623157e308",
                           "4.9e-324",
                           "2.2250738585072011e-308",
                           "1e-400",
                           "0e999",
                           "0.000001",
                           "1E+2",
                           "1e-7",
                           "3.141592653589793238462643383279",
                           "123456.789e-3",
                           "989.4",
                           "5.0e-1"}) {
    const auto document = parse_strict(text);
    ASSERT_TRUE(document.has_value()) << text;
    EXPECT_EQ(document->root().number(), std::strtod(text, nullptr)) << text;
  }
}

TEST(Json, StringsKeepEveryCharacter) {
  const auto document = parse_strict(R"(["\u00e9\ud83d\ude00\/\b\f\r\t","é😀中","","a\\"])");
  ASSERT_TRUE(document.has_value());
  std::vector<std::string> texts;
  for (const Value value : document->root().children()) texts.emplace_back(value.string());
  EXPECT_EQ(texts, (std::vector<std::string>{"é😀/\b\f\r\t", "é😀中", "", "a\\"}));
}

TEST(Json, MessagesOfBrokenTextsAreUtf8AndShort) {
  const Parsed parsed = parse("{\"a\":\"" + std::string(100000, 'x') + "\xff\"}");
  ASSERT_EQ(parsed.issues.size(), 1U);
  const auto& what = std::get<std::string>(parsed.issues[0].args.at(0).value);
  EXPECT_LT(what.size(), 200U);
  EXPECT_EQ(what.find('\xff'), std::string::npos);
}

TEST(Json, RefusesDepthAndSizeBeyondItsLimits) {
  EXPECT_EQ(parse(std::string(10000, '[')).issues.at(0).code, IssueCode::kTooDeep);
  EXPECT_EQ(parse(std::string(64, '[') + std::string(64, ']')).issues.size(), 0U);
  EXPECT_EQ(parse(std::string(65, '[') + std::string(65, ']')).issues.at(0).code,
            IssueCode::kTooDeep);
  const std::string megabyte(std::size_t{1} << 20, 'a');
  const Parsed text = parse("{\"k\":\"" + megabyte + "\"}");
  EXPECT_EQ(text.issues.at(0).code, IssueCode::kTooLarge);
  EXPECT_EQ(text.issues.at(0).path, "k");
  EXPECT_EQ(parse("{\"" + megabyte + "\":1}").issues.at(0).code, IssueCode::kTooLarge);
  EXPECT_EQ(parse("[1,2,3]", {.max_bytes = 6}).issues.at(0).code, IssueCode::kTooLarge);
}

TEST(Json, ManyRepeatedKeysEndInAFewHundredIssues) {
  std::string text = "[";
  for (int i = 0; i < 20000; ++i) text += "{\"a\":1,\"a\":2},";
  text += "0]";
  const Parsed parsed = parse(text);
  EXPECT_EQ(parsed.issues.size(), Limits{}.max_issues);
  EXPECT_TRUE(parsed.document.has_value());
}

TEST(Json, KeepsTheFirstOfRepeatedKeysForFurtherChecks) {
  const Parsed parsed = parse("{\"a\":1,\"a\":2}");
  ASSERT_TRUE(parsed.document);
  EXPECT_EQ(parsed.document->root().find("a")->number(), 1);
}

TEST(Json, ReadsEveryKindOfValue) {
  const auto document = parse_strict(
      "\xef\xbb\xbf{\"n\":null,\"t\":true,\"f\":false,\"i\":-12,\"d\":2.5e-3,\"s\":"
      "\"\\u4e2d\\n\\\"\","
      "\"big\":9007199254740993,\"a\":[1,[],{}]}");
  ASSERT_TRUE(document.has_value());
  const Value root = document->root();
  EXPECT_TRUE(root.find("n")->is_null());
  EXPECT_TRUE(root.find("t")->boolean());
  EXPECT_FALSE(root.find("f")->boolean());
  EXPECT_EQ(root.find("i")->number(), -12);
  EXPECT_EQ(root.find("d")->number(), 0.0025);
  EXPECT_EQ(root.find("s")->string(), "\xe4\xb8\xad\n\"");
  EXPECT_EQ(root.find("big")->number(), 9007199254740992.0);
  EXPECT_EQ(root.find("a")->size(), 3U);
  EXPECT_FALSE(root.find("absent").has_value());
}

TEST(Json, TextOfAValueReadsBackAlike) {
  const std::string text =
      R"({"a":[1,-2.5,1e+300,0.1,123456789012],"s":"x\"\\\u0001","t":true,"n":null,"o":{}})";
  const auto document = parse_strict(text);
  ASSERT_TRUE(document.has_value());
  std::string out;
  append_text(document->root(), out);
  EXPECT_EQ(out, text);
}

TEST(JsonView, CollectsEveryProblemWithItsPlace) {
  const std::string text =
      "{\n \"n\": -3,\n \"s\": 12,\n \"l\": [1,\n \"x\"],\n \"m\": "
      "{\"amount\":-1,\"currency\":\"yuan\"},\n"
      " \"kidn\": 1, \"kind\":\"trian\",\"i\":1.5,\n \"ok\": 7\n}";
  const auto document = parse_strict(text);
  ASSERT_TRUE(document.has_value());
  Issues issues;
  const View view(document->root(), issues);
  EXPECT_FALSE(view.number("n", kPositive));
  EXPECT_FALSE(view.string("s"));
  EXPECT_EQ(view.numbers("l").size(), 1U);
  EXPECT_FALSE(view.money("m"));
  EXPECT_FALSE(view.word<JobKind>("kind"));
  EXPECT_FALSE(view.integer("i"));
  EXPECT_FALSE(view.need_number("absent"));
  EXPECT_EQ(view.number("ok"), 7.0);
  view.only({"n", "s", "l", "m", "kind", "i", "ok"});
  const std::vector<Expected> expected{{"", IssueCode::kOutOfRange, "n", 2, 7},
                                       {"", IssueCode::kWrongType, "s", 3, 7},
                                       {"", IssueCode::kWrongType, "l[1]", 5, 2},
                                       {"", IssueCode::kOutOfRange, "m.amount", 6, 17},
                                       {"", IssueCode::kUnknownValue, "kind", 7, 20},
                                       {"", IssueCode::kNotInteger, "i", 7, 32},
                                       {"", IssueCode::kMissing, "absent", 1, 1},
                                       {"", IssueCode::kUnknownField, "kidn", 7, 10}};
  ASSERT_EQ(issues.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(issues.list()[i].code, expected[i].code) << i;
    EXPECT_EQ(issues.list()[i].path, expected[i].path) << i;
    EXPECT_EQ(issues.list()[i].line, expected[i].line) << i;
    EXPECT_EQ(issues.list()[i].column, expected[i].column) << i;
  }
  EXPECT_EQ(std::get<std::string>(issues.list().back().args.at(0).value), "kind");
}

TEST(JsonView, NullIsAbsentAndNegativeZeroIsZero) {
  const auto document = parse_strict("{\"a\":null,\"z\":-0.0}");
  Issues issues;
  const View view(document->root(), issues);
  EXPECT_FALSE(view.number("a").has_value());
  EXPECT_TRUE(view.is_null("a"));
  EXPECT_FALSE(view.is_null("b"));
  EXPECT_TRUE(issues.empty());
  EXPECT_FALSE(view.need_string("a").has_value());
  EXPECT_EQ(issues.list().at(0).code, IssueCode::kMissing);
  EXPECT_FALSE(std::signbit(*view.number("z")));
}

}  // namespace
}  // namespace xuanka::json
