// Which offer serves a candidate and what the job costs on it.
#pragma once

#include "xuanka/rank/report.hpp"

namespace xuanka {

/// An offer applied to a count: whole instances, nodes, hourly price in the decision's currency.
struct Lease {
  const Offer* offer = nullptr;
  double billed_gpus = 0;      ///< GPUs paid for
  int instances = 1, nodes = 1;
  int gpus_per_node = 8;
  Money hourly;                ///< of everything billed, converted
  Money hourly_per_gpu;        ///< of one billed GPU
  bool converted = false;
  std::optional<double> cores, ram_gb;  ///< of one node of the lease; nullopt = not published
};

/// Offers that may serve `count` cards of `gpu`, cheapest first for the same hours (contract
/// "Offers": filters, newest of alike, per_gpu, whole instances, conversion). Empty: no price.
[[nodiscard]] std::vector<Lease> leases_for(const Catalog& catalog, const Request& request,
                                            const Gpu& gpu, int count);

/// Purchase price of one card in the decision's currency: newest street price of the condition,
/// list price otherwise; nullptr-like nullopt when there is none.
struct CardPrice {
  Money price;                 ///< converted
  const PurchasePrice* entry = nullptr;
  bool converted = false, guess = false;
};
[[nodiscard]] std::optional<CardPrice> card_price(const Catalog& catalog, const Request& request,
                                                  const Gpu& gpu, Acquire acquire);

/// Cost of the whole job on a lease; amounts are null without total hours.
[[nodiscard]] CostEstimate rent_cost(const Lease& lease, const TimeEstimate& time, const Job& job,
                                     const Request& request);

/// Days from `date` (YYYY, YYYY-MM or YYYY-MM-DD; a year counts as January 1st) to `today`.
[[nodiscard]] std::optional<double> age_days(std::string_view date, std::string_view today);

}  // namespace xuanka
