// The share menu: link, Markdown, CSV, JSON, print.
#include "web/fragment.hpp"
#include "web/views.hpp"

namespace xuanka::web {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";  // that a CSV file begins with

std::string link_of(const Ui& ui) {
  return ui.platform.page_address() + "#" + write_fragment(ui.state);
}

std::string markdown_of(const Ui& ui) {
  const Table table = plans_table(ui);
  const AnswerView& answer = ui.computed.answer;
  return "**" + answer.headline + "** " + answer.range + "\n\n" + answer.why + "\n\n" +
         ui.computed.view.model_line +
         (ui.computed.view.data_line.empty() ? "" : "; " + ui.computed.view.data_line) + "\n\n" +
         table_markdown(table, table_order(table, ui.state), 12) + "\n" + link_of(ui) + "\n";
}

std::string entry_label(const Ui& ui, std::string_view way) {
  if (way == "currency") {
    return ui.tr(ui.computed.shown == kCny ? "ui.currency_usd" : "ui.currency_cny");
  }
  if (way == "theme")
    return ui.trf("ui.theme_to", {{"theme", ui.tr("ui.o.theme." + next_theme(ui))}});
  if (way == "guide") return ui.tr("ui.guide");
  return ui.tr("ui.share." + std::string(way));
}

}  // namespace

// What follows in the round of themes.
std::string next_theme(const Ui& ui) {
  const std::string& now = ui.state.text(FieldId::kTheme);
  if (now.empty() || now == "auto") return ui.theme.dark ? "light" : "dark";
  if (now == "light") return "dark";
  return now == "dark" ? "contrast" : "auto";
}

void do_share(const Ui& ui, std::string_view what) {
  if (what == "link") {
    bool left_out = false;
    const std::string fragment = write_fragment(ui.state, &left_out);
    ui.platform.copy_text(ui.platform.page_address() + "#" + fragment);
    ui.act(AddNotice{{left_out ? "link_left_out" : "link_copied", {}, left_out}});
  } else if (what == "markdown") {
    ui.platform.copy_text(markdown_of(ui));
    ui.act(AddNotice{{"markdown_copied", {}, false}});
  } else if (what == "copy-csv") {
    const Table table = plans_table(ui);
    // Without the mark that files need: it would be pasted along.
    ui.platform.copy_text(
        std::string_view(table_csv(table, table_order(table, ui.state))).substr(kMark.size()));
    ui.act(AddNotice{{"csv_copied", {}, false}});
  } else if (what == "copy-json") {
    ui.platform.copy_text(ui.api.rank(ui.computed.request_text, ui.lang));
    ui.act(AddNotice{{"json_copied", {}, false}});
  } else if (what == "csv") {
    const Table table = plans_table(ui);
    ui.platform.download("xuanka.csv", "text/csv", table_csv(table, table_order(table, ui.state)));
  } else if (what == "json") {
    ui.platform.download("xuanka-report.json", "application/json",
                         ui.api.rank(ui.computed.request_text, ui.lang) + "\n");
  } else if (what == "request") {
    ui.platform.download("xuanka-request.json", "application/json",
                         ui.computed.request_text + "\n");
  } else if (what == "print") {
    ui.platform.print();
  } else if (what == "theme") {
    ui.set(FieldId::kTheme, next_theme(ui));
  } else if (what == "currency") {
    ui.set(FieldId::kCurrency, ui.computed.shown == kCny ? "USD" : "CNY");
  } else if (what == "guide") {
    ui.platform.open_guide();
  }
}

void view_share(const Ui& ui, float right, float top) {
  const float width = ui.u(230), line = ui.row(), inset = ui.u(6);
  std::vector<std::string_view> ways{"link", "markdown", "copy-csv", "copy-json",
                                     "csv",  "json",     "request"};
  if (ui.platform.can_print()) ways.emplace_back("print");
  // What has no room in a phone's header.
  if (ui.phone()) {
    ways.insert(ways.end(), {"theme", "currency"});
    if (ui.platform.has_guide()) ways.emplace_back("guide");
  }
  ImGui::SetNextWindowPos(ImVec2(right - width, top + ui.u(4)));
  const float height = line * static_cast<float>(ways.size()) + 2 * inset + ui.u(2);
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(inset, inset));
  if (ImGui::BeginPopup("###share-menu", ImGuiWindowFlags_NoMove)) {
    for (const std::string_view way : ways) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const Rect row{at.x, at.y, width - 2 * inset, line};
      const Hit h = hit(ui, "###" + std::string(way), row, 6);
      if (h.hovered) fill(ui, row, ui.color(Color::kAccentSoft), 6);
      draw_line(ui, row.inset(ui.u(8), 0), entry_label(ui, way), {.size = 14});
      ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + line));
      if (h.pressed) {
        do_share(ui, way);
        ImGui::CloseCurrentPopup();
      }
    }
    ImGui::Dummy(ImVec2(1, 1));
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace xuanka::web
