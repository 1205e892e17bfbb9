#include <utility>

#include "xuanka/api/overlay.hpp"

namespace xuanka {
namespace {

template <class T>
void put(std::vector<T>& entries, const T& own) {
  for (T& entry : entries) {
    if (entry.id == own.id) {
      entry = own;
      return;
    }
  }
  entries.push_back(own);
}

}  // namespace

bool has_own_entries(const Overrides& overrides) {
  return !overrides.gpus.empty() || !overrides.prices.empty() || !overrides.offers.empty() ||
         !overrides.fx.empty();
}

Catalog overlay(const Catalog& base, const Overrides& overrides) {
  Catalog out = base;
  for (const Gpu& gpu : overrides.gpus) put(out.gpus, gpu);
  for (const Offer& offer : overrides.offers) put(out.offers, offer);
  for (const PurchasePrice& price : overrides.prices) out.purchase_prices.push_back(price);
  for (const FxRate& rate : overrides.fx) out.fx.set(rate);
  if (!overrides.offers.empty()) out.index_offers();
  return out;
}

}  // namespace xuanka
