// The wizard's platform on a desktop: GLFW for window and input, OpenGL 3 for drawing.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "shell/window/child.hpp"
#include "web/app.hpp"
#include "web/items.hpp"

struct GLFWwindow;

namespace xuanka::window {

class NativePlatform final : public web::Platform {
 public:
  NativePlatform() = default;
  ~NativePlatform() override;
  NativePlatform(const NativePlatform&) = delete;
  NativePlatform& operator=(const NativePlatform&) = delete;

  /// Opens a window of so many CSS pixels; empty, or what is missing.
  [[nodiscard]] std::string open(int width, int height, bool visible);
  void attach(web::App& app) { app_ = &app; }
  /// What measures the cards: a program that answers `probe --json --quick` as xuanka does.
  void set_probe(std::string program) { probe_program_ = std::move(program); }
  /// What stands before # in the links that are copied.
  void set_page(std::string address) { page_ = std::move(address); }
  /// Adds the system's fonts; false when there is none.
  [[nodiscard]] bool add_fonts();
  /// Draws when something changed, until the window is closed.
  void run();
  /// Draws `frames` frames at once; then the picture as PNG.
  [[nodiscard]] std::string picture(int frames);
  /// As a user would: "click KEY" of an item, "press Ctrl+V", "type TEXT". Empty, or what is wrong
  /// with it. Draws until nothing is due any more.
  [[nodiscard]] std::string act(std::string_view action);
  /// Draws until nothing that runs beside the window is left.
  void finish_jobs();
  /// Nothing is due: no frame, no timer.
  [[nodiscard]] bool at_rest() const { return frames_left_ == 0 && !timer_; }

  // -- events
  void on_drop(int count, const char** paths);
  void wake() { request_frames(3); }
  [[nodiscard]] float ratio() const { return ratio_; }

  // -- web::Platform
  void request_frames(int frames) override;
  void request_frame_after(double seconds) override;
  [[nodiscard]] double now() const override;
  [[nodiscard]] bool prefers_dark() const override { return false; }
  [[nodiscard]] bool prefers_contrast() const override { return false; }
  [[nodiscard]] bool prefers_reduced_motion() const override { return false; }
  [[nodiscard]] std::string preferred_language() const override;
  [[nodiscard]] bool touch() const override { return false; }
  void copy_text(std::string_view text) override;
  void open_sheet(const web::SheetRequest& request) override;
  void pick_file(std::string_view accept) override;
  void download(std::string_view name, std::string_view mime, std::string_view bytes) override;
  void save_picture(const web::PictureArea& area, std::string_view name) override;
  void load_measurements() override;
  [[nodiscard]] bool can_print() const override { return false; }
  void print() override {}
  [[nodiscard]] bool can_probe() const override { return !probe_program_.empty(); }
  [[nodiscard]] bool probing() const override { return probing_; }
  void probe() override;
  void announce(std::string_view) override {}
  [[nodiscard]] std::string page_address() const override { return page_; }
  void write_fragment(std::string_view, bool) override {}
  void state_changed() override {}
  [[nodiscard]] std::string remembered(std::string_view key) const override;
  void remember(std::string_view key, std::string_view value) override;

 private:
  void draw();
  void draw_sheet();
  void measure();
  [[nodiscard]] std::string grab(const web::PictureArea& area) const;
  void save(const std::string& name, std::string bytes);
  void write(const std::string& path, const std::string& bytes);
  void run_beside(std::vector<std::string> argv, std::function<void(const ChildResult&)> then);
  void end_jobs();
  void settle();
  [[nodiscard]] std::optional<web::ItemPlace> scroll_to(std::string_view key);

  GLFWwindow* window_ = nullptr;
  web::App* app_ = nullptr;
  int frames_left_ = 3;
  std::optional<double> timer_;
  double last_draw_ = 0;
  float ratio_ = 1, width_ = 0, height_ = 0;  // CSS pixels
  std::optional<web::SheetRequest> sheet_;
  std::vector<char> typed_;
  std::optional<std::pair<web::PictureArea, std::string>> wanted_picture_;
  struct Job {
    Child child;
    std::function<void(const ChildResult&)> then;
    Job(std::vector<std::string> argv, std::function<void(const ChildResult&)> next)
        : child(std::move(argv), wake_loop), then(std::move(next)) {}
  };
  static void wake_loop();
  std::list<Job> jobs_;
  std::string probe_program_, page_;
  bool probing_ = false;
  std::map<std::string, std::string, std::less<>> remembered_;
};

}  // namespace xuanka::window
