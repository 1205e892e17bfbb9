// The share menu: link, Markdown, CSV, JSON, print.
#include "web/fragment.hpp"
#include "web/views.hpp"

namespace xuanka::web {
namespace {

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

}  // namespace

void do_share(const Ui& ui, std::string_view what) {
  if (what == "link") {
    bool left_out = false;
    const std::string fragment = write_fragment(ui.state, &left_out);
    ui.platform.copy_text(ui.platform.page_address() + "#" + fragment);
    ui.act(AddNotice{{left_out ? "link_left_out" : "link_copied", {}, left_out}});
  } else if (what == "markdown") {
    ui.platform.copy_text(markdown_of(ui));
    ui.act(AddNotice{{"markdown_copied", {}, false}});
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
  }
}

void view_share(const Ui& ui, float right, float top) {
  const float width = ui.u(220), line = ui.row(), inset = ui.u(6);
  constexpr std::array<std::string_view, 6> kWays{"link", "markdown", "csv",
                                                  "json", "request",  "print"};
  ImGui::SetNextWindowPos(ImVec2(right - width, top + ui.u(4)));
  ImGui::SetNextWindowSize(ImVec2(width, line * static_cast<float>(kWays.size()) + 2 * inset));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(inset, inset));
  if (ImGui::BeginPopup("###share-menu", ImGuiWindowFlags_NoMove)) {
    for (const std::string_view way : kWays) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const Rect row{at.x, at.y, width - 2 * inset, line};
      const Hit h = hit(ui, "###" + std::string(way), row, 6);
      if (h.hovered) fill(ui, row, ui.color(Color::kAccentSoft), 6);
      draw_line(ui, row.inset(ui.u(8), 0), ui.tr("ui.share." + std::string(way)), {.size = 14});
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
