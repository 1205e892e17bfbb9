#include "shell/window/native_platform.hpp"

#include <GLFW/glfw3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "imgui.h"
#include "imgui_impl_opengl3.h"
#include "implot.h"
#include "shell/window/png.hpp"
#include "web/items.hpp"
#include "web/measured_cases.hpp"
#include "xuanka/base/embedded.hpp"

ImGuiKey ImGui_ImplGlfw_KeyToImGuiKey(int keycode, int scancode);  // of Dear ImGui's GLFW backend

namespace xuanka::window {
namespace {

constexpr std::string_view kPathKey = "window:path";  // the sheet that asks for a file
constexpr std::size_t kMostTyped = std::size_t{1} << 20;

NativePlatform& platform_of(GLFWwindow* window) {
  return *static_cast<NativePlatform*>(glfwGetWindowUserPointer(window));
}

// Cursor positions are in the window's units, which are pixels on X11 and points elsewhere.
void on_cursor(GLFWwindow* window, double x, double y) {
  int width = 1;
  int pixels = 1;
  glfwGetWindowSize(window, &width, nullptr);
  glfwGetFramebufferSize(window, &pixels, nullptr);
  const double scale = static_cast<double>(pixels) / std::max(1, width) /
                       static_cast<double>(platform_of(window).ratio());
  ImGui::GetIO().AddMousePosEvent(static_cast<float>(x * scale), static_cast<float>(y * scale));
  platform_of(window).wake();
}

void on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
  if (action == GLFW_REPEAT) return platform_of(window).wake();
  ImGuiIO& io = ImGui::GetIO();
  const bool down = action == GLFW_PRESS;
  const auto held = [&](int mask, int left, int right) {
    return (mods & mask) != 0 || (down && (key == left || key == right));
  };
  io.AddKeyEvent(ImGuiMod_Ctrl,
                 held(GLFW_MOD_CONTROL, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL));
  io.AddKeyEvent(ImGuiMod_Shift, held(GLFW_MOD_SHIFT, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT));
  io.AddKeyEvent(ImGuiMod_Alt, held(GLFW_MOD_ALT, GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT));
  io.AddKeyEvent(ImGui_ImplGlfw_KeyToImGuiKey(key, scancode), down);
  platform_of(window).wake();
}

void set_callbacks(GLFWwindow* window) {
  glfwSetCursorPosCallback(window, on_cursor);
  glfwSetKeyCallback(window, on_key);
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int) {
    if (button < ImGuiMouseButton_COUNT)
      ImGui::GetIO().AddMouseButtonEvent(button, action == GLFW_PRESS);
    platform_of(w).wake();
  });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) {
    ImGui::GetIO().AddMouseWheelEvent(static_cast<float>(x), static_cast<float>(y));
    platform_of(w).wake();
  });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned c) {
    ImGui::GetIO().AddInputCharacter(c);
    platform_of(w).wake();
  });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int focused) {
    ImGui::GetIO().AddFocusEvent(focused != 0);
    platform_of(w).wake();
  });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    platform_of(w).on_drop(count, paths);
  });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { platform_of(w).wake(); });
  glfwSetWindowContentScaleCallback(window,
                                    [](GLFWwindow* w, float, float) { platform_of(w).wake(); });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { platform_of(w).wake(); });
}

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Noto Sans CJK holds Simplified Chinese as its third face; Latin fonts follow for systems without
// it.
struct Face {
  const char* path;
  unsigned number;
  bool bold;
};
constexpr std::array<Face, 6> kFaces{
    {{"/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", 2, false},
     {"/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc", 2, false},
     {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 0, false},
     {"/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc", 2, true},
     {"/usr/share/fonts/noto-cjk/NotoSansCJK-Bold.ttc", 2, true},
     {"/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf", 0, true}}};

// The wizard's font size is one em; Dear ImGui means the line, which Noto Sans CJK makes 1.448 em.
ImFont* add_face(bool bold) {
  for (const Face& face : kFaces) {
    const auto bytes = face.bold == bold ? read_file(face.path) : std::nullopt;
    if (!bytes) continue;
    auto* copy = static_cast<char*>(IM_ALLOC(bytes->size()));  // owned by the atlas
    std::copy(bytes->begin(), bytes->end(), copy);
    ImFontConfig config;
    config.FontNo = face.number;
    config.SizePixels = 15;
    if (face.number == 2) {
      config.ExtraSizeScale = 1.448F;
      config.GlyphOffset.y = 0.08F * config.SizePixels;
    } else {
      config.ExtraSizeScale = 1.164F;
    }
    return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(copy, static_cast<int>(bytes->size()),
                                                      config.SizePixels, &config);
  }
  return nullptr;
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The name itself where no file has it, otherwise with a number before its ending.
std::string free_path(const std::string& name) {
  std::string path = base_name(name);
  const std::size_t dot = std::min(path.rfind('.'), path.size());
  for (int number = 2; ::access(path.c_str(), F_OK) == 0; ++number) {
    path = base_name(name).insert(dot, "-" + std::to_string(number));
  }
  return path;
}

// The desktop's own dialog for a file to open, or to save under `name`.
std::vector<std::string> dialog(const std::string& name) {
  const std::string program = first_on_path({"zenity", "kdialog"});
  if (program == "zenity") {
    if (name.empty()) return {program, "--file-selection"};
    return {program, "--file-selection", "--save", "--confirm-overwrite", "--filename=" + name};
  }
  if (program == "kdialog") {
    if (name.empty()) return {program, "--getopenfilename"};
    return {program, "--getsavefilename", name};
  }
  return {};
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

// "Ctrl+Shift+V" in Dear ImGui's names; none for an unknown key.
std::optional<std::vector<ImGuiKey>> chord_of(std::string_view text) {
  std::vector<ImGuiKey> keys;
  while (!text.empty()) {
    const std::string_view name = text.substr(0, text.find('+'));
    text.remove_prefix(std::min(text.size(), name.size() + 1));
    ImGuiKey key = name == "Ctrl"    ? ImGuiMod_Ctrl
                   : name == "Shift" ? ImGuiMod_Shift
                   : name == "Alt"   ? ImGuiMod_Alt
                                     : ImGuiKey_None;
    for (int k = ImGuiKey_NamedKey_BEGIN; key == ImGuiKey_None && k < ImGuiKey_NamedKey_END; ++k) {
      if (name == ImGui::GetKeyName(static_cast<ImGuiKey>(k))) key = static_cast<ImGuiKey>(k);
    }
    if (key == ImGuiKey_None) return std::nullopt;
    keys.push_back(key);
  }
  return keys;
}

}  // namespace

NativePlatform::~NativePlatform() {
  if (window_ == nullptr) return;
  jobs_.clear();
  ImGui_ImplOpenGL3_Shutdown();
  ImPlot::DestroyContext();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

std::string NativePlatform::open(int width, int height, bool visible) {
  static std::string problem;
  glfwSetErrorCallback([](int, const char* text) { problem = text; });
  if (glfwInit() == 0) return problem;
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, visible ? GLFW_TRUE : GLFW_FALSE);
  window_ = glfwCreateWindow(width, height, "Xuanka", nullptr, nullptr);
  if (window_ == nullptr) {
    glfwTerminate();
    return problem;
  }
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
  glfwSetWindowUserPointer(window_, this);
  ImGui::CreateContext();
  ImPlot::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigInputTextCursorBlink = false;  // a focused field must not redraw for ever
  ImGuiPlatformIO& platform_io = ImGui::GetPlatformIO();
  platform_io.Platform_ClipboardUserData = window_;
  platform_io.Platform_GetClipboardTextFn = [](ImGuiContext*) {
    return glfwGetClipboardString(
        static_cast<GLFWwindow*>(ImGui::GetPlatformIO().Platform_ClipboardUserData));
  };
  platform_io.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
    glfwSetClipboardString(
        static_cast<GLFWwindow*>(ImGui::GetPlatformIO().Platform_ClipboardUserData), text);
  };
  if (!ImGui_ImplOpenGL3_Init("#version 150")) return "OpenGL 3.2";
  set_callbacks(window_);
  measure();
  return {};
}

bool NativePlatform::add_fonts() {
  ImFont* regular = add_face(false);
  ImFont* bold = add_face(true);
  if (regular == nullptr) return false;
  app_->set_fonts(regular, bold != nullptr ? bold : regular);
  return true;
}

void NativePlatform::measure() {
  int width = 0;
  int height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  glfwGetWindowContentScale(window_, &ratio_, nullptr);
  ratio_ = std::max(ratio_, 0.5F);
  width_ = static_cast<float>(width) / ratio_;
  height_ = static_cast<float>(height) / ratio_;
}

void NativePlatform::draw() {
  measure();
  ImGuiIO& io = ImGui::GetIO();
  const double time = now();
  io.DeltaTime = static_cast<float>(std::clamp(time - last_draw_, 1e-4, 1.0));
  last_draw_ = time;
  io.DisplaySize = ImVec2(width_, height_);
  io.DisplayFramebufferScale = ImVec2(ratio_, ratio_);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  app_->frame(width_, height_);
  draw_sheet();
  ImGui::Render();
  const std::uint32_t color = app_->page_colors().background;
  const auto channel = [color](unsigned shift) {
    return static_cast<float>((color >> shift) & 0xFFU) / 255.0F;
  };
  glViewport(0, 0, static_cast<int>(std::lround(width_ * ratio_)),
             static_cast<int>(std::lround(height_ * ratio_)));
  glClearColor(channel(16), channel(8), channel(0), 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  if (wanted_picture_) {
    const auto wanted = *std::exchange(wanted_picture_, std::nullopt);
    save(wanted.second, grab(wanted.first));
  }
}

// A text the wizard wants typed: a window over everything, Enter or the button gives it back.
void NativePlatform::draw_sheet() {
  if (!sheet_) return;
  ImGui::SetNextWindowPos(ImVec2(width_ / 2, height_ / 2), ImGuiCond_Always, ImVec2(0.5F, 0.5F));
  ImGui::OpenPopup("###sheet");
  bool done = false;
  bool keep = true;
  if (ImGui::BeginPopupModal((sheet_->title + "###sheet").c_str(), &keep,
                             ImGuiWindowFlags_AlwaysAutoResize)) {
    if (!sheet_->hint.empty()) ImGui::TextUnformatted(sheet_->hint.c_str());
    if (sheet_->kind == web::SheetRequest::Kind::kLongText) {
      ImGui::InputTextMultiline("##text", typed_.data(), typed_.size(),
                                ImVec2(width_ * 0.6F, height_ * 0.5F));
    } else {
      if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
      done = ImGui::InputText("##text", typed_.data(), typed_.size(),
                              ImGuiInputTextFlags_EnterReturnsTrue);
    }
    done = ImGui::Button("OK") || done;
    if (done || !keep) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  if (!done && keep) return;
  const auto sheet = *std::exchange(sheet_, std::nullopt);
  const std::string text = typed_.data();
  if (done && sheet.key == kPathKey) {
    const char* path = text.c_str();
    on_drop(1, &path);
  } else if (done) {
    app_->on_sheet(sheet.key, text);
  }
  wake();
}

void NativePlatform::run() {
  while (glfwWindowShouldClose(window_) == 0) {
    end_jobs();
    if (frames_left_ > 0) {
      --frames_left_;
      draw();
      glfwSwapBuffers(window_);
      glfwPollEvents();
    } else if (timer_) {
      glfwWaitEventsTimeout(std::max(1e-3, *timer_ - now()));
    } else {
      glfwWaitEvents();
    }
    if (timer_ && now() >= *timer_) {
      timer_.reset();
      request_frames(1);
    }
  }
}

std::string NativePlatform::picture(int frames) {
  for (int i = 0; i < frames; ++i) {
    glfwPollEvents();
    draw();
  }
  const std::string bytes = grab({0, 0, width_, height_});
  glfwSwapBuffers(window_);
  return bytes;
}

std::string NativePlatform::grab(const web::PictureArea& area) const {
  const auto pixels = [this](float length) {
    return static_cast<int>(std::lround(length * ratio_));
  };
  const int width = pixels(area.width);
  const int height = pixels(area.height);
  if (width < 1 || height < 1) return {};
  const auto stride = static_cast<std::size_t>(width) * 3;
  std::vector<std::uint8_t> up(stride * static_cast<std::size_t>(height));
  std::vector<std::uint8_t> down(up.size());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  // OpenGL counts rows from the bottom.
  glReadPixels(pixels(area.x), pixels(height_ - area.y - area.height), width, height, GL_RGB,
               GL_UNSIGNED_BYTE, up.data());
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    const auto row = up.begin() + static_cast<std::ptrdiff_t>(
                                      (static_cast<std::size_t>(height) - 1 - y) * stride);
    std::copy(row, row + static_cast<std::ptrdiff_t>(stride),
              down.begin() + static_cast<std::ptrdiff_t>(y * stride));
  }
  return png_of(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), down);
}

void NativePlatform::on_drop(int count, const char** paths) {
  for (int i = 0; i < count; ++i) {
    const auto bytes = read_file(paths[i]);
    if (bytes) app_->on_drop_file(base_name(paths[i]), *bytes);
  }
  wake();
}

void NativePlatform::request_frames(int frames) { frames_left_ = std::max(frames_left_, frames); }
void NativePlatform::request_frame_after(double seconds) {
  const double at = now() + seconds;
  timer_ = timer_ ? std::min(*timer_, at) : at;
}
double NativePlatform::now() const { return glfwGetTime(); }

std::string NativePlatform::preferred_language() const {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0')
      return std::string_view(value).substr(0, 2) == "zh" ? "zh" : "en";
  }
  return "en";
}

void NativePlatform::copy_text(std::string_view text) {
  glfwSetClipboardString(window_, std::string(text).c_str());
}

void NativePlatform::open_sheet(const web::SheetRequest& request) {
  sheet_ = request;
  typed_.assign(std::max(kMostTyped, request.value.size() + 1), '\0');
  std::copy(request.value.begin(), request.value.end(), typed_.begin());
  wake();
}

void NativePlatform::pick_file(std::string_view accept) {
  if (auto argv = dialog({}); !argv.empty()) {
    run_beside(std::move(argv), [this](const ChildResult& chosen) {
      const std::string path = first_line(chosen.out);
      const char* one = path.c_str();
      if (chosen.status == 0) on_drop(1, &one);
    });
    return;
  }
  open_sheet(
      {std::string(kPathKey), std::string(accept), "", "", "", web::SheetRequest::Kind::kText});
}

// Where the user says; without a dialog into the folder the program was started in, never over a
// file that is there.
void NativePlatform::save(const std::string& name, std::string bytes) {
  auto argv = dialog(base_name(name));
  if (argv.empty()) return write(free_path(name), bytes);
  run_beside(std::move(argv), [this, text = std::move(bytes)](const ChildResult& chosen) {
    if (chosen.status == 0) write(first_line(chosen.out), text);
  });
}

void NativePlatform::write(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  glfwSetWindowTitle(window_, ("Xuanka: " + (file ? path : "! " + path)).c_str());
}

void NativePlatform::download(std::string_view name, std::string_view, std::string_view bytes) {
  save(std::string(name), std::string(bytes));
}

void NativePlatform::load_measurements() {
  std::vector<MeasurementText> texts;
  for (const auto& file : assets::measurement_files()) {
    texts.push_back({std::string(file.name), std::string(file.text)});
  }
  app_->set_measurements(web::write_measured(validate(app_->api().knowledge(), texts)));
}

void NativePlatform::probe() {
  if (probing_) return;
  probing_ = true;
  run_beside({probe_program_, "probe", "--json", "--quick"}, [this](const ChildResult& measured) {
    probing_ = false;
    if (measured.status == 0) {
      app_->on_drop_file("xuanka probe", measured.out);
    } else {
      app_->tell("probe_failed", {{"reason", last_line(measured.err)}}, true);
    }
  });
}

void NativePlatform::wake_loop() { glfwPostEmptyEvent(); }

void NativePlatform::run_beside(std::vector<std::string> argv,
                                std::function<void(const ChildResult&)> then) {
  jobs_.emplace_back(std::move(argv), std::move(then));
  wake();
}

void NativePlatform::end_jobs() {
  for (auto job = jobs_.begin(); job != jobs_.end();) {
    if (!job->child.done()) {
      ++job;
      continue;
    }
    job->then(job->child.result());
    job = jobs_.erase(job);
    wake();
  }
}

void NativePlatform::finish_jobs() {
  while (!jobs_.empty()) {
    glfwWaitEventsTimeout(0.05);
    end_jobs();
  }
  settle();
}

void NativePlatform::settle() {
  constexpr int kMostFrames = 60;
  request_frames(3);
  for (int i = 0; i < kMostFrames && frames_left_ > 0; ++i) {
    --frames_left_;
    glfwPollEvents();
    draw();
    glfwSwapBuffers(window_);
  }
}

// Turns the wheel over the column an item stands in, until enough of it is to be seen.
std::optional<web::ItemPlace> NativePlatform::scroll_to(std::string_view key) {
  constexpr int kMostTurns = 60;
  ImGuiIO& io = ImGui::GetIO();
  auto place = web::place_of_item(key);
  for (int i = 0; i < kMostTurns && place; ++i) {
    const float middle = place->box.y + place->box.height / 2;
    if (place->shown.height >= std::min(8.0F, place->box.height) && place->shown.width >= 1) break;
    io.AddMousePosEvent(place->box.x + place->box.width / 2,
                        std::clamp(middle, height_ * 0.3F, height_ * 0.6F));
    settle();
    io.AddMouseWheelEvent(0, middle > height_ / 2 ? -1.0F : 1.0F);
    settle();
    place = web::place_of_item(key);
  }
  return place;
}

std::string NativePlatform::act(std::string_view action) {
  const std::string_view verb = action.substr(0, action.find(' '));
  const std::string_view what = action.substr(std::min(action.size(), verb.size() + 1));
  ImGuiIO& io = ImGui::GetIO();
  web::watch_items();
  settle();
  if (verb == "click") {
    const auto place = scroll_to(what);
    if (!place || place->shown.width < 1 || place->shown.height < 1) {
      return "nothing to click: " + std::string(what);
    }
    io.AddMousePosEvent(place->shown.x + place->shown.width / 2,
                        place->shown.y + place->shown.height / 2);
    settle();
    io.AddMouseButtonEvent(ImGuiMouseButton_Left, true);
    settle();
    io.AddMouseButtonEvent(ImGuiMouseButton_Left, false);
  } else if (verb == "press") {
    const auto keys = chord_of(what);
    if (!keys) return "no such key: " + std::string(what);
    for (const ImGuiKey key : *keys) io.AddKeyEvent(key, true);
    settle();
    for (const ImGuiKey key : *keys) io.AddKeyEvent(key, false);
  } else if (verb == "type") {
    io.AddInputCharactersUTF8(std::string(what).c_str());
  } else {
    return "click, press or type: " + std::string(action);
  }
  settle();
  return {};
}

void NativePlatform::save_picture(const web::PictureArea& area, std::string_view name) {
  wanted_picture_.emplace(area, std::string(name));
  wake();
}

std::string NativePlatform::remembered(std::string_view key) const {
  const auto it = remembered_.find(key);
  return it == remembered_.end() ? std::string() : it->second;
}
void NativePlatform::remember(std::string_view key, std::string_view value) {
  remembered_[std::string(key)] = value;
}

}  // namespace xuanka::window
