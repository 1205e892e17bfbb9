// What it costs, what the money buys, and what the host must have.
#include "present/explain.hpp"

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

}  // namespace

void explain_money(Explanation& out) {
  explain_cost(out);
  explain_value(out);
}

void explain_host(Explanation& out) {
  const Context& context = out.context();
  const HostCheck& host = out.candidate().host;
  const auto have = [&context](std::optional<double> value) {
    return value ? format_exact(*value) : context.say("explain.host.unknown");
  };
  if (host.cores_needed > 0) {
    out.add("host.cores", host.cores_needed, {},
            context.say("explain.host.want_have",
                        {{"want", host.cores_needed}, {"have", have(host.cpu_cores)}}));
  }
  if (host.ram_needed_gb > 0) {
    out.add("host.ram", host.ram_needed_gb, {},
            context.say("explain.host.want_have", {{"want", format_grouped(host.ram_needed_gb)},
                                                   {"have", have(host.ram_gb)}}));
  }
}

}  // namespace xuanka::present_detail
