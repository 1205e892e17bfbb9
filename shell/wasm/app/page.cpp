// The canvas page's part of the C interface: the wizard, its state and its texts for the HTML twin.
// Memory as in abi.hpp. Everything works without a canvas; the twin is then all there is.
#include <emscripten/emscripten.h>

#include <memory>
#include <string>
#include <string_view>

#include "shell/wasm/abi.hpp"
#include "web/app.hpp"
#include "web/platform_web.hpp"

namespace {

struct Page {
  xuanka::web::WebPlatform platform;
  xuanka::web::App app;
  explicit Page(const xuanka::Api& api) : app(api, platform) { platform.attach(app); }
};
std::unique_ptr<Page> g_page;  // the module's one page

using xuanka::wasm::give;

}  // namespace

extern "C" {

/// Makes the wizard's state. 0 when the shipped data could not be loaded (call `xuanka_init`
/// first).
EMSCRIPTEN_KEEPALIVE int xuanka_page_create() {
  if (xuanka::wasm::api() == nullptr) return 0;
  if (!g_page) {
    g_page = std::make_unique<Page>(*xuanka::wasm::api());
    xuanka::web::set_active_platform(&g_page->platform);
  }
  return 1;
}

/// Opens the canvas. 0 when the browser gives no WebGL2.
EMSCRIPTEN_KEEPALIVE int xuanka_page_open() { return g_page->platform.open() ? 1 : 0; }

EMSCRIPTEN_KEEPALIVE void xuanka_page_set_fragment(const char* text, std::size_t size) {
  g_page->app.set_fragment({text, size});
  g_page->platform.request_frames(3);
}
EMSCRIPTEN_KEEPALIVE const char* xuanka_page_fragment() { return give(g_page->app.fragment()); }
/// Takes the inputs of a request over; 0 when the text is no request.
EMSCRIPTEN_KEEPALIVE int xuanka_page_set_request(const char* text, std::size_t size) {
  const bool taken = g_page->app.set_request({text, size});
  g_page->platform.request_frames(3);
  return taken ? 1 : 0;
}
EMSCRIPTEN_KEEPALIVE void xuanka_page_set_lang(const char* text, std::size_t size) {
  g_page->app.set_lang({text, size});
  g_page->platform.request_frames(3);
}
EMSCRIPTEN_KEEPALIVE void xuanka_page_set_theme(const char* text, std::size_t size) {
  g_page->app.set_theme({text, size});
  g_page->platform.request_frames(3);
}
EMSCRIPTEN_KEEPALIVE void xuanka_page_set_currency(const char* text, std::size_t size) {
  g_page->app.set_currency({text, size});
  g_page->platform.request_frames(3);
}
EMSCRIPTEN_KEEPALIVE const char* xuanka_page_lang() {
  return give(std::string(g_page->app.lang()));
}
EMSCRIPTEN_KEEPALIVE const char* xuanka_page_theme() {
  return give(std::string(g_page->app.theme()));
}
/// 1 when the theme in effect is dark.
EMSCRIPTEN_KEEPALIVE int xuanka_page_dark() { return g_page->app.page_colors().dark ? 1 : 0; }
EMSCRIPTEN_KEEPALIVE const char* xuanka_page_form() { return give(g_page->app.form_json()); }
EMSCRIPTEN_KEEPALIVE const char* xuanka_page_request() { return give(g_page->app.request_json()); }
EMSCRIPTEN_KEEPALIVE const char* xuanka_page_report() { return give(g_page->app.report_json()); }
EMSCRIPTEN_KEEPALIVE const char* xuanka_page_results() { return give(g_page->app.results_json()); }
/// Sets one input by its key; 0 when there is no such key.
EMSCRIPTEN_KEEPALIVE int xuanka_page_set_field(const char* key, std::size_t key_size,
                                               const char* value, std::size_t value_size) {
  const bool known = g_page->app.set_field({key, key_size}, {value, value_size});
  g_page->platform.request_frames(3);
  return known ? 1 : 0;
}
/// The value typed into the sheet that the platform opened.
EMSCRIPTEN_KEEPALIVE void xuanka_page_sheet(const char* key, std::size_t key_size,
                                            const char* value, std::size_t value_size) {
  g_page->app.on_sheet({key, key_size}, {value, value_size});
  g_page->platform.request_frames(3);
}
/// A file dropped on the page outside the canvas.
EMSCRIPTEN_KEEPALIVE void xuanka_page_file(const char* name, std::size_t name_size,
                                           const char* data, std::size_t size) {
  g_page->platform.on_file({name, name_size}, {data, size});
}
/// CSS pixels of canvas that show everything without scrolling.
EMSCRIPTEN_KEEPALIVE double xuanka_page_height() { return g_page->app.content_height(); }
/// Milliseconds from the last change of an input to the end of the frame that showed it.
EMSCRIPTEN_KEEPALIVE double xuanka_page_update_ms() { return g_page->app.last_update_ms(); }

}  // extern "C"
