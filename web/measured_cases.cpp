#include "web/measured_cases.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "web/fields.hpp"
#include "xuanka/base/sort.hpp"
#include "xuanka/text/text.hpp"

namespace xuanka::web {
namespace {

constexpr std::array<std::string_view, kCaseKinds> kNames{"training", "serving", "memory", "matmul",
                                                          "link"};
constexpr double kNear = 0.2;

bool mentions(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

// Some kinds of the files hold speeds and sizes alike: the unit tells.
CaseKind kind_of(const ValidationRow& row) {
  const std::string_view unit = row.unit;
  if (row.kind == "matmul") return CaseKind::kMatmul;
  if (row.kind == "allreduce") return CaseKind::kLink;
  const bool bytes = unit.starts_with("GB") || unit.starts_with("GiB") || unit.starts_with("MB") ||
                     unit.starts_with("MiB") || unit.starts_with("%") || unit.starts_with("bits");
  if (row.kind == "memory" || bytes || mentions(unit, "micro-batch")) return CaseKind::kMemory;
  if (row.kind == "inference" || row.family == "inference") return CaseKind::kServing;
  return CaseKind::kTraining;
}

bool is_compared(const ValidationRow& row) {
  return row.skipped.empty() && row.counts && row.predicted && *row.predicted > 0 &&
         row.measured > 0;
}

// Tabs and line ends separate; a source may hold anything.
std::string plain(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  }
  return out;
}

std::vector<std::string_view> cells(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    out.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

}  // namespace

std::string_view case_kind_name(CaseKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::string write_measured(const ValidationReport& report) {
  std::string out, head;
  for (const ValidationRow& row : report.rows) {
    if (!is_compared(row)) continue;
    // What neighbours share is said once.
    const std::string own = "#\t" + std::string(case_kind_name(kind_of(row))) + "\t" +
                            plain(row.unit) + "\t" + plain(row.source) + "\n";
    if (own != head) out += own;
    head = own;
    out += plain(row.id) + "\t" + plain(row.gpu);
    for (const double value : {row.measured, *row.predicted, row.low.value_or(*row.predicted),
                               row.high.value_or(*row.predicted)})
      out += "\t" + format_number(value, 4);
    out += "\n";
  }
  return out;
}

std::vector<MeasuredPoint> read_measured(std::string_view text) {
  std::vector<MeasuredPoint> points;
  MeasuredPoint head;
  bool known = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const auto line = cells(text.substr(begin, end - begin));
    begin = end + 1;
    if (line[0] == "#" && line.size() == 4) {
      const auto at = std::find(kNames.begin(), kNames.end(), line[1]);
      known = at != kNames.end();
      if (!known) continue;
      head.kind = static_cast<CaseKind>(at - kNames.begin());
      head.unit = line[2];
      head.source = line[3];
    } else if (known && line.size() == 6) {
      const auto measured = read_number(line[2]), predicted = read_number(line[3]),
                 low = read_number(line[4]), high = read_number(line[5]);
      if (!measured || !predicted || !low || !high || *measured <= 0 || *predicted <= 0) continue;
      MeasuredPoint point = head;
      point.id = line[0];
      point.gpu = line[1];
      point.measured = *measured;
      point.predicted = *predicted;
      point.low = *low;
      point.high = *high;
      points.push_back(std::move(point));
    }
  }
  return points;
}

MeasuredSummary summarise(const std::vector<const MeasuredPoint*>& points) {
  MeasuredSummary summary;
  summary.cases = points.size();
  if (points.empty()) return summary;
  std::vector<double> errors;
  double near = 0, inside = 0;
  for (const MeasuredPoint* p : points) {
    errors.push_back(std::abs(p->error()));
    near += errors.back() <= kNear ? 1 : 0;
    inside += p->measured >= p->low && p->measured <= p->high ? 1 : 0;
  }
  sort_values(errors);
  summary.median_error = errors[errors.size() / 2];
  summary.near_share = near / static_cast<double>(points.size());
  summary.inside_share = inside / static_cast<double>(points.size());
  return summary;
}

}  // namespace xuanka::web
