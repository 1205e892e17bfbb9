// Rent against own over the years: what each costs, where they meet, and what would change it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "xuanka/cost/offer_book.hpp"

namespace xuanka {

/// Renting the same cards for all hours of use.
struct RentLedger {
  std::string offer;  ///< id
  double hourly = 0;  ///< of everything billed
  double total = 0;   ///< hourly x billed hours
  Billing billing = Billing::kOnDemand;
  /// Of the hours of use: work lost on spot capacity added; all hours of the years where the offer
  /// is sold by the month or the year, whole terms.
  double billed_hours = 0;
};
/// Owning them.
struct OwnLedger {
  Acquire acquire = Acquire::kBuy;  ///< new or second-hand
  double card = 0;                  ///< price of one card
  double cards = 0;                 ///< count x card
  double machines = 0;              ///< nodes x the rest of a machine
  double capital = 0;               ///< cards + machines
  double resale = 0;                ///< capital x residual, at the end
  double finance = 0;               ///< capital x (1 + residual)/2 x rate x years
  double hosting = 0;               ///< nodes x hosting per month x 12 x years
  double upkeep = 0;                ///< cards x failure rate x years
  double power_kw = 0;              ///< drawn at work, cooling included
  double electricity = 0;           ///< power_kw x hours x tariff
  double hourly = 0;                ///< total / hours
  double total = 0;                 ///< capital - resale + finance + hosting + upkeep + electricity
};
/// Both after so many years at the same hours a month; the resale value falls by the same share
/// every year, so that it is the residual asked for after the years asked for.
struct YearLedger {
  double years = 0;
  double own = 0;
  double rent = 0;
};
/// One input moved over its plausible range; differences are own less rent (negative: own wins).
struct Sensitivity {
  std::string path;  ///< of the request, or "price.rent", "price.card"
  double value = 0, low = 0, high = 0;
  double difference_low = 0, difference_high = 0;
  std::optional<double> flips_at;  ///< value at which the decision changes, within [low, high]
};
/// Amounts are in the decision's currency.
struct Ledger {
  Currency currency;
  double hours = 0;                  ///< of use: hours_per_month x 12 x years
  std::optional<RentLedger> rent;    ///< absent: no offer
  std::optional<OwnLedger> own;      ///< absent: no price
  std::vector<YearLedger> by_years;  ///< after 1 to 5 years, where both are known
  /// What the observed prices of this card leave after the years: (1 + annual change)^years.
  std::optional<double> residual_by_data;
  /// Hours of use at which both cost the same: (capital - resale + finance + hosting + upkeep) /
  /// (rent - electricity), both per hour of use. Absent where renting costs less than the
  /// electricity, or is paid whatever the use.
  std::optional<double> break_even_hours;
  /// The same as a share of all hours of the years; above 1 owning never pays.
  std::optional<double> break_even_utilisation;
  std::vector<Sensitivity> sensitivity;  ///< what moves the difference most comes first
};

/// The ledger of `count` cards on `nodes` nodes. `catalog` holds the request's own entries.
[[nodiscard]] Ledger make_ledger(const Catalog& catalog, const OfferBook& book,
                                 const Request& request, const Gpu& gpu, int count, int nodes);

}  // namespace xuanka
