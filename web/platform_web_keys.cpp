#include "web/platform_web_keys.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace xuanka::web {
namespace {

using Entry = std::pair<std::string_view, ImGuiKey>;
constexpr auto kKeys = std::to_array<Entry>({
    {"Tab", ImGuiKey_Tab},
    {"ArrowLeft", ImGuiKey_LeftArrow},
    {"ArrowRight", ImGuiKey_RightArrow},
    {"ArrowUp", ImGuiKey_UpArrow},
    {"ArrowDown", ImGuiKey_DownArrow},
    {"PageUp", ImGuiKey_PageUp},
    {"PageDown", ImGuiKey_PageDown},
    {"Home", ImGuiKey_Home},
    {"End", ImGuiKey_End},
    {"Delete", ImGuiKey_Delete},
    {"Backspace", ImGuiKey_Backspace},
    {"Space", ImGuiKey_Space},
    {"Enter", ImGuiKey_Enter},
    {"NumpadEnter", ImGuiKey_KeypadEnter},
    {"Escape", ImGuiKey_Escape},
});

constexpr auto kMoving = std::to_array<ImGuiKey>(
    {ImGuiKey_Tab, ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow,
     ImGuiKey_PageUp, ImGuiKey_PageDown, ImGuiKey_Home, ImGuiKey_End, ImGuiKey_Enter,
     ImGuiKey_KeypadEnter, ImGuiKey_Escape});
constexpr auto kEditing = std::to_array<ImGuiKey>({ImGuiKey_Delete, ImGuiKey_Backspace});
/// With Ctrl or Cmd while text is edited. Paste comes as an event of its own.
constexpr auto kCommands =
    std::to_array<ImGuiKey>({ImGuiKey_A, ImGuiKey_C, ImGuiKey_X, ImGuiKey_Z, ImGuiKey_Y,
                             ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Home, ImGuiKey_End,
                             ImGuiKey_Delete, ImGuiKey_Backspace, ImGuiKey_Enter});

template <class Keys>
bool contains(const Keys& keys, ImGuiKey key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

ImGuiKey key_of_code(std::string_view code) {
  for (const auto& [name, key] : kKeys) {
    if (name == code) return key;
  }
  if (code.size() == 4 && code.starts_with("Key") && code[3] >= 'A' && code[3] <= 'Z') {
    return static_cast<ImGuiKey>(ImGuiKey_A + (code[3] - 'A'));
  }
  return ImGuiKey_None;
}

KeyUse use_of_key(ImGuiKey key, bool text, bool command, bool alt) {
  if (alt) return KeyUse::kNone;
  if (command) return text && contains(kCommands, key) ? KeyUse::kTaken : KeyUse::kNone;
  if (contains(kMoving, key)) return KeyUse::kTaken;
  if (text) return contains(kEditing, key) ? KeyUse::kTaken : KeyUse::kNone;
  if (key == ImGuiKey_Space) return KeyUse::kTaken;
  return KeyUse::kNone;
}

}  // namespace xuanka::web
