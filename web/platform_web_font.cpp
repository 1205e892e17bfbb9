#include "web/platform_web_font.hpp"

#include <cmath>

#include "imgui.h"
#include "imgui_internal.h"

extern "C" {
// platform_web.js
void xkw_font_setup(int face, const char* style);
float xkw_glyph_advance(int face, float size, unsigned codepoint);
void xkw_glyph_draw(int face, float size, unsigned codepoint, float* out);
void xkw_glyph_read(unsigned char* pixels);
}

namespace xuanka::web {
namespace {

// The ideographic em box: 0.88 above the baseline and 0.12 below it (OpenType's "ideo" baseline, as
// in the Noto CJK and Source Han fonts). Every CJK font on every system fills it, so text sits
// alike everywhere.
constexpr float kAscent = 0.88f;
constexpr const char* kFamilies =
    "\"Noto Sans SC\",\"Noto Sans CJK SC\",\"Source Han Sans SC\",\"PingFang SC\",\"Microsoft "
    "YaHei\",system-ui,sans-serif";

int face_of(const ImFontConfig* source) { return static_cast<int>(source->FontNo); }

int glyph_index(ImFontAtlas*, ImFontConfig*, ImWchar codepoint) {
  // Control characters have no glyph; the browser finds a font for everything else.
  return codepoint < 0x20 || (codepoint >= 0x7f && codepoint < 0xa0) ? 0
                                                                     : static_cast<int>(codepoint);
}

bool init_baked(ImFontAtlas*, ImFontConfig*, ImFontBaked* baked, void*) {
  baked->Ascent =
      std::round(baked->Size * kAscent * baked->RasterizerDensity) / baked->RasterizerDensity;
  baked->Descent = baked->Ascent - baked->Size;
  return true;
}

// Advances are whole device pixels, so that every glyph lands on the pixel grid and stays sharp.
// All digits are as wide as the widest common one: figures stand below each other.
float advance_of(int face, float pixel_size, unsigned codepoint) {
  if (codepoint >= '1' && codepoint <= '9') codepoint = '0';
  return std::round(xkw_glyph_advance(face, pixel_size, codepoint));
}

bool load_glyph(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void*, int index,
                ImFontGlyph* glyph, float* advance_only) {
  const int face = face_of(source);
  const float density = source->RasterizerDensity * baked->RasterizerDensity;
  const float pixel_size = baked->Size * density;
  const auto codepoint = static_cast<unsigned>(index);
  const float advance = advance_of(face, pixel_size, codepoint);
  if (advance_only != nullptr) {
    *advance_only = advance / density;
    return true;
  }
  float drawn[6];
  xkw_glyph_draw(face, pixel_size, codepoint, drawn);
  glyph->AdvanceX = advance / density;
  const int width = static_cast<int>(drawn[2]), height = static_cast<int>(drawn[3]);
  if (width == 0 || height == 0) return true;

  const ImFontAtlasRectId pack_id = ImFontAtlasPackAddRect(atlas, width, height);
  if (pack_id == ImFontAtlasRectId_Invalid) return false;
  ImTextureRect* rect = ImFontAtlasPackGetRect(atlas, pack_id);
  atlas->Builder->TempBuffer.resize(width * height * 4);
  unsigned char* pixels = atlas->Builder->TempBuffer.Data;
  xkw_glyph_read(pixels);

  // A digit narrower than its cell is centred in it.
  const float shift = std::round((advance - drawn[4]) / 2);
  const bool digit = codepoint >= '0' && codepoint <= '9';
  glyph->X0 = (drawn[0] + (digit ? shift : 0)) / density;
  glyph->Y0 = drawn[1] / density + baked->Ascent;
  glyph->X1 = glyph->X0 + drawn[2] / density;
  glyph->Y1 = glyph->Y0 + drawn[3] / density;
  glyph->Visible = true;
  glyph->Colored = drawn[5] != 0;
  glyph->PackId = pack_id;
  ImFontAtlasBakedSetFontGlyphBitmap(atlas, baked, source, glyph, rect, pixels,
                                     ImTextureFormat_RGBA32, width * 4);
  return true;
}

const ImFontLoader* browser_loader() {
  static ImFontLoader loader;
  loader.Name = "browser";
  loader.FontSrcGetGlyphIndexFromCodepoint = glyph_index;
  loader.FontBakedInit = init_baked;
  loader.FontBakedLoadGlyph = load_glyph;
  return &loader;
}

ImFont* add_face(int face, const char* name, const char* weight) {
  char style[256];
  ImFormatString(style, sizeof style, "%s SIZE %s", weight, kFamilies);
  xkw_font_setup(face, style);
  ImFontConfig config;
  config.FontNo = static_cast<ImU32>(face);
  config.FontLoader = browser_loader();
  config.SizePixels = 15.0f;
  ImFormatString(config.Name, sizeof config.Name, "%s", name);
  return ImGui::GetIO().Fonts->AddFont(&config);
}

}  // namespace

BrowserFonts add_browser_fonts() {
  ImGui::GetIO().Fonts->SetFontLoader(browser_loader());
  return {.regular = add_face(0, "regular", "400"), .bold = add_face(1, "bold", "700")};
}

}  // namespace xuanka::web
