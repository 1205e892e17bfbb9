// `hardware`, `decision` and `host`.
#include <algorithm>
#include <cmath>

#include "api/request_reader.hpp"
#include "xuanka/base/sort.hpp"
#include "xuanka/compat/compat.hpp"

namespace xuanka::request_json {
namespace {

using json::View;

constexpr std::size_t kMaxCounts = 64;
constexpr double kMaxGpus = 65536;
constexpr json::Range kDegree{1, kMaxGpus};
constexpr double kTrainingDeadlineHours = 24;

void read_gpus(Reader& reader, const View& view) {
  const auto list = view.array("gpus");
  if (!list) return;
  auto& out = reader.request.hardware.gpus;
  for (const json::Value item : list->children()) {
    if (!item.is_string()) continue;  // reported by `strings` below
    const Gpu* gpu = reader.find_gpu(item.string());
    if (gpu != nullptr) {
      if (std::find(out.begin(), out.end(), gpu->id) == out.end()) out.push_back(gpu->id);
      continue;
    }
    std::vector<std::string_view> known;
    for (const Gpu& own : reader.request.overrides.gpus) known.push_back(own.id);
    for (const Gpu& one : reader.catalog.gpus) known.push_back(one.id);
    reader.unknown_id(item, "gpu", std::move(known));
  }
  (void)view.strings("gpus");
}

void read_counts(Reader& reader, const View& view) {
  const auto list = view.array("counts");
  if (!list || list->size() == 0) return;
  if (list->size() > kMaxCounts) {
    view.report(
        IssueCode::kTooLarge, "counts",
        {{"max", static_cast<double>(kMaxCounts)}, {"got", static_cast<double>(list->size())}});
    return;
  }
  std::vector<int> counts;
  for (const json::Value item : list->children()) {
    const double number = item.number();
    if (!item.is_number() || number < kDegree.min || number > kDegree.max) continue;
    if (number == std::floor(number)) {
      counts.push_back(static_cast<int>(number));
    } else {
      reader.issues.add(IssueCode::kNotInteger, item, {{"got", number}});
    }
  }
  (void)view.numbers("counts", kDegree);  // reports types and ranges
  sort_values(counts);
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  reader.request.hardware.counts = std::move(counts);
}

void read_plan(Reader& reader, const View& view) {
  const auto plan = view.object("plan");
  if (!plan) return;
  plan->only({"data", "tensor", "pipeline", "context", "expert", "zero", "sequence_parallel",
              "interleave", "offload"},
             true);
  PlanRequest& out = reader.request.hardware.plan;
  out.data = plan->integer("data", kDegree);
  out.tensor = plan->integer("tensor", kDegree);
  out.pipeline = plan->integer("pipeline", kDegree);
  out.context = plan->integer("context", kDegree);
  out.expert = plan->integer("expert", kDegree);
  out.interleave = plan->integer("interleave", {1, 1024});
  if (const auto zero = plan->integer("zero", {0, 3})) out.zero = static_cast<int>(*zero);
  out.sequence_parallel = plan->boolean("sequence_parallel");
  out.offload = plan->word<Offload>("offload");
}

std::vector<Currency> read_currencies(const View& view) {
  std::vector<Currency> out;
  const auto list = view.array("currencies");
  if (!list) return out;
  (void)view.strings("currencies");  // reports what is not a text
  for (const json::Value item : list->children()) {
    if (!item.is_string()) continue;
    if (const auto currency = Currency::parse(item.string())) {
      out.push_back(*currency);
    } else {
      view.issues().add(IssueCode::kBadCurrency, item, {{"got", clip(item.string())}});
    }
  }
  return out;
}

// Names of providers or regions, each of which some offer must carry.
std::vector<std::string> read_names(Reader& reader, const View& view, std::string_view key,
                                    std::string_view kind, std::string Offer::* field) {
  std::vector<std::string> out;
  const auto list = view.array(key);
  if (!list) return out;
  (void)view.strings(key);  // reports what is not a text
  std::vector<std::string_view> known;
  for (const Offer& own : reader.request.overrides.offers) known.push_back(own.*field);
  for (const Offer& one : reader.catalog.offers) known.push_back(one.*field);
  sort_values(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (const json::Value item : list->children()) {
    if (!item.is_string()) continue;
    const bool found = std::any_of(known.begin(), known.end(), [&item](std::string_view name) {
      return same_name(name, item.string());
    });
    if (!found) reader.unknown_id(item, kind, known);
    out.emplace_back(item.string());
  }
  return out;
}

void read_offers(Reader& reader, const View& decision) {
  OfferFilter& out = reader.request.decision.offers;
  const auto view = decision.object("offers");
  if (!view) return;
  view->only({"providers", "regions", "billing", "currencies", "max_age_days"}, true);
  out.providers = read_names(reader, *view, "providers", "provider", &Offer::provider);
  out.regions = read_names(reader, *view, "regions", "region", &Offer::region);
  out.currencies = read_currencies(*view);
  out.max_age_days = view->number("max_age_days", {0, 1e6}).value_or(out.max_age_days);
  const auto list = view->array("billing");
  if (!list || list->size() == 0) return;
  (void)view->strings("billing");  // reports what is not a text
  std::vector<Billing> billing;
  for (const json::Value item : list->children()) {
    if (!item.is_string()) continue;
    if (const auto value = value_of<Billing>(item.string())) {
      billing.push_back(*value);
      continue;
    }
    std::string allowed;
    for (const std::string_view word : EnumNames<Billing>::kNames) {
      allowed += allowed.empty() ? "" : ", ";
      allowed += word;
    }
    reader.issues.add(IssueCode::kUnknownValue, item,
                      {{"got", clip(item.string())}, {"allowed", allowed}});
  }
  out.billing = std::move(billing);
}

void read_own(Reader& reader, const View& decision) {
  OwnOptions& out = reader.request.decision.own;
  const auto view = decision.object("own");
  const bool owning = reader.request.decision.acquire != Acquire::kRent;
  if (view) {
    view->only({"hours_per_month", "years", "utilisation", "pue", "residual", "machine_price",
                "finance_rate", "hosting_per_month", "failure_rate"},
               true);
    constexpr double kHoursPerMonth = 730;
    const auto hours = view->number("hours_per_month", {0.1, 744});
    const auto utilisation = view->number("utilisation", {1e-3, 1});
    // Both say how much the machine works: one given, the other follows.
    if (utilisation) out.utilisation = *utilisation;
    if (hours) out.hours_per_month = *hours;
    if (utilisation && !hours) out.hours_per_month = *utilisation * kHoursPerMonth;
    if (hours && !utilisation) out.utilisation = std::min(1.0, *hours / kHoursPerMonth);
    out.years = view->number("years", {0.1, 20}).value_or(out.years);
    out.pue = view->number("pue", {1, 5}).value_or(out.pue);
    out.residual = view->number("residual", {0, 1}).value_or(out.residual);
    out.finance_rate = view->number("finance_rate", {0, 1}).value_or(out.finance_rate);
    out.machine_price = view->money("machine_price", {0, 1e9}).value_or(out.machine_price);
    out.hosting_per_month =
        view->money("hosting_per_month", {0, 1e9}).value_or(out.hosting_per_month);
    out.failure_rate = view->number("failure_rate", {0, 1});
  }
  if (!owning) return;
  for (const std::string_view key :
       {"hours_per_month", "years", "pue", "residual", "machine_price"}) {
    if (!view || !view->has(key)) reader.assume("decision.own." + std::string(key));
  }
}

void read_spot(Reader& reader, const View& decision) {
  const auto view = decision.object("spot");
  if (!view) return;
  view->only({"interruptions_per_day", "checkpoint_minutes"}, true);
  SpotOptions& out = reader.request.decision.spot;
  out.interruptions_per_day =
      view->number("interruptions_per_day", {0, 1e4}).value_or(out.interruptions_per_day);
  out.checkpoint_minutes =
      view->number("checkpoint_minutes", {0.01, 1e5}).value_or(out.checkpoint_minutes);
}

void read_currency(Reader& reader, const View& view) {
  const auto text = view.string("currency");
  if (!text) {
    if (!view.has("currency")) reader.assume("decision.currency");
    return;
  }
  const auto currency = Currency::parse(*text);
  // Prices come in yuan and dollars: a currency that neither converts to prices nothing.
  if (currency && reader.rates().rate(kCny, *currency) && reader.rates().rate(kUsd, *currency)) {
    reader.request.decision.currency = *currency;
    return;
  }
  view.report(IssueCode::kBadCurrency, "currency", {{"got", clip(*text)}});
}

// Amounts that must be comparable with the decision's currency.
void check_currency(Reader& reader, const View& view, std::string_view key,
                    const std::optional<Money>& money) {
  const auto object = money ? view.object(key) : std::nullopt;
  if (!object || reader.rates().rate(money->currency, reader.request.decision.currency)) return;
  object->report(IssueCode::kBadCurrency, "currency",
                 {{"got", std::string(money->currency.code())}});
}

void read_deadline(Reader& reader, const View* view) {
  DecisionRequest& out = reader.request.decision;
  const bool training = reader.request.workload.kind != JobKind::kInference;
  if (view != nullptr && view->is_null("deadline_hours")) return;
  if (view != nullptr && view->has("deadline_hours")) {
    out.deadline_hours = view->number("deadline_hours", {1e-3, 1e7});
  } else if (training) {
    out.deadline_hours = kTrainingDeadlineHours;
    reader.assume("decision.deadline_hours");
  }
}

// Own offers are priced in the decision's currency too; those that no rate converts are left out.
void check_own_offers(Reader& reader, const View& root) {
  const auto overrides = root.get("overrides");
  if (!overrides || !overrides->is_object()) return;  // told already
  const FxTable rates = reader.rates();
  const Currency currency = reader.request.decision.currency;
  json::Issues quiet;  // the entries' own faults have been told already
  const View silent(*overrides, quiet);
  const auto check = [&](std::string_view list, std::string_view key, const auto& drop) {
    for (const View& item : silent.objects(list)) {
      const auto price = item.money(key);
      if (!price || rates.rate(price->currency, currency) || drop(item, *price) == 0) continue;
      json::Issues refused;
      refused.add(IssueCode::kBadCurrency, item.object(key)->value(), "currency",
                  {{"got", std::string(price->currency.code())}});
      reader.refuse(refused);
    }
  };
  Overrides& own = reader.request.overrides;
  // Nothing is dropped where the entry has been left out before.
  check("offers", "price_per_hour", [&own](const View& item, const Money& price) {
    return std::erase_if(own.offers, [&](const Offer& offer) {
      return offer.id == item.string("id") && offer.price_per_hour == price;
    });
  });
  check("prices", "price", [&own](const View&, const Money& price) {
    return std::erase_if(own.prices,
                         [&](const PurchasePrice& entry) { return entry.price == price; });
  });
  check_currency(reader, View(*overrides, reader.issues), "electricity_per_kwh",
                 reader.request.overrides.electricity_per_kwh);
}

}  // namespace

void read_hardware(Reader& reader, const View& root) {
  HardwareRequest& out = reader.request.hardware;
  const auto view = root.object("hardware");
  if (view) {
    view->only({"gpus", "counts", "gpus_per_node", "link", "plan", "network_gbit_s"}, true);
    read_gpus(reader, *view);
    read_counts(reader, *view);
    if (const auto n = view->integer("gpus_per_node", kDegree)) {
      out.gpus_per_node = static_cast<int>(*n);
    }
    out.link = view->word<LinkChoice>("link").value_or(LinkChoice::kAuto);
    out.network_gbit_s = view->number("network_gbit_s", {1e-3, 1e6}).value_or(out.network_gbit_s);
    read_plan(reader, *view);
  }
  for (const std::string_view key : {"gpus", "counts", "gpus_per_node", "link", "network_gbit_s"}) {
    if (!view || !view->has(key)) reader.assume("hardware." + std::string(key));
  }
}

void read_decision(Reader& reader, const View& root) {
  DecisionRequest& out = reader.request.decision;
  const auto view = root.object("decision");
  read_deadline(reader, view ? &*view : nullptr);
  if (!view) {
    for (const std::string_view key : {"acquire", "currency", "rank_by"}) {
      reader.assume("decision." + std::string(key));
    }
    check_own_offers(reader, root);
    return;
  }
  view->only(
      {"deadline_hours", "budget", "acquire", "currency", "rank_by", "max_first_token_seconds",
       "min_tokens_per_second_per_request", "offers", "own", "spot"},
      true);
  read_currency(reader, *view);
  out.budget = view->money("budget", {0, 1e12});
  check_currency(reader, *view, "budget", out.budget);
  set_or_assume(reader, *view, "acquire", view->word<Acquire>("acquire"), out.acquire);
  set_or_assume(reader, *view, "rank_by", view->word<RankBy>("rank_by"), out.rank_by);
  constexpr json::Range kLimit{1e-6, 1e6};
  out.max_first_token_seconds = view->number("max_first_token_seconds", kLimit);
  out.min_tokens_per_second_per_request = view->number("min_tokens_per_second_per_request", kLimit);
  read_offers(reader, *view);
  read_own(reader, *view);
  read_spot(reader, *view);
  check_own_offers(reader, root);
}

void read_host(Reader& reader, const View& root) {
  HostRequest& out = reader.request.host;
  const auto view = root.object("host");
  if (!view) return;
  view->only({"ram_gb", "cpu_cores_per_gpu", "dataset_gb", "cuda", "have_ram_gb", "have_cpu_cores",
              "upload_mbit_s", "disk_mb_s", "storage_per_gb_month", "transfer_per_gb"},
             true);
  constexpr json::Range kGb{0, 1e9};
  out.ram_gb = view->number("ram_gb", kGb);
  out.cpu_cores_per_gpu = view->number("cpu_cores_per_gpu", {0, 1e4});
  out.dataset_gb = view->number("dataset_gb", kGb);
  out.have_ram_gb = view->number("have_ram_gb", {0.1, 1e6});
  out.have_cpu_cores = view->number("have_cpu_cores", {1, 1e5});
  out.upload_mbit_s = view->number("upload_mbit_s", {1e-3, 1e6}).value_or(out.upload_mbit_s);
  out.disk_mb_s = view->number("disk_mb_s", {1e-3, 1e6}).value_or(out.disk_mb_s);
  out.storage_per_gb_month = view->money("storage_per_gb_month", {0, 1e6});
  out.transfer_per_gb = view->money("transfer_per_gb", {0, 1e6});
  const auto cuda = view->string("cuda");
  if (!cuda) return;
  if (parse_cuda(*cuda)) {
    out.cuda = std::string(*cuda);
  } else {
    view->report(IssueCode::kUnknownValue, "cuda",
                 {{"got", clip(*cuda)}, {"allowed", std::string("11.8, 12.4, 13.0, ...")}});
  }
}

}  // namespace xuanka::request_json
