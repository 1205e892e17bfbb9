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
  double total = 0;   ///< hourly x hours
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
  double power_kw = 0;              ///< drawn at work, cooling included
  double electricity = 0;           ///< power_kw x hours x tariff
  double hourly = 0;                ///< total / hours
  double total = 0;                 ///< capital - resale + finance + electricity
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
  double hours = 0;                ///< of use: hours_per_month x 12 x years
  std::optional<RentLedger> rent;  ///< absent: no offer
  std::optional<OwnLedger> own;    ///< absent: no price
  /// Hours of use at which both cost the same: (capital - resale + finance) / (rent - electricity),
  /// both per hour. Absent where renting costs less than the electricity.
  std::optional<double> break_even_hours;
  /// The same as a share of all hours of the years; above 1 owning never pays.
  std::optional<double> break_even_utilisation;
  std::vector<Sensitivity> sensitivity;  ///< what moves the difference most comes first
};

/// The ledger of `count` cards on `nodes` nodes. `catalog` holds the request's own entries.
[[nodiscard]] Ledger make_ledger(const Catalog& catalog, const OfferBook& book,
                                 const Request& request, const Gpu& gpu, int count, int nodes);

}  // namespace xuanka
