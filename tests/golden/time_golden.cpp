// The shipped measurements against the estimates: the stated bounds must hold, few rows are
// skipped.
#include <cstdio>

#include "unit/time_fixture.hpp"
#include "xuanka/validate/validate.hpp"

namespace xuanka {
namespace {

const ValidationReport& shipped_report() {
  static const ValidationReport report = [] {
    std::vector<MeasurementText> texts;
    for (const auto& file : assets::measurement_files()) {
      texts.push_back({std::string(file.name), std::string(file.text)});
    }
    const Knowledge known{testing::shipped_catalog(), testing::shipped_efficiency()};
    return validate(known, texts);
  }();
  return report;
}

TEST(Golden, StatedBoundsHoldOnTheShippedMeasurements) {
  const ValidationReport& report = shipped_report();
  EXPECT_TRUE(report.issues.empty());
  for (const StatedBound& bound : report.bounds) {
    std::printf("  %-48s %.3f %s %.3f (%d cases)\n", bound.name.c_str(), bound.value,
                bound.at_least ? ">=" : "<=", bound.limit, bound.cases);
    EXPECT_TRUE(bound.holds()) << bound.name << ": " << bound.value << ", stated " << bound.limit;
    EXPECT_GT(bound.cases, 0) << bound.name;
  }
}

// At least 90 % of the rows that can be right are compared; every table row is.
TEST(Golden, FewRowsAreSkipped) {
  int rows = 0, skipped = 0, table = 0;
  for (const ValidationRow& row : shipped_report().rows) {
    if (!row.counts || row.id.starts_with("uc-")) continue;
    const bool needed =
        row.kind == "memory" || row.kind == "throughput" || row.kind == "train_time";
    if (row.kind == "step_time") {
      EXPECT_EQ(row.skipped, "") << row.id;
      ++table;
    } else if (needed) {
      ++rows;
      skipped += row.skipped.empty() ? 0 : 1;
    }
  }
  std::printf("  %d of %d rows skipped\n", skipped, rows);
  EXPECT_EQ(table, 759);
  EXPECT_GT(rows, 500);
  EXPECT_LE(skipped, rows / 10);
}

TEST(Golden, EveryComparedRowHasARange) {
  for (const ValidationRow& row : shipped_report().rows) {
    if (!row.skipped.empty() || !row.predicted) continue;
    EXPECT_LE(*row.low, *row.predicted) << row.id;
    EXPECT_GE(*row.high, *row.predicted) << row.id;
  }
}

}  // namespace
}  // namespace xuanka
