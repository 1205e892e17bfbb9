// Text drawn by the browser's own fonts: no font file is shipped, every character a user can type
// shows.
#pragma once

struct ImFont;

namespace xuanka::web {

struct BrowserFonts {
  ImFont* regular = nullptr;
  ImFont* bold = nullptr;
};

/// Adds both faces to the atlas of the current Dear ImGui context. The font size is the CSS font
/// size: one em, whose box the ideographs fill; Latin descenders reach a tenth below it.
[[nodiscard]] BrowserFonts add_browser_fonts();

}  // namespace xuanka::web
