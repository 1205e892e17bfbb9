// The platform in a browser: canvas, WebGL2, pointer, keyboard, input methods, clipboard. The DOM
// side is platform_web.js; what belongs to the page around the canvas goes to the loader's `host`
// object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "imgui.h"
#include "web/app.hpp"
#include "web/platform.hpp"

struct ImGuiWindow;

namespace xuanka::web {

/// What the browser tells about a pointer. Order is the wire format of platform_web.js.
enum class PointerKind { kMove, kDown, kUp, kCancel, kLeave };

/// Frames after an event: widgets need two or three.
inline constexpr int kSettleFrames = 3;

class WebPlatform final : public Platform {
 public:
  WebPlatform() = default;
  ~WebPlatform() override;
  WebPlatform(const WebPlatform&) = delete;
  WebPlatform& operator=(const WebPlatform&) = delete;

  /// The app that is shown; must outlive the platform. Call before `open`.
  void attach(App& app) { app_ = &app; }
  /// Takes the module's canvas. False when the browser gives no WebGL2 context; the app and the
  /// twin work on.
  [[nodiscard]] bool open();
  [[nodiscard]] bool is_open() const { return open_; }

  // Platform
  void request_frames(int frames) override;
  void request_frame_after(double seconds) override;
  [[nodiscard]] double now() const override;
  [[nodiscard]] bool prefers_dark() const override;
  [[nodiscard]] bool prefers_contrast() const override;
  [[nodiscard]] bool prefers_reduced_motion() const override;
  [[nodiscard]] std::string preferred_language() const override;
  [[nodiscard]] bool touch() const override { return touch_; }
  void copy_text(std::string_view text) override;
  void open_sheet(const SheetRequest& request) override;
  void pick_file(std::string_view accept) override;
  void load_measurements() override;
  void download(std::string_view name, std::string_view mime, std::string_view bytes) override;
  void save_picture(const PictureArea& area, std::string_view name) override;
  [[nodiscard]] bool has_guide() const override { return true; }
  void open_guide() override;
  void print() override;
  void announce(std::string_view text) override;
  [[nodiscard]] std::string page_address() const override;
  void write_fragment(std::string_view fragment, bool push) override;
  void state_changed() override;
  [[nodiscard]] std::string remembered(std::string_view key) const override;
  void remember(std::string_view key, std::string_view value) override;

  // Events, called by the exported functions of platform_web.cpp.
  void on_frame();
  void on_timer() { request_frames(3); }
  void on_size(float pixel_width, float pixel_height, float ratio);
  /// `at` from the canvas, `client` from the browser's window: the canvas may move under a finger.
  void on_pointer(PointerKind kind, ImGuiMouseSource source, ImVec2 at, ImVec2 client, double time);
  [[nodiscard]] bool on_wheel(ImVec2 delta, ImVec2 at, double time);
  void on_focus(bool focused, int edge);
  [[nodiscard]] bool tab_leaves(bool backward);
  [[nodiscard]] bool on_key(std::string_view code, bool down, unsigned modifiers);
  void on_text(const char* text);
  void on_paste(std::string_view text);
  void on_file(std::string_view name, std::string_view bytes);
  void on_measurements(std::string_view text);
  void on_preferences();
  void on_restored();
  /// Draws until what the last event started has settled (at most a few frames), inside the event's
  /// task.
  void settle();

 private:
  /// A finger that is down: a press until it has moved too far, then a scroll.
  struct Drag {
    bool down = false, scrolling = false, kept = false;
    ImVec2 at;           ///< where the finger went down, from the canvas
    ImVec2 start, last;  ///< from the browser's window
    double last_time = 0;
    ImVec2 velocity;  ///< CSS pixels a second, of the content
    ImGuiWindow* window = nullptr;
    std::size_t axis = 1;  ///< 0 = sideways, 1 = up and down
  };

  /// One frame of the interface; `show` = also on the screen.
  void draw(bool show);
  void touch_move(ImVec2 at, ImVec2 client, double time);
  void begin_scroll(ImVec2 moved);
  void touch_end();
  void glide(float seconds);
  /// Moves `window` by `delta` CSS pixels along an axis; what it could not move is given back.
  [[nodiscard]] float scroll_window(ImGuiWindow* window, std::size_t axis, float delta);
  void update_cursor();
  void update_text_input();
  void show_picture();
  std::string host(const char* call, std::string_view text = {}) const;

  App* app_ = nullptr;
  bool open_ = false, drawing_ = false, touch_ = false, text_wanted_ = false, drop_focus_ = false;
  int frames_left_ = 0;
  std::uint64_t shown_ = 0;  ///< digest of the picture on the canvas, 0 = draw in any case
  ImVec2 size_{1, 1};
  float ratio_ = 1;
  double last_draw_ = 0, last_wheel_ = -1;
  ImGuiWindow* wheel_window_ = nullptr;
  Drag drag_;
  int pending_edge_ = 0;
  PictureArea picture_;
  std::string picture_name_;
};

/// The page's one platform: the exported event functions reach it here. Set by the shell.
void set_active_platform(WebPlatform* platform);
[[nodiscard]] WebPlatform* active_platform();

}  // namespace xuanka::web
