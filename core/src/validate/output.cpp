#include "api/json_writer.hpp"
#include "xuanka/text/text.hpp"
#include "xuanka/validate/validate.hpp"

namespace xuanka {
namespace {

void write_case(JsonWriter& out, const ValidationRow& row) {
  std::optional<double> ratio;
  if (row.predicted && row.measured > 0) ratio = *row.predicted / row.measured;
  out.begin_object().field("id", row.id).field("kind", row.kind);
  out.field("predicted", row.predicted).field("low", row.low).field("high", row.high);
  out.field("measured", row.measured).field("unit", row.unit).field("ratio", ratio);
  out.key("skipped");
  if (row.skipped.empty()) {
    out.null();
  } else {
    out.string(row.skipped);
  }
  if (row.predicted_verdict) out.field("predicted_verdict", name_of(*row.predicted_verdict));
  if (row.measured_fits) {
    out.field("measured_verdict", *row.measured_fits ? "fits" : "does_not_fit");
  }
  out.field("gpu", row.gpu).field("family", row.family);
  out.field("source", row.source).field("group", row.group);
  if (!row.counts) out.field("excluded", true);
  out.end_object();
}

void write_groups(JsonWriter& out, std::string_view name, const std::vector<ErrorSummary>& groups) {
  out.key(name).begin_object();
  for (const ErrorSummary& sum : groups) {
    out.key(sum.name).begin_object();
    out.field("count", sum.count).field("skipped", sum.skipped);
    out.field("median_error", sum.median_error).field("mean_absolute_error", sum.mape);
    out.field("p90_error", sum.p90_error);
    out.field("under_share", sum.under_share).field("over_share", sum.over_share);
    out.field("inside_share", sum.inside_share).field("median_high_over_low", sum.median_width);
    out.field("verdicts", sum.verdicts).field("verdicts_right", sum.verdicts_right).end_object();
  }
  out.end_object();
}

void write_bounds(JsonWriter& out, const std::vector<StatedBound>& bounds) {
  out.key("bounds").begin_array();
  for (const StatedBound& b : bounds) {
    out.begin_object().field("name", b.name).field("value", b.value).field("limit", b.limit);
    out.field("at_least", b.at_least)
        .field("cases", b.cases)
        .field("holds", b.holds())
        .end_object();
  }
  out.end_array();
}

void write_unseen(JsonWriter& out, const std::vector<UnseenError>& unseen) {
  out.key("unseen").begin_array();
  for (const UnseenError& e : unseen) {
    out.begin_object()
        .field("name", e.name)
        .field("cases", e.cases)
        .field("median_error", e.median);
    out.field("mean_absolute_error", e.mean).field("p90_error", e.p90).end_object();
  }
  out.end_array();
}

std::string padded(std::string text, std::size_t width, bool right = false) {
  if (text.size() > width) text.resize(width);
  const std::string fill(width - text.size(), ' ');
  return right ? fill + text : text + fill;
}
std::string percent(double fraction) { return format_number(fraction * 100, 3) + " %"; }

void add_groups(std::string_view title, const std::vector<ErrorSummary>& groups, std::string& out) {
  out += "\n" + padded(std::string(title), 44) +
         "  cases skipped    median      mean       p90     under      over    inside  high/low\n";
  for (const ErrorSummary& sum : groups) {
    out += padded(sum.name, 44) + padded(std::to_string(sum.count), 7, true) +
           padded(std::to_string(sum.skipped), 8, true) +
           padded(percent(sum.median_error), 10, true) + padded(percent(sum.mape), 10, true) +
           padded(percent(sum.p90_error), 10, true) + padded(percent(sum.under_share), 10, true) +
           padded(percent(sum.over_share), 10, true) + padded(percent(sum.inside_share), 10, true) +
           padded(format_number(sum.median_width, 3), 10, true) + "\n";
  }
}

std::string row_text(const ValidationRow& row) {
  std::string line = padded(row.id, 56) + " ";
  if (!row.skipped.empty()) return line + "skipped: " + row.skipped + "\n";
  if (row.predicted) {
    line +=
        padded(format_number(*row.predicted, 4), 10, true) + " [" +
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
  JsonWriter out;
  out.begin_object().key("cases").begin_array();
  for (const ValidationRow& row : report.rows) write_case(out, row);
  out.end_array().key("summary").begin_object();
  write_groups(out, "by_kind", report.by_kind);
  write_groups(out, "by_gpu", report.by_gpu);
  write_groups(out, "by_source", report.by_source);
  write_groups(out, "by_family", report.by_family);
  write_bounds(out, report.bounds);
  write_unseen(out, report.unseen);
  out.field("passed", report.passed()).end_object().end_object();
  return out.take();
}

std::string validation_table(const ValidationReport& report) {
  std::string out = padded("case", 56) + "  predicted       low     high    measured  ratio\n";
  for (const ValidationRow& row : report.rows) out += row_text(row);
  add_groups("by kind", report.by_kind, out);
  add_groups("by GPU", report.by_gpu, out);
  add_groups("by source", report.by_source, out);
  add_groups("by family (time)", report.by_family, out);
  out += "\n" + padded("shipped cases, by fits without their source", 44) +
         "  cases    median      mean       p90\n";
  for (const UnseenError& e : report.unseen) {
    out += padded(e.name, 44) + padded(std::to_string(e.cases), 7, true) +
           padded(percent(e.median), 10, true) + padded(percent(e.mean), 10, true) +
           padded(percent(e.p90), 10, true) + "\n";
  }
  out += "\nstated bounds\n";
  for (const StatedBound& b : report.bounds) {
    out += std::string(b.cases == 0 ? "  -     "
                       : b.holds()  ? "  holds "
                                    : "  MISSED") +
           " " + padded(b.name, 56) + format_number(b.value, 3) + (b.at_least ? " >= " : " <= ") +
           format_number(b.limit, 3) + "  (" + std::to_string(b.cases) + " cases)\n";
  }
  return out;
}

}  // namespace xuanka
