#include "web/style.hpp"

#include "imgui.h"
#include "implot.h"

namespace xuanka::web {
namespace {

ImVec4 color_of(const Theme& theme, Color c, float alpha = 1) {
  const std::uint32_t rgb = theme[c];
  return {static_cast<float>(rgb >> 16 & 255U) / 255, static_cast<float>(rgb >> 8 & 255U) / 255,
          static_cast<float>(rgb & 255U) / 255, alpha};
}

}  // namespace

void apply_style(const Theme& theme, float em) {
  const auto u = [em](float units) { return units * em / 15; };
  ImGuiStyle& s = ImGui::GetStyle();
  s = ImGuiStyle();
  s.FontSizeBase = em;
  s.WindowPadding = ImVec2(0, 0);
  s.WindowBorderSize = 0;
  s.WindowRounding = u(8);
  s.ChildBorderSize = 0;
  s.PopupRounding = u(10);
  s.PopupBorderSize = 1;
  s.FrameRounding = u(8);
  s.FrameBorderSize = 0;
  s.ItemSpacing = ImVec2(0, 0);
  s.ItemInnerSpacing = ImVec2(u(4), u(4));
  s.ScrollbarSize = u(10);
  s.ScrollbarRounding = u(5);
  s.ScrollbarPadding = u(2);
  s.InputTextCursorSize = u(1.5F);
  s.HoverDelayShort = 0.35F;
  s.HoverStationaryDelay = 0.1F;
  for (ImVec4& c : s.Colors) c = color_of(theme, Color::kText);
  const ImVec4 clear(0, 0, 0, 0);
  for (const ImGuiCol c :
       {ImGuiCol_WindowBg, ImGuiCol_ChildBg, ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered,
        ImGuiCol_FrameBgActive, ImGuiCol_ScrollbarBg, ImGuiCol_NavCursor,
        ImGuiCol_NavWindowingHighlight, ImGuiCol_NavWindowingDimBg, ImGuiCol_ModalWindowDimBg,
        ImGuiCol_BorderShadow}) {
    s.Colors[c] = clear;
  }
  s.Colors[ImGuiCol_PopupBg] = color_of(theme, Color::kPanel);
  s.Colors[ImGuiCol_Border] = color_of(theme, Color::kLine);
  s.Colors[ImGuiCol_TextDisabled] = color_of(theme, Color::kDim);
  s.Colors[ImGuiCol_TextSelectedBg] = color_of(theme, Color::kAccent, 0.25F);
  s.Colors[ImGuiCol_ScrollbarGrab] = color_of(theme, Color::kDim, 0.35F);
  s.Colors[ImGuiCol_ScrollbarGrabHovered] = color_of(theme, Color::kDim, 0.6F);
  s.Colors[ImGuiCol_ScrollbarGrabActive] = color_of(theme, Color::kDim, 0.8F);
  s.Colors[ImGuiCol_InputTextCursor] = color_of(theme, Color::kAccent);
  if (ImPlot::GetCurrentContext() != nullptr) ImPlot::GetStyle().UseLocalTime = false;
}

}  // namespace xuanka::web
