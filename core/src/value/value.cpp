#include "xuanka/value/value.hpp"

namespace xuanka {
namespace {

constexpr double kSecondsPerHour = 3600;

// Work done per money at an hourly price of everything that works.
std::optional<double> units(const TimeEstimate* time, double hourly) {
  if (time == nullptr || !(hourly > 0) || !(time->units_per_second > 0)) return std::nullopt;
  return time->units_per_second * kSecondsPerHour / hourly;
}

}  // namespace

ValueMetrics rent_value(const Gpu& gpu, const Job* job, const TimeEstimate* time,
                        const Lease& lease) {
  ValueMetrics value;
  value.per = "hour rented";
  const double hourly = lease.hourly_per_gpu.amount;
  if (!(hourly > 0)) return value;
  value.gb_per_money = gpu.memory_gb / hourly;
  value.gb_s_per_money = gpu.bandwidth.value() / 1e9 / hourly;
  if (job == nullptr) return value;
  value.flops_per_money = job->peak.rate.value() * kSecondsPerHour / hourly;
  if (time != nullptr) value.effective_flops_per_money = *value.flops_per_money * time->mfu;
  value.units_per_money = units(time, lease.hourly.amount);
  return value;
}

ValueMetrics buy_value(const Gpu& gpu, const Job* job, const TimeEstimate* time,
                       const CardPrice& price) {
  ValueMetrics value;
  value.per = "bought";
  if (!(price.price.amount > 0)) return value;
  value.gb_per_money = gpu.memory_gb / price.price.amount;
  value.gb_s_per_money = gpu.bandwidth.value() / 1e9 / price.price.amount;
  if (job == nullptr) return value;
  value.flops_per_money = job->peak.rate.value() / price.price.amount;
  if (time != nullptr) value.effective_flops_per_money = *value.flops_per_money * time->mfu;
  return value;
}

void add_value(const Gpu& gpu, Candidate& c) {
  const double watts = gpu.tdp_w.value_or(0);
  if (c.job.model != nullptr && watts > 0) c.value.flops_per_watt = c.job.peak.rate.value() / watts;
  const double flops = c.job.flops_per_unit.value();
  if (c.job.kind == JobKind::kInference || !c.value.units_per_money || !(flops > 0)) return;
  c.value.pflop_hour = 1e15 * kSecondsPerHour / (*c.value.units_per_money * flops);
}

}  // namespace xuanka
