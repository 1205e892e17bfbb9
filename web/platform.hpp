// What the wizard needs from the machine it runs on. One implementation per platform
// (browser, native window, tests); the wizard itself never touches the outside.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xuanka::web {

/// A value that is typed in the platform's own editor: on touch devices a soft keyboard cannot be
/// raised reliably for a canvas, so the platform opens a sheet with a real input.
struct SheetRequest {
  enum class Kind { kNumber, kText, kLongText };
  std::string key;    ///< handed back in App::on_sheet
  std::string title;  ///< label of the field, in the language shown
  std::string value;  ///< what stands there now, as typed
  std::string unit;   ///< shown behind the input; may be empty
  std::string hint;   ///< allowed values, in words; may be empty
  Kind kind = Kind::kNumber;
};

/// A part of the picture, in CSS pixels from the top left of the canvas.
struct PictureArea {
  float x = 0, y = 0, width = 0, height = 0;
};

class Platform {
 public:
  virtual ~Platform() = default;

  // -- drawing on demand
  /// Draw at least `frames` more frames (inputs need two or three to settle).
  virtual void request_frames(int frames) = 0;
  /// Draw one frame `seconds` from now (a delayed tooltip, the end of a notice).
  virtual void request_frame_after(double seconds) = 0;
  /// Monotonic seconds; for animation and notices only, never for results.
  [[nodiscard]] virtual double now() const = 0;

  // -- what the system prefers
  [[nodiscard]] virtual bool prefers_dark() const = 0;
  [[nodiscard]] virtual bool prefers_contrast() const = 0;
  [[nodiscard]] virtual bool prefers_reduced_motion() const = 0;
  /// "zh" or "en".
  [[nodiscard]] virtual std::string preferred_language() const = 0;
  /// The last pointer was a finger: rows are 44 px and values open sheets.
  [[nodiscard]] virtual bool touch() const = 0;

  // -- text in and out
  /// Puts text on the clipboard (called inside a user gesture).
  virtual void copy_text(std::string_view text) = 0;
  /// Opens the platform's own editor; the answer comes through App::on_sheet.
  virtual void open_sheet(const SheetRequest& request) = 0;
  /// Lets the user choose a file; it comes through App::on_drop_file.
  virtual void pick_file(std::string_view accept) = 0;
  /// Asks for the shipped measurements: they come through App::set_measurements, as an empty text
  /// when they cannot be had.
  virtual void load_measurements() {}
  virtual void download(std::string_view name, std::string_view mime, std::string_view bytes) = 0;
  /// Saves a part of the picture just drawn as PNG.
  virtual void save_picture(const PictureArea& area, std::string_view name) = 0;
  /// Worked examples, architectures and providers, shown beside the wizard; where there is such a
  /// place.
  [[nodiscard]] virtual bool has_guide() const { return false; }
  virtual void open_guide() {}
  [[nodiscard]] virtual bool can_print() const { return true; }
  virtual void print() = 0;
  /// Whether the machine's own cards can be measured from here, and whether that goes on now.
  [[nodiscard]] virtual bool can_probe() const { return false; }
  [[nodiscard]] virtual bool probing() const { return false; }
  /// Measures them; the report comes through App::on_drop_file, what went wrong through App::tell.
  virtual void probe() {}
  /// Polite live region for screen readers.
  virtual void announce(std::string_view text) = 0;

  // -- the state of the page
  /// Address of the page without fragment, for share links; may be empty.
  [[nodiscard]] virtual std::string page_address() const = 0;
  /// Replaces the fragment (without '#'); the platform debounces. `push` adds a history entry.
  virtual void write_fragment(std::string_view fragment, bool push) = 0;
  /// Language, theme, inputs or results changed: update the HTML twin, page colours, lang.
  virtual void state_changed() = 0;
  /// Small remembered choices (language, currency, theme); blocked storage is an empty string.
  [[nodiscard]] virtual std::string remembered(std::string_view key) const = 0;
  virtual void remember(std::string_view key, std::string_view value) = 0;
};

}  // namespace xuanka::web
