// Step 2: the model, the data, and how it is trained or run.
#include <algorithm>

#include "web/grid.hpp"
#include "web/views.hpp"

namespace xuanka::web {
namespace {

using enum FieldId;

std::string name_of(const Ui& ui, const ModelPreset& model) {
  return ui.lang == Lang::kZh && !model.name_zh.empty() ? model.name_zh : model.name;
}

std::string params_text(const Ui& ui, double params) {
  return params > 0 ? ui.trf("ui.params", {{"n", params}}) : "";
}

double params_of(const ModelPreset& model) {
  return model.vision ? model.vision->params : model.expected_params.value_or(0);
}

void preset_box(const Ui& ui, const Rect& r) {
  const Catalog& catalog = ui.api.knowledge().catalog;
  std::vector<Option> options;
  const std::string& group = ui.computed.facts.group;
  // The group at hand first, then the others: searching finds every preset.
  for (const bool same : {true, false}) {
    for (const ModelPreset& m : catalog.models) {
      if ((m.group == group) != same) continue;
      const double params = params_of(m);
      options.push_back({m.id, name_of(ui, m), params > 0 ? format_si(params) : ""});
    }
  }
  const ModelPreset* now = catalog.find_model(ui.state.text(kModel));
  const std::string shown = now != nullptr ? name_of(ui, *now) : ui.state.text(kModel);
  const double params = ui.computed.current ? ui.computed.report.params
                        : now != nullptr    ? params_of(*now)
                                            : 0;
  ImGui::BeginDisabled(ui.state.locked(kModel));
  if (const auto id = select_box(ui, "###model", r, shown, params_text(ui, params), options,
                                 ui.state.text(kModel), true)) {
    if (const ModelPreset* model = catalog.find_model(*id)) ui.act(pick_of(catalog, *model));
  }
  ImGui::EndDisabled();
}

float config_box(const Ui& ui, float x, float y, float width) {
  const Rect r{x, y, width, ui.u(110)};
  std::string text = ui.state.text(kConfig);
  fill(ui, r, ui.color(Color::kPanel), 8);
  frame(ui, r, ui.color(Color::kLine), 8);
  if (ui.platform.touch()) {
    const Hit h = hit(ui, "###cfg", r);
    draw_wrapped(ui, x + ui.u(11), y + ui.u(8), width - ui.u(22),
                 text.empty() ? ui.tr("ui.config.paste") : text.substr(0, 160),
                 {.size = kSmallSize, .color = Color::kDim});
    if (h.pressed)
      ui.platform.open_sheet({.key = "cfg",
                              .title = "config.json",
                              .value = text,
                              .unit = "",
                              .hint = "",
                              .kind = SheetRequest::Kind::kLongText});
  } else {
    if (multiline_box(ui, "###cfg", r, text)) ui.set(kConfig, text);
    if (text.empty())
      draw_wrapped(ui, x + ui.u(11), y + ui.u(9), width - ui.u(22), ui.tr("ui.config.paste"),
                   {.size = kSmallSize, .color = Color::kDim});
  }
  y = r.bottom() + ui.u(6);
  float w = 0;
  if (link(ui, "###pick-config", x, y, ui.tr("ui.config.open"), &w))
    ui.platform.pick_file(".json,application/json");
  y += ui.u(22);
  const std::string error =
      text.empty() ? "" : field_error(ui.api.messages(), ui.lang, ui.computed, kConfig);
  if (!error.empty())
    return y + draw_wrapped(ui, x, y, width, error, {.size = kSmallSize, .color = Color::kBad});
  if (!text.empty() && ui.computed.current)
    return y + draw_wrapped(ui, x, y, width, ui.computed.view.model_line,
                            {.size = kSmallSize, .color = Color::kDim});
  return y;
}

float model_source(const Ui& ui, float x, float y, float width) {
  const std::string& source = ui.state.text(kSource);
  draw_line(ui, {x, y, width, ui.u(19)}, with_lock(ui, kModel, ui.tr("ui.f.m")),
            {.size = 13, .color = Color::kDim});
  y += ui.u(24);
  if (source == "preset") {
    preset_box(ui, {x, y, width, ui.u(ui.fingers() ? 44 : 39)});
    y += ui.u(ui.fingers() ? 44 : 39);
  } else if (source == "config") {
    y = config_box(ui, x, y, width);
  } else {
    Grid grid(ui, x, y - ui.u(14), width);
    for (auto id = static_cast<int>(kParams); id <= static_cast<int>(kTimedFamily); ++id) {
      const auto field = static_cast<FieldId>(id);
      if (field == kTimedGpu) continue;
      grid.add(field, {.placeholder = field == kTimedMemory || field == kActiveParams ? "—" : "",
                       .required = field == kVisionFamily || field == kTimedFamily});
    }
    y = grid.bottom();
  }
  return y;
}

void pick_domain(const Ui& ui, std::string_view domain) {
  const Catalog& catalog = ui.api.knowledge().catalog;
  if (const ModelPreset* model = usual_model(catalog, domain)) ui.act(pick_of(catalog, *model));
}

float source_chips(const Ui& ui, float x, float y, float width) {
  Flow flow(x, y, width, ui.u(6), ui.u(ui.fingers() ? 36 : 26));
  const std::string& source = ui.state.text(kSource);
  const std::string& group = ui.computed.facts.group;
  ImGui::BeginDisabled(ui.state.locked(kModel));
  for (const std::string_view name : {"language", "vision", "diffusion"}) {
    const bool on =
        source == "preset" && (group == name || (name == "vision" && group == "detection"));
    if (chip(ui, "###src-" + std::string(name), flow, ui.tr("ui.o.domain." + std::string(name)),
             on) &&
        !on)
      pick_domain(ui, name);
  }
  for (const std::string_view name : {"config", "size", "shape", "vision", "measured"}) {
    const bool on = source == name;
    const bool custom = name == "shape" || name == "vision";
    if (custom && !on && !ui.state.show_more) continue;
    if (chip(ui, "###src2-" + std::string(name), flow, ui.tr("ui.o.source." + std::string(name)),
             on) &&
        !on)
      ui.set(kSource, std::string(name));
  }
  ImGui::EndDisabled();
  return flow.bottom();
}

float timed_gpu(const Ui& ui, float x, float y, float width) {
  if (!ui.state.is(kSource, "measured")) return y;
  draw_line(ui, {x, y + ui.u(14), width, ui.u(19)}, ui.tr("ui.f.mg"),
            {.size = 13, .color = Color::kDim});
  y += ui.u(38);
  const Catalog& catalog = ui.api.knowledge().catalog;
  std::vector<Option> options;
  for (const Gpu& gpu : catalog.gpus) options.push_back({gpu.id, gpu.name, ""});
  const Gpu* now = catalog.find_gpu(ui.state.text(kTimedGpu));
  const Rect r{x, y, width, ui.u(ui.fingers() ? 44 : 39)};
  if (const auto id =
          select_box(ui, "###timed-gpu", r, now != nullptr ? now->name : ui.state.text(kTimedGpu),
                     "", options, ui.state.text(kTimedGpu), true))
    ui.set(kTimedGpu, *id);
  return r.bottom();
}

float method_row(const Ui& ui, float x, float y, float width) {
  if (ui.computed.facts.per_sample || ui.computed.facts.inference ||
      ui.state.is(kSource, "measured"))
    return y;
  draw_line(ui, {x, y + ui.u(14), width, ui.u(19)}, with_lock(ui, kKind, ui.tr("ui.method")),
            {.size = 13, .color = Color::kDim});
  const std::string full = ui.state.is(kKind, "train") ? "train" : "finetune";
  const std::vector<Option> methods{
      {full, ui.tr("ui.method." + full), ""}, {"lora", "LoRA", ""}, {"qlora", "QLoRA", ""}};
  const Rect r{x, y + ui.u(38), width, ui.u(ui.fingers() ? 44 : 31)};
  ImGui::BeginDisabled(ui.state.locked(kKind));
  const int chosen = segmented(ui, "###method", r, methods, ui.state.text(kKind));
  ImGui::EndDisabled();
  if (chosen >= 0) ui.set(kKind, methods[static_cast<std::size_t>(chosen)].value);
  return r.bottom();
}

std::string dataset_name(const Ui& ui, const Dataset& d) {
  return ui.lang == Lang::kZh && !d.name_zh.empty() ? d.name_zh : d.name;
}

float dataset_row(const Ui& ui, float x, float y, float width) {
  const Facts& facts = ui.computed.facts;
  if (!facts.training || facts.group == "timed" ||
      (!facts.per_sample && !ui.state.show_more && ui.state.text(kDataset).empty()))
    return y;
  draw_line(ui, {x, y + ui.u(14), width, ui.u(19)}, with_lock(ui, kDataset, ui.tr("ui.f.ds")),
            {.size = 13, .color = Color::kDim});
  std::vector<Option> options{
      {"", ui.tr(facts.per_sample ? "ui.dataset.own_samples" : "ui.dataset.own_tokens"), ""}};
  std::string shown = options[0].label, detail;
  for (const Dataset& d : ui.api.knowledge().catalog.datasets) {
    const bool tokens = !facts.per_sample && d.tokens;
    const auto amount = tokens ? d.tokens : d.samples;
    // Texts of unknown length are samples, too.
    const bool chosen = ui.state.is(kDataset, d.id);
    const Modality wanted = !facts.per_sample         ? Modality::kText
                            : facts.group == "speech" ? Modality::kSpeech
                                                      : Modality::kImage;
    if (!amount || (!chosen && d.modality != wanted)) continue;
    options.push_back({d.id, dataset_name(ui, d), format_si(*amount)});
    if (chosen) {
      shown = options.back().label;
      detail = ui.trf(tokens ? "ui.tokens_n" : "ui.samples_n", {{"n", *amount}});
    }
  }
  const Rect r{x, y + ui.u(38), width, ui.u(ui.fingers() ? 44 : 39)};
  ImGui::BeginDisabled(ui.state.locked(kDataset));
  if (const auto id =
          select_box(ui, "###dataset", r, shown, detail, options, ui.state.text(kDataset), true))
    ui.set(kDataset, *id);
  ImGui::EndDisabled();
  return r.bottom();
}

float more_fields(const Ui& ui, float x, float y, float width) {
  const std::string label = ui.tr(ui.state.show_more             ? "ui.less"
                                  : ui.computed.facts.per_sample ? "ui.more.vision"
                                  : ui.computed.facts.inference  ? "ui.more.inference"
                                                                 : "ui.more.training");
  const Rect r{x, y + ui.u(8), width, ui.u(ui.fingers() ? 44 : 26)};
  const Hit h = hit(ui, "###more", r, 6);
  draw_icon(ui, ui.state.show_more ? Icon::kDown : Icon::kRight, ImVec2(x + ui.u(4), r.y + r.h / 2),
            8, ui.color(Color::kDim));
  draw_line(ui, {x + ui.u(14), r.y, width - ui.u(14), r.h}, label,
            {.size = kSmallSize, .color = h.hovered ? Color::kText : Color::kDim});
  if (h.pressed) ui.act(ShowMore{!ui.state.show_more});
  if (!ui.state.show_more) return r.bottom();
  Grid grid(ui, x, r.bottom() - ui.u(6), width);
  for (const FieldSpec& f : fields()) {
    if (f.more && f.step == Step::kModel && f.id >= kTokens) grid.add(f.id);
  }
  return grid.bottom();
}

}  // namespace

float view_model(const Ui& ui, float x, float y, float width) {
  y = model_source(ui, x, y, width);
  y = source_chips(ui, x, y + ui.u(7), width);
  y = timed_gpu(ui, x, y, width);
  y = method_row(ui, x, y, width);
  y = dataset_row(ui, x, y, width);
  if (ui.computed.facts.group == "timed") return y;
  Grid grid(ui, x, y, width);
  grid.add(kTokens);
  grid.add(kSamples);
  grid.add(kEpochs);
  if (ui.computed.facts.inference) {
    for (const FieldId id :
         {kPromptTokens, kOutputTokens, kConcurrency, kOutputTotal, kWeights, kKvCache})
      grid.add(id);
  } else {
    if (ui.state.text(kDataset).empty()) grid.end_row();
    grid.add(kSeqLen, {.placeholder = "2048"});
    grid.add(kImageSize);
    grid.add(kMicroBatch);
    grid.add(kPrecision);
    grid.add(kOptimizer, {.placeholder = ui.tr("ui.o.optimizer.adamw")});
  }
  return more_fields(ui, x, grid.bottom(), width);
}

}  // namespace xuanka::web
