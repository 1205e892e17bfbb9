// A window that is driven from outside, line by line: what tests do with the page in a browser,
// they do with the window through this.
#pragma once

#include <iosfwd>

#include "shell/window/native_platform.hpp"

namespace xuanka::window {

/// Reads actions (NativePlatform::act) and questions, a line each, until the input ends. Each is
/// answered with one line: "ok", what was asked, or "! " and what is wrong.
/// `go FRAGMENT` takes the wizard to a link; `item KEY` says where an item is, as JSON, or null;
/// `focused KEY` whether it has the keyboard; `request`, `report` and `answer` are JSON of the
/// present inputs, `link` and `lang` words; `rest` whether nothing is due to be drawn; `picture
/// FILE` saves what is shown.
void drive(web::App& app, NativePlatform& platform, std::istream& in, std::ostream& out);

}  // namespace xuanka::window
