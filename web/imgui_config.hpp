// Compile-time settings of Dear ImGui for this project (it includes this file through
// IMGUI_USER_CONFIG).
#pragma once

// Characters beyond the basic plane are shown too.
#define IMGUI_USE_WCHAR32
// Text is drawn by the platform's own fonts; the built-in bitmap font would only add weight.
#define IMGUI_DISABLE_DEFAULT_FONT
#ifdef __EMSCRIPTEN__  // the native window reads the fonts of the system
#define IMGUI_DISABLE_STB_TRUETYPE
#endif
// A page has no files: nothing is read from or written to disk.
#define IMGUI_DISABLE_FILE_FUNCTIONS
#define IMGUI_DISABLE_DEFAULT_FILE_FUNCTIONS
// Clipboard and input methods are the platform file's.
#define IMGUI_DISABLE_DEFAULT_SHELL_FUNCTIONS
#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS
#define IMGUI_DISABLE_DEMO_WINDOWS
#define IMGUI_DISABLE_DEBUG_TOOLS
// Items are found by their keys (items.hpp). One branch per item until somebody watches.
#define IMGUI_ENABLE_TEST_ENGINE
