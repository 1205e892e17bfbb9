// Every rental offer with its date; the badge says how old the price is.
#include <algorithm>

#include "web/views.hpp"
#include "xuanka/cost/cost.hpp"

namespace xuanka::web {
namespace {

const Offer& offer_at(const Ui& ui, std::size_t i) { return ui.api.knowledge().catalog.offers[i]; }

std::string today(const Ui& ui) {
  const std::string& own = ui.state.text(FieldId::kAsOf);
  return own.empty() ? ui.api.knowledge().catalog.data_date : own;
}

std::optional<double> age_of(const Ui& ui, const Offer& offer) {
  if (!offer.as_of) return std::nullopt;
  return age_days(*offer.as_of, today(ui));
}

void draw_age(const Ui& ui, const Rect& r, std::size_t i) {
  const auto age = age_of(ui, offer_at(ui, i));
  const Tone tone = !age          ? Tone::kNeutral
                    : *age <= 90  ? Tone::kOk
                    : *age <= 365 ? Tone::kWarn
                                  : Tone::kBad;
  const std::string text = age ? ui.trf("ui.days_old", {{"days", *age}}) : ui.tr("ui.undated");
  const float w = pill_width(ui, text, tone);
  pill_at(ui, r.right() - w, r.y + r.h / 2, text, tone);
}

std::optional<Money> shown_price(const Ui& ui, const Offer& offer) {
  return ui.api.knowledge().catalog.fx.convert(offer.price_per_hour, ui.computed.shown);
}

std::string sources_of(const Ui& ui, const Offer& offer) {
  std::string out = offer.note;
  for (const std::string& id : offer.sources) {
    const Source* source = ui.api.knowledge().catalog.find_source(id);
    out += (out.empty() ? "" : "\n") + (source != nullptr ? source->title : id);
  }
  return out;
}

std::string shape(const Offer& o) {
  std::string out;
  if (o.vcpus) out += format_number(*o.vcpus) + " vCPU";
  if (o.ram_gb) out += (out.empty() ? "" : ", ") + format_number(*o.ram_gb) + " GB";
  return out.empty() ? "—" : out;
}

}  // namespace

Table offers_table(const Ui& ui) {
  const auto offer = [&ui](std::size_t i) -> const Offer& { return offer_at(ui, i); };
  const Catalog& catalog = ui.api.knowledge().catalog;
  const auto name = [&catalog](const Offer& o) {
    const Gpu* gpu = catalog.find_gpu(o.gpu);
    return std::to_string(o.gpu_count) + " × " + (gpu != nullptr ? gpu->name : o.gpu);
  };
  const auto hint = [=, &ui](std::size_t i) { return sources_of(ui, offer(i)); };
  Table table{ListId::kOffers, "offers", ui.tr("ui.t.offers"), {}, catalog.offers.size()};
  table.columns = {
      {ui.tr("ui.c.gpu"), Align::kLeft, 190, 0, [=](std::size_t i) { return name(offer(i)); },
       nullptr, nullptr, hint},
      {ui.tr("ui.c.provider"), Align::kLeft, 130, 0,
       [=](std::size_t i) { return offer(i).provider; }},
      {ui.tr("ui.c.region"), Align::kLeft, 110, 4,
       [=](std::size_t i) { return offer(i).region.empty() ? "—" : offer(i).region; }},
      {ui.tr("ui.c.shape"), Align::kLeft, 150, 3, [=](std::size_t i) { return shape(offer(i)); }},
      {ui.tr("ui.c.billing"), Align::kLeft, 110, 2,
       [=, &ui](std::size_t i) {
         return ui.tr("ui.o.billing." + std::string(name_of(offer(i).billing)));
       }},
      {ui.tr("ui.c.per_hour"), Align::kRight, 90, 1,
       [=](std::size_t i) { return format_price(offer(i).price_per_hour); },
       [=, &ui](std::size_t i) -> std::optional<double> {
         const auto money = shown_price(ui, offer(i));
         return money ? std::optional(money->amount) : std::nullopt;
       },
       nullptr, hint},
      {ui.tr("ui.c.per_card_hour"), Align::kRight, 96, 0,
       [=, &ui](std::size_t i) {
         const auto money = shown_price(ui, offer(i));
         return money ? format_price(*money / offer(i).gpu_count) : "—";
       },
       [=, &ui](std::size_t i) -> std::optional<double> {
         const auto money = shown_price(ui, offer(i));
         return money ? std::optional(money->amount / offer(i).gpu_count) : std::nullopt;
       }},
      {ui.tr("ui.c.age"), Align::kRight, 110, 0,
       [=](std::size_t i) { return offer(i).as_of.value_or("—"); },
       [=, &ui](std::size_t i) { return age_of(ui, offer(i)); }, draw_age,
       [=](std::size_t i) { return offer(i).as_of.value_or(""); }},
  };
  return table;
}

float view_offers(const Ui& ui, float x, float y, float width) {
  const Table table = offers_table(ui);
  std::string text = ui.state.filter[static_cast<std::size_t>(ListId::kOffers)];
  y += ui.u(12);
  if (text_box(ui, "###offer-search", {x, y, std::min(width, ui.u(360)), ui.row()}, text,
               ui.tr("ui.search_offers"),
               {.key = "filter:2",
                .title = ui.tr("ui.search_offers"),
                .value = text,
                .unit = "",
                .hint = "",
                .kind = SheetRequest::Kind::kText})) {
    ui.act(SetFilter{ListId::kOffers, text});
  }
  y += ui.row() + ui.u(8);
  const auto order = table_order(table, ui.state);
  y += draw_wrapped(ui, x, y, width,
                    ui.trf("ui.offers.hint",
                           {{"n", static_cast<double>(order.size())}, {"date", today(ui)}}),
                    {.size = kSmallSize, .color = Color::kDim}) +
       ui.u(4);
  return ui.phone() ? draw_cards(ui, table, order, x, y, width)
                    : draw_table(ui, table, order, x, y, width);
}

}  // namespace xuanka::web
