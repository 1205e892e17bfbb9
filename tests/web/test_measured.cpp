// The measured cases that the page shows, and the ledger of rent or buy: the same figures as the
// command line's.
#include "page.hpp"

#include "web/measured_cases.hpp"
#include "xuanka/base/embedded.hpp"

namespace xuanka::web::test {
namespace {

const ValidationReport& shipped() {
  static const ValidationReport report = [] {
    std::vector<MeasurementText> texts;
    for (const auto& file : assets::measurement_files())
      texts.push_back({std::string(file.name), std::string(file.text)});
    return validate(shared_api().knowledge(), texts);
  }();
  return report;
}

std::vector<const MeasuredPoint*> pointers(const std::vector<MeasuredPoint>& points) {
  std::vector<const MeasuredPoint*> all;
  for (const MeasuredPoint& p : points) all.push_back(&p);
  return all;
}

TEST(Measured, EveryComparedCaseIsReadBackWithItsFigures) {
  std::vector<const ValidationRow*> compared;
  for (const ValidationRow& row : shipped().rows) {
    if (row.skipped.empty() && row.counts && row.predicted && *row.predicted > 0 &&
        row.measured > 0)
      compared.push_back(&row);
  }
  const auto points = read_measured(write_measured(shipped()));
  ASSERT_EQ(points.size(), compared.size());
  ASSERT_GT(points.size(), 500U);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points[i].id, compared[i]->id);
    EXPECT_EQ(points[i].unit, compared[i]->unit);
    EXPECT_EQ(points[i].source, compared[i]->source);
    EXPECT_NEAR(points[i].measured / compared[i]->measured, 1, 1e-3);
    EXPECT_NEAR(points[i].predicted / *compared[i]->predicted, 1, 1e-3);
  }
}

TEST(Measured, TheTextIsSmallEnoughToBeFetchedAtOnce) {
  EXPECT_LT(write_measured(shipped()).size(), 200'000U);
}

TEST(Measured, TheSummaryCountsWhatItSays) {
  std::vector<MeasuredPoint> points(4);
  for (MeasuredPoint& p : points) p = {"a", "b", "c", "s", CaseKind::kTraining, 100, 100, 90, 110};
  points[1].predicted = 119;
  points[2].predicted = 150;
  points[2].low = 120;
  points[2].high = 180;
  points[3].predicted = 60;
  points[3].low = 50;
  points[3].high = 130;
  const MeasuredSummary sum = summarise(pointers(points));
  EXPECT_EQ(sum.cases, 4U);
  EXPECT_DOUBLE_EQ(sum.near_share, 0.5);
  EXPECT_DOUBLE_EQ(sum.inside_share, 0.75);
  EXPECT_NEAR(sum.median_error, 0.4, 1e-12);
}

TEST(Measured, ForeignLinesArePassedOver) {
  const auto points = read_measured(
      "a\tb\t1\t2\t3\t4\n#\tspeech\ts\tx\nb\tc\t1\t2\t3\t4\n#\tmemory\tGiB\tsome one\n"
      "ok\trtx-4090-"
      "24gb\t10\t11\t9\t13\nbad\tcard\tten\t11\t9\t13\nzero\tcard\t0\t11\t9\t13\n\n\t\n");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].kind, CaseKind::kMemory);
  EXPECT_EQ(points[0].source, "some one");
  EXPECT_NEAR(points[0].error(), 0.1, 1e-12);
}

TEST(Measured, TheTabAsksOnceAndShowsWhatCame) {
  Page page(1280, 2400, "v=1&lang=en");
  EXPECT_EQ(page.platform.measurements_asked, 0);
  page.app.set_field("view", "measured");
  page.frames(2);
  EXPECT_EQ(page.platform.measurements_asked, 1);
  page.app.set_measurements(write_measured(shipped()));
  page.app.set_field("view", "plans");
  page.app.set_field("view", "measured");
  page.frames(3);
  EXPECT_EQ(page.platform.measurements_asked, 1);
  const auto points = read_measured(write_measured(shipped()));
  EXPECT_TRUE(page.shows(std::to_string(points.size()) + " published measurements"));
  EXPECT_TRUE(page.shows(points[0].id));
  EXPECT_NE(page.app.results_json().find("\"id\":\"cases\""), std::string::npos);
  // One kind alone.
  page.click_text("matrix products");
  EXPECT_FALSE(page.shows(points[0].id));
}

TEST(Measured, AFailureIsSaid) {
  Page page(1280, 1400, "v=1&lang=en&view=measured");
  page.app.set_measurements("");
  page.frames(2);
  EXPECT_TRUE(page.shows("could not be fetched"));
}

TEST(RentOrBuy, ThePageShowsTheReportsLedger) {
  Page page(1280, 2400, "v=1&lang=en&view=own&uy=5&g=rtx-4090-24gb");
  const std::string report = page.app.report_json(), results = page.app.results_json();
  const std::size_t at = report.find("\"break_even_hours\":");
  ASSERT_NE(at, std::string::npos);
  const double hours = std::stod(report.substr(at + 19));
  EXPECT_NE(results.find(format_grouped(hours, 4) + " (even)"), std::string::npos)
      << format_grouped(hours, 4);
  EXPECT_TRUE(page.shows(format_grouped(hours)));
}

TEST(RentOrBuy, AnotherCurrencyMovesNoHour) {
  Page page(1280, 2400, "v=1&lang=en&view=own&uy=5&g=rtx-4090-24gb");
  const auto table = [&] {
    const std::string results = page.app.results_json();
    const std::size_t begin = results.find("\"id\":\"own\"");
    return results.substr(begin, results.find("]]", begin) - begin);
  };
  const std::string yuan = table();
  page.app.set_currency("USD");
  const std::string dollars = table();
  EXPECT_NE(yuan, dollars);
  const auto even = [](const std::string& t) { return t.substr(t.find(" (even)") - 6, 6); };
  EXPECT_EQ(even(yuan), even(dollars));
  EXPECT_NE(dollars.find('$'), std::string::npos);
}

// A card that nobody sells leaves the comparison to the best one that can be bought.
TEST(RentOrBuy, WithoutAPriceTheNextCardIsCompared) {
  Page page(1280, 2400, "v=1&lang=en&view=own&g=h800-sxm-80gb,rtx-4090-24gb");
  EXPECT_TRUE(page.shows("RTX 4090: "));
  page.app.set_field("g", "h800-sxm-80gb");
  page.frames(2);
  EXPECT_TRUE(page.shows("There is no price"));
}

TEST(Charts, EachHasItsDataInTheTwin) {
  Page page(1280, 860, "v=1&lang=en");
  const std::string results = page.app.results_json();
  for (const std::string_view id : {"plans", "hours", "memory", "roofline", "value", "own",
                                    "sensitivity", "measured", "gpus", "offers"})
    EXPECT_NE(results.find("\"id\":\"" + std::string(id) + "\""), std::string::npos) << id;
}

}  // namespace
}  // namespace xuanka::web::test
