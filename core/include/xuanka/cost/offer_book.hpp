// The offers that count for a request, found once per GPU and asked per count.
#pragma once

#include <deque>
#include <optional>
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
/// without one those in another currency, converted. Keeps pointers to `catalog` and
/// `request`, which must outlive it. A GPU's offers are looked up when it is first asked for, so
/// one book belongs to one thread.
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

  [[nodiscard]] const Catalog& catalog() const { return *catalog_; }

 private:
  struct Page {
    std::string gpu;
    std::vector<ListedOffer> listed;  ///< those in the currencies asked for first
    std::size_t wanted = 0;           ///< how many those are
  };
  [[nodiscard]] Page list(std::string_view gpu) const;
  [[nodiscard]] const Page& page(std::string_view gpu) const;

  const Catalog* catalog_;
  const Request* request_;
  std::optional<double> today_;     ///< the request's date, as day_number counts
  mutable std::deque<Page> pages_;  ///< of the GPUs asked for so far; spans into them stay good
};

}  // namespace xuanka
