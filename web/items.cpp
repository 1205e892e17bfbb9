#include "web/items.hpp"

#include <array>
#include <cstdlib>
#include <string>

#include "imgui.h"
#include "imgui_internal.h"

namespace xuanka::web {
namespace {

struct Item {
  ImRect box;
  ImRect clipped;
  int frame = -1;
  ImGuiID id = 0;
};

struct Items {
  ImVector<Item> all;
  ImGuiStorage by_id;   ///< id -> place in `all`, plus one
  ImGuiStorage by_key;  ///< hash of the key behind "###" (or of the label) -> item

  Item* find(ImGuiID id) {
    const int place = by_id.GetInt(id);
    return place > 0 ? &all[place - 1] : nullptr;
  }
  Item& at(ImGuiID id) {
    if (Item* known = find(id)) return *known;
    all.push_back(Item{});
    by_id.SetInt(id, all.Size);
    return all.back();
  }
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

const Item* fresh_item(ImGuiID id) {
  const Item* found = items().find(id);
  return found != nullptr && found->frame >= ImGui::GetFrameCount() - 1 ? found : nullptr;
}

/// Follows a path of ids below `seed`: each part may have been pushed as it is, with "###" before
/// it, or as a number.
const Item* follow(std::string_view path, ImGuiID seed) {
  const std::size_t slash = path.find('/');
  const std::string part(path.substr(0, slash));
  const std::string marked = "###" + part;
  std::array<ImGuiID, 3> ids{ImHashStr(part.c_str(), 0, seed), ImHashStr(marked.c_str(), 0, seed),
                             0};
  if (!part.empty() && part.find_first_not_of("0123456789") == std::string::npos) {
    const int number = std::atoi(part.c_str());
    ids[2] = ImHashData(&number, sizeof number, seed);
  }
  for (const ImGuiID id : ids) {
    if (id == 0) continue;
    const Item* item =
        slash == std::string_view::npos ? fresh_item(id) : follow(path.substr(slash + 1), id);
    if (item != nullptr) return item;
  }
  return nullptr;
}

/// `key`: "next", or a path through the ids pushed around it, "lang/en", "plan/3/change".
const Item* find_item(std::string_view key) {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (!window->WasActive) continue;
    if (const Item* item = follow(key, window->ID)) return item;
  }
  const int named = items().by_key.GetInt(ImHashStr(key.data(), key.size()));
  return named != 0 ? fresh_item(static_cast<ImGuiID>(named)) : nullptr;
}

}  // namespace

void watch_items() { ImGui::GetCurrentContext()->TestEngineHookItems = true; }

std::optional<ItemPlace> place_of_item(std::string_view key) {
  const Item* item = find_item(key);
  if (item == nullptr) return std::nullopt;
  const auto box = [](const ImRect& of) {
    return ItemBox{of.Min.x, of.Min.y, of.GetWidth(), of.GetHeight()};
  };
  return ItemPlace{item->id, box(item->box), box(item->clipped)};
}

unsigned focused_item() {
  const ImGuiContext* context = ImGui::GetCurrentContext();
  return context != nullptr && context->NavCursorVisible ? context->NavId : 0;
}

}  // namespace xuanka::web

// Called by Dear ImGui (IMGUI_ENABLE_TEST_ENGINE).
void ImGuiTestEngineHook_ItemAdd(ImGuiContext* context, ImGuiID id, const ImRect& box,
                                 const ImGuiLastItemData*) {
  if (id == 0) return;
  xuanka::web::Item& item = xuanka::web::items().at(id);
  item.box = item.clipped = box;
  if (context->CurrentWindow != nullptr) item.clipped.ClipWith(context->CurrentWindow->ClipRect);
  item.frame = context->FrameCount;
  item.id = id;
}
void ImGuiTestEngineHook_ItemInfo(ImGuiContext*, ImGuiID id, const char* label,
                                  ImGuiItemStatusFlags) {
  const std::string_view key = xuanka::web::key_of_label(label);
  xuanka::web::items().by_key.SetInt(ImHashStr(key.data(), key.size()), static_cast<int>(id));
}
void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}
const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) { return nullptr; }
