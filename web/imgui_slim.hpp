// What the page's Dear ImGui and ImPlot leave out. Included by the compiler before each of their
// sources in the wasm build (and in no other), so that what the wizard never switches on is never
// reached and the linker drops it: docking, several native windows, gamepads, tables, menus and the
// settings file. The wizard is the same with and without; a part that it begins to use one day must
// be taken out of this list.
#pragma once

#define IMGUI_DEFINE_MATH_OPERATORS
#include "imgui.h"
#include "imgui_internal.h"

// Flags that are never set: tests of them become constants.
#define ImGuiConfigFlags_DockingEnable 0
#define ImGuiConfigFlags_ViewportsEnable 0
#define ImGuiConfigFlags_NavEnableGamepad 0
#define ImGuiItemFlags_IsMultiSelect 0

// Misuse of the library is found by the native tests; here its explanations would only be carried
// along.
#undef IM_ASSERT_USER_ERROR
#undef IM_ASSERT_USER_ERROR_RET
#undef IM_ASSERT_USER_ERROR_RETV
#define IM_ASSERT_USER_ERROR(expression, message) ((void)0)
#define IM_ASSERT_USER_ERROR_RET(expression, message) \
  do {                                                \
    if (!(expression)) return;                        \
  } while (0)
#define IM_ASSERT_USER_ERROR_RETV(expression, value, message) \
  do {                                                        \
    if (!(expression)) return value;                          \
  } while (0)

namespace ImGui {
// Stand-ins for calls from the library's own sources.
template <typename... Args>
constexpr bool xuanka_never(const Args&...) {
  return false;
}
}  // namespace ImGui

#ifdef XUANKA_SLIM_CORE  // imgui.cpp: what it does to tables and tab bars that nobody makes
#define EndTable xuanka_never
#define EndTabBar xuanka_never
#define EndMultiSelect xuanka_never
#define EndMenuBar xuanka_never
#define TableEndRow xuanka_never
#define TableSettingsAddSettingsHandler xuanka_never
#define TableGcCompactSettings xuanka_never
#define TableGcCompactTransientBuffers xuanka_never
#endif

#ifdef XUANKA_SLIM_CORE  // the settings file
#define sscanf(...) 0
#endif

#ifdef XUANKA_SLIM_GL  // the number in "#version 300 es" is all that is scanned
template <typename... Rest>
int xuanka_scan(const char* text, const char*, int* number, Rest...) {
  while (*text != 0 && (*text < '0' || *text > '9')) ++text;
  for (*number = 0; *text >= '0' && *text <= '9'; ++text) *number = *number * 10 + (*text - '0');
  return 1;
}
#define sscanf xuanka_scan
#endif

#ifdef XUANKA_SLIM_PLOT  // implot.cpp: the menus behind a right click
#define BeginPopup xuanka_never
#endif
