// The wizard: state, recomputation and one frame of Dear ImGui. Platform independent; the platform
// owns the Dear ImGui context, feeds its inputs and draws what Render leaves.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "web/platform.hpp"
#include "xuanka/api/api.hpp"

struct ImFont;

namespace xuanka::web {

struct FrameLog;

/// Colours the page needs around the canvas, as 0xRRGGBB.
struct PageColors {
  std::uint32_t background = 0, text = 0, accent = 0;
  bool dark = false;
};

class App {
 public:
  /// `api` and `platform` must outlive the app. Works without a Dear ImGui context as long as
  /// `frame` is not called: the twin alone uses the same object when WebGL2 is missing.
  App(const Api& api, Platform& platform);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  /// The two faces; sizes are chosen per text by PushFont(font, size). Call after
  /// ImGui::CreateContext.
  void set_fonts(ImFont* regular, ImFont* bold);
  /// Emits the whole user interface, between ImGui::NewFrame and ImGui::Render. CSS pixels.
  void frame(float width, float height);
  /// The style of the theme changed since the last frame, or the first frame is yet to come.
  /// The clear colour must be `page_colors().background`.
  [[nodiscard]] PageColors page_colors() const;

  // -- state in and out
  /// Reads a link's fragment, with or without '#', plain or z1. Faults become notices on the page.
  void set_fragment(std::string_view fragment);
  /// The fragment of the present state without '#'; never longer than 8,000 characters.
  [[nodiscard]] std::string fragment() const;
  /// Takes the inputs of a request (contract v1) over; false, and nothing changed, when the text is
  /// none. Language, currency, theme, view and what is fixed stay.
  bool set_request(std::string_view request);
  void set_lang(std::string_view lang);          ///< "zh" | "en"
  void set_theme(std::string_view theme);        ///< "auto" | "light" | "dark" | "contrast"
  void set_currency(std::string_view currency);  ///< what amounts are shown in
  [[nodiscard]] std::string_view lang() const;
  [[nodiscard]] std::string_view theme() const;
  /// Sets one input by its fragment key, as text ("" = back to the default): how the twin edits.
  /// False when there is no such key; a bad value is kept, marked and reported in form_json.
  bool set_field(std::string_view key, std::string_view value);
  /// Every input as JSON for the twin, in order:
  /// {"steps":[{"id","title"}],"fields":[{"key","step","group","label","type":"choice|number|text|long|
  /// toggle|many","value","placeholder","unit","hint","error","visible",
  /// "path","locked","options":[{"value","label"}]}],"notices":["..."]}
  [[nodiscard]] std::string form_json() const;
  /// The request of the present inputs (contract v1), one line.
  [[nodiscard]] std::string request_json() const;
  /// The report on it, one line.
  [[nodiscard]] std::string report_json() const;
  /// What the canvas shows as text and tables, worded: the twin's results.
  /// {"answer":{"headline","range","why","pills":[],"watch":[]},"tables":[{"id","caption","head":[],
  /// "rows":[[]]}]}
  [[nodiscard]] std::string results_json() const;

  [[nodiscard]] const Api& api() const;

  // -- events from the platform
  /// A file was dropped or chosen: config.json, overlay, request or probe result, told by content.
  void on_drop_file(std::string_view name, std::string_view bytes);
  /// The shipped measurements arrived (Platform::load_measurements); empty = cannot be had.
  void set_measurements(std::string_view text);
  /// The sheet opened by Platform::open_sheet was closed with a value.
  void on_sheet(std::string_view key, std::string_view value);
  /// Shows the sentence `ui.n.<code>` until it is closed.
  void tell(std::string code, Args args, bool bad);
  /// The system's preferences changed (dark mode, contrast, motion).
  void on_preferences_changed();

  // -- for the platform's input handling
  /// The focused item is the first or last that Tab reaches: the next (Shift+)Tab leaves the
  /// canvas.
  [[nodiscard]] bool focus_is_first() const;
  [[nodiscard]] bool focus_is_last() const;
  /// Puts the keyboard focus on the first (or last) item: Tab entered the canvas.
  void focus_edge(bool last);
  /// Height that shows everything of the last frame without scrolling, CSS px; 0 before the first.
  [[nodiscard]] float content_height() const;
  /// Milliseconds of the last recomputation plus the frame that followed, by the platform's clock.
  [[nodiscard]] double last_update_ms() const;
  /// What the last frame drew; tests set `record_texts` and read the texts.
  [[nodiscard]] FrameLog& frame_log();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xuanka::web
