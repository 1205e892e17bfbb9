// Step 4: what was asked and what was assumed, in sentences, with the ways to take it along.
#include "web/views.hpp"

namespace xuanka::web {
namespace {

float paragraph(const Ui& ui, float x, float y, float width, std::string_view title,
                std::string_view text) {
  if (text.empty()) return y;
  draw_line(ui, {x, y, width, ui.u(19)}, title, {.size = 13, .color = Color::kDim});
  return y + ui.u(22) + draw_wrapped(ui, x, y + ui.u(22), width, text, {.size = 14}) + ui.u(12);
}

std::string constraints_line(const Ui& ui) {
  std::string out;
  const auto add = [&](const std::string& part) {
    out += (out.empty() ? "" : ui.tr("ui.list_separator")) + part;
  };
  if (ui.computed.view.deadline_hours)
    add(ui.trf("ui.summary.deadline", {{"hours", *ui.computed.view.deadline_hours}}));
  if (ui.computed.request && ui.computed.request->decision.budget) {
    const Money& budget = *ui.computed.request->decision.budget;
    add(ui.trf("ui.summary.budget", {{"money", format_money(budget)}}));
  }
  add(ui.tr("ui.o.acquire." + ui.state.text(FieldId::kAcquire)));
  std::string counts;
  for (const std::string& count : ui.state.many(FieldId::kCounts))
    counts += (counts.empty() ? "" : ", ") + count;
  add(ui.trf("ui.summary.counts", {{"counts", counts}}));
  return out;
}

// What stands for an entry that was left to the tool; empty where there is nothing short to say.
std::string assumed_value(const Ui& ui, std::string_view path) {
  if (!ui.computed.request || !ui.computed.candidate) return "";
  const Request& request = *ui.computed.request;
  const Candidate& c = ui.computed.report.candidates[*ui.computed.candidate];
  const Plan& plan = c.planned.plan;
  const auto word = [&](auto value) { return ui.api.messages().word(ui.lang, name_of(value)); };
  if (path == "as_of")
    return request.as_of.empty() ? ui.api.knowledge().catalog.data_date : request.as_of;
  if (path == "workload.micro_batch") return number_text(plan.micro_batch);
  if (path == "workload.global_batch") return number_text(plan.global_batch());
  if (path == "workload.recompute") return word(plan.recompute);
  if (path == "workload.precision") return word(c.job.precision);
  if (path == "workload.optimizer") return word(c.job.optimizer);
  if (path == "workload.seq_len") return number_text(c.job.seq_len);
  if (path == "workload.lora.rank") return number_text(c.job.lora.rank);
  if (path == "workload.lora.targets") return word(c.job.lora.targets);
  if (path == "workload.lora.base") return c.job.lora.base ? word(*c.job.lora.base) : "";
  if (path == "hardware.network_gbit_s")
    return number_text(request.hardware.network_gbit_s) + " Gbit/s";
  if (path == "hardware.gpus") return ui.tr("ui.all");
  if (path == "hardware.gpus_per_node")
    return request.hardware.gpus_per_node ? std::to_string(*request.hardware.gpus_per_node) : "";
  if (path == "hardware.link") return ui.tr("ui.auto");
  return "";
}

// The entries left to the tool with what was taken for them; a click leads to the input.
float assumptions(const Ui& ui, float x, float y, float width) {
  const auto& assumed = ui.computed.report.assumed;
  if (assumed.empty() || !ui.computed.current) return y;
  draw_line(ui, {x, y, width, ui.u(19)},
            ui.trf("ui.assumed_n", {{"n", static_cast<double>(assumed.size())}}),
            {.size = 13, .color = Color::kDim});
  const float line = ui.u(ui.fingers() ? 34 : 25);
  Flow flow(x, y + ui.u(25), width, ui.u(6), line);
  for (const std::string& path : assumed) {
    const std::string key = "field." + path;
    const std::string name = ui.has(key) ? ui.tr(key) : path, value = assumed_value(ui, path);
    const float label = text_width(ui, name, 12), own = text_width(ui, value, 12, Face::kBold);
    const Rect r = flow.next(label + own + ui.u(value.empty() ? 16 : 21));
    const FieldSpec* field = field_by_path(path);
    const Hit h = field != nullptr ? hit(ui, "###assumed-" + path, r, 6) : Hit{};
    fill(ui, r, ui.color(h.hovered ? Color::kAccentSoft : Color::kTrack), 6);
    draw_line(ui, {r.x + ui.u(8), r.y, label + 1, r.h}, name, {.size = 12});
    draw_line(ui, {r.x + ui.u(13) + label, r.y, own + 1, r.h}, value,
              {.size = 12, .face = Face::kBold});
    if (!h.pressed) continue;
    if (field->more) ui.act(ShowMore{true});
    ui.act(GoStep{field->step});
  }
  return flow.bottom() + ui.u(14);
}

}  // namespace

float view_summary(const Ui& ui, float x, float y, float width) {
  const ViewModel& view = ui.computed.view;
  y = paragraph(ui, x, y, width, ui.tr("ui.step.job"),
                ui.tr("ui.kind." + ui.state.text(FieldId::kKind)));
  y = paragraph(ui, x, y, width, ui.tr("ui.f.m"), view.model_line);
  y = paragraph(ui, x, y, width, ui.tr("ui.step.data"), view.data_line);
  y = paragraph(ui, x, y, width, ui.tr("ui.step.constraints"), constraints_line(ui));
  y = assumptions(ui, x, y, width);
  const float gap = ui.u(8), half = (width - gap) / 2, h = ui.u(ui.fingers() ? 44 : 34);
  std::size_t i = 0;
  for (const std::string_view way : {"markdown", "copy-csv", "copy-json", "print"}) {
    const float left = x + (half + gap) * static_cast<float>(i % 2);
    if (button(ui, "###" + std::string(way), {left, y, half, h},
               ui.tr("ui.share." + std::string(way))))
      do_share(ui, way);
    if (++i % 2 == 0) y += h + gap;
  }
  return y - gap;
}

}  // namespace xuanka::web
