// Step 1: what is to be done, and with what kind of model.
#include "web/views.hpp"

namespace xuanka::web {
namespace {

// A usual model of each field, for the first click.
struct Usual {
  std::string_view domain, model;
};
constexpr std::array<Usual, 5> kUsual{{{"language", "llama-2-7b"},
                                       {"vision", "resnet50"},
                                       {"detection", "fasterrcnn-resnet50-fpn"},
                                       {"diffusion", "stable-diffusion-1.5"},
                                       {"speech", "whisper-small"}}};

bool kind_row(const Ui& ui, const Rect& r, std::string_view kind, bool on) {
  const Hit h = hit(ui, "###kind-" + std::string(kind), r, 10);
  fill(ui, r, ui.color(on || h.hovered ? Color::kAccentSoft : Color::kPanel, on ? 1 : 0.6F), 10);
  frame(ui, r, ui.color(on ? Color::kAccent : Color::kLine), 10);
  const float dot = ui.u(7);
  const ImVec2 center(r.x + ui.u(18), r.y + r.h / 2);
  ImGui::GetWindowDrawList()->AddCircle(center, dot, ui.color(on ? Color::kAccent : Color::kDim), 0,
                                        ui.u(1.5F));
  if (on) ImGui::GetWindowDrawList()->AddCircleFilled(center, dot * 0.5F, ui.color(Color::kAccent));
  const std::string key = "ui.kind." + std::string(kind);
  const float x = r.x + ui.u(34), w = r.right() - ui.u(10) - x;
  draw_line(ui, {x, r.y + ui.u(7), w, ui.u(19)}, ui.tr(key),
            {.size = 14.5F, .face = on ? Face::kBold : Face::kRegular});
  draw_line(ui, {x, r.y + ui.u(27), w, ui.u(16)}, ui.tr(key + ".why"),
            {.size = kSmallSize, .color = on ? Color::kText : Color::kDim});
  return h.pressed;
}

}  // namespace

const ModelPreset* usual_model(const Catalog& catalog, std::string_view domain) {
  for (const Usual& u : kUsual) {
    if (u.domain == domain && !u.model.empty()) {
      if (const ModelPreset* model = catalog.find_model(u.model)) return model;
    }
  }
  for (const ModelPreset& model : catalog.models) {
    if (model.group == domain) return &model;
  }
  return nullptr;
}

PickModel pick_of(const Catalog& catalog, const ModelPreset& model) {
  PickModel pick{model.id, model.group, "", 1};
  const std::string_view dataset = model.group == "detection"   ? "coco-2017"
                                   : model.group == "vision"    ? "imagenet-1k"
                                   : model.group == "diffusion" ? "laion-aesthetics-v2-6.5"
                                   : model.group == "speech"    ? "librispeech-960h"
                                                                : "";
  for (const Dataset& d : catalog.datasets) {
    if (d.id == dataset) {
      pick.dataset = d.id;
      pick.epochs = d.usual_epochs;
    }
  }
  return pick;
}

float view_job(const Ui& ui, float x, float y, float width) {
  draw_line(ui, {x, y, width, ui.u(22)}, ui.tr("ui.job.title"), {.size = 15, .face = Face::kBold});
  y += ui.u(30);
  const float h = ui.u(50);
  ImGui::BeginDisabled(ui.state.locked(FieldId::kKind));
  for (const std::string_view kind : {"train", "finetune", "lora", "qlora", "inference"}) {
    if (kind_row(ui, {x, y, width, h}, kind, ui.state.is(FieldId::kKind, kind)))
      ui.set(FieldId::kKind, std::string(kind));
    y += h + ui.u(8);
  }
  ImGui::EndDisabled();
  draw_line(ui, {x, y + ui.u(6), width, ui.u(19)}, ui.tr("ui.job.domain"),
            {.size = 13, .color = Color::kDim});
  Flow flow(x, y + ui.u(31), width, ui.u(6), ui.u(ui.fingers() ? 36 : 26));
  ImGui::BeginDisabled(ui.state.locked(FieldId::kModel));
  for (const Usual& usual : kUsual) {
    const ModelPreset* model = usual_model(ui.api.knowledge().catalog, usual.domain);
    if (model == nullptr) continue;
    const bool on = ui.computed.facts.group == usual.domain;
    if (chip(ui, "###domain-" + std::string(usual.domain), flow,
             ui.tr("ui.o.domain." + std::string(usual.domain)), on) &&
        !on) {
      ui.act(pick_of(ui.api.knowledge().catalog, *model));
    }
  }
  if (chip(ui, "###domain-timed", flow, ui.tr("ui.o.domain.timed"),
           ui.computed.facts.group == "timed")) {
    ui.set(FieldId::kSource, "measured");
    ui.set(FieldId::kKind, "train");
    ui.act(GoStep{Step::kModel});
  }
  ImGui::EndDisabled();
  return flow.bottom();
}

}  // namespace xuanka::web
