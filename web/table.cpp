#include "web/table.hpp"

#include <algorithm>
#include <numeric>

#include "web/request.hpp"
#include "xuanka/base/sort.hpp"

namespace xuanka::web {
namespace {

struct Placed {
  const Column* column;
  float x, width;
};

// The columns that fit, with their places. Room that is short is taken from what columns can spare
// first, then the least important go; what is left over goes to all, most of it to the first.
std::vector<Placed> place(const Ui& ui, const Table& table, float x, float width) {
  std::vector<const Column*> shown;
  for (const Column& c : table.columns) shown.push_back(&c);
  const auto least = [&](const Column* c) { return ui.u(c->least > 0 ? c->least : c->width); };
  const auto sum = [&](const auto& size) {
    float all = 0;
    for (const Column* c : shown) all += size(c);
    return all;
  };
  while (sum(least) > width && shown.size() > 2) {
    auto worst = shown.end();
    for (auto it = shown.begin() + 1; it != shown.end(); ++it) {
      if (worst == shown.end() || (*it)->priority >= (*worst)->priority) worst = it;
    }
    shown.erase(worst);
  }
  const float tight = sum(least), wanted = sum([&](const Column* c) { return ui.u(c->width); });
  const float give =
      wanted > tight ? std::clamp((width - tight) / (wanted - tight), 0.0F, 1.0F) : 1;
  const float spare = std::max(0.0F, width - wanted);
  const float each = spare * 0.6F / static_cast<float>(shown.size());
  std::vector<Placed> placed;
  float at = x;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const float w = least(shown[i]) + (ui.u(shown[i]->width) - least(shown[i])) * give + each +
                    (i == 0 ? spare * 0.4F : 0);
    placed.push_back({shown[i], at, w});
    at += w;
  }
  return placed;
}

void draw_head(const Ui& ui, const Table& table, const std::vector<Placed>& columns, float y,
               float height) {
  const bool sorts = table.list != ListId::kCount_;
  const SortOrder order = sorts ? ui.state.sort[static_cast<std::size_t>(table.list)] : SortOrder{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Placed& p = columns[i];
    const Rect cell{p.x, y, p.width, height};
    const int number = static_cast<int>(p.column - table.columns.data());
    const Hit h = sorts
                      ? hit(ui, "###head" + std::to_string(number), cell.inset(ui.u(2), ui.u(4)), 4)
                      : Hit{};
    if (h.pressed) ui.act(SortBy{table.list, number});
    const bool sorted = sorts && order.column == number;
    const float mark = sorted ? ui.u(12) : 0;
    Rect room = cell.inset(ui.u(8), 0);
    if (sorted) {
      const float ix = p.column->align == Align::kRight
                           ? room.right() - ui.u(4)
                           : room.x + text_width(ui, p.column->title, 12) + ui.u(8);
      draw_icon(ui, order.descending ? Icon::kDown : Icon::kUp,
                ImVec2(std::min(ix, room.right() - ui.u(2)), y + height / 2), 7,
                ui.color(Color::kAccent));
      room.w -= mark;
    }
    draw_line(ui, room, p.column->title,
              {.size = 12,
               .color = sorted || h.hovered ? Color::kText : Color::kDim,
               .align = p.column->align});
    if (sorts) tooltip(ui, p.column->title);
  }
}

void draw_row(const Ui& ui, const std::vector<Placed>& columns, std::size_t row, const Rect& r,
              bool selected, const TableEvents& events) {
  const Hit h = hit(ui, "###row", {r.x, r.y, r.w, r.h - 1}, 4, true);
  if (selected || h.hovered)
    fill(ui, {r.x, r.y, r.w, r.h - 1}, ui.color(Color::kAccentSoft, selected ? 1 : 0.5F));
  if (h.pressed && events.pressed) events.pressed(row);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Placed& p = columns[i];
    const Rect cell{p.x + ui.u(8), r.y, p.width - ui.u(16), r.h};
    if (p.column->draw) {
      ImGui::PushID(static_cast<int>(i));
      p.column->draw(ui, cell, row);
      ImGui::PopID();
    } else {
      const std::string text = p.column->text(row);
      draw_line(ui, cell, text,
                {.size = kTableSize,
                 .color = text == "—" ? Color::kDim : Color::kText,
                 .align = p.column->align});
    }
    if (!p.column->hint ||
        !ImGui::IsMouseHoveringRect(ImVec2(cell.x, cell.y), ImVec2(cell.right(), cell.bottom())))
      continue;
    ImGui::SetCursorScreenPos(ImVec2(cell.x, cell.y));
    ImGui::Dummy(ImVec2(cell.w, cell.h));
    tooltip(ui, p.column->hint(row));
  }
}

std::string csv_cell(const std::string& text) {
  // A leading = + - @ would be run as a formula by spreadsheets; figures stay as they are.
  const bool formula =
      !text.empty() && std::string("=+-@").find(text[0]) != std::string::npos && !read_number(text);
  if (!formula && text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = formula ? "\"'" : "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

}  // namespace

std::vector<std::size_t> table_order(const Table& table, const State& state) {
  std::vector<std::size_t> order;
  if (table.list == ListId::kCount_) {
    order.resize(table.rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
  }
  const std::string& filter = state.filter[static_cast<std::size_t>(table.list)];
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (!filter.empty()) {
      Option all;
      for (const Column& c : table.columns) all.label += c.text(row) + " ";
      if (!matches(all, filter)) continue;
    }
    order.push_back(row);
  }
  const SortOrder sort = state.sort[static_cast<std::size_t>(table.list)];
  if (sort.column < 0 || sort.column >= static_cast<int>(table.columns.size())) return order;
  const Column& by = table.columns[static_cast<std::size_t>(sort.column)];
  // Rows that are equal keep the order of the ranking, so that the order is total.
  const auto less = [&](std::size_t a, std::size_t b) {
    if (by.number) {
      const auto x = by.number(a), y = by.number(b);
      if (x.has_value() != y.has_value()) return x.has_value();  // without a figure: last
      if (x && *x != *y) return sort.descending ? *y < *x : *x < *y;
    } else {
      const std::string x = by.text(a), y = by.text(b);
      if (x != y) return sort.descending ? y < x : x < y;
    }
    return a < b;
  };
  sort_values(order, less);
  return order;
}

float draw_table(const Ui& ui, const Table& table, const std::vector<std::size_t>& order, float x,
                 float y, float width, const TableEvents& events) {
  const auto columns = place(ui, table, x, width);
  const float head = ui.u(37), line = ui.u(ui.fingers() ? 44 : 36.5F);
  ImGui::PushID(table.id.c_str());
  draw_head(ui, table, columns, y, head);
  y += head;
  hairline(ui, x, y - 1, width);
  // Only what is on screen is submitted; keyboard steps move through the list one screen at a time.
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  ImGuiListClipper clipper;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  clipper.Begin(static_cast<int>(order.size()), line);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const std::size_t row = order[static_cast<std::size_t>(i)];
      const Rect r{x, y + static_cast<float>(i) * line, width, line};
      ImGui::PushID(static_cast<int>(row));
      draw_row(ui, columns, row, r, events.selected && events.selected(row), events);
      ImGui::PopID();
      hairline(ui, x, r.bottom() - 1, width);
      ImGui::SetCursorScreenPos(ImVec2(x, r.bottom()));
    }
  }
  ImGui::PopStyleVar();
  ImGui::PopID();
  return y + line * static_cast<float>(order.size());
}

float draw_cards(const Ui& ui, const Table& table, const std::vector<std::size_t>& order, float x,
                 float y, float width, const TableEvents& events) {
  ImGui::PushID(table.id.c_str());
  const float pad = ui.u(14), line = ui.u(25);
  // Four figures tell a card apart, those that a narrow table would keep; the rest opens with it.
  const std::size_t lines = std::min<std::size_t>(table.columns.size() - 1, 4);
  std::vector<char> told(table.columns.size());
  std::size_t chosen = 0;
  for (int priority = 0; chosen < lines; ++priority) {
    for (std::size_t i = 1; i < told.size() && chosen < lines; ++i) {
      if (table.columns[i].priority != priority) continue;
      told[i] = 1;
      ++chosen;
    }
  }
  for (const std::size_t row : order) {
    const float height = ui.u(24) + 2 * ui.u(12) + line * static_cast<float>(lines);
    const Rect r{x, y, width, height};
    if (ui.visible(r) || ui.log.record_texts) {
      const bool selected = events.selected && events.selected(row);
      ImGui::PushID(static_cast<int>(row));
      const Hit h = hit(ui, "###row", r, 12, true);
      fill(ui, r, ui.color(selected ? Color::kAccentSoft : Color::kPanel), 12);
      frame(ui, r, ui.color(selected || h.hovered ? Color::kAccent : Color::kLine), 12);
      if (h.pressed && events.pressed) events.pressed(row);
      draw_line(ui, {x + pad, y + ui.u(12), width - 2 * pad, ui.u(24)}, table.columns[0].text(row),
                {.size = 15.5F, .face = Face::kBold});
      float at = y + ui.u(36);
      for (std::size_t i = 1; i < told.size(); ++i) {
        if (told[i] == 0) continue;
        const Column& c = table.columns[i];
        const float label = draw_line(ui, {x + pad, at, width / 2, line}, c.title,
                                      {.size = 13, .color = selected ? Color::kText : Color::kDim});
        const Rect cell{x + pad + label + ui.u(10), at, width - 2 * pad - label - ui.u(10), line};
        draw_line(ui, cell, c.text(row), {.size = 13, .align = Align::kRight});
        at += line;
      }
      ImGui::PopID();
    } else {
      ImGui::SetCursorScreenPos(ImVec2(x, y));
      ImGui::Dummy(ImVec2(width, height));
    }
    y += height + ui.u(10);
  }
  ImGui::PopID();
  return y - ui.u(10);
}

std::string table_csv(const Table& table, const std::vector<std::size_t>& order) {
  std::string out = "\xEF\xBB\xBF";  // spreadsheets need the mark to read UTF-8
  const auto line = [&](const std::function<std::string(const Column&)>& cell) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      out += (i > 0 ? "," : "") + csv_cell(cell(table.columns[i]));
    out += "\r\n";
  };
  line([](const Column& c) { return c.title; });
  for (const std::size_t row : order) line([&](const Column& c) { return c.text(row); });
  return out;
}

std::string table_markdown(const Table& table, const std::vector<std::size_t>& order,
                           std::size_t max_rows) {
  std::string out = "|";
  const auto escape = [](std::string text) {
    for (std::size_t i = 0; (i = text.find('|', i)) != std::string::npos; i += 2)
      text.insert(i, "\\");
    return text;
  };
  for (const Column& c : table.columns) out += " " + escape(c.title) + " |";
  out += "\n|";
  for (const Column& c : table.columns) out += c.align == Align::kRight ? "---:|" : "---|";
  for (std::size_t i = 0; i < std::min(max_rows, order.size()); ++i) {
    out += "\n|";
    for (const Column& c : table.columns) out += " " + escape(c.text(order[i])) + " |";
  }
  return out + "\n";
}

std::string table_json(const Table& table, const std::vector<std::size_t>& order) {
  std::string out = "{\"id\":" + json_string(table.id) +
                    ",\"caption\":" + json_string(table.caption) + ",\"head\":[";
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    out += (i > 0 ? "," : "") + json_string(table.columns[i].title);
  out += "],\"rows\":[";
  for (std::size_t k = 0; k < order.size(); ++k) {
    out += k > 0 ? ",[" : "[";
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      out += (i > 0 ? "," : "") + json_string(table.columns[i].text(order[k]));
    out += "]";
  }
  return out + "]}";
}

}  // namespace xuanka::web
