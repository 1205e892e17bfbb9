// Errors by kind, GPU, source and family, and the bounds that are stated.
#include <algorithm>
#include <cmath>
#include <map>

#include "validate/case_text.hpp"
#include "xuanka/base/sort.hpp"
#include "xuanka/validate/validate.hpp"

namespace xuanka {
namespace {

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  sort_values(values);
  const double at = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(at));
  const auto above = std::min(below + 1, values.size() - 1);
  const double part = at - std::floor(at);
  return values[below] * (1 - part) + values[above] * part;
}

bool compared(const ValidationRow& row) { return row.skipped.empty() && row.counts; }
bool numeric(const ValidationRow& row) {
  return compared(row) && row.predicted && row.measured > 0 && row.under_ratio;
}
double error_of(const ValidationRow& row) {
  return std::abs(*row.predicted - row.measured) / row.measured;
}
bool inside(const ValidationRow& row) {
  return row.measured >= *row.low && row.measured <= *row.high;
}
/// Tight counts right either way when the measured need is near the card; here: not wrong for it.
bool verdict_right(const ValidationRow& row) {
  const bool fits = *row.predicted_verdict != MemoryVerdict::kDoesNotFit;
  return *row.predicted_verdict == MemoryVerdict::kTight || fits == *row.measured_fits;
}

ErrorSummary summarise(std::string name, const std::vector<const ValidationRow*>& rows) {
  ErrorSummary sum;
  sum.name = std::move(name);
  std::vector<double> errors, widths;
  double under = 0, over = 0, hits = 0;
  for (const ValidationRow* row : rows) {
    if (!row->counts) continue;
    if (!row->skipped.empty()) {
      ++sum.skipped;
      continue;
    }
    ++sum.count;
    if (row->predicted_verdict && row->measured_fits) {
      ++sum.verdicts;
      if (verdict_right(*row)) ++sum.verdicts_right;
    }
    if (!numeric(*row)) continue;
    errors.push_back(error_of(*row));
    if (*row->low > 0) widths.push_back(*row->high / *row->low);
    under += *row->under_ratio > 1 ? 1 : 0;
    over += *row->under_ratio < 1 ? 1 : 0;
    hits += inside(*row) ? 1 : 0;
  }
  const auto n = static_cast<double>(errors.size());
  if (n > 0) {
    for (const double e : errors) sum.mape += e / n;
    sum.under_share = under / n;
    sum.over_share = over / n;
    sum.inside_share = hits / n;
  }
  sum.median_error = quantile(errors, 0.5);
  sum.p90_error = quantile(errors, 0.9);
  sum.median_width = quantile(widths, 0.5);
  return sum;
}

template <class Key>
std::vector<ErrorSummary> group(const std::vector<ValidationRow>& rows, const Key& key) {
  std::map<std::string, std::vector<const ValidationRow*>> groups;
  for (const ValidationRow& row : rows) {
    const std::string name = key(row);
    if (!name.empty()) groups[name].push_back(&row);
  }
  std::vector<ErrorSummary> out;
  for (auto& [name, members] : groups) out.push_back(summarise(name, members));
  return out;
}

template <class Pick>
ErrorSummary pick(const std::vector<ValidationRow>& rows, const Pick& matches) {
  std::vector<const ValidationRow*> members;
  for (const ValidationRow& row : rows) {
    if (matches(row)) members.push_back(&row);
  }
  return summarise("", members);
}

bool is_time(const ValidationRow& row) {
  return row.kind == "throughput" || row.kind == "train_time" || row.kind == "step_time" ||
         row.id.ends_with("/time");
}
bool is_memory(const ValidationRow& row) { return has(row.kind, "memory") && !is_time(row); }
bool is_megatron(const ValidationRow& row) { return row.kind == "step_time"; }
bool is_decoder(const ValidationRow& row) {
  return row.family == "decoder" || row.family == "moe" || row.family == "lora";
}
bool is_other(const ValidationRow& row) {
  return !is_decoder(row) && row.family != "inference" && !row.family.empty();
}

/// Two cards of one source that ran the same thing: the ratio of their rates.
void add_ratio_bound(const std::vector<ValidationRow>& rows, std::vector<StatedBound>& bounds) {
  std::map<std::string, std::vector<const ValidationRow*>> alike;
  for (const ValidationRow& row : rows) {
    if (!numeric(row) || !is_time(row) || is_megatron(row)) continue;
    // The id without the card is what both have in common.
    std::string rest = lowered(row.id);
    const std::string card = lowered(row.gpu);
    for (std::size_t at = 0; at < card.size();) {  // leave out every word of the card's id
      auto end = card.find('-', at);
      if (end == std::string::npos) end = card.size();
      const std::string part = card.substr(at, end - at);
      if (const auto hit = rest.find(part); part.size() > 1 && hit != std::string::npos) {
        rest.erase(hit, part.size());
      }
      at = end + 1;
    }
    alike[row.source + "|" + row.unit + "|" + rest].push_back(&row);
  }
  std::vector<double> errors;
  for (const auto& [key, members] : alike) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (std::size_t j = i + 1; j < members.size(); ++j) {
        if (members[i]->gpu == members[j]->gpu) continue;
        const double predicted = *members[i]->predicted / *members[j]->predicted;
        const double measured = members[i]->measured / members[j]->measured;
        errors.push_back(std::abs(predicted / measured - 1));
      }
    }
  }
  bounds.push_back({"gpu-to-gpu ratios, median error", quantile(errors, 0.5), 0.15, false,
                    static_cast<int>(errors.size())});
}

void add_bounds(ValidationReport& report) {
  const auto& rows = report.rows;
  auto& bounds = report.bounds;
  const auto bound = [&](std::string name, const ErrorSummary& sum, double value, double limit,
                         bool at_least = false) {
    bounds.push_back({std::move(name), value, limit, at_least, sum.count});
  };
  const auto memory =
      pick(rows, [](const auto& r) { return is_memory(r) && numeric(r) && !r.part; });
  bound("memory, median error", memory, memory.median_error, 0.15);
  bound("memory, 90th percentile of the error", memory, memory.p90_error, 0.40);
  auto verdicts = pick(rows, [](const auto& r) { return r.predicted_verdict && r.measured_fits; });
  verdicts.count = verdicts.verdicts;
  const double right =
      verdicts.verdicts > 0 ? static_cast<double>(verdicts.verdicts_right) / verdicts.verdicts : 1;
  bound("verdicts right", verdicts, right, 0.90, true);
  for (const std::string_view set : {"megatron_a100_multi_node", "megatron_a100_single_node"}) {
    const auto sum = pick(rows, [&](const auto& r) { return is_megatron(r) && has(r.id, set); });
    bound("step time, " + std::string(set) + ", mean error", sum, sum.mape, 0.09);
  }
  const auto decoders =
      pick(rows, [](const auto& r) { return is_time(r) && !is_megatron(r) && is_decoder(r); });
  bound("step time, decoders, median error", decoders, decoders.median_error, 0.20);
  const auto others = pick(rows, [](const auto& r) { return is_time(r) && is_other(r); });
  bound("step time, encoders and vision, median error", others, others.median_error, 0.30);
  const auto timed = pick(rows, [](const auto& r) { return is_time(r) || is_memory(r); });
  bound("measured inside the range", timed, timed.inside_share, 0.85, true);
  bound("median high / low", timed, timed.median_width, 1.8);
  add_ratio_bound(rows, bounds);
}

}  // namespace

bool ValidationReport::passed() const {
  return issues.empty() &&
         std::all_of(bounds.begin(), bounds.end(), [](const StatedBound& b) { return b.holds(); });
}

ValidationReport validate(const Knowledge& knowledge, const std::vector<MeasurementText>& texts) {
  ValidationReport report;
  report.unseen = knowledge.efficiency.unseen;
  for (const MeasurementText& text : texts) {
    auto cases = read_cases(knowledge.catalog, text);
    if (!cases) {
      for (Issue& issue : cases.error()) report.issues.push_back(std::move(issue));
      continue;
    }
    for (const MeasuredCase& one : *cases) report.rows.push_back(compare_case(knowledge, one));
  }
  report.by_kind = group(report.rows, [](const auto& r) { return r.kind; });
  report.by_gpu = group(report.rows, [](const auto& r) { return r.gpu; });
  report.by_source = group(report.rows, [](const auto& r) { return r.source; });
  report.by_family = group(report.rows, [](const auto& r) {
    return is_time(r) && !r.family.empty() ? "time " + r.family : std::string();
  });
  add_bounds(report);
  return report;
}

}  // namespace xuanka
