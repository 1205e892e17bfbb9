// Value for money of every card that can be had, at the request's precision.
#pragma once

#include <optional>
#include <vector>

#include "xuanka/api/request.hpp"
#include "xuanka/catalog/catalog.hpp"

namespace xuanka::web {

struct ValueRow {
  const Gpu* gpu = nullptr;
  std::string offer;             ///< id of the cheapest offer; empty = none
  std::optional<double> hourly;  ///< of one card, in the currency shown
  std::optional<double>
      flops_per_money;  ///< FLOP per money, rented (dense peak x 3600 / hourly price)
  std::optional<double> gb_per_money;     ///< GB-hours per money, rented
  std::optional<double> price;            ///< purchase price of one card
  std::optional<double> flops_per_price;  ///< FLOP/s per money, bought
  std::optional<double> gb_per_price;     ///< GB per money, bought
};

/// One row for each card with an offer or a price; `request` says precision, filters and currency.
[[nodiscard]] std::vector<ValueRow> value_rows(const Catalog& catalog, const Request& request);

}  // namespace xuanka::web
