// Links: what is written is read back, old links keep working, hostile ones do no harm.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "web/deflate.hpp"
#include "web/fragment.hpp"

namespace xuanka::web {
namespace {

State without_notices(State s) {
  s.notices.clear();
  return s;
}

TEST(Fragment, AFreshPageIsShort) { EXPECT_EQ(write_fragment(initial_state()), "v=1"); }

TEST(Fragment, RoundTripsEveryField) {
  State s = initial_state();
  for (const FieldSpec& f : fields())
    s.text(f.id) = f.options.empty() ? "x " + std::string(f.key) + " 显存&=#%+\""
                                     : std::string(f.options.back());
  const std::string link = write_fragment(s);
  EXPECT_LE(link.size(), kLinkLimit);
  EXPECT_EQ(read_fragment(link).values, s.values);
  EXPECT_TRUE(read_fragment(link).notices.empty());
}

TEST(Fragment, RoundTripsAnyText) {
  rc::check("text fields survive", [](const std::vector<std::uint8_t>& letters) {
    State s = initial_state();
    std::string text;
    for (const std::uint8_t c : letters)
      text += c % 3 == 0 ? std::string("显") : std::string(1, static_cast<char>(0x20 + c % 0x5F));
    s.text(FieldId::kDataset) = text;
    RC_ASSERT(read_fragment("#" + write_fragment(s)).values == s.values);
  });
}

TEST(Fragment, AnEmptiedDefaultStaysEmpty) {
  State s = initial_state();
  s.text(FieldId::kTokens).clear();
  EXPECT_EQ(write_fragment(s), "v=1&t=");
  EXPECT_EQ(read_fragment("v=1&t=").text(FieldId::kTokens), "");
}

TEST(Fragment, OrderIsThatOfTheTable) {
  EXPECT_EQ(write_fragment(read_fragment("v=1&h=48&m=llama-3-8b&k=qlora")),
            "v=1&k=qlora&m=llama-3-8b&h=48");
}

TEST(Fragment, UnknownKeysAreKeptAndTold) {
  const State s = read_fragment("v=1&zz=future&k=lora");
  ASSERT_EQ(s.notices.size(), 1U);
  EXPECT_EQ(s.notices[0].code, "link_unknown");
  EXPECT_EQ(write_fragment(s), "v=1&zz=future");
}

// Links that were once given out. Add to this list, never change it.
TEST(Fragment, OldLinksKeepWorking) {
  const State s = read_fragment(
      "#v=1&k=finetune&m=llama-2-13b&t=1.4B&e=1&s=4096&g=a100-sxm-80gb,rtx-4090-24gb&c=8&h=none&"
      "lang=en&cur=USD&theme=dark&view=charts");
  EXPECT_TRUE(s.notices.empty());
  EXPECT_EQ(s.text(FieldId::kKind), "finetune");
  EXPECT_EQ(s.number(FieldId::kTokens), 1.4e9);
  EXPECT_EQ(s.many(FieldId::kGpus).size(), 2U);
  EXPECT_EQ(s.text(FieldId::kDeadline), "none");
  EXPECT_EQ(s.text(FieldId::kCurrency), "USD");
}

TEST(Fragment, LongStatesArePacked) {
  State s = initial_state();
  std::string config = "{\"model_type\":\"llama\"";
  for (int i = 0; i < 120; ++i)
    config += ",\"key_" + std::to_string(i) + "\":" + std::to_string(i * i);
  s.text(FieldId::kConfig) = config + "}";
  const std::string link = write_fragment(s);
  EXPECT_TRUE(link.starts_with("z1="));
  EXPECT_LE(link.size(), kLinkLimit);
  EXPECT_EQ(without_notices(read_fragment(link)).values, s.values);
}

TEST(Fragment, WhatCannotFitIsLeftOutAndSaid) {
  State s = initial_state();
  s.text(FieldId::kModel) = "llama-3-8b";
  unsigned random = 1;
  for (int i = 0; i < 60000; ++i) {
    random = random * 1664525U + 1013904223U;
    s.text(FieldId::kConfig) += static_cast<char>('a' + random / 65536U % 26U);
  }
  bool left_out = false;
  EXPECT_EQ(write_fragment(s, &left_out), "v=1&m=llama-3-8b");
  EXPECT_TRUE(left_out);
}

TEST(Fragment, TooLongLinksAreRefused) {
  const State s = read_fragment("v=1&t=" + std::string(9000, '1'));
  ASSERT_EQ(s.notices.size(), 1U);
  EXPECT_EQ(s.notices[0].code, "link_long");
  EXPECT_EQ(s.text(FieldId::kTokens), "50M");
}

TEST(Fragment, MangledLinksGiveANoticeNotACrash) {
  for (const char* link : {"z1=%%%", "z1=AAAA", "z1=", "&&&", "=", "v=2", "k=nonsense", "%", "%4",
                           "%zz=%zz", "v=1&k", "a=b=c", "\xff\xfe=\x80"}) {
    const State s = read_fragment(link);
    EXPECT_FALSE(s.text(FieldId::kKind).empty()) << link;
  }
  EXPECT_EQ(read_fragment("z1=AAAA").notices.at(0).code, "link_broken");
  EXPECT_EQ(read_fragment("v=2&t=7").notices.at(0).code, "link_version");
  EXPECT_EQ(read_fragment("v=2&t=7").text(FieldId::kTokens), "7");
  EXPECT_EQ(read_fragment("k=nonsense").text(FieldId::kKind), "lora");
}

TEST(Fragment, BytesThatAreNoTextAreDropped) {
  EXPECT_EQ(read_fragment("v=1&m=a%FFb%00c%E6%98%BE").text(FieldId::kModel), "abc显");
}

TEST(Deflate, RoundTrips) {
  rc::check(
      [](const std::string& text) { RC_ASSERT(inflate(deflate(text), text.size()) == text); });
  const std::string repeated(10000, 'x');
  EXPECT_LT(deflate(repeated).size(), 120U);
  EXPECT_EQ(inflate(deflate(repeated), 10000), repeated);
  EXPECT_EQ(inflate(deflate(repeated), 9999), std::nullopt);
}

TEST(Deflate, ReadsADynamicBlockOfZlib) {
  // zlib.compressobj(9, wbits=-15) of the text below, as base64url.
  const auto packed = from_base64url(
      "LZFLlgUhCEO3RPgEWI5WrcD9Dx5ltxPPEQjJVVY2ehuYPAlNLChT_"
      "EFnZyytkPLXqsSwQljgpsOtzzcqsjoK3QtwMeOGWRlwEKFQX8hCZjwqmkpfqlXReDUYGfw2VMa_"
      "B5Fj3qrZa1Tm4nJUI7A9CHM_3t42zsLC1P2JTO3Aoo7R5ktG18zfNCI7CUH0KUjL7CuqjfM1om703Sky_"
      "g5EafIZHh3MeSaRhRgHibhn9_"
      "vHZjJPSKCsJ22zAR44XXUYIW5tdCgWw3BPsCDFD3Ksy8e41MOSQ1lggaF3cYu8KjNj86JwaCe36sT0xFGTRskgtA6_v-"
      "Nl1uVbIwerTQ85RQzWu9P6-QE");
  ASSERT_TRUE(packed.has_value());
  std::string expected;
  for (int i = 0; i < 60; ++i)
    expected += std::to_string(i * i * 7919) + "abracadabra"[static_cast<std::size_t>(i % 11)];
  EXPECT_EQ(inflate(*packed, 100000), expected);
}

TEST(Deflate, RandomBytesNeverCrash) {
  rc::check([](const std::vector<std::uint8_t>& bytes) {
    const std::string text(bytes.begin(), bytes.end());
    const auto out = inflate(text, 1000);
    RC_ASSERT(!out || out->size() <= 1000);
  });
}

TEST(Base64Url, RoundTrips) {
  rc::check([](const std::string& text) { RC_ASSERT(from_base64url(to_base64url(text)) == text); });
  EXPECT_EQ(from_base64url("a b"), std::nullopt);
}

}  // namespace
}  // namespace xuanka::web
