// Which keys the canvas takes from the browser, and what they are called.
#pragma once

#include <string_view>

#include "imgui.h"

namespace xuanka::web {

/// The key of a DOM `KeyboardEvent.code` ("KeyA", "ArrowLeft", "NumpadEnter"); None when nobody
/// needs it.
[[nodiscard]] ImGuiKey key_of_code(std::string_view code);

enum class KeyUse {
  kNone,   ///< not ours: reload, tabs, developer tools, typed characters
  kSeen,   ///< told to Dear ImGui, and the browser may use it too
  kTaken,  ///< ours alone
};
/// `text` = a text field has the keyboard, `command` = Ctrl or Cmd, `alt` = Alt held.
[[nodiscard]] KeyUse use_of_key(ImGuiKey key, bool text, bool command, bool alt);

}  // namespace xuanka::web
