// The theme as Dear ImGui's and ImPlot's style.
#pragma once

#include "web/theme.hpp"

namespace xuanka::web {

/// Colours, radii and spacing for `em` CSS px of body text.
void apply_style(const Theme& theme, float em);

}  // namespace xuanka::web
