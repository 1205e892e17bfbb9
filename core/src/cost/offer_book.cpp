#include "xuanka/cost/offer_book.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "xuanka/base/date.hpp"
#include "xuanka/base/sort.hpp"

namespace xuanka {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_text(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower(x) == lower(y); });
}

bool listed_or_all(const std::vector<std::string>& words, std::string_view word) {
  return words.empty() || std::any_of(words.begin(), words.end(),
                                      [word](const auto& w) { return same_text(w, word); });
}

// What makes offers of one GPU alike: provider, region, instance, shape and billing.
auto kin(const Offer& o) {
  return std::tie(o.provider, o.region, o.instance, o.gpu_count, o.vcpus, o.ram_gb, o.billing);
}

// Of a catalog that is not indexed the date is read.
std::optional<double> day_of(const Offer& offer) {
  if (offer.as_of_day || !offer.as_of) return offer.as_of_day;
  const auto date = parse_date(*offer.as_of);
  return date ? std::optional(day_number(*date)) : std::nullopt;
}

// Later in the order = newer: a quote of one's own, then dated by day, then undated.
std::pair<bool, double> newness(const Offer& offer) {
  constexpr double kUndated = -1e9;
  return {offer.own, day_of(offer).value_or(kUndated)};
}

double per_gpu_price(const ListedOffer& listed) {
  return listed.price.amount / listed.offer->gpu_count;
}

bool passes(const Offer& offer, const OfferFilter& filter, std::optional<double> age) {
  const bool billing = std::find(filter.billing.begin(), filter.billing.end(), offer.billing) !=
                       filter.billing.end();
  // A quote of one's own without a provider is nobody's, so no filter of providers excludes it.
  const bool mine = offer.own && offer.provider.empty();
  return billing && (mine || listed_or_all(filter.providers, offer.provider)) &&
         (mine || listed_or_all(filter.regions, offer.region)) &&
         (!age || *age <= filter.max_age_days);
}

// Of one GPU's offers the newest of each kin, in an order that the catalog's does not influence.
std::vector<const Offer*> newest_of_alike(std::span<const Offer* const> offers) {
  struct Dated {
    const Offer* offer;
    std::pair<bool, double> newness;
  };
  std::vector<Dated> all;
  for (const Offer* offer : offers) {
    if (offer->gpu_count > 0 && offer->price_per_hour.amount > 0) {
      all.push_back({offer, newness(*offer)});
    }
  }
  sort_values(all, [](const Dated& a, const Dated& b) {
    if (const auto order = kin(*a.offer) <=> kin(*b.offer); order != 0) return order < 0;
    if (a.newness != b.newness) return a.newness > b.newness;
    return a.offer->id < b.offer->id;
  });
  std::vector<const Offer*> kept;
  const Dated* newest = nullptr;
  for (const Dated& dated : all) {
    if (newest == nullptr || kin(*newest->offer) != kin(*dated.offer)) newest = &dated;
    if (newest->newness == dated.newness) kept.push_back(dated.offer);
  }
  return kept;
}

// Those in the currencies asked for come first; returns how many there are.
std::size_t own_currencies_first(std::vector<ListedOffer>& listed,
                                 const std::vector<Currency>& wanted) {
  const auto first_other =
      std::stable_partition(listed.begin(), listed.end(), [&wanted](const ListedOffer& entry) {
        return std::find(wanted.begin(), wanted.end(), entry.offer->price_per_hour.currency) !=
               wanted.end();
      });
  return static_cast<std::size_t>(first_other - listed.begin());
}

// `count` GPUs from an offer that is rented in whole instances.
Lease whole_instances(const ListedOffer& listed, int count, std::optional<int> per_node) {
  const Offer& offer = *listed.offer;
  Lease lease;
  lease.instances = (count + offer.gpu_count - 1) / offer.gpu_count;
  const int fit = per_node ? std::min(*per_node, offer.gpu_count) : offer.gpu_count;
  lease.gpus_per_node = fit;
  lease.nodes = std::max(lease.instances, (count + fit - 1) / fit);
  lease.billed_gpus = static_cast<double>(lease.instances) * offer.gpu_count;
  lease.hourly = listed.price * lease.instances;
  lease.cores = offer.vcpus;
  lease.ram_gb = offer.ram_gb;
  return lease;
}

// `count` GPUs of a single-GPU rate, in one node unless the request wants smaller nodes.
Lease by_the_gpu(const ListedOffer& listed, int count, std::optional<int> per_node) {
  const Offer& offer = *listed.offer;
  Lease lease;
  const int fit = std::min(per_node.value_or(kPerGpuOfferMax), kPerGpuOfferMax);
  lease.gpus_per_node = fit;
  lease.nodes = (count + fit - 1) / fit;
  lease.billed_gpus = count;
  const double share = static_cast<double>(count) / offer.gpu_count;
  lease.hourly = listed.price * share;
  const double node_share = static_cast<double>(std::min(count, fit)) / offer.gpu_count;
  if (offer.vcpus) lease.cores = *offer.vcpus * node_share;
  if (offer.ram_gb) lease.ram_gb = *offer.ram_gb * node_share;
  return lease;
}

std::optional<Lease> make_lease(const ListedOffer& listed, int count, std::optional<int> per_node) {
  if (listed.offer->per_gpu && count > kPerGpuOfferMax) return std::nullopt;
  Lease lease = listed.offer->per_gpu ? by_the_gpu(listed, count, per_node)
                                      : whole_instances(listed, count, per_node);
  lease.offer = listed.offer;
  lease.hourly_per_gpu = listed.price / listed.offer->gpu_count;
  lease.converted = listed.converted;
  lease.age_days = listed.age_days;
  return lease;
}

auto lease_order(const Lease& lease) {
  return std::make_tuple(lease.hourly.amount, lease.billed_gpus, lease.nodes,
                         !lease.ram_gb.has_value(), lease.offer->gpu_count,
                         std::string_view(lease.offer->id));
}

}  // namespace

OfferBook::OfferBook(const Catalog& catalog, const Request& request)
    : catalog_(&catalog), request_(&request) {
  if (const auto today = parse_date(request.as_of)) today_ = day_number(*today);
}

OfferBook::Page OfferBook::list(std::string_view gpu) const {
  const OfferFilter& filter = request_->decision.offers;
  const Currency currency = request_->decision.currency;
  std::vector<ListedOffer> listed;
  for (const Offer* offer : newest_of_alike(catalog_->offers_of(gpu))) {
    ListedOffer entry;
    entry.offer = offer;
    if (const auto day = day_of(*offer); day && today_) entry.age_days = *today_ - *day;
    if (!passes(*offer, filter, entry.age_days)) continue;
    const auto price = catalog_->fx.convert(offer->price_per_hour, currency);
    if (!price) continue;
    entry.price = *price;
    entry.converted = offer->price_per_hour.currency != currency;
    listed.push_back(entry);
  }
  sort_values(listed, [](const ListedOffer& a, const ListedOffer& b) {
    return std::make_tuple(per_gpu_price(a), std::string_view(a.offer->id)) <
           std::make_tuple(per_gpu_price(b), std::string_view(b.offer->id));
  });
  const std::size_t wanted = own_currencies_first(
      listed, filter.currencies.empty() ? std::vector{currency} : filter.currencies);
  return {std::string(gpu), std::move(listed), wanted};
}

const OfferBook::Page& OfferBook::page(std::string_view gpu) const {
  // Most questions are about the GPU of the last one.
  for (auto page = pages_.rbegin(); page != pages_.rend(); ++page) {
    if (page->gpu == gpu) return *page;
  }
  return pages_.emplace_back(list(gpu));
}

std::span<const ListedOffer> OfferBook::offers(std::string_view gpu) const {
  const Page& listed = page(gpu);
  const std::span<const ListedOffer> all(listed.listed);
  return listed.wanted > 0 ? all.first(listed.wanted) : all;
}

std::vector<Lease> OfferBook::leases(const Gpu& gpu, int count) const {
  std::vector<Lease> leases;
  if (count < 1) return leases;
  const Page& all = page(gpu.id);
  for (std::size_t i = 0; i < all.listed.size(); ++i) {
    // Other currencies count where none of those asked for has so many cards.
    if (i == all.wanted && !leases.empty()) break;
    if (auto lease = make_lease(all.listed[i], count, request_->hardware.gpus_per_node))
      leases.push_back(std::move(*lease));
  }
  sort_values(leases,
              [](const Lease& a, const Lease& b) { return lease_order(a) < lease_order(b); });
  return leases;
}

std::optional<Lease> OfferBook::shape_with_ram(const Gpu& gpu, int count, double ram_gb) const {
  std::optional<Lease> best;
  const auto size = [](const Lease& lease) {
    return std::make_tuple(lease.billed_gpus, lease.hourly.amount,
                           std::string_view(lease.offer->id));
  };
  for (const ListedOffer& listed : offers(gpu.id)) {
    // A single-GPU rate grows with the GPUs rented: take as many as the memory needs.
    const int most = listed.offer->per_gpu ? kPerGpuOfferMax : listed.offer->gpu_count;
    for (int n = std::max(count, listed.offer->per_gpu ? count : most); n <= most; ++n) {
      auto lease = make_lease(listed, n, std::nullopt);
      if (!lease || !lease->ram_gb || *lease->ram_gb < ram_gb) continue;
      if (!best || size(*lease) < size(*best)) best = std::move(lease);
      break;
    }
  }
  return best;
}

std::vector<Lease> leases_for(const Catalog& catalog, const Request& request, const Gpu& gpu,
                              int count) {
  return OfferBook(catalog, request).leases(gpu, count);
}

std::optional<double> age_days(std::string_view date, std::string_view today) {
  const auto from = parse_date(date);
  const auto to = parse_date(today);
  if (!from || !to) return std::nullopt;
  return day_number(*to) - day_number(*from);
}

}  // namespace xuanka
