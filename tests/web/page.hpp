// The wizard without a browser: a platform that records, and fonts that have widths but no pixels.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "imgui.h"
#include "imgui_internal.h"
#include "implot.h"
#include "web/app.hpp"
#include "web/ui.hpp"

namespace xuanka::web::test {

class RecordingPlatform final : public Platform {
 public:
  void request_frames(int frames) override { frames_wanted = std::max(frames_wanted, frames); }
  void request_frame_after(double) override { ++timers; }
  [[nodiscard]] double now() const override { return 0; }
  [[nodiscard]] bool prefers_dark() const override { return dark; }
  [[nodiscard]] bool prefers_contrast() const override { return contrast; }
  [[nodiscard]] bool prefers_reduced_motion() const override { return false; }
  [[nodiscard]] std::string preferred_language() const override { return "zh"; }
  [[nodiscard]] bool touch() const override { return fingers; }
  void copy_text(std::string_view text) override { copied = text; }
  void open_sheet(const SheetRequest& request) override { sheet = request; }
  void pick_file(std::string_view) override {}
  void load_measurements() override { ++measurements_asked; }
  void download(std::string_view name, std::string_view, std::string_view bytes) override {
    files[std::string(name)] = bytes;
  }
  void save_picture(const PictureArea&, std::string_view name) override {
    files[std::string(name)] = "png";
  }
  void print() override {}
  void announce(std::string_view text) override { announced = text; }
  [[nodiscard]] std::string page_address() const override { return "https://example.org/"; }
  void write_fragment(std::string_view text, bool) override { fragment = text; }
  void state_changed() override { ++changes; }
  [[nodiscard]] std::string remembered(std::string_view) const override { return ""; }
  void remember(std::string_view, std::string_view) override {}

  bool dark = false, contrast = false, fingers = false;
  int frames_wanted = 0, timers = 0, changes = 0, measurements_asked = 0;
  std::string copied, fragment, announced;
  SheetRequest sheet;
  std::map<std::string, std::string> files;
};

// Advance widths in thousandths of an em of Noto Sans CJK SC, U+0020 to U+007E, regular and bold
// (read from the font's hmtx table); everything else is taken as one em.
inline constexpr short kRegular[95] = {
    224, 323, 474, 555, 555, 921, 680, 278, 338, 338, 467, 555, 278, 347, 278, 392, 555, 555, 555,
    555, 555, 555, 555, 555, 555, 555, 278, 278, 555, 555, 555, 474, 946, 608, 657, 638, 688, 589,
    552, 689, 728, 293, 535, 646, 543, 812, 723, 742, 633, 742, 635, 596, 599, 721, 575, 878, 573,
    531, 603, 338, 392, 338, 555, 559, 606, 563, 618, 510, 620, 554, 325, 564, 607, 275, 275, 552,
    284, 926, 610, 606, 620, 620, 388, 468, 377, 607, 521, 802, 498, 521, 475, 338, 270, 338, 555};
inline constexpr short kBold[95] = {
    227, 370, 574, 590, 590, 963, 740, 325, 378, 378, 507, 590, 325, 370,  325, 387, 590, 590, 590,
    590, 590, 590, 590, 590, 590, 590, 325, 325, 590, 590, 590, 514, 1007, 641, 681, 656, 714, 615,
    585, 717, 757, 330, 568, 686, 578, 853, 749, 770, 667, 770, 682, 624,  625, 748, 619, 915, 627,
    580, 613, 378, 387, 378, 590, 567, 626, 591, 644, 527, 644, 581, 372,  597, 640, 304, 306, 604,
    315, 964, 641, 626, 644, 644, 436, 495, 421, 637, 576, 863, 562, 574,  511, 378, 296, 378, 590};

inline int glyph_index(ImFontAtlas*, ImFontConfig*, ImWchar c) {
  return c < 0x20 ? 0 : static_cast<int>(c);
}
inline bool init_baked(ImFontAtlas*, ImFontConfig*, ImFontBaked* baked, void*) {
  baked->Ascent = baked->Size * 0.88F;
  baked->Descent = baked->Ascent - baked->Size;
  return true;
}
inline bool load_glyph(ImFontAtlas*, ImFontConfig* source, ImFontBaked* baked, void*, int index,
                       ImFontGlyph* glyph, float* advance_only) {
  const short* widths = source->FontNo == 0 ? kRegular : kBold;
  const float em =
      index >= 0x20 && index < 0x7F ? static_cast<float>(widths[index - 0x20]) / 1000 : 1;
  const float advance = std::round(baked->Size * em);
  if (advance_only != nullptr) {
    *advance_only = advance;
  } else {
    glyph->AdvanceX = advance;
  }
  return true;
}

inline ImFont* add_face(unsigned number) {
  static const ImFontLoader loader = [] {
    ImFontLoader l;
    l.Name = "widths";
    l.FontSrcGetGlyphIndexFromCodepoint = glyph_index;
    l.FontBakedInit = init_baked;
    l.FontBakedLoadGlyph = load_glyph;
    return l;
  }();
  ImFontConfig config;
  config.FontNo = number;
  config.FontLoader = &loader;
  config.SizePixels = 15;
  ImGui::GetIO().Fonts->SetFontLoader(&loader);
  return ImGui::GetIO().Fonts->AddFont(&config);
}

inline const Api& shared_api() {
  static const Api api = [] {
    auto made = Api::create();
    if (!made) throw std::runtime_error("the shipped data cannot be loaded");
    return std::move(*made);
  }();
  return api;
}

/// One page of a size; frames run without a renderer.
class Page {
 public:
  Page(float width, float height, std::string_view fragment = "v=1")
      : width_(width), height_(height), app(shared_api(), platform) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    io.ConfigErrorRecoveryEnableAssert = true;
    ImFont* regular = add_face(0);
    ImFont* bold = add_face(1);
    app.set_fonts(regular, bold);
    app.set_fragment(fragment);
    frames(3);
  }
  ~Page() {
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures)
      texture->SetStatus(ImTextureStatus_Destroyed);
    ImPlot::DestroyContext();
    ImGui::DestroyContext();
  }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  void frames(int count) {
    for (int i = 0; i < count; ++i) {
      ImGuiIO& io = ImGui::GetIO();
      io.DisplaySize = ImVec2(width_, height_);
      io.DeltaTime = 1.0F / 60;
      ImGui::NewFrame();
      app.frame(width_, height_);
      ImGui::Render();
      for (ImTextureData* texture : *ImGui::GetDrawData()->Textures) {
        if (texture->Status == ImTextureStatus_WantDestroy) {
          texture->SetTexID(ImTextureID_Invalid);
          texture->SetStatus(ImTextureStatus_Destroyed);
        } else if (texture->Status != ImTextureStatus_OK) {
          texture->SetTexID(1);
          texture->SetStatus(ImTextureStatus_OK);
        }
      }
    }
  }
  void click(float x, float y) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(x, y);
    frames(1);
    io.AddMouseButtonEvent(0, true);
    frames(1);
    io.AddMouseButtonEvent(0, false);
    frames(3);
  }
  void key(ImGuiKey k) {
    ImGui::GetIO().AddKeyEvent(k, true);
    frames(1);
    ImGui::GetIO().AddKeyEvent(k, false);
    frames(2);
  }
  /// Clicks the middle of a text that is drawn; fails when there is none.
  void click_text(std::string_view wanted) {
    for (const DrawnText& t : texts()) {
      if (t.text != wanted) continue;
      click(t.box.x + t.box.w / 2, t.box.y + t.box.h / 2);
      return;
    }
    ADD_FAILURE() << "no text \"" << wanted << "\"";
  }
  /// The item whose key this is has the keyboard, wherever it is on the page.
  [[nodiscard]] bool focused(std::string_view key) {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    const auto of = [&](ImGuiID seed) {
      return ImHashStr(key.data(), key.size(), seed) == g.NavId;
    };
    for (const ImGuiWindow* window : g.Windows) {
      const ImGuiID wizard = ImHashStr("wizard", 0, window->ID);
      if (of(window->ID) || of(wizard)) return true;
      for (int step = 0; step < 4; ++step) {
        if (of(ImHashData(&step, sizeof step, wizard))) return true;
      }
    }
    return false;
  }
  /// Presses Enter on the step bar's last entry.
  void go_to_answer() {
    for (int i = 0; i < 60 && !focused("###step-answer"); ++i) key(ImGuiKey_Tab);
    ASSERT_TRUE(focused("###step-answer"));
    key(ImGuiKey_Enter);
    frames(3);
  }
  [[nodiscard]] std::vector<DrawnText> texts() {
    app.frame_log().record_texts = true;
    frames(1);
    app.frame_log().record_texts = false;
    return app.frame_log().texts;
  }
  [[nodiscard]] bool shows(std::string_view wanted) {
    for (const DrawnText& t : texts()) {
      if (t.text.find(wanted) != std::string::npos) return true;
    }
    return false;
  }

 private:
  float width_, height_;

 public:
  RecordingPlatform platform;
  App app;
};

}  // namespace xuanka::web::test
