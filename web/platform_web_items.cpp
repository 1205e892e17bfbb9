// The items of the canvas, for tests that drive the real page.
#include <emscripten/emscripten.h>

#include "web/items.hpp"
#include "web/platform_web.hpp"

extern "C" {

/// Where the item with this key is: 8 floats, x, y, width, height of the item and of the part of it
/// that is not scrolled away. 0 when it was not drawn in the last frame. The first call turns the
/// hooks on and draws.
EMSCRIPTEN_KEEPALIVE int xuanka_item_rect(const char* key, std::size_t size, float* out) {
  xuanka::web::WebPlatform* platform = xuanka::web::active_platform();
  if (platform == nullptr || !platform->is_open()) return 0;
  xuanka::web::watch_items();
  platform->settle();
  const auto place = xuanka::web::place_of_item({key, size});
  if (!place) return 0;
  for (const xuanka::web::ItemBox& box : {place->box, place->shown}) {
    for (const float side : {box.x, box.y, box.width, box.height}) *out++ = side;
  }
  return 1;
}

/// Dear ImGui's id of the item with this key, 0 when it is not drawn.
EMSCRIPTEN_KEEPALIVE unsigned xuanka_item_id(const char* key, std::size_t size) {
  float box[8];
  if (xuanka_item_rect(key, size, box) == 0) return 0;
  const auto place = xuanka::web::place_of_item({key, size});
  return place ? place->id : 0;
}

/// The id of the item that has the keyboard, 0 when none has.
EMSCRIPTEN_KEEPALIVE unsigned xuanka_item_focused() { return xuanka::web::focused_item(); }

}  // extern "C"
