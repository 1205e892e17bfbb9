// Where the wizard's items are, for tests and for a window driven from outside: Dear ImGui tells
// every item through its test hooks once somebody watches. Costs a branch per item before that.
#pragma once

#include <optional>
#include <string_view>

namespace xuanka::web {

/// CSS pixels from the top left of the window.
struct ItemBox {
  float x = 0, y = 0, width = 0, height = 0;
};
struct ItemPlace {
  unsigned id = 0;  ///< Dear ImGui's
  ItemBox box;
  ItemBox shown;  ///< the part that is not scrolled away
};

/// Items are known from the next frame on.
void watch_items();
/// `key`: "next", or a path through the ids pushed around it, "lang/en", "plan/3/change". None when
/// it was not drawn in the last frame.
[[nodiscard]] std::optional<ItemPlace> place_of_item(std::string_view key);
/// Dear ImGui's id of the item that has the keyboard, 0 when none has.
[[nodiscard]] unsigned focused_item();

}  // namespace xuanka::web
