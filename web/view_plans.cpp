// The table of every candidate; on phones, cards.
#include <algorithm>
#include <cmath>

#include "web/views.hpp"

namespace xuanka::web {
namespace {

constexpr std::size_t kFirstRows = 8;

const CandidateRow& row_at(const Ui& ui, std::size_t i) { return ui.computed.view.rows[i]; }
const RowWords& words_at(const Ui& ui, std::size_t i) {
  return ui.computed.words(ui.api, ui.lang, i);
}

// Full width of the interval column: the deadline stands at 60 % of it, as long as most plans are
// near it.
double hours_scale(const Ui& ui) {
  if (ui.computed.view.deadline_hours) return *ui.computed.view.deadline_hours / 0.6;
  double most = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(ui.computed.view.rows.size(), 24); ++i)
    most = std::max(most, row_at(ui, i).hours_high.value_or(0));
  return most > 0 ? most : 1;
}

bool is_short_of_memory(const CandidateRow& row) { return row.verdict == Verdict::kDoesNotFit; }

// For what does not fit: the change that would help, one click to apply it.
void draw_change(const Ui& ui, const Rect& r, std::size_t i) {
  const RowWords& words = words_at(ui, i);
  const auto& changes = ui.computed.report.candidates[i].changes;
  if (words.change.empty() || changes.empty()) {
    draw_line(ui, r, "—", {.size = kTableSize, .color = Color::kDim, .align = Align::kRight});
    return;
  }
  const float w = std::min(text_width(ui, words.change, 13), r.w);
  const Rect area{r.right() - w, r.y + ui.u(4), w, r.h - ui.u(8)};
  const Hit h = hit(ui, "###change", area, 4);
  draw_line(ui, area, words.change,
            {.size = 13, .color = h.hovered ? Color::kText : Color::kAccent});
  tooltip(ui, ui.trf("ui.apply_change", {{"change", words.change}}));
  if (h.pressed) ui.act(ApplyChange{changes[0].path, changes[0].value});
}

void draw_hours(const Ui& ui, const Rect& r, std::size_t i) {
  const CandidateRow& row = row_at(ui, i);
  if (is_short_of_memory(row)) return draw_change(ui, r, i);
  const RowWords& words = words_at(ui, i);
  if (!row.hours) {
    // The column says what it is a rate of: where room is short the number alone stands.
    std::string_view rate = words.rate.empty() ? std::string_view("—") : words.rate;
    if (text_width(ui, rate, kTableSize) > r.w) rate = rate.substr(0, rate.find(' '));
    draw_line(ui, r, rate, {.size = kTableSize, .color = Color::kDim, .align = Align::kRight});
    return;
  }
  const float number = std::max(ui.u(36), text_width(ui, row.hours_text, kTableSize));
  const float mark = std::min(ui.u(120), r.w - number - ui.u(10));
  const Rect area{r.right() - mark, r.y + r.h / 2 - ui.u(7), mark, ui.u(14)};
  const double scale = hours_scale(ui);
  const auto at = [&](const std::optional<double>& hours) {
    return static_cast<float>(hours.value_or(0) / scale);
  };
  draw_line(ui, {r.x, r.y, r.w - mark - ui.u(10), r.h}, row.hours_text,
            {.size = kTableSize, .align = Align::kRight});
  interval_mark(ui, area, at(row.hours_low), at(row.hours), at(row.hours_high),
                ui.computed.view.deadline_hours
                    ? static_cast<float>(*ui.computed.view.deadline_hours / scale)
                    : -1);
  ImGui::SetCursorScreenPos(ImVec2(r.x, r.y));
  ImGui::Dummy(ImVec2(r.w, r.h));
  tooltip(ui, words.hours_range + (words.plan.empty() ? "" : "\n" + words.plan));
}

void draw_memory(const Ui& ui, const Rect& r, std::size_t i) {
  const CandidateRow& row = row_at(ui, i);
  const float number = ui.u(38), bar = std::max(ui.u(30), std::min(ui.u(110), r.w - number));
  const Color color = row.memory_verdict == MemoryVerdict::kDoesNotFit ? Color::kBad
                      : row.memory_verdict == MemoryVerdict::kTight    ? Color::kWarn
                                                                       : Color::kSeries1;
  memory_bar(ui, {r.right() - number - bar, r.y + r.h / 2 - ui.u(5), bar, ui.u(10)},
             row.usable_gib > 0 ? static_cast<float>(row.memory_gib / row.usable_gib) : 0, color);
  draw_line(ui, {r.right() - number, r.y, number, r.h}, row.memory_text,
            {.size = kTableSize, .align = Align::kRight});
  ImGui::SetCursorScreenPos(ImVec2(r.x, r.y));
  ImGui::Dummy(ImVec2(r.w, r.h));
  tooltip(ui, words_at(ui, i).memory);
}

void draw_verdict(const Ui& ui, const Rect& r, std::size_t i) {
  const Pill& p = row_at(ui, i).verdict_pill;
  const float w = pill_width(ui, p.text, p.tone);
  if (w > r.w + ui.u(8)) {
    draw_line(ui, r, p.text, {.size = kTableSize, .color = tone_color(p.tone)});
  } else {
    pill_at(ui, r.x, r.y + r.h / 2, p.text, p.tone);
  }
  if (p.detail.empty()) return;
  ImGui::SetCursorScreenPos(ImVec2(r.x, r.y));
  ImGui::Dummy(ImVec2(r.w, r.h));
  tooltip(ui, p.detail);
}

void select_row(const Ui& ui, std::size_t i) {
  const CandidateRow& row = row_at(ui, i);
  ui.set(FieldId::kSelected, row.recommended ? "" : row_name(row.gpu, row.count));
}

bool is_selected(const Ui& ui, std::size_t i) { return ui.computed.candidate == i; }

// A plan as a card: name and verdict, then time, cost, memory.
float plan_card(const Ui& ui, std::size_t i, float x, float y, float width) {
  const CandidateRow& row = row_at(ui, i);
  const bool on = is_selected(ui, i);
  const float pad = ui.u(14), line = ui.u(25);
  const Rect r{x, y, width, ui.u(34) + 3 * line + ui.u(12)};
  ImGui::PushID(static_cast<int>(i));
  const Hit h = hit(ui, "###plan", r, 12, true);
  fill(ui, r, ui.color(on ? Color::kAccentSoft : Color::kPanel), 12);
  frame(ui, r, ui.color(on || h.hovered ? Color::kAccent : Color::kLine), 12);
  const float verdict = pill_width(ui, row.verdict_pill.text, row.verdict_pill.tone);
  draw_line(ui, {x + pad, y + ui.u(12), width - 2 * pad - verdict - ui.u(8), ui.u(24)}, row.label,
            {.size = 15.5F, .face = Face::kBold});
  pill_at(ui, r.right() - pad - verdict, y + ui.u(24), row.verdict_pill.text,
          row.verdict_pill.tone);
  float at = y + ui.u(38);
  const auto entry = [&](std::string_view key, const std::string& value) {
    const float label = draw_line(ui, {x + pad, at, width / 2, line}, ui.tr(key),
                                  {.size = 13, .color = on ? Color::kText : Color::kDim});
    draw_line(ui, {x + pad + label + ui.u(8), at, width - 2 * pad - label - ui.u(8), line}, value,
              {.size = 13, .align = Align::kRight});
    at += line;
  };
  if (is_short_of_memory(row)) {
    const float label = draw_line(ui, {x + pad, at, width / 2, line}, ui.tr("ui.c.time"),
                                  {.size = 13, .color = on ? Color::kText : Color::kDim});
    draw_change(ui, {x + pad + label + ui.u(8), at, width - 2 * pad - label - ui.u(8), line}, i);
    at += line;
  } else {
    const RowWords& words = words_at(ui, i);
    entry("ui.c.time", row.hours
                           ? words.hours_range.empty()
                                 ? row.hours_text
                                 : ui.trf("ui.hours_with_range",
                                          {{"hours", row.hours_text}, {"range", words.hours_range}})
                           : words.rate);
  }
  entry("ui.c.cost", row.cost_text);
  draw_line(ui, {x + pad, at, width / 2, line}, ui.tr("ui.c.memory"),
            {.size = 13, .color = on ? Color::kText : Color::kDim});
  draw_memory(ui, {x + width / 2, at, width / 2 - pad, line}, i);
  if (h.pressed) select_row(ui, i);
  ImGui::PopID();
  return r.bottom();
}

// Units that the longest verdict takes. There are few different ones.
float verdict_width(const Ui& ui) {
  float width = 84;
  if (ui.regular == nullptr) return width;
  std::vector<std::string_view> seen;
  for (const CandidateRow& r : ui.computed.view.rows) {
    const std::string_view text = r.verdict_pill.text;
    if (std::find(seen.begin(), seen.end(), text) != seen.end()) continue;
    seen.push_back(text);
    width = std::max(width,
                     (pill_width(ui, r.verdict_pill.text, r.verdict_pill.tone) + 1) / ui.u(1) + 16);
  }
  return width;
}

constexpr float kWidestName = 216;  // units

// The name of a plan, without the remark in parentheses at its end where that would be too long.
std::string_view name_of_plan(const Ui& ui, const CandidateRow& row) {
  const std::string_view label = row.label;
  const std::size_t remark = label.rfind(" (");
  if (remark == label.npos || !label.ends_with(')')) return label;
  return text_width(ui, label, kTableSize) <= ui.u(kWidestName) ? label : label.substr(0, remark);
}

void draw_plan(const Ui& ui, const Rect& r, std::size_t i) {
  const CandidateRow& row = row_at(ui, i);
  const std::string_view name = name_of_plan(ui, row);
  draw_line(ui, r, name, {.size = kTableSize});
  if (name.size() == row.label.size()) return;
  ImGui::SetCursorScreenPos(ImVec2(r.x, r.y));
  ImGui::Dummy(ImVec2(r.w, r.h));
  tooltip(ui, row.label);
}

// Units that the longest name takes: long names are told by their bytes before they are measured.
float plan_width(const Ui& ui) {
  float width = 150;
  if (ui.regular == nullptr) return width;
  std::size_t longest = 0;
  for (const CandidateRow& r : ui.computed.view.rows)
    longest = std::max(longest, name_of_plan(ui, r).size());
  for (const CandidateRow& r : ui.computed.view.rows) {
    if (name_of_plan(ui, r).size() + 2 < longest) continue;
    width = std::max(width, text_width(ui, name_of_plan(ui, r), kTableSize) / ui.u(1) + 18);
  }
  return std::min(width, kWidestName + 18);
}

// Units that the longest price takes.
float cost_width(const Ui& ui) {
  std::string_view longest;
  for (const CandidateRow& r : ui.computed.view.rows) {
    if (r.cost_text.size() > longest.size()) longest = r.cost_text;
  }
  if (ui.regular == nullptr) return 60;
  return std::max(60.0F, text_width(ui, longest, kTableSize) / ui.u(1) + 18);
}

float show_all(const Ui& ui, std::size_t rows, float x, float y, float width) {
  const bool all = ui.state.all_rows;
  const std::string label =
      all ? ui.tr("ui.fewer_rows") : ui.trf("ui.all_rows", {{"n", static_cast<double>(rows)}});
  const float w = text_width(ui, label, 13) + ui.u(28), h = ui.u(ui.fingers() ? 44 : 32);
  if (button(ui, "###all", {x + (width - w) / 2, y, w, h}, label)) ui.act(ShowAllRows{!all});
  return y + h;
}

// Search, and a chip for each verdict there is: a click shows only those.
float filters(const Ui& ui, float x, float y, float width, std::size_t shown) {
  std::string text = ui.state.filter[static_cast<std::size_t>(ListId::kPlans)];
  const float h = ui.u(ui.fingers() ? 44 : 32), box = ui.phone() ? width : ui.u(230);
  if (text_box(ui, "###plan-search", {x, y, box, h}, text, ui.tr("ui.search_plans"),
               {.key = "filter:0",
                .title = ui.tr("ui.search_plans"),
                .value = text,
                .unit = "",
                .hint = "",
                .kind = SheetRequest::Kind::kText},
               text.empty() ? 0 : h)) {
    ui.act(SetFilter{ListId::kPlans, text});
  }
  if (!text.empty() && icon_button(ui, "###plan-search-clear", {x + box - h, y, h, h}, Icon::kCross,
                                   ui.tr("ui.clear_filter"), ButtonKind::kGhost))
    ui.act(SetFilter{ListId::kPlans, ""});
  const float chip_line = ui.u(ui.fingers() ? 36 : 26);
  const float left = ui.phone() ? x : x + box + ui.u(10);
  Flow flow(left, ui.phone() ? y + h + ui.u(8) : y + (h - chip_line) / 2, x + width - left, ui.u(6),
            chip_line);
  std::vector<std::string> seen;
  for (const CandidateRow& row : ui.computed.view.rows) {
    const std::string& verdict = row.verdict_pill.text;
    if (row.recommended || std::find(seen.begin(), seen.end(), verdict) != seen.end()) continue;
    seen.push_back(verdict);
    const bool on = text == verdict;
    if (chip(ui, "###verdict-" + std::string(name_of(row.verdict)), flow, verdict, on))
      ui.act(SetFilter{ListId::kPlans, on ? "" : verdict});
  }
  y = std::max(y + h, flow.bottom());
  if (text.empty()) return y;
  return y + ui.u(6) +
         draw_wrapped(
             ui, x, y + ui.u(6), width,
             ui.trf("ui.plans.shown", {{"n", static_cast<double>(shown)},
                                       {"all", static_cast<double>(ui.computed.view.rows.size())}}),
             {.size = kSmallSize, .color = Color::kDim});
}

}  // namespace

Table plans_table(const Ui& ui) {
  const auto row = [&ui](std::size_t i) -> const CandidateRow& { return row_at(ui, i); };
  const std::string hours =
      ui.computed.view.deadline_hours
          ? ui.trf("ui.c.hours_line", {{"hours", *ui.computed.view.deadline_hours}})
          : ui.tr(ui.computed.facts.inference ? "ui.c.rate" : "ui.c.hours");
  const float verdict = verdict_width(ui), plan = plan_width(ui), cost = cost_width(ui);
  Table table{ListId::kPlans, "plans", ui.tr("ui.t.plans"), {}, ui.computed.view.rows.size()};
  table.columns = {
      {ui.tr("ui.c.plan"), Align::kLeft, plan, 0, [=](std::size_t i) { return row(i).label; },
       nullptr, draw_plan},
      {ui.tr("ui.c.verdict"), Align::kLeft, verdict, 0,
       [=](std::size_t i) { return row(i).verdict_pill.text; },
       [=](std::size_t i) -> std::optional<double> { return -static_cast<double>(row(i).verdict); },
       draw_verdict},
      {hours, Align::kRight, 186, 0,
       [=, &ui](std::size_t i) {
         return is_short_of_memory(row(i)) ? words_at(ui, i).change : row(i).hours_text;
       },
       [=](std::size_t i) { return row(i).hours; }, draw_hours, nullptr, 118},
      {ui.tr("ui.c.cost"), Align::kRight, std::max(72.0F, cost), 0,
       [=](std::size_t i) { return row(i).cost_text; }, [=](std::size_t i) { return row(i).cost; },
       nullptr, [&ui](std::size_t i) { return words_at(ui, i).price; }, cost},
      {ui.tr("ui.c.memory"), Align::kRight, 170, 1,
       [=](std::size_t i) { return row(i).memory_text; },
       [=](std::size_t i) -> std::optional<double> { return row(i).memory_gib; }, draw_memory,
       nullptr, 92},
      {"MFU", Align::kRight, 60, 2, [=](std::size_t i) { return row(i).mfu_text; },
       [=](std::size_t i) { return row(i).mfu; }, nullptr, nullptr, 54},
      {ui.computed.view.flops_unit, Align::kRight, 78, 3,
       [=](std::size_t i) { return row(i).pflop_text; },
       [=](std::size_t i) { return row(i).pflop_per_money; }, nullptr, nullptr, 71},
      {ui.computed.view.memory_unit, Align::kRight, 74, 4,
       [=](std::size_t i) { return row(i).gb_text; },
       [=](std::size_t i) { return row(i).gb_per_money; }, nullptr, nullptr, 66},
      {ui.tr("ui.c.cores"), Align::kRight, 62, 5, [=](std::size_t i) { return row(i).cores_text; },
       [=](std::size_t i) { return read_number(row(i).cores_text); }},
      {ui.tr("ui.c.ram"), Align::kRight, 76, 6, [=](std::size_t i) { return row(i).ram_text; },
       [=](std::size_t i) { return read_number(row(i).ram_text); }},
  };
  return table;
}

float view_plans(const Ui& ui, float x, float y, float width) {
  const Table table = plans_table(ui);
  auto order = table_order(table, ui.state);
  const std::size_t all = order.size();
  if (!ui.state.all_rows) order.resize(std::min(order.size(), kFirstRows));
  ImGui::PushID("plans");
  if (!ui.state.text(FieldId::kCompare).empty())
    y = view_compare(ui, x, y + ui.u(12), width) + ui.u(6);
  if (ui.computed.view.rows.size() > kFirstRows)
    y = filters(ui, x, y + ui.u(12), width, all) + ui.u(4);
  if (ui.phone()) {
    y += ui.u(10);
    for (const std::size_t i : order) y = plan_card(ui, i, x, y, width) + ui.u(10);
  } else {
    y = draw_table(ui, table, order, x, y, width,
                   {.selected = [&](std::size_t i) { return is_selected(ui, i); },
                    .pressed = [&](std::size_t i) { select_row(ui, i); }});
  }
  if (all > kFirstRows) y = show_all(ui, all, x, y + ui.u(8), width);
  const float gap = ui.u(14);
  y += gap;
  if (ui.layout == Layout::kPhone || width < ui.u(640)) {
    y = chart_hours(ui, x, y, width) + gap;
    y = chart_memory(ui, x, y, width);
  } else {
    const float half = (width - gap) / 2;
    const float left = chart_hours(ui, x, y, half);
    y = std::max(left, chart_memory(ui, x + half + gap, y, half));
  }
  ImGui::PopID();
  return y;
}

}  // namespace xuanka::web
