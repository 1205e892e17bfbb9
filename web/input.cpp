#include <algorithm>
#include <cmath>

#include "imgui_internal.h"
#include "web/widgets.hpp"

namespace xuanka::web {
namespace {

int resize_text(ImGuiInputTextCallbackData* data) {
  if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
    auto* text = static_cast<std::string*>(data->UserData);
    text->resize(static_cast<std::size_t>(data->BufTextLen));
    data->Buf = text->data();
  }
  return 0;
}

void box(const Ui& ui, const Rect& r, bool hovered, bool bad) {
  fill(ui, r, ui.color(Color::kPanel), 8);
  frame(ui, r, ui.color(bad ? Color::kBad : hovered ? Color::kAccent : Color::kLine), 8);
}

std::string option_label(const Ui& ui, const FieldSpec& f, std::string_view word) {
  const std::string key = "ui.o." + std::string(f.option_set) + "." + std::string(word);
  if (ui.has(key)) return ui.tr(key);
  return ui.api.messages().word(ui.lang, word);
}

// One step up or down: by a fixed amount, or doubling and halving.
std::string stepped(const FieldSpec& f, const std::string& text, std::string_view placeholder,
                    bool up) {
  const auto now =
      read_number(text.empty() ? std::string_view(placeholder) : std::string_view(text));
  double value = now.value_or(f.step_by < 0 ? 1 : 0);
  if (!now) return number_text(value == 0 ? f.step_by : value);
  if (f.step_by < 0) {
    value = up ? value * 2 : value / 2;
    if (value < 1) value = 1;
    return number_text(std::floor(value));
  }
  value = up ? value + f.step_by : value - f.step_by;
  return number_text(std::max(value, f.step_by));
}

float number_input(const Ui& ui, const FieldSpec& f, const Rect& r, const InputStyle& style,
                   bool bad) {
  const std::string unit = !style.unit.empty() ? style.unit
                           : f.unit.empty()    ? ""
                                               : ui.tr("ui.u." + std::string(f.unit));
  const std::string placeholder = style.placeholder.empty() ? ui.tr("ui.auto") : style.placeholder;
  const std::string raw = ui.state.text(f.id);
  const float steps = f.step_by != 0 ? ui.u(ui.fingers() ? 76 : 52) : 0;
  const float unit_width =
      unit.empty() || (raw.empty() && steps > 0) ? 0 : text_width(ui, unit, 13) + ui.u(11);
  ImGui::PushID(std::string(f.key).c_str());
  const bool typing = ImGui::GetActiveID() == ImGui::GetID("###text");
  std::string text = typing ? raw : shown_number(raw);
  if (text_box(ui, "###text", r, text, placeholder,
               {.key = std::string(f.key),
                .title = field_label(ui, f.id),
                .value = raw,
                .unit = unit,
                .hint = placeholder},
               steps + unit_width, bad)) {
    ui.set(f.id, text);
  }
  if (unit_width > 0) {
    draw_line(ui, {r.right() - steps - unit_width, r.y, unit_width - ui.u(11), r.h}, unit,
              {.size = 13, .color = Color::kDim});
  }
  if (steps > 0) {
    const float half = steps / 2;
    for (const bool up : {false, true}) {
      const Rect cell{r.right() - steps + (up ? half : 0) - ui.u(2), r.y, half, r.h};
      const Hit h = hit(ui, up ? "###more" : "###less", cell.inset(ui.u(1), ui.u(4)), 6);
      if (h.hovered) fill(ui, cell.inset(ui.u(1), ui.u(4)), ui.color(Color::kAccentSoft), 6);
      draw_icon(ui, up ? Icon::kPlus : Icon::kMinus,
                ImVec2(cell.x + cell.w / 2, cell.y + cell.h / 2), 9, ui.color(Color::kDim));
      if (h.pressed) ui.set(f.id, stepped(f, raw, style.placeholder, up));
    }
  }
  ImGui::PopID();
  return r.bottom();
}

float choice_input(const Ui& ui, const FieldSpec& f, const Rect& r, const InputStyle& style) {
  const auto options = field_options(ui, f.id, !style.required);
  const std::string& value = ui.state.text(f.id);
  std::string shown = value;
  for (const Option& o : options) {
    if (o.value == value)
      shown = value.empty() && !style.placeholder.empty() ? style.placeholder : o.label;
  }
  if (const auto chosen = select_box(ui, "###" + std::string(f.key), r, shown, "", options, value))
    ui.set(f.id, *chosen);
  return r.bottom();
}

float words_input(const Ui& ui, const FieldSpec& f, float x, float y, float width) {
  Flow flow(x, y, width, ui.u(6), ui.u(ui.fingers() ? 36 : 26));
  const auto chosen = ui.state.many(f.id);
  ImGui::PushID(std::string(f.key).c_str());
  for (const std::string_view word : f.options) {
    const bool on = std::find(chosen.begin(), chosen.end(), word) != chosen.end();
    if (chip(ui, "###" + std::string(word), flow, option_label(ui, f, word), on))
      ui.act(ToggleWord{f.id, std::string(word)});
  }
  ImGui::PopID();
  return flow.bottom();
}

}  // namespace

bool matches(const Option& option, std::string_view filter) {
  std::string all = option.label + "\n" + option.value + "\n" + option.detail, word;
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  std::transform(all.begin(), all.end(), all.begin(), lower);
  for (std::size_t i = 0; i <= filter.size(); ++i) {
    if (i < filter.size() && filter[i] != ' ') {
      word += lower(filter[i]);
    } else if (!word.empty()) {
      if (all.find(word) == std::string::npos) return false;
      word.clear();
    }
  }
  return true;
}

std::vector<Option> field_options(const Ui& ui, FieldId id, bool automatic) {
  const FieldSpec& f = spec(id);
  std::vector<Option> options;
  if (automatic) options.push_back({"", ui.tr("ui.auto"), ""});
  if (f.kind == FieldKind::kSwitch) {
    options.push_back({"1", ui.tr("ui.on"), ""});
    options.push_back({"0", ui.tr("ui.off"), ""});
  }
  for (const std::string_view word : f.options)
    options.push_back({std::string(word), option_label(ui, f, word), ""});
  return options;
}

std::string field_label(const Ui& ui, FieldId id) {
  return ui.tr("ui.f." + std::string(spec(id).key));
}

std::string with_lock(const Ui& ui, FieldId id, const std::string& label) {
  return ui.state.locked(id) ? ui.trf("ui.locked", {{"field", label}}) : label;
}

std::string shown_number(std::string_view text) {
  const auto value = read_number(text);
  if (!value || text.find_first_not_of("0123456789.") == std::string_view::npos) {
    if (!value || *value < 1e6) return std::string(text);
  }
  // Short only when nothing is lost by it.
  const std::string brief = format_si(*value, 6);
  return read_number(brief) == value ? brief : std::string(text);
}

bool text_box(const Ui& ui, std::string_view id, const Rect& r, std::string& text,
              std::string_view placeholder, const SheetRequest& sheet, float suffix_width,
              bool bad) {
  const float pad = ui.u(11);
  if (ui.platform.touch()) {
    const Hit h = hit(ui, id, {r.x, r.y, r.w - suffix_width, r.h});
    box(ui, r, h.hovered, bad);
    const Rect room{r.x + pad, r.y, r.w - suffix_width - pad - (suffix_width > 0 ? ui.u(2) : pad),
                    r.h};
    draw_line(ui, room, text.empty() ? placeholder : std::string_view(text),
              {.color = text.empty() ? Color::kDim : Color::kText});
    if (h.pressed) ui.platform.open_sheet(sheet);
    return false;
  }
  const std::string name(id), hint(placeholder);
  const bool typing = ImGui::GetActiveID() == ImGui::GetID(name.c_str());
  box(ui, r,
      typing || ImGui::IsMouseHoveringRect(ImVec2(r.x, r.y),
                                           ImVec2(r.right() - suffix_width, r.bottom())),
      bad);
  ImGui::SetCursorScreenPos(ImVec2(r.x, r.y));
  ImGui::SetNextItemWidth(r.w - suffix_width);
  ImGui::PushFont(ui.regular, ui.u(kBodySize));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(pad, (r.h - ui.u(kBodySize)) / 2));
  const bool changed = ImGui::InputTextWithHint(
      name.c_str(), hint.c_str(), text.data(), text.capacity() + 1,
      ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_AutoSelectAll, resize_text, &text);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  tab_stop(ui);
  note_text(ui, {r.x + pad, r.y, r.w - suffix_width - pad, r.h},
            text.empty() ? placeholder : std::string_view(text), kBodySize);
  if (ImGui::IsItemActive())
    frame(ui, r.inset(-1, -1), ui.color(bad ? Color::kBad : Color::kAccent), 9,
          ui.theme.focus_ring);
  return changed;
}

bool multiline_box(const Ui& ui, std::string_view id, const Rect& r, std::string& text) {
  ImGui::SetCursorScreenPos(ImVec2(r.x, r.y));
  ImGui::PushFont(ui.regular, ui.u(kSmallSize));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.u(11), ui.u(8)));
  const bool changed = ImGui::InputTextMultiline(
      std::string(id).c_str(), text.data(), text.capacity() + 1, ImVec2(r.w, r.h),
      ImGuiInputTextFlags_CallbackResize, resize_text, &text);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  tab_stop(ui);
  if (ImGui::IsItemActive())
    frame(ui, r.inset(-1, -1), ui.color(Color::kAccent), 9, ui.theme.focus_ring);
  return changed;
}

std::optional<std::string> select_box(const Ui& ui, std::string_view id, const Rect& r,
                                      std::string_view shown, std::string_view detail,
                                      const std::vector<Option>& options, std::string_view chosen,
                                      bool searchable) {
  std::optional<std::string> result;
  const std::string name(id), popup = name + "-list";
  const Hit h = hit(ui, id, r);
  box(ui, r, h.hovered, false);
  const float pad = ui.u(11), arrow = ui.u(18);
  const float detail_width = detail.empty() ? 0 : text_width(ui, detail, 13) + ui.u(8);
  draw_line(ui, {r.x + pad, r.y, r.w - 2 * pad - arrow - detail_width, r.h}, shown);
  if (!detail.empty()) {
    draw_line(ui, {r.right() - pad - arrow - detail_width + ui.u(8), r.y, detail_width, r.h},
              detail, {.size = 13, .color = Color::kDim});
  }
  draw_icon(ui, Icon::kDown, ImVec2(r.right() - pad - ui.u(4), r.y + r.h / 2), 8,
            ui.color(Color::kDim));
  if (h.pressed) ImGui::OpenPopup(popup.c_str());
  if (!ImGui::IsPopupOpen(popup.c_str())) return result;

  const float line = ui.u(ui.fingers() ? 44 : 32), inset = ui.u(6),
              search = searchable ? line + ui.u(8) : 0;
  const float wanted = line * static_cast<float>(options.size()) + search + 2 * inset + ui.u(2);
  const float below = ui.height - r.bottom() - ui.u(12), above = r.y - ui.u(12);
  const bool down = below >= std::min(wanted, ui.u(220)) || below >= above;
  const float height = std::min({wanted, ui.u(420), down ? below : above});
  ImGui::SetNextWindowPos(ImVec2(r.x, down ? r.bottom() + ui.u(4) : r.y - ui.u(4) - height));
  ImGui::SetNextWindowSize(
      ImVec2(std::max(r.w, std::min(ui.u(200), ui.width - r.x - ui.u(8))), height));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(inset, inset));
  if (ImGui::BeginPopup(popup.c_str(), ImGuiWindowFlags_NoMove)) {
    std::string& filter = ui.log.popup_filter;
    if (ImGui::IsWindowAppearing()) filter.clear();
    const float w = ImGui::GetContentRegionAvail().x;
    if (searchable) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      if (ImGui::IsWindowAppearing() && !ui.platform.touch()) ImGui::SetKeyboardFocusHere();
      text_box(ui, "###search", {at.x, at.y, w, line}, filter, ui.tr("ui.search"),
               {.key = "popup_filter",
                .title = ui.tr("ui.search"),
                .value = filter,
                .unit = "",
                .hint = "",
                .kind = SheetRequest::Kind::kText});
      ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + line + ui.u(8)));
    }
    for (const Option& option : options) {
      if (searchable && !matches(option, filter)) continue;
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const Rect row{at.x, at.y, w, line};
      const Hit press = hit(ui, "###" + option.value, row, 6);
      const bool on = option.value == chosen;
      if (on || press.hovered) fill(ui, row, ui.color(Color::kAccentSoft), 6);
      const float side =
          option.detail.empty() ? 0 : text_width(ui, option.detail, kSmallSize) + ui.u(10);
      draw_line(ui, {row.x + ui.u(8), row.y, row.w - ui.u(16) - side, row.h}, option.label,
                {.size = 14,
                 .face = on ? Face::kBold : Face::kRegular,
                 .color = on ? Color::kAccent : Color::kText});
      draw_line(ui, {row.right() - side - ui.u(4), row.y, side, row.h}, option.detail,
                {.size = kSmallSize, .color = on || press.hovered ? Color::kText : Color::kDim});
      ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + line));
      if (on && ImGui::IsWindowAppearing()) ImGui::SetItemDefaultFocus();
      if (press.pressed) {
        result = option.value;
        ImGui::CloseCurrentPopup();
      }
    }
    ImGui::Dummy(ImVec2(1, 1));
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  return result;
}

float field_input(const Ui& ui, FieldId id, float x, float y, float width,
                  const InputStyle& style) {
  const FieldSpec& f = spec(id);
  const std::string label = style.label.empty() ? field_label(ui, id) : style.label;
  if (label != "-") {
    const std::string help_key = "ui.h." + std::string(f.key);
    const Rect room{x, y, width, ui.u(19)};
    const float w =
        draw_line(ui, room, with_lock(ui, id, label), {.size = 13, .color = Color::kDim});
    if (ui.has(help_key)) {
      ImGui::SetCursorScreenPos(ImVec2(x, y));
      ImGui::Dummy(ImVec2(std::min(w, width), ui.u(19)));
      tooltip(ui, ui.tr(help_key));
    }
    y += ui.u(24);
  }
  const std::string error = field_error(ui.api.messages(), ui.lang, ui.computed, id);
  const Rect r{x, y, width, ui.u(ui.fingers() ? 44 : 39)};
  const bool locked = ui.state.locked(id);
  ImGui::BeginDisabled(locked);
  switch (f.kind) {
    case FieldKind::kChoice:
    case FieldKind::kSwitch:
      y = choice_input(ui, f, r, style);
      break;
    case FieldKind::kMany:
      y = words_input(ui, f, x, y, width);
      break;
    case FieldKind::kNumber:
      y = number_input(ui, f, r, style, !error.empty());
      break;
    case FieldKind::kText:
    case FieldKind::kLong: {
      std::string text = ui.state.text(id);
      const auto kind =
          f.kind == FieldKind::kLong ? SheetRequest::Kind::kLongText : SheetRequest::Kind::kText;
      if (text_box(ui, "###" + std::string(f.key), r, text, style.placeholder,
                   {.key = std::string(f.key),
                    .title = label,
                    .value = text,
                    .unit = "",
                    .hint = "",
                    .kind = kind},
                   0, !error.empty()))
        ui.set(id, text);
      y = r.bottom();
      break;
    }
  }
  ImGui::EndDisabled();
  if (!error.empty())
    y += ui.u(4) +
         draw_wrapped(ui, x, y + ui.u(4), width, error, {.size = kSmallSize, .color = Color::kBad});
  return y;
}

}  // namespace xuanka::web
