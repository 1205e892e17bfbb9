// Step 3: time, money, cards and machine.
#include <algorithm>

#include "web/grid.hpp"
#include "web/views.hpp"

namespace xuanka::web {
namespace {

using enum FieldId;

float heading(const Ui& ui, float x, float y, float width, std::string_view key) {
  draw_line(ui, {x, y, width, ui.u(19)}, ui.tr(key), {.size = 13, .color = Color::kDim});
  return y + ui.u(24);
}

float choice_row(const Ui& ui, FieldId id, float x, float y, float width) {
  y = heading(ui, x, y + ui.u(14), width, "ui.f." + std::string(spec(id).key));
  const auto options = field_options(ui, id, false);
  const Rect r{x, y, width, ui.u(ui.fingers() ? 44 : 31)};
  const int chosen =
      segmented(ui, "###" + std::string(spec(id).key), r, options, ui.state.text(id), kSmallSize);
  if (chosen >= 0) ui.set(id, options[static_cast<std::size_t>(chosen)].value);
  return r.bottom();
}

float deadline_row(const Ui& ui, float x, float y, float width) {
  const float half = (width - ui.u(10)) / 2;
  float left = y, right = y;
  if (relevant(kDeadline, ui.state, ui.computed.facts))
    left = field_input(ui, kDeadline, x, y, half, {.placeholder = ui.tr("ui.none")});
  const std::string& own = ui.state.text(kBudgetCurrency);
  const std::string currency = own.empty() ? std::string(ui.computed.shown.code()) : own;
  right = field_input(ui, kBudget, x + half + ui.u(10), y, half,
                      {.unit = currency_symbol(Currency::parse(currency).value_or(kCny)),
                       .placeholder = ui.tr("ui.none")});
  y = std::max(left, right);
  Flow flow(x, y + ui.u(7), width, ui.u(6), ui.u(ui.fingers() ? 36 : 26));
  if (!relevant(kDeadline, ui.state, ui.computed.facts)) return y;
  for (const std::string_view hours : {"8", "24", "72", "168", "none"}) {
    const std::string label = hours == "none"
                                  ? ui.tr("ui.no_deadline")
                                  : format_duration(ui.lang, xuanka::hours(*read_number(hours)));
    if (chip(ui, "###deadline-" + std::string(hours), flow, label, ui.state.is(kDeadline, hours)))
      ui.set(kDeadline, std::string(hours));
  }
  return flow.bottom();
}

float market_row(const Ui& ui, float x, float y, float width) {
  y = heading(ui, x, y + ui.u(14), width, "ui.f.dc");
  const std::vector<Option> markets{{"CNY", ui.tr("ui.market.cny"), ""},
                                    {"USD", ui.tr("ui.market.usd"), ""}};
  const Rect r{x, y, width, ui.u(ui.fingers() ? 44 : 31)};
  const int chosen = segmented(ui, "###market", r, markets, ui.state.text(kMarket), kSmallSize);
  if (chosen >= 0) ui.set(kMarket, markets[static_cast<std::size_t>(chosen)].value);
  return r.bottom();
}

// Chosen cards as chips with a cross, and a list to add from.
float gpu_row(const Ui& ui, float x, float y, float width) {
  y = heading(ui, x, y + ui.u(14), width, "ui.f.g");
  const Catalog& catalog = ui.api.knowledge().catalog;
  const auto chosen = ui.state.many(kGpus);
  std::vector<Option> options;
  if (!chosen.empty()) options.push_back({"", ui.tr("ui.gpus.all"), ""});
  for (const Gpu& gpu : catalog.gpus) {
    if (std::find(chosen.begin(), chosen.end(), gpu.id) == chosen.end())
      options.push_back({gpu.id, gpu.name, format_number(gpu.memory_gb) + " GB"});
  }
  const std::string shown =
      chosen.empty() ? ui.tr("ui.gpus.any")
                     : ui.trf("ui.gpus.some", {{"n", static_cast<double>(chosen.size())}});
  const Rect r{x, y, width, ui.u(ui.fingers() ? 44 : 39)};
  if (const auto id = select_box(ui, "###gpus", r, shown, "", options, "", true)) {
    if (id->empty()) {
      ui.set(kGpus, "");
    } else {
      ui.act(ToggleWord{kGpus, *id});
    }
  }
  if (chosen.empty()) return r.bottom();
  Flow flow(x, r.bottom() + ui.u(7), width, ui.u(6), ui.u(ui.fingers() ? 36 : 26));
  for (const std::string& id : chosen) {
    const Gpu* gpu = catalog.find_gpu(id);
    if (chip(ui, "###gpu-" + id, flow, (gpu != nullptr ? gpu->name : id) + "  ×", true))
      ui.act(ToggleWord{kGpus, id});
  }
  return flow.bottom();
}

float provider_row(const Ui& ui, float x, float y, float width) {
  if (!ui.state.is(kAcquire, "rent")) return y;
  y = heading(ui, x, y + ui.u(14), width, "ui.f.pv");
  const auto chosen = ui.state.many(kProviders);
  std::vector<Option> options;
  if (!chosen.empty()) options.push_back({"", ui.tr("ui.providers.all"), ""});
  for (const Offer& offer : ui.api.knowledge().catalog.offers) {
    const auto same = [&](const Option& o) { return o.value == offer.provider; };
    if (std::none_of(options.begin(), options.end(), same))
      options.push_back({offer.provider, offer.provider, ""});
  }
  std::string shown = chosen.empty() ? ui.tr("ui.providers.any") : "";
  for (const std::string& name : chosen) shown += (shown.empty() ? "" : ", ") + name;
  const Rect r{x, y, width, ui.u(ui.fingers() ? 44 : 39)};
  if (const auto name = select_box(ui, "###providers", r, shown, "", options,
                                   chosen.empty() ? "" : chosen[0], true)) {
    if (name->empty()) {
      ui.set(kProviders, "");
    } else {
      ui.act(ToggleWord{kProviders, *name});
    }
  }
  return r.bottom();
}

float more_fields(const Ui& ui, float x, float y, float width) {
  const Rect r{x, y + ui.u(8), width, ui.u(ui.fingers() ? 44 : 26)};
  const Hit h = hit(ui, "###more", r, 6);
  draw_icon(ui, ui.state.show_more ? Icon::kDown : Icon::kRight, ImVec2(x + ui.u(4), r.y + r.h / 2),
            8, ui.color(Color::kDim));
  draw_line(ui, {x + ui.u(14), r.y, width - ui.u(14), r.h},
            ui.tr(ui.state.show_more ? "ui.less" : "ui.more.constraints"),
            {.size = kSmallSize, .color = h.hovered ? Color::kText : Color::kDim});
  if (h.pressed) ui.act(ShowMore{!ui.state.show_more});
  if (!ui.state.show_more) return r.bottom();
  y = field_input(ui, kBilling, x, r.bottom() + ui.u(6), width);
  Grid grid(ui, x, y, width);
  for (const FieldSpec& f : fields()) {
    const bool own = f.id >= kHoursPerMonth && f.id <= kFinance;
    if (f.more && f.step == Step::kConstraints && f.id != kBilling && f.id != kOfferCurrencies &&
        f.id != kRegions && !own)
      grid.add(f.id,
               {.placeholder = f.id == kHaveRam || f.id == kHaveCores || f.id == kAsOf ? "—" : ""});
  }
  return grid.bottom();
}

}  // namespace

float view_constraints(const Ui& ui, float x, float y, float width) {
  y = deadline_row(ui, x, y, width);
  y = choice_row(ui, kAcquire, x, y, width);
  y = choice_row(ui, kRankBy, x, y, width);
  y = market_row(ui, x, y, width);
  y = gpu_row(ui, x, y, width);
  y = field_input(ui, kCounts, x, y + ui.u(14), width);
  y = field_input(ui, kNeeds, x, y + ui.u(14), width);
  y = provider_row(ui, x, y, width);
  Grid grid(ui, x, y, width);
  grid.add(kHostRam);
  grid.add(kHostCores);
  grid.add(kCuda, {.placeholder = ui.tr("ui.cuda.any")});
  grid.add(kFirstToken, {.placeholder = ui.tr("ui.none")});
  grid.add(kTokenRate, {.placeholder = ui.tr("ui.none")});
  return more_fields(ui, x, grid.bottom(), width);
}

}  // namespace xuanka::web
