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
  if (job == nullptr) return value;
  value.flops_per_money = job->peak.rate.value() / price.price.amount;
  if (time != nullptr) value.effective_flops_per_money = *value.flops_per_money * time->mfu;
  return value;
}

}  // namespace xuanka
