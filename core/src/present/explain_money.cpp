// What it costs, what the money buys, and what the host must have.
#include <algorithm>
#include <cmath>

#include "present/explain.hpp"
#include "xuanka/api/overlay.hpp"
#include "xuanka/cost/ledger.hpp"

namespace xuanka::present_detail {
namespace {

std::string offer_source(const Context& context, const CostEstimate& cost) {
  const Offer* offer = cost.offer.empty() ? nullptr : find_offer(context, cost.offer);
  if (offer == nullptr || offer->own) return {};
  return source_titles(context, offer->sources);
}

void explain_cost(Explanation& out) {
  const Candidate& c = out.candidate();
  if (!c.cost || !c.cost->hourly) return;
  const Context& context = out.context();
  const CostEstimate& cost = *c.cost;
  const bool rented = cost.acquire == Acquire::kRent;
  out.add(rented ? "price" : "price_owned", cost.hourly->amount, price_text(context, c),
          format_price(*cost.hourly) + "/h", offer_source(context, cost));
  if (!cost.amount) return;
  const Money amount{*cost.amount, cost.currency};
  if (cost.per.empty()) {
    out.add("cost", *cost.amount,
            format_grouped(cost.billed_hours) + " h × " + format_price(*cost.hourly) + "/h",
            format_money(amount));
  } else {
    out.add("cost_per_tokens", *cost.amount,
            format_price(*cost.hourly) + "/h / (" +
                format_grouped(c.planned.time.units_per_second) + " × 3600) × 10⁶",
            format_money(amount));
  }
}

void explain_value(Explanation& out) {
  const Candidate& c = out.candidate();
  const Context& context = out.context();
  const Gpu* gpu = find_gpu(context, c.gpu);
  const bool rented = c.value.per == "hour rented";
  const std::string symbol = currency_symbol(context.request.decision.currency);
  if (c.value.flops_per_money && c.job.model != nullptr) {
    const double peak = c.job.peak.rate.value();
    const double price =
        rented ? peak * 3600 / *c.value.flops_per_money : peak / *c.value.flops_per_money;
    const Money money{price, context.request.decision.currency};
    out.add(
        rented ? "flops_per_money" : "flops_per_money_bought", *c.value.flops_per_money,
        format_unit(peak, "FLOP/s", 4) + (rented ? " × 3600 s / " : " / ") + format_price(money),
        format_unit(*c.value.flops_per_money, rented ? "FLOP/" : "FLOP/s/", 4) + symbol);
  }
  if (c.value.gb_per_money && gpu != nullptr) {
    const Money money{gpu->memory_gb / *c.value.gb_per_money, context.request.decision.currency};
    out.add(
        rented ? "gb_per_money" : "gb_per_money_bought", *c.value.gb_per_money,
        format_exact(gpu->memory_gb) + (rented ? " GB × 1 h / " : " GB / ") + format_price(money),
        format_grouped(*c.value.gb_per_money, 4) + (rented ? " GB·h/" : " GB/") + symbol);
  }
}

void explain_effective(Explanation& out) {
  const Candidate& c = out.candidate();
  const Currency currency = out.context().request.decision.currency;
  if (c.value.gb_s_per_money) {
    const Gpu* gpu = find_gpu(out.context(), c.gpu);
    const double bandwidth = gpu != nullptr ? gpu->bandwidth.value() / 1e9 : 0;
    const Money price{bandwidth / *c.value.gb_s_per_money, currency};
    out.add("gb_s_per_money", *c.value.gb_s_per_money,
            format_exact(bandwidth) + " GB/s / " + format_price(price),
            format_grouped(*c.value.gb_s_per_money, 4) + " GB/s/" + currency_symbol(currency));
  }
  if (!c.value.pflop_hour) return;
  const double peak = c.job.peak.rate.value() * c.count;
  const Money hourly{*c.value.pflop_hour * peak * c.planned.time.mfu / 1e15, currency};
  out.add("pflop_hour", *c.value.pflop_hour,
          format_price(hourly) + "/h / (" + format_unit(peak, "FLOP/s", 4) + " × " +
              format_percent(c.planned.time.mfu) + ") × 10¹⁵",
          format_price({*c.value.pflop_hour, currency}));
}

std::string plus(std::string text, double amount, Currency currency) {
  if (amount > 0) text += " + " + format_money({amount, currency});
  return text;
}

void explain_totals(Explanation& out, const Ledger& ledger) {
  const OwnLedger& own = *ledger.own;
  const RentLedger& rent = *ledger.rent;
  const auto money = [&ledger](double amount) { return format_money({amount, ledger.currency}); };
  std::string sum = money(own.capital) + " − " + money(own.resale);
  for (const double part : {own.finance, own.hosting, own.upkeep, own.electricity}) {
    sum = plus(std::move(sum), part, ledger.currency);
  }
  auto& owning = out.add("ledger_own", own.total, sum, money(own.total));
  if (ledger.residual_by_data) {
    owning.note =
        out.context().say("explain.ledger_own.data", {{"share", *ledger.residual_by_data}});
  }
  out.add("ledger_rent", rent.total,
          format_grouped(rent.billed_hours) + " h × " +
              format_price({rent.hourly, ledger.currency}) + "/h",
          money(rent.total));
}

// What would turn the decision, nearest first as the ledger has it.
std::string turning_points(const Ledger& ledger) {
  std::string text;
  for (const Sensitivity& entry : ledger.sensitivity) {
    if (!entry.flips_at) continue;
    if (!text.empty()) text += "; ";
    text += entry.path + " " + format_grouped(entry.value, 4) + " → " +
            format_grouped(*entry.flips_at, 4);
  }
  return text;
}

// Owning against renting, for as long as the request says.
void explain_ledger(Explanation& out) {
  const Context& context = out.context();
  const Candidate& c = out.candidate();
  const Request& request = context.request;
  std::optional<Catalog> own;
  if (has_own_entries(request.overrides)) {
    own = overlay(context.knowledge.catalog, request.overrides);
  }
  const Catalog& catalog = own ? *own : context.knowledge.catalog;
  const Gpu* gpu = catalog.find_gpu(c.gpu);
  if (gpu == nullptr) return;
  const OfferBook book(catalog, request);
  const Ledger ledger = make_ledger(catalog, book, request, *gpu, c.count, c.nodes);
  if (!ledger.own || !ledger.rent) return;
  explain_totals(out, ledger);
  const double hours = ledger.hours > 0 ? ledger.hours : 1;
  if (ledger.break_even_hours) {
    const Money fixed{ledger.own->total - ledger.own->electricity, ledger.currency};
    const Money rent{ledger.rent->total / hours, ledger.currency};
    const Money power{ledger.own->electricity / hours, ledger.currency};
    out.add("break_even", *ledger.break_even_hours,
            format_money(fixed) + " / (" + format_price(rent) + " − " + format_price(power) + ")",
            format_grouped(*ledger.break_even_hours) +
                " h = " + format_percent(*ledger.break_even_utilisation));
  }
  const std::string turns = turning_points(ledger);
  out.add("turning", ledger.own->total - ledger.rent->total,
          format_money({ledger.own->total, ledger.currency}) + " − " +
              format_money({ledger.rent->total, ledger.currency}),
          turns.empty() ? context.say("explain.turning.none") : turns);
}

// How far the recommendation is from another answer.
void explain_robustness(Explanation& out) {
  const Context& context = out.context();
  const auto& found = context.report.robustness;
  if (!found || &out.candidate() != &context.report.candidates[*context.report.recommended]) return;
  Args args{{"price", format_grouped(found->price_factor)}};
  if (found->time_factor) args.push_back({"time", format_grouped(*found->time_factor)});
  if (found->holds) args.push_back({"holds", 1.0});
  const Candidate& other = context.report.candidates[found->against];
  out.add("robust", found->price_factor, candidate_label(context.knowledge, context.request, other),
          context.say("explain.robust.result", args));
}

void explain_data(Explanation& out) {
  const Candidate& c = out.candidate();
  const DataNeeds& data = c.data;
  const TimeEstimate& time = c.planned.time;
  if (data.read_bytes_per_second) {
    const double rate = *data.read_bytes_per_second;
    std::string numbers;
    if (time.total) {
      numbers = format_gb(Bytes(rate * time.total->value())) + " / " +
                out.context().duration(*time.total);
    }
    out.add("data_read", rate, std::move(numbers), format_unit(rate, "B/s", 3));
  }
  if (data.checkpoint_bytes && data.checkpoint_seconds) {
    const double params = c.job.frozen_base ? c.job.adapter_params : c.job.model->params;
    const double rate = *data.checkpoint_bytes / *data.checkpoint_seconds;
    out.add("checkpoint", *data.checkpoint_bytes,
            times({format_si(params), format_number(*data.checkpoint_bytes / params) + " B"}) +
                "; / " + format_unit(rate, "B/s"),
            format_gb(Bytes(*data.checkpoint_bytes)) + ", " +
                format_duration(out.context().lang, Seconds(*data.checkpoint_seconds)));
  }
  if (!data.gpu_busy) return;
  const TimeParts& parts = time.parts;
  out.add("gpu_busy", *data.gpu_busy,
          "(" + format_number(parts.compute.value()) + " + " + format_number(parts.memory.value()) +
              " + " + format_number(parts.communication.value()) + ") / " +
              format_number(time.step.value()),
          format_percent(*data.gpu_busy));
}

// A process a GPU, and what loading and offloading need; nothing where the request names the sum.
std::string ram_sum(const Explanation& out) {
  const Candidate& c = out.candidate();
  if (out.context().request.host.ram_gb) return {};
  const double total = c.planned.memory.host_ram.value();
  const double processes = std::ceil(static_cast<double>(c.count) / std::max(1, c.nodes));
  const double rest = total - processes * kProcessHostRam.value();
  return times({format_exact(processes), format_unit(kProcessHostRam.value(), "B")}) + " + " +
         format_unit(rest, "B");
}

}  // namespace

void explain_money(Explanation& out) {
  explain_cost(out);
  explain_value(out);
  explain_effective(out);
  explain_ledger(out);
  explain_robustness(out);
}

void explain_host(Explanation& out) {
  explain_data(out);
  const Context& context = out.context();
  const HostCheck& host = out.candidate().host;
  const auto have = [&context](std::optional<double> value) {
    return value ? format_exact(*value) : context.say("explain.host.unknown");
  };
  if (host.cores_needed > 0) {
    const double gpus =
        std::ceil(static_cast<double>(out.candidate().count) / std::max(1, out.candidate().nodes));
    out.add("host.cores", host.cores_needed,
            times({format_number(host.cores_needed / gpus), format_exact(gpus)}),
            context.say("explain.host.want_have",
                        {{"want", host.cores_needed}, {"have", have(host.cpu_cores)}}));
  }
  if (host.ram_needed_gb > 0) {
    out.add("host.ram", host.ram_needed_gb, ram_sum(out),
            context.say("explain.host.want_have", {{"want", format_grouped(host.ram_needed_gb)},
                                                   {"have", have(host.ram_gb)}}));
  }
}

}  // namespace xuanka::present_detail
