// The offers that count for a request, found once and asked per GPU and count.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "xuanka/cost/cost.hpp"

namespace xuanka {

/// An offer that passed the request's filters, priced in the decision's currency.
struct ListedOffer {
  const Offer* offer = nullptr;
  Money price;                     ///< per hour, whole instance, in the decision's currency
  bool converted = false;          ///< from another currency
  std::optional<double> age_days;  ///< at the request's date; nullopt = undated
};

/// Applies the contract's "Offers" paragraph to a catalog: of offers alike only the newest;
/// billing, provider, region and age filters; offers in the currencies asked for, and for a GPU
/// without one those in another currency, converted. Keeps pointers into `catalog`, which must
/// outlive it.
class OfferBook {
 public:
  OfferBook(const Catalog& catalog, const Request& request);

  /// Offers of one GPU that count, ordered by price of one GPU, then by id.
  [[nodiscard]] std::span<const ListedOffer> offers(std::string_view gpu) const;
  /// `leases_for` of `cost.hpp`, from the offers found.
  [[nodiscard]] std::vector<Lease> leases(const Gpu& gpu, int count) const;
  /// The smallest shape of this GPU with at least `ram_gb` of memory that holds `count` GPUs or
  /// more in one node (cheapest of equals); nullopt when no published shape would do.
  [[nodiscard]] std::optional<Lease> shape_with_ram(const Gpu& gpu, int count, double ram_gb) const;

 private:
  std::vector<ListedOffer> listed_;  ///< ordered by GPU id
  std::optional<int> gpus_per_node_;
};

}  // namespace xuanka
