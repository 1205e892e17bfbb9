#include <nlohmann/json.hpp>

#include "xuanka/text/text.hpp"
#include "xuanka/validate/validate.hpp"

namespace xuanka {
namespace {

using Json = nlohmann::ordered_json;

Json maybe(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json case_json(const ValidationRow& row) {
  Json out;
  out["id"] = row.id;
  out["kind"] = row.kind;
  out["predicted"] = maybe(row.predicted);
  out["low"] = maybe(row.low);
  out["high"] = maybe(row.high);
  out["measured"] = row.measured;
  out["unit"] = row.unit;
  out["ratio"] = row.predicted && row.measured > 0 ? Json(*row.predicted / row.measured) : Json(nullptr);
  out["skipped"] = row.skipped.empty() ? Json(nullptr) : Json(row.skipped);
  if (row.predicted_verdict) out["predicted_verdict"] = name_of(*row.predicted_verdict);
  if (row.measured_fits) out["measured_verdict"] = *row.measured_fits ? "fits" : "does_not_fit";
  out["gpu"] = row.gpu;
  out["family"] = row.family;
  out["source"] = row.source;
  out["group"] = row.group;
  if (!row.counts) out["excluded"] = true;
  return out;
}

Json summary_json(const ErrorSummary& sum) {
  return {{"count", sum.count},
          {"skipped", sum.skipped},
          {"median_error", sum.median_error},
          {"mean_absolute_error", sum.mape},
          {"p90_error", sum.p90_error},
          {"under_share", sum.under_share},
          {"over_share", sum.over_share},
          {"inside_share", sum.inside_share},
          {"median_high_over_low", sum.median_width},
          {"verdicts", sum.verdicts},
          {"verdicts_right", sum.verdicts_right}};
}

Json groups_json(const std::vector<ErrorSummary>& groups) {
  Json out = Json::object();
  for (const ErrorSummary& sum : groups) out[sum.name] = summary_json(sum);
  return out;
}

std::string padded(std::string text, std::size_t width, bool right = false) {
  if (text.size() > width) text.resize(width);
  const std::string fill(width - text.size(), ' ');
  return right ? fill + text : text + fill;
}
std::string percent(double fraction) { return format_number(fraction * 100, 3) + " %"; }

void add_groups(std::string_view title, const std::vector<ErrorSummary>& groups, std::string& out) {
  out += "\n" + padded(std::string(title), 44) +
         "  cases skipped  median    mean     p90   under    over  inside  high/low\n";
  for (const ErrorSummary& sum : groups) {
    out += padded(sum.name, 44) + padded(std::to_string(sum.count), 7, true) +
           padded(std::to_string(sum.skipped), 8, true) + padded(percent(sum.median_error), 8, true) +
           padded(percent(sum.mape), 8, true) + padded(percent(sum.p90_error), 8, true) +
           padded(percent(sum.under_share), 8, true) + padded(percent(sum.over_share), 8, true) +
           padded(percent(sum.inside_share), 8, true) +
           padded(format_number(sum.median_width, 3), 10, true) + "\n";
  }
}

std::string row_text(const ValidationRow& row) {
  std::string line = padded(row.id, 56) + " ";
  if (!row.skipped.empty()) return line + "skipped: " + row.skipped + "\n";
  if (row.predicted) {
    line += padded(format_number(*row.predicted, 4), 10, true) + " [" +
            padded(format_number(*row.low, 3), 8, true) + "," +
            padded(format_number(*row.high, 3), 8, true) + "] " +
            padded(format_number(row.measured, 4), 10, true) + " " +
            padded(row.measured > 0 ? format_number(*row.predicted / row.measured, 3) : "", 6, true) +
            " " + row.unit;
  }
  if (row.predicted_verdict && row.measured_fits) {
    line += " " + std::string(name_of(*row.predicted_verdict)) +
            (*row.measured_fits ? " (measured: fits)" : " (measured: does_not_fit)");
  }
  return line + "\n";
}

}  // namespace

std::string validation_json(const ValidationReport& report) {
  Json cases = Json::array();
  for (const ValidationRow& row : report.rows) cases.push_back(case_json(row));
  Json bounds = Json::array();
  for (const StatedBound& b : report.bounds) {
    bounds.push_back({{"name", b.name}, {"value", b.value}, {"limit", b.limit},
                      {"at_least", b.at_least}, {"cases", b.cases}, {"holds", b.holds()}});
  }
  Json out;
  out["cases"] = std::move(cases);
  out["summary"] = {{"by_kind", groups_json(report.by_kind)},
                    {"by_gpu", groups_json(report.by_gpu)},
                    {"by_source", groups_json(report.by_source)},
                    {"by_family", groups_json(report.by_family)},
                    {"bounds", std::move(bounds)},
                    {"passed", report.passed()}};
  return out.dump();
}

std::string validation_table(const ValidationReport& report) {
  std::string out = padded("case", 56) + "  predicted       low     high    measured  ratio\n";
  for (const ValidationRow& row : report.rows) out += row_text(row);
  add_groups("by kind", report.by_kind, out);
  add_groups("by GPU", report.by_gpu, out);
  add_groups("by source", report.by_source, out);
  add_groups("by family (time)", report.by_family, out);
  out += "\nstated bounds\n";
  for (const StatedBound& b : report.bounds) {
    out += std::string(b.cases == 0 ? "  -     " : b.holds() ? "  holds " : "  MISSED") + " " +
           padded(b.name, 56) + format_number(b.value, 3) + (b.at_least ? " >= " : " <= ") +
           format_number(b.limit, 3) + "  (" + std::to_string(b.cases) + " cases)\n";
  }
  return out;
}

}  // namespace xuanka
