#include "web/views.hpp"

namespace xuanka::web {
namespace {

std::string shown_currency(const Ui& ui) { return std::string(ui.computed.shown.code()); }

}  // namespace

float view_header(const Ui& ui) {
  const float h = ui.u(52), pad = ui.u(ui.phone() ? 12 : 20), gap = ui.u(ui.phone() ? 8 : 14);
  fill(ui, {0, 0, ui.width, h}, ui.color(Color::kPanel));
  hairline(ui, 0, h - 1, ui.width);
  const float ch = ui.u(ui.fingers() ? 40 : 32), top = (h - ch) / 2;

  float x = pad;
  const bool latin_first = ui.lang == Lang::kEn;
  const std::string first = latin_first ? "Xuanka" : "选卡",
                    second = latin_first ? "选卡" : "Xuanka";
  x += draw_line(ui, {x, 0, ui.width, h}, first,
                 {.size = kTitleSize, .face = Face::kBold, .color = Color::kAccent}) +
       ui.u(5);
  x += draw_line(ui, {x, 0, ui.width, h}, second, {.size = kTitleSize, .face = Face::kBold}) + gap;

  // From the right edge leftwards.
  float right = ui.width - pad;
  const std::string share = ui.tr("ui.share");
  const float share_width = text_width(ui, share, 13) + ui.u(30);
  right -= share_width;
  if (button(ui, "###share", {right, top, share_width, ch}, share, ButtonKind::kPrimary))
    ImGui::OpenPopup("###share-menu");
  const float menu_x = right + share_width;
  if (!ui.phone()) {
    right -= gap + ui.u(43);
    if (icon_button(
            ui, "###theme", {right, top, ui.u(43), ch}, Icon::kTheme,
            ui.trf("ui.theme_is",
                   {{"theme", ui.tr("ui.o.theme." + (ui.state.text(FieldId::kTheme).empty()
                                                         ? std::string("auto")
                                                         : ui.state.text(FieldId::kTheme)))}}))) {
      ui.set(FieldId::kTheme, next_theme(ui));
    }
    right -= gap + ui.u(65);
    const int money =
        segmented(ui, "###currency", {right, top, ui.u(65), ch},
                  {{"CNY", "¥", ui.tr("ui.currency_cny")}, {"USD", "$", ui.tr("ui.currency_usd")}},
                  shown_currency(ui));
    if (money >= 0) ui.set(FieldId::kCurrency, money == 0 ? "CNY" : "USD");
  }
  right -= gap + ui.u(80);
  const int lang = segmented(ui, "###lang", {right, top, ui.u(80), ch},
                             {{"zh", "中", ""}, {"en", "EN", ""}}, lang_name(ui.lang));
  if (lang >= 0) ui.set(FieldId::kLang, lang == 0 ? "zh" : "en");

  if (!ui.phone() && ui.platform.has_guide()) {
    const std::string guide = ui.tr("ui.guide");
    const float guide_width = text_width(ui, guide, 13) + ui.u(24);
    right -= gap + guide_width;
    if (button(ui, "###guide", {right, top, guide_width, ch}, guide)) ui.platform.open_guide();
  }

  const std::string slogan = ui.tr("ui.slogan");
  if (!ui.phone() && x + text_width(ui, slogan, 13) < right - gap)
    draw_line(ui, {x, 0, right - x, h}, slogan, {.size = 13, .color = Color::kDim});
  view_share(ui, menu_x, h);
  return h;
}

float view_notices(const Ui& ui, float x, float y, float width) {
  for (std::size_t i = 0; i < ui.state.notices.size(); ++i) {
    const Notice& notice = ui.state.notices[i];
    ImGui::PushID(static_cast<int>(i));
    const std::string text = ui.trf("ui.n." + notice.code, notice.args);
    const float close = ui.u(ui.fingers() ? 44 : 28), inner = width - ui.u(28) - close;
    const float height = wrapped_height(ui, inner, text, {.size = 13.5F}) + ui.u(20);
    const Rect r{x, y, width, std::max(height, close)};
    fill(ui, r, ui.color(notice.bad ? Color::kBadSoft : Color::kWarnSoft), 10);
    draw_icon(ui, notice.bad ? Icon::kCross : Icon::kAlert, ImVec2(r.x + ui.u(16), r.y + r.h / 2),
              10, ui.color(notice.bad ? Color::kBad : Color::kWarn));
    draw_wrapped(ui, r.x + ui.u(30), r.y + ui.u(10), inner - ui.u(6), text, {.size = 13.5F});
    if (icon_button(ui, "###close", {r.right() - close, r.y + (r.h - close) / 2, close, close},
                    Icon::kCross, ui.tr("ui.close"), ButtonKind::kGhost))
      ui.act(CloseNotice{i});
    ImGui::PopID();
    y = r.bottom() + ui.u(10);
  }
  return y;
}

}  // namespace xuanka::web
