// Rent or buy: what owning a machine costs against renting the same cards, and from when on it
// pays.
#pragma once

#include <optional>

#include "xuanka/api/request.hpp"
#include "xuanka/catalog/catalog.hpp"

namespace xuanka::web {

/// Share of its TDP that a card draws while it works (vettedconsumer.com cost calculator).
inline constexpr double kLoadOfTdp = 0.7;
inline constexpr double kHoursPerYear = 8760;

/// All amounts in one currency.
struct OwnCost {
  double capital = 0;            ///< cards and the rest of the machine
  double resale = 0;             ///< of the cards after `years`
  double finance_per_month = 0;  ///< interest on the capital
  double energy_per_hour = 0;    ///< count x TDP x load x PUE x tariff
  double rent_per_hour = 0;      ///< the same cards rented
  double hours_per_month = 0;
  double years = 0;
  bool second_hand = false;  ///< the card price is a second-hand one

  /// Paid after `months`: capital, interest, electricity; before any resale.
  [[nodiscard]] double owned(double months) const {
    return capital + months * (finance_per_month + energy_per_hour * hours_per_month);
  }
  [[nodiscard]] double rented(double months) const {
    return months * rent_per_hour * hours_per_month;
  }
  /// Months until renting has cost more than owning; nullopt = never.
  [[nodiscard]] std::optional<double> break_even_months() const;
  /// Hours of use over the whole period from which owning is cheaper, resale counted; nullopt =
  /// never.
  [[nodiscard]] std::optional<double> break_even_hours() const;
  /// The same as a share of all hours of the period; above 1 = cannot be reached.
  [[nodiscard]] std::optional<double> break_even_utilisation() const;
};

/// Owning `count` cards; nullopt when the card has no price to buy or to rent in the request's
/// terms.
[[nodiscard]] std::optional<OwnCost> own_cost(const Catalog& catalog, const Request& request,
                                              const Gpu& gpu, int count);

}  // namespace xuanka::web
