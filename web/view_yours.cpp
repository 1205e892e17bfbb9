// Make it yours: own efficiency, rates and prices; a card or an offer of one's own. Never sent
// anywhere.
#include "web/grid.hpp"
#include "web/views.hpp"

namespace xuanka::web {
namespace {

using enum FieldId;

// Adds an entry to a JSON array that is kept as text.
std::string appended(const std::string& list, const std::string& entry) {
  if (!is_json(list, '[')) return "[" + entry + "]";
  const std::size_t end = list.rfind(']');
  const bool empty = list.find('{') == std::string::npos;
  return list.substr(0, end) + (empty ? "" : ",") + entry + "]";
}

std::string slug(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const char l = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool keep = (l >= 'a' && l <= 'z') || (l >= '0' && l <= '9');
    if (keep) out += l;
    if (!keep && !out.empty() && out.back() != '-') out += '-';
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out.empty() ? "own" : out;
}

std::string draft(const Ui& ui, DraftId id) {
  return ui.state.drafts[static_cast<std::size_t>(id)];
}

float draft_input(const Ui& ui, DraftId id, float x, float y, float width,
                  std::string_view label_key, std::string_view placeholder) {
  draw_line(ui, {x, y, width, ui.u(19)}, ui.tr(label_key), {.size = 13, .color = Color::kDim});
  const Rect r{x, y + ui.u(24), width, ui.u(ui.fingers() ? 44 : 39)};
  std::string text = draft(ui, id);
  const std::string key = "draft:" + std::to_string(static_cast<int>(id));
  if (text_box(ui, "###" + key, r, text, placeholder,
               {.key = key,
                .title = ui.tr(label_key),
                .value = text,
                .unit = "",
                .hint = "",
                .kind = SheetRequest::Kind::kText}))
    ui.act(SetDraft{id, text});
  return r.bottom();
}

float price_form(const Ui& ui, float x, float y, float width) {
  const Catalog& catalog = ui.api.knowledge().catalog;
  draw_line(ui, {x, y, width, ui.u(20)}, ui.tr("ui.yours.price"),
            {.size = 14, .face = Face::kBold});
  y += ui.u(28);
  const float third = (width - ui.u(20)) / 3;
  std::vector<Option> options;
  for (const Gpu& gpu : catalog.gpus) options.push_back({gpu.id, gpu.name, ""});
  const std::string id =
      draft(ui, DraftId::kOfferGpu).empty() ? "rtx-4090-24gb" : draft(ui, DraftId::kOfferGpu);
  const Gpu* gpu = catalog.find_gpu(id);
  draw_line(ui, {x, y, third, ui.u(19)}, ui.tr("ui.c.gpu"), {.size = 13, .color = Color::kDim});
  if (const auto chosen =
          select_box(ui, "###offer-gpu", {x, y + ui.u(24), third, ui.u(ui.fingers() ? 44 : 39)},
                     gpu != nullptr ? gpu->name : id, "", options, id, true))
    ui.act(SetDraft{DraftId::kOfferGpu, *chosen});
  draft_input(ui, DraftId::kOfferCount, x + third + ui.u(10), y, third, "ui.f.mn", "1");
  y = draft_input(ui, DraftId::kOfferPrice, x + 2 * (third + ui.u(10)), y, third, "ui.c.per_hour",
                  currency_symbol(ui.computed.shown)) +
      ui.u(8);
  const auto price = read_number(draft(ui, DraftId::kOfferPrice));
  const double count = read_number(draft(ui, DraftId::kOfferCount)).value_or(1);
  if (button(ui, "###add-offer", {x, y, ui.u(140), ui.row()}, ui.tr("ui.yours.add"),
             ButtonKind::kPrimary) &&
      price && *price > 0) {
    const std::string entry = "{\"id\":" + json_string("own-" + id + "-x" + number_text(count)) +
                              ",\"gpu\":" + json_string(id) +
                              ",\"gpu_count\":" + number_text(count) +
                              ",\"price_per_hour\":{\"amount\":" + number_text(*price) +
                              ",\"currency\":" + json_string(ui.computed.shown.code()) + "}}";
    ui.set(kOwnOffers, appended(ui.state.text(kOwnOffers), entry));
  }
  return y + ui.row();
}

float gpu_form(const Ui& ui, float x, float y, float width) {
  draw_line(ui, {x, y, width, ui.u(20)}, ui.tr("ui.yours.gpu"), {.size = 14, .face = Face::kBold});
  y += ui.u(28);
  const float half = (width - ui.u(10)) / 2;
  draft_input(ui, DraftId::kGpuName, x, y, half, "ui.yours.name", "My GPU");
  y = draft_input(ui, DraftId::kGpuMemory, x + half + ui.u(10), y, half, "ui.c.memory_gb", "24") +
      ui.u(10);
  draft_input(ui, DraftId::kGpuBandwidth, x, y, half, "ui.yours.bandwidth", "1000");
  y = draft_input(ui, DraftId::kGpuTflops, x + half + ui.u(10), y, half, "ui.yours.tflops", "150") +
      ui.u(8);
  const auto memory = read_number(draft(ui, DraftId::kGpuMemory)),
             bandwidth = read_number(draft(ui, DraftId::kGpuBandwidth)),
             tflops = read_number(draft(ui, DraftId::kGpuTflops));
  if (button(ui, "###add-gpu", {x, y, ui.u(140), ui.row()}, ui.tr("ui.yours.add"),
             ButtonKind::kPrimary) &&
      memory && bandwidth && tflops) {
    const std::string name =
        draft(ui, DraftId::kGpuName).empty() ? "My GPU" : draft(ui, DraftId::kGpuName);
    const std::string entry =
        "{\"id\":" + json_string("own-" + slug(name)) + ",\"name\":" + json_string(name) +
        ",\"memory_gb\":" + number_text(*memory) +
        ",\"bandwidth_gb_s\":" + number_text(*bandwidth) +
        ",\"tflops\":{\"fp16_tensor\":" + number_text(*tflops) +
        ",\"bf16_tensor\":" + number_text(*tflops) + ",\"fp32\":" + number_text(*tflops / 4) + "}}";
    ui.set(kOwnGpus, appended(ui.state.text(kOwnGpus), entry));
  }
  return y + ui.row();
}

}  // namespace

float view_yours(const Ui& ui, float x, float y, float width) {
  ImGui::PushID("yours");
  y += ui.u(14);
  const float pad = ui.u(18), inner = width - 2 * pad;
  Card card(ui, x, y, width, Color::kPanel, Color::kLine, 10);
  float at = y + pad;
  at += draw_wrapped(ui, x + pad, at, inner, ui.tr("ui.yours.hint"),
                     {.size = 13, .color = Color::kDim}) +
        ui.u(2);
  Grid grid(ui, x + pad, at, inner);
  grid.add(kEfficiency, {.placeholder = "0.4"});
  grid.add(kRate, {.placeholder = "—"});
  grid.add(kElectricity, {.unit = currency_symbol(ui.computed.shown), .placeholder = "—"});
  grid.end_row();
  at = price_form(ui, x + pad, grid.bottom() + ui.u(20), inner);
  at = gpu_form(ui, x + pad, at + ui.u(20), inner);
  Grid texts(ui, x + pad, at, inner);
  texts.wide(kOwnOffers, {.placeholder = "[]"});
  texts.wide(kOwnGpus, {.placeholder = "[]"});
  texts.wide(kOwnMeasured, {.placeholder = "[]"});
  at = texts.bottom() + ui.u(16);
  const float w = (inner - ui.u(20)) / 3;
  if (button(ui, "###import", {x + pad, at, w, ui.row()}, ui.tr("ui.yours.import")))
    ui.platform.pick_file(".json,application/json");
  if (button(ui, "###export", {x + pad + w + ui.u(10), at, w, ui.row()}, ui.tr("ui.yours.export")))
    ui.platform.download("xuanka-overlay.json", "application/json", write_overlay(ui.state));
  if (button(ui, "###clear", {x + pad + 2 * (w + ui.u(10)), at, w, ui.row()},
             ui.tr("ui.yours.clear"))) {
    for (const FieldId id : {kEfficiency, kRate, kElectricity, kOwnGpus, kOwnOffers, kOwnMeasured})
      ui.set(id, "");
  }
  at += ui.row();
  if (ui.platform.can_probe()) {
    at += ui.u(12);
    const bool busy = ui.platform.probing();
    if (button(ui, "###probe", {x + pad, at, inner, ui.row()},
               ui.tr(busy ? "ui.yours.probing" : "ui.yours.probe")) &&
        !busy)
      ui.platform.probe();
    at += ui.row();
  }
  at = card.close(at + pad);
  ImGui::PopID();
  return at;
}

}  // namespace xuanka::web
