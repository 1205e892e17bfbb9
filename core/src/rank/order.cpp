#include "rank/order.hpp"

#include <limits>
#include <tuple>

namespace xuanka {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

// Lower is better for every metric.
double metric(const Candidate& c, RankBy rank_by) {
  switch (rank_by) {
    case RankBy::kCost:
      return cost_metric(c).value_or(kUnknown);
    case RankBy::kTime:
      return time_metric(c).value_or(kUnknown);
    case RankBy::kFlopsPerMoney:
      return c.value.flops_per_money ? -*c.value.flops_per_money : kUnknown;
    case RankBy::kMemoryPerMoney:
      return c.value.gb_per_money ? -*c.value.gb_per_money : kUnknown;
  }
  return kUnknown;
}

double overshoot(const Candidate& c) {
  const double usable = c.planned.memory.usable.value();
  if (c.verdict != Verdict::kDoesNotFit || !(usable > 0)) return 0;
  return c.planned.memory.per_gpu.value() / usable;
}

auto key(const Candidate& c, RankBy rank_by) {
  return std::make_tuple(-static_cast<int>(c.verdict), overshoot(c), c.host.ram_assumed,
                         metric(c, rank_by), c.count, time_metric(c).value_or(kUnknown),
                         cost_metric(c).value_or(kUnknown), c.nodes, std::string_view(c.gpu));
}

}  // namespace

std::optional<double> time_metric(const Candidate& c) {
  if (c.planned.time.total) return c.planned.time.total->value();
  if (c.planned.time.units_per_second > 0) return 1.0 / c.planned.time.units_per_second;
  return std::nullopt;
}

std::optional<double> cost_metric(const Candidate& c) {
  if (c.cost && c.cost->amount) return c.cost->amount;
  if (c.value.units_per_money && *c.value.units_per_money > 0)
    return 1.0 / *c.value.units_per_money;
  return std::nullopt;
}

bool ranks_before(const Candidate& a, const Candidate& b, RankBy rank_by) {
  return key(a, rank_by) < key(b, rank_by);
}

}  // namespace xuanka
