// What must hold for every catalog and request: the order of the catalog decides nothing, a lower
// price never ranks worse, whole instances are whole.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "unit/decision_support.hpp"
#include "xuanka/cost/offer_book.hpp"

namespace xuanka {
namespace {

using test::api;

// Requests worth asking: of several kinds, so that ties and failures occur.
const std::vector<std::string>& requests() {
  // A handful of cards that share prices, sizes and verdicts, to keep a trial short.
  static const std::string kCards =
      "'hardware':{'gpus':['rtx-4090-24gb','rtx-3090-24gb','a100-pcie-40gb','a800-sxm-80gb',"
      "'h100-sxm-80gb','v100-sxm-32gb','t4-16gb','mi300x-192gb'],'counts':";
  static const std::vector<std::string> kTexts{
      "{'version':1,'workload':{'model':{'id':'llama-2-7b'},'kind':'lora','data':{'tokens':1e8}}," +
          kCards + "[1,3,8]}}",
      "{'version':1,'workload':{'model':{'id':'resnet50'},'data':{'dataset':'imagenet-1k'}}," +
          kCards + "[1,8]},'decision':{'rank_by':'flops_per_money','currency':'USD'}}",
      "{'version':1,'workload':{'model':{'id':'gpt2-xl'}}," + kCards +
          "[2,16]},'decision':{'rank_by':'time','offers':{'billing':['on-demand','spot',"
          "'marketplace']}}}",
      "{'version':1,'workload':{'model':{'id':'llama-2-7b'},'kind':'inference'}," + kCards +
          "[1,2]},'decision':{'rank_by':'memory_per_money'}}",
      "{'version':1,'workload':{'model':{'measured':{'gpu':'rtx-3090-24gb','hours':58}}}," +
          kCards + "[1,4]},'decision':{'acquire':'used'}}"};
  return kTexts;
}

template <class T>
void shuffle(std::vector<T>& entries) {
  for (std::size_t i = entries.size(); i > 1; --i) {
    const auto j = *rc::gen::inRange<std::size_t>(0, i);
    if (j != i - 1) std::swap(entries[i - 1], entries[j]);
  }
}

RC_GTEST_PROP(RankProperty, CatalogOrderChangesNothing, ()) {
  const auto& text = *rc::gen::elementOf(requests());
  Knowledge mixed = api().knowledge();
  shuffle(mixed.catalog.gpus);
  shuffle(mixed.catalog.offers);
  mixed.catalog.index_offers();
  shuffle(mixed.catalog.purchase_prices);
  const auto straight = test::ask(text);
  const auto other = test::ask(mixed, text);
  const auto json = [](const test::Answer& answer) {
    return report_json(api().knowledge(), answer.request, answer.report, api().messages(),
                       Lang::kEn);
  };
  RC_ASSERT(json(*straight) == json(*other));
}

// Candidates of other cards that rank before this one. Other counts of the same card may be served
// by the same offer, so they gain as well.
std::ptrdiff_t others_before(const Report& report, std::string_view gpu, int count) {
  const auto& all = report.candidates;
  const auto self = std::find_if(
      all.begin(), all.end(), [&](const Candidate& c) { return c.gpu == gpu && c.count == count; });
  return std::count_if(all.begin(), self, [&](const Candidate& c) { return c.gpu != gpu; });
}

RC_GTEST_PROP(RankProperty, ACheaperOfferNeverRanksWorse, ()) {
  const std::string& text = requests().front();
  const auto before = test::ask(text);
  const auto& c = *rc::gen::elementOf(before->report.candidates);
  RC_PRE(c.cost.has_value());
  Knowledge cheaper = api().knowledge();
  const double factor = *rc::gen::inRange(1, 100) / 100.0;
  for (Offer& offer : cheaper.catalog.offers) {
    if (offer.id == c.cost->offer) offer.price_per_hour.amount *= factor;
  }
  const auto after = test::ask(cheaper, text);
  RC_ASSERT(others_before(after->report, c.gpu, c.count) <=
            others_before(before->report, c.gpu, c.count));
}

// One's own quotes for three cards, in any order and with one that is refused between them.
RC_GTEST_PROP(RankProperty, OrderOfOwnOffersChangesNothing, ()) {
  std::vector<std::string> offers;
  for (const std::string_view gpu : {"rtx-4090-24gb", "rtx-3090-24gb", "a100-pcie-40gb"}) {
    const int cents = *rc::gen::inRange(1, 2000);
    const int count = *rc::gen::inRange(1, 9);
    offers.push_back("{'id':'own-" + std::string(gpu) + "','gpu':'" + std::string(gpu) +
                     "','gpu_count':" + std::to_string(count) + ",'price_per_hour':{'amount':" +
                     std::to_string(cents / 100.0) + ",'currency':'CNY'}}");
  }
  offers.push_back("{'id':'bad','gpu':'rtx-4090-24gb'}");
  const auto candidates = [&offers] {
    std::string list;
    for (const std::string& offer : offers) list += (list.empty() ? "" : ",") + offer;
    std::string text = requests().front();
    text.insert(text.size() - 1, ",'overrides':{'offers':[" + list + "]}");
    const auto answer = test::ask(text);
    std::string out;
    for (const Candidate& c : answer->report.candidates) {
      out += c.gpu + std::to_string(c.count) + (c.cost ? c.cost->offer : "") + ";";
    }
    return out;
  };
  const std::string straight = candidates();
  shuffle(offers);
  RC_ASSERT(candidates() == straight);
}

RC_GTEST_PROP(RankProperty, ACheaperCardNeverRanksWorse, ()) {
  std::string text =
      "{'version':1,'workload':{'model':{'id':'resnet50'},'data':{'samples':1e7}},"
      "'hardware':{'gpus':['rtx-4090-24gb','rtx-3090-24gb','a100-pcie-40gb','l40s-48gb'],"
      "'counts':[1,2]},'decision':{'acquire':'buy','deadline_hours':null}}";
  const auto before = test::ask(text);
  const auto& c = *rc::gen::elementOf(before->report.candidates);
  RC_PRE(c.cost.has_value());
  const auto card = card_price(api().knowledge().catalog, before->request,
                               *api().knowledge().catalog.find_gpu(c.gpu), Acquire::kBuy);
  const double factor = *rc::gen::inRange(1, 100) / 100.0;
  text.insert(text.size() - 1, ",'overrides':{'prices':[{'gpu':'" + c.gpu + "','price':{'amount':" +
                                   std::to_string(card->price.amount * factor) +
                                   ",'currency':'CNY'}}]}");
  const auto after = test::ask(text);
  RC_ASSERT(others_before(after->report, c.gpu, c.count) <=
            others_before(before->report, c.gpu, c.count));
}

RC_GTEST_PROP(CostProperty, HoursBilledNeverFallBelowTheWork, ()) {
  Offer offer;
  offer.billing = static_cast<Billing>(
      *rc::gen::inRange(0, static_cast<int>(EnumNames<Billing>::kNames.size())));
  if (*rc::gen::arbitrary<bool>()) offer.min_hours = *rc::gen::inRange(0, 100);
  const SpotOptions spot{*rc::gen::inRange(0, 40) / 10.0, *rc::gen::inRange(1, 240) / 1.0};
  const double hours = *rc::gen::inRange(1, 100000) / 10.0;
  const double billed = billed_hours(offer, spot, hours);
  RC_ASSERT(billed >= hours);
  RC_ASSERT(billed >= offer.min_hours.value_or(0));
  RC_ASSERT(billed_hours(offer, spot, hours * 1.5) >= billed);
  const double term = term_hours(offer.billing);
  if (term > 0 && billed > offer.min_hours.value_or(0)) RC_ASSERT(std::fmod(billed, term) == 0);
  // Without checkpoints no less is billed than with one half-way through or earlier.
  const auto unsaved = hours_without_checkpoints(spot, hours);
  if (unsaved) RC_ASSERT(*unsaved >= hours * (1 - 1e-12));
}

RC_GTEST_PROP(CostProperty, InstancesAreWholeAndEnough, ()) {
  Catalog catalog;
  Gpu gpu;
  gpu.id = "card";
  catalog.gpus.push_back(gpu);
  Offer offer;
  offer.id = "o";
  offer.gpu = "card";
  offer.gpu_count = *rc::gen::inRange(1, 17);
  offer.per_gpu = *rc::gen::arbitrary<bool>();
  offer.price_per_hour = {*rc::gen::inRange(1, 1000) / 10.0, kCny};
  catalog.offers.push_back(offer);
  Request request;
  request.as_of = "2026-11-30";
  const int count = *rc::gen::inRange(1, 200);
  const auto leases = leases_for(catalog, request, gpu, count);
  RC_ASSERT(leases.empty() == (offer.per_gpu && count > kPerGpuOfferMax));
  for (const Lease& lease : leases) {
    RC_ASSERT(lease.billed_gpus >= count);
    RC_ASSERT(lease.nodes >= 1);
    const double per_gpu = offer.price_per_hour.amount / offer.gpu_count;
    RC_ASSERT(std::abs(lease.hourly.amount - per_gpu * lease.billed_gpus) <
              1e-9 * lease.hourly.amount);
    if (offer.per_gpu) {
      RC_ASSERT(lease.billed_gpus == count);
    } else {
      RC_ASSERT(lease.billed_gpus - count < offer.gpu_count);
      RC_ASSERT(std::fmod(lease.billed_gpus, offer.gpu_count) == 0);
    }
  }
}

RC_GTEST_PROP(CostProperty, CurrenciesComeBack, ()) {
  FxTable table;
  const double rate = *rc::gen::inRange(1, 100000) / 1000.0;
  table.set({kUsd, kCny, rate, "2026", {}, false, {}});
  const Money money{*rc::gen::inRange(1, 1000000) / 100.0, kUsd};
  const auto there = table.convert(money, kCny);
  const auto back = table.convert(*there, kUsd);
  RC_ASSERT(std::abs(back->amount - money.amount) <= 1e-12 * money.amount);
}

RC_GTEST_PROP(RequestProperty, GarbageIsRefusedNotCrashed, ()) {
  // A good request with bytes changed, dropped or doubled.
  std::string text = test::quoted(*rc::gen::elementOf(requests()));
  const int edits = *rc::gen::inRange(1, 6);
  for (int i = 0; i < edits; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        text[at] = static_cast<char>(*rc::gen::inRange(0, 256));
        break;
      case 1:
        text.erase(at, 1);
        break;
      default:
        text.insert(at, text.substr(at, 9));
    }
    if (text.empty()) break;
  }
  const auto parsed = parse_request(api().knowledge().catalog, text);
  const bool answered_or_said = parsed || !parsed.error().empty();
  RC_ASSERT(answered_or_said);
}

}  // namespace
}  // namespace xuanka
