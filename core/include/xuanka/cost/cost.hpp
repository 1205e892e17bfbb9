// Which offer serves a candidate and what the job costs on it.
#pragma once

#include "xuanka/rank/report.hpp"

namespace xuanka {

/// An offer applied to a count: whole instances, nodes, hourly price in the decision's currency.
struct Lease {
  const Offer* offer = nullptr;
  double billed_gpus = 0;  ///< GPUs paid for
  int instances = 1, nodes = 1;
  int gpus_per_node = 8;
  Money hourly;          ///< of everything billed, converted
  Money hourly_per_gpu;  ///< of one billed GPU
  bool converted = false;
  std::optional<double> age_days;       ///< of the price at the request's date; nullopt = undated
  std::optional<double> cores, ram_gb;  ///< of one node of the lease; nullopt = not published
};

/// One GPU serves at most this many in a node of a `per_gpu` offer (contract "Offers").
inline constexpr int kPerGpuOfferMax = 8;

/// Offers that may serve `count` cards of `gpu`, cheapest first for the same hours (contract
/// "Offers": filters, newest of alike, per_gpu, whole instances, conversion). Empty: no price.
[[nodiscard]] std::vector<Lease> leases_for(const Catalog& catalog, const Request& request,
                                            const Gpu& gpu, int count);

/// Purchase price of one card in the decision's currency: newest street price of the condition,
/// list price otherwise; nullptr-like nullopt when there is none.
struct CardPrice {
  Money price;  ///< converted
  const PurchasePrice* entry = nullptr;
  bool converted = false, guess = false;
};
[[nodiscard]] std::optional<CardPrice> card_price(const Catalog& catalog, const Request& request,
                                                  const Gpu& gpu, Acquire acquire);

/// Hours that are sold as one piece: a month (730) or the years of a reservation; 0 = by the hour.
[[nodiscard]] double term_hours(Billing billing);
/// Hours billed for `hours` of work: lost work of spot capacity added, then whole terms, and at
/// least the offer's own minimum.
[[nodiscard]] double billed_hours(const Offer& offer, const SpotOptions& spot, double hours);
/// Hours until `hours` of work are done without a checkpoint, when every interruption starts them
/// again: (e^(rate x hours) - 1) / rate, interruptions coming at random (Poisson) at `rate` per
/// hour. nullopt beyond `kSpotFactorMax` times the work.
[[nodiscard]] std::optional<double> hours_without_checkpoints(const SpotOptions& spot,
                                                              double hours);

/// Cost of the whole job on a lease; amounts are null without total hours.
[[nodiscard]] CostEstimate rent_cost(const Lease& lease, const TimeEstimate& time, const Job& job,
                                     const Request& request);

/// The note price_converted: from which currency, at which rate of which date.
[[nodiscard]] Note converted_note(const FxTable& fx, Currency from, Currency to);

/// Notes on the price of a lease: converted, undated, old, unverified, whole instance, several
/// instances, marketplace. `count` = GPUs used.
void lease_notes(const Catalog& catalog, const Lease& lease, int count, std::vector<Note>& notes);

/// What an hour of `count` GPUs of one's own costs.
struct OwnCost {
  Money capital;         ///< cards and machines, at purchase
  Money hourly;          ///< capital lost over the years, finance and electricity, per hour of use
  Money energy;          ///< the electricity in `hourly`
  Money tariff;          ///< of a kWh
  double kilowatts = 0;  ///< cards and their share of the host at work, before cooling
  double hours = 0;      ///< hours of use over the years
  double hosting_yearly = 0;  ///< nodes x 12 months
  double upkeep_yearly = 0;   ///< cards to replace: count x card x failure rate
};
/// capital = count x card + nodes x machine;
/// hourly = (capital x (1 - residual) + capital x (1 + residual)/2 x finance_rate x years
///           + (hosting + count x card x failure rate) x years) / hours
///          + count x (TDP + share of the host) x PUE x tariff,  hours = hours_per_month x 12 x
///          years.
/// nullopt without an electricity price in a convertible currency. Cards without a published TDP
/// count as 300 W.
[[nodiscard]] std::optional<OwnCost> own_cost(const Catalog& catalog, const Request& request,
                                              const Gpu& gpu, int count, int nodes,
                                              const CardPrice& price);
/// Cost of the job on one's own cards: hours x `own.hourly`.
[[nodiscard]] CostEstimate own_job_cost(const OwnCost& own, const TimeEstimate& time,
                                        const Job& job, const Request& request, int count);

/// Billed seconds for one second of work on spot capacity: each interruption loses half a
/// checkpoint interval on average, so 1 / (1 - interruptions per second x interval / 2), at most
/// `kSpotFactorMax` (a job that loses more than it gains never ends).
[[nodiscard]] double spot_factor(const SpotOptions& spot);
inline constexpr double kSpotFactorMax = 100;

/// Days from `date` (YYYY, YYYY-MM or YYYY-MM-DD; a year counts as January 1st) to `today`.
[[nodiscard]] std::optional<double> age_days(std::string_view date, std::string_view today);

}  // namespace xuanka
