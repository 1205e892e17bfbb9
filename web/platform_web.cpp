#include "web/platform_web.hpp"

#include <GLES3/gl3.h>
#include <emscripten/emscripten.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "imgui_impl_opengl3.h"
#include "imgui_internal.h"
#include "implot.h"
#include "web/platform_web_font.hpp"
#include "web/platform_web_keys.hpp"

extern "C" {
// platform_web.js; texts that it returns are malloc'ed, null = none.
int xkw_open();
void xkw_request_frame();
void xkw_request_frame_after(double seconds);
double xkw_now();
int xkw_apple();
int xkw_preferences();
void xkw_cursor(const char* name);
void xkw_text_input(int wanted, float x, float y, float height);
void xkw_copy(const char* text);
char* xkw_copied();
void xkw_save_picture(float x, float y, float width, float height, const char* name);
void xkw_pick_file(const char* accept);
void xkw_load_measurements();
void xkw_download(const char* name, const char* mime, const char* data, std::size_t size);
char* xkw_host(const char* call, const char* text);
}

namespace xuanka::web {
namespace {

std::string take(char* text) {
  if (text == nullptr) return {};
  std::string result = text;
  std::free(text);
  return result;
}

const char* clipboard_text(ImGuiContext*) {
  static std::string text;
  text = take(xkw_copied());
  return text.c_str();
}

void set_clipboard_text(ImGuiContext*, const char* text) { xkw_copy(text); }

const char* cursor_name(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_TextInput:
      return "text";
    case ImGuiMouseCursor_Hand:
      return "pointer";
    case ImGuiMouseCursor_ResizeEW:
      return "ew-resize";
    case ImGuiMouseCursor_ResizeNS:
      return "ns-resize";
    case ImGuiMouseCursor_NotAllowed:
      return "not-allowed";
    default:
      return "default";
  }
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      constexpr const char* kHex = "0123456789abcdef";
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

bool popup_open() { return ImGui::GetCurrentContext()->OpenPopupStack.Size > 0; }

}  // namespace

WebPlatform::~WebPlatform() {
  if (!open_) return;
  ImGui_ImplOpenGL3_Shutdown();
  ImPlot::DestroyContext();
  ImGui::DestroyContext();
}

bool WebPlatform::open() {
  touch_ = (xkw_preferences() & 8) != 0;
  // Dear ImGui exists before the first event; without a canvas it is taken away again.
  ImGui::CreateContext();
  ImPlot::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigInputTextCursorBlink = false;  // a focused field must not redraw for ever
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.ConfigMacOSXBehaviors = xkw_apple() != 0;
  io.BackendPlatformName = "xuanka_web";
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  ImGuiPlatformIO& platform_io = ImGui::GetPlatformIO();
  platform_io.Platform_GetClipboardTextFn = clipboard_text;
  platform_io.Platform_SetClipboardTextFn = set_clipboard_text;
  if (xkw_open() == 0 || !ImGui_ImplOpenGL3_Init("#version 300 es")) {
    ImPlot::DestroyContext();
    ImGui::DestroyContext();
    return false;
  }
  const BrowserFonts fonts = add_browser_fonts();
  app_->set_fonts(fonts.regular, fonts.bold);
  open_ = true;
  request_frames(kSettleFrames);
  return true;
}

// ---- drawing on demand

void WebPlatform::request_frames(int frames) {
  frames_left_ = std::max(frames_left_, frames);
  if (open_ && frames_left_ > 0) xkw_request_frame();
}

void WebPlatform::request_frame_after(double seconds) {
  if (open_) xkw_request_frame_after(seconds);
}

double WebPlatform::now() const { return xkw_now(); }

void WebPlatform::on_frame() {
  if (!open_ || drawing_) return;
  --frames_left_;
  draw(true);
  // Presses and releases that came in one frame are handed out over several.
  if (ImGui::GetCurrentContext()->InputEventsQueue.Size > 0)
    frames_left_ = std::max(frames_left_, 2);
  frames_left_ = std::max(frames_left_, 0);
  if (frames_left_ > 0) xkw_request_frame();
}

void WebPlatform::settle() {
  if (!open_ || drawing_) return;
  for (int i = 0; i < 8 && (i < 2 || ImGui::GetCurrentContext()->InputEventsQueue.Size > 0); ++i)
    draw(false);
  request_frames(kSettleFrames);
}

void WebPlatform::draw(bool show) {
  drawing_ = true;
  ImGuiIO& io = ImGui::GetIO();
  const double time = xkw_now();
  io.DeltaTime = static_cast<float>(std::clamp(time - last_draw_, 1e-4, 1.0));
  last_draw_ = time;
  io.DisplaySize = size_;
  io.DisplayFramebufferScale = ImVec2(ratio_, ratio_);
  if (drop_focus_) {
    drop_focus_ = false;
    ImGui::ClearActiveID();
    ImGui::SetNavCursorVisible(false);
  }
  if (pending_edge_ != 0) {
    app_->focus_edge(pending_edge_ < 0);
    pending_edge_ = 0;
  }
  if (show) glide(io.DeltaTime);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  app_->frame(size_.x, size_.y);
  ImGui::Render();
  if (show) show_picture();
  update_cursor();
  update_text_input();
  drawing_ = false;
}

namespace {

// A number that differs when anything differs that is drawn: bytes as words, each mixed in by a
// product, as FNV-1a mixes bytes.
class Digest {
 public:
  template <class T>
  void add(const T* data, int count) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(data);
    std::size_t left = sizeof(T) * static_cast<std::size_t>(count);
    for (; left >= sizeof(std::uint64_t); left -= sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes, sizeof word);
      mix(word);
      bytes += sizeof word;
    }
    for (; left > 0; --left) mix(*bytes++);
  }
  void mix(std::uint64_t word) { value_ = (std::rotl(value_, 23) ^ word) * 0x9E3779B97F4A7C15U; }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325U;
};

std::uint64_t digest_of(const ImDrawData& data, std::uint32_t background) {
  Digest digest;
  digest.mix(background);
  digest.add(&data.DisplaySize, 1);
  for (const ImDrawList* list : data.CmdLists) {
    digest.add(list->VtxBuffer.Data, list->VtxBuffer.Size);
    digest.add(list->IdxBuffer.Data, list->IdxBuffer.Size);
    for (const ImDrawCmd& command : list->CmdBuffer) {
      digest.add(&command.ClipRect, 1);
      digest.mix(command.GetTexID());
      digest.mix(command.ElemCount);
    }
  }
  return digest.value();
}

bool textures_change(const ImDrawData& data) {
  return data.Textures != nullptr && std::any_of(data.Textures->begin(), data.Textures->end(),
                                                 [](const ImTextureData* texture) {
                                                   return texture->Status != ImTextureStatus_OK;
                                                 });
}

}  // namespace

void WebPlatform::show_picture() {
  const std::uint32_t color = app_->page_colors().background;
  const auto channel = [color](unsigned shift) {
    return static_cast<float>((color >> shift) & 0xff) / 255.0f;
  };
  ImDrawData* data = ImGui::GetDrawData();
  // A canvas keeps its picture: most frames in which widgets settle would draw it once more.
  const bool fresh = textures_change(*data) || !picture_name_.empty();
  const std::uint64_t digest = fresh ? 0 : digest_of(*data, color);
  if (digest != 0 && digest == shown_) return;
  shown_ = digest;
  glViewport(0, 0, static_cast<int>(std::lround(size_.x * ratio_)),
             static_cast<int>(std::lround(size_.y * ratio_)));
  glDisable(GL_SCISSOR_TEST);
  glClearColor(channel(16), channel(8), channel(0), 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(data);
  if (!picture_name_.empty()) {
    xkw_save_picture(picture_.x, picture_.y, picture_.width, picture_.height,
                     picture_name_.c_str());
    picture_name_.clear();
  }
}

void WebPlatform::update_cursor() { xkw_cursor(cursor_name(ImGui::GetMouseCursor())); }

void WebPlatform::update_text_input() {
  const ImGuiPlatformImeData& ime = ImGui::GetCurrentContext()->PlatformImeData;
  if (!ime.WantTextInput && !text_wanted_) return;
  text_wanted_ = ime.WantTextInput;
  xkw_text_input(ime.WantTextInput ? 1 : 0, ime.InputPos.x, ime.InputPos.y, ime.InputLineHeight);
}

void WebPlatform::on_size(float pixel_width, float pixel_height, float ratio) {
  ratio_ = ratio;
  size_ = ImVec2(pixel_width / ratio, pixel_height / ratio);
  shown_ = 0;
  request_frames(kSettleFrames);
}

void WebPlatform::on_restored() {
  if (!open_) return;
  shown_ = 0;
  // Everything on the GPU is gone; the textures come back through the texture protocol of Dear
  // ImGui.
  ImGui_ImplOpenGL3_Shutdown();
  if (!ImGui_ImplOpenGL3_Init("#version 300 es")) host("fatal", "WebGL2");
  request_frames(kSettleFrames);
}

void WebPlatform::on_preferences() {
  if (app_ != nullptr) app_->on_preferences_changed();
  request_frames(kSettleFrames);
}

// ---- keyboard and text

void WebPlatform::on_focus(bool focused, int edge) {
  if (!open_) return;
  ImGui::GetIO().AddFocusEvent(focused);
  if (!focused) drop_focus_ = true;
  if (edge != 0) pending_edge_ = edge;
  request_frames(kSettleFrames);
}

bool WebPlatform::tab_leaves(bool backward) {
  if (!open_ || popup_open()) return false;
  return backward ? app_->focus_is_first() : app_->focus_is_last();
}

bool WebPlatform::on_key(std::string_view code, bool down, unsigned modifiers) {
  if (!open_) return false;
  ImGuiIO& io = ImGui::GetIO();
  const ImGuiKey key = key_of_code(code);
  io.AddKeyEvent(ImGuiMod_Ctrl, (modifiers & 1) != 0);
  io.AddKeyEvent(ImGuiMod_Shift, (modifiers & 2) != 0);
  io.AddKeyEvent(ImGuiMod_Alt, (modifiers & 4) != 0);
  io.AddKeyEvent(ImGuiMod_Super, (modifiers & 8) != 0);
  if (key == ImGuiKey_None) return false;
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const KeyUse use = use_of_key(key, io.WantTextInput, (modifiers & 9) != 0, (modifiers & 4) != 0);
  if (!down) {
    io.AddKeyEvent(key, false);
    request_frames(kSettleFrames);
    return false;
  }
  if (use == KeyUse::kNone) return false;
  if (key == ImGuiKey_Tab && !g.NavIdIsAlive && !popup_open()) {
    // What had the focus is gone with the step it was on: start again from the edge.
    pending_edge_ = (modifiers & 2) != 0 ? -1 : 1;
    request_frames(kSettleFrames);
    return true;
  }
  if (key == ImGuiKey_Escape && !popup_open() && g.ActiveId == 0) return false;
  io.AddKeyEvent(key, true);
  request_frames(kSettleFrames);
  return use == KeyUse::kTaken;
}

void WebPlatform::on_text(const char* text) {
  if (!open_) return;
  ImGui::GetIO().AddInputCharactersUTF8(text);
  request_frames(kSettleFrames);
}

void WebPlatform::on_paste(std::string_view text) {
  if (!open_) return;
  ImGuiIO& io = ImGui::GetIO();
  if (!io.WantTextInput) {
    app_->on_drop_file({}, text);
  } else {
    // The text is on our clipboard already; the field takes it by its own shortcut.
    const ImGuiKey command = io.ConfigMacOSXBehaviors ? ImGuiMod_Super : ImGuiMod_Ctrl;
    io.AddKeyEvent(command, true);
    io.AddKeyEvent(ImGuiKey_V, true);
    io.AddKeyEvent(ImGuiKey_V, false);
    io.AddKeyEvent(command, false);
  }
  request_frames(kSettleFrames);
}

void WebPlatform::on_file(std::string_view name, std::string_view bytes) {
  app_->on_drop_file(name, bytes);
  request_frames(kSettleFrames);
}

void WebPlatform::load_measurements() { xkw_load_measurements(); }

void WebPlatform::on_measurements(std::string_view text) {
  app_->set_measurements(text);
  request_frames(kSettleFrames);
}

// ---- what the system prefers, and the page around the canvas

bool WebPlatform::prefers_dark() const { return (xkw_preferences() & 1) != 0; }
bool WebPlatform::prefers_contrast() const { return (xkw_preferences() & 2) != 0; }
bool WebPlatform::prefers_reduced_motion() const { return (xkw_preferences() & 4) != 0; }
std::string WebPlatform::preferred_language() const { return host("preferredLanguage"); }

std::string WebPlatform::host(const char* call, std::string_view text) const {
  return take(xkw_host(call, std::string(text).c_str()));
}

void WebPlatform::copy_text(std::string_view text) { xkw_copy(std::string(text).c_str()); }

void WebPlatform::open_sheet(const SheetRequest& request) {
  constexpr const char* kKinds[] = {"number", "text", "long"};
  std::string json =
      "{\"key\":" + json_text(request.key) + ",\"title\":" + json_text(request.title);
  json += ",\"value\":" + json_text(request.value) + ",\"unit\":" + json_text(request.unit);
  json += ",\"hint\":" + json_text(request.hint) + ",\"kind\":\"";
  json += kKinds[static_cast<std::size_t>(request.kind)];
  host("openSheet", json + "\"}");
}

void WebPlatform::pick_file(std::string_view accept) { xkw_pick_file(std::string(accept).c_str()); }

void WebPlatform::download(std::string_view name, std::string_view mime, std::string_view bytes) {
  xkw_download(std::string(name).c_str(), std::string(mime).c_str(), bytes.data(), bytes.size());
}

void WebPlatform::save_picture(const PictureArea& area, std::string_view name) {
  picture_ = area;
  picture_name_ = name;
  request_frames(kSettleFrames);
}

void WebPlatform::open_guide() { host("openGuide", {}); }
void WebPlatform::print() { host("print"); }
void WebPlatform::announce(std::string_view text) { host("announce", text); }
std::string WebPlatform::page_address() const { return host("pageAddress"); }

void WebPlatform::write_fragment(std::string_view fragment, bool push) {
  host(push ? "pushFragment" : "replaceFragment", fragment);
}

void WebPlatform::state_changed() {
  request_frames(kSettleFrames);
  host("stateChanged");
}

std::string WebPlatform::remembered(std::string_view key) const { return host("remembered", key); }

void WebPlatform::remember(std::string_view key, std::string_view value) {
  host("remember", std::string(key) + '=' + std::string(value));
}

// ---- the events' entry points

namespace {
WebPlatform* g_platform = nullptr;  // the module's one page
}

void set_active_platform(WebPlatform* platform) { g_platform = platform; }
WebPlatform* active_platform() { return g_platform; }

}  // namespace xuanka::web

extern "C" {

EMSCRIPTEN_KEEPALIVE void xkw_frame() { xuanka::web::active_platform()->on_frame(); }
EMSCRIPTEN_KEEPALIVE void xkw_settle() { xuanka::web::active_platform()->settle(); }
EMSCRIPTEN_KEEPALIVE void xkw_on_timer() { xuanka::web::active_platform()->on_timer(); }
EMSCRIPTEN_KEEPALIVE void xkw_on_restored() { xuanka::web::active_platform()->on_restored(); }
EMSCRIPTEN_KEEPALIVE void xkw_on_preferences() { xuanka::web::active_platform()->on_preferences(); }
EMSCRIPTEN_KEEPALIVE void xkw_on_size(float width, float height, float ratio) {
  xuanka::web::active_platform()->on_size(width, height, ratio);
}
EMSCRIPTEN_KEEPALIVE void xkw_on_pointer(int kind, int source, float x, float y, float client_x,
                                         float client_y, double time) {
  xuanka::web::active_platform()->on_pointer(static_cast<xuanka::web::PointerKind>(kind),
                                             static_cast<ImGuiMouseSource>(source), {x, y},
                                             {client_x, client_y}, time);
}
EMSCRIPTEN_KEEPALIVE int xkw_on_wheel(float dx, float dy, float x, float y, double time) {
  return xuanka::web::active_platform()->on_wheel({dx, dy}, {x, y}, time) ? 1 : 0;
}
EMSCRIPTEN_KEEPALIVE void xkw_on_focus(int focused, int edge) {
  xuanka::web::active_platform()->on_focus(focused != 0, edge);
}
EMSCRIPTEN_KEEPALIVE int xkw_tab_leaves(int backward) {
  return xuanka::web::active_platform()->tab_leaves(backward != 0) ? 1 : 0;
}
EMSCRIPTEN_KEEPALIVE int xkw_on_key(const char* code, int down, unsigned modifiers) {
  return xuanka::web::active_platform()->on_key(code, down != 0, modifiers) ? 1 : 0;
}
EMSCRIPTEN_KEEPALIVE void xkw_on_text(const char* text) {
  xuanka::web::active_platform()->on_text(text);
}
EMSCRIPTEN_KEEPALIVE void xkw_on_paste(const char* text) {
  xuanka::web::active_platform()->on_paste(text);
}
EMSCRIPTEN_KEEPALIVE void xkw_on_measurements(const char* text, std::size_t size) {
  xuanka::web::active_platform()->on_measurements({text, size});
}
EMSCRIPTEN_KEEPALIVE void xkw_on_file(const char* name, const char* data, std::size_t size) {
  xuanka::web::active_platform()->on_file(name, {data, size});
}

}  // extern "C"
