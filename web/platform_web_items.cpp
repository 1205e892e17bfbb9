// Where the wizard's items are on the canvas, for tests that drive the real page: Dear ImGui tells every item
// through its test hooks once somebody has asked. Costs nothing before that.
#include <emscripten/emscripten.h>

#include <string_view>
#include <unordered_map>

#include "imgui.h"
#include "imgui_internal.h"
#include "web/platform_web.hpp"

namespace xuanka::web {
namespace {

struct Item {
  ImRect box;
  ImRect clipped;
  int frame = -1;
};

struct Items {
  std::unordered_map<ImGuiID, Item> by_id;
  std::unordered_map<ImGuiID, ImGuiID> by_key;  ///< hash of the key behind "###" (or of the label) -> item
};

Items& items() {
  static Items all;
  return all;
}

/// Labels are "text###key": the key is what tests know.
std::string_view key_of_label(std::string_view label) {
  const std::size_t mark = label.rfind("###");
  return mark == std::string_view::npos ? label : label.substr(mark + 3);
}

const Item* find_item(std::string_view key) {
  Items& all = items();
  const int now = ImGui::GetFrameCount();
  const auto fresh = [&](ImGuiID id) -> const Item* {
    const auto found = all.by_id.find(id);
    return found != all.by_id.end() && found->second.frame >= now - 1 ? &found->second : nullptr;
  };
  if (const auto named = all.by_key.find(ImHashStr(key.data(), key.size())); named != all.by_key.end()) {
    if (const Item* item = fresh(named->second)) return item;
  }
  // Items without a label: the id is the hash of the key in some window.
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (!window->WasActive) continue;
    if (const Item* item = fresh(ImHashStr(key.data(), key.size(), window->ID))) return item;
  }
  return nullptr;
}

}  // namespace
}  // namespace xuanka::web

// Called by Dear ImGui (IMGUI_ENABLE_TEST_ENGINE).
void ImGuiTestEngineHook_ItemAdd(ImGuiContext* context, ImGuiID id, const ImRect& box, const ImGuiLastItemData*) {
  if (id == 0) return;
  xuanka::web::Item& item = xuanka::web::items().by_id[id];
  item.box = item.clipped = box;
  if (context->CurrentWindow != nullptr) item.clipped.ClipWith(context->CurrentWindow->ClipRect);
  item.frame = context->FrameCount;
}
void ImGuiTestEngineHook_ItemInfo(ImGuiContext*, ImGuiID id, const char* label, ImGuiItemStatusFlags) {
  const std::string_view key = xuanka::web::key_of_label(label);
  xuanka::web::items().by_key[ImHashStr(key.data(), key.size())] = id;
}
void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}
const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) { return nullptr; }

extern "C" {

/// Where the item with this key is, in CSS pixels from the top left of the canvas: 8 floats, x, y, width, height of
/// the item and of the part of it that is not scrolled away. 0 when it was not drawn in the last frame. The first
/// call turns the hooks on and draws.
EMSCRIPTEN_KEEPALIVE int xuanka_item_rect(const char* key, std::size_t size, float* out) {
  xuanka::web::WebPlatform* platform = xuanka::web::active_platform();
  if (platform == nullptr || !platform->is_open()) return 0;
  ImGui::GetCurrentContext()->TestEngineHookItems = true;
  platform->settle();
  const xuanka::web::Item* item = xuanka::web::find_item({key, size});
  if (item == nullptr) return 0;
  const ImRect boxes[] = {item->box, item->clipped};
  for (std::size_t i = 0; i < 2; ++i) {
    out[i * 4] = boxes[i].Min.x;
    out[i * 4 + 1] = boxes[i].Min.y;
    out[i * 4 + 2] = boxes[i].GetWidth();
    out[i * 4 + 3] = boxes[i].GetHeight();
  }
  return 1;
}

}  // extern "C"
