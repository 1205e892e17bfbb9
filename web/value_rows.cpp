#include "web/value_rows.hpp"

#include "xuanka/base/sort.hpp"
#include "xuanka/cost/cost.hpp"

namespace xuanka::web {

std::vector<ValueRow> value_rows(const Catalog& catalog, const Request& request) {
  constexpr double kSecondsPerHour = 3600;
  std::vector<ValueRow> rows;
  for (const Gpu& gpu : catalog.gpus) {
    ValueRow row;
    row.gpu = &gpu;
    const auto peak = peak_at(gpu, request.workload.precision.value_or(Precision::kFp16));
    const auto leases = leases_for(catalog, request, gpu, 1);
    if (!leases.empty() && leases[0].hourly_per_gpu.amount > 0) {
      const double hourly = leases[0].hourly_per_gpu.amount;
      row.offer = leases[0].offer->id;
      row.hourly = hourly;
      row.gb_per_money = gpu.memory_gb / hourly;
      if (peak) row.flops_per_money = peak->rate.value() * kSecondsPerHour / hourly;
    }
    auto price = card_price(catalog, request, gpu, Acquire::kUsed);
    if (!price) price = card_price(catalog, request, gpu, Acquire::kBuy);
    if (price && price->price.amount > 0) {
      row.price = price->price.amount;
      row.gb_per_price = gpu.memory_gb / price->price.amount;
      if (peak) row.flops_per_price = peak->rate.value() / price->price.amount;
    }
    if (row.hourly || row.price) rows.push_back(std::move(row));
  }
  // Most compute for the money first, rented before bought.
  sort_values(rows, [](const ValueRow& a, const ValueRow& b) {
    const double x = a.flops_per_money.value_or(0), y = b.flops_per_money.value_or(0);
    const double p = a.flops_per_price.value_or(0), q = b.flops_per_price.value_or(0);
    return x != y ? x > y : p != q ? p > q : a.gpu->id < b.gpu->id;
  });
  return rows;
}

}  // namespace xuanka::web
