#include "shell/wasm/abi.hpp"

#include <emscripten/emscripten.h>

#include <optional>
#include <string_view>
#include <utility>

namespace xuanka::wasm {
namespace {

// A wasm module is one instance of the program: its state is the module's.
std::optional<Api> g_api;
std::string g_text;

/// Calls `use` with the loaded Api; without one there is no answer at all.
template <class Use>
const char* with_api(Use use) {
  return give(g_api ? use(*g_api) : std::string());
}

}  // namespace

const Api* api() { return g_api ? &*g_api : nullptr; }

const char* give(std::string text) {
  g_text = std::move(text);
  return g_text.c_str();
}

}  // namespace xuanka::wasm

using xuanka::Api;
using xuanka::wasm::give;
using xuanka::wasm::lang_of;
using xuanka::wasm::with_api;

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* xuanka_init() {
  if (xuanka::wasm::g_api) return give({});
  auto loaded = Api::create();
  if (!loaded) {
    std::string faults;
    for (const xuanka::Issue& issue : loaded.error()) {
      faults += std::string(xuanka::issue_code_name(issue.code)) + " " + issue.path + "\n";
    }
    return give(std::move(faults));
  }
  xuanka::wasm::g_api.emplace(std::move(*loaded));
  return give({});
}

EMSCRIPTEN_KEEPALIVE std::size_t xuanka_length() { return xuanka::wasm::g_text.size(); }

EMSCRIPTEN_KEEPALIVE const char* xuanka_rank(const char* request, std::size_t size) {
  return with_api([&](const Api& api) { return api.rank({request, size}); });
}

EMSCRIPTEN_KEEPALIVE const char* xuanka_view(const char* request, std::size_t size, int lang) {
  return with_api([&](const Api& api) { return api.view({request, size}, lang_of(lang)); });
}

EMSCRIPTEN_KEEPALIVE const char* xuanka_explain(const char* request, std::size_t size, int lang) {
  return with_api([&](const Api& api) { return api.explain({request, size}, lang_of(lang)); });
}

EMSCRIPTEN_KEEPALIVE const char* xuanka_catalog(const char* what, std::size_t size) {
  return with_api([&](const Api& api) { return api.catalog({what, size}); });
}

}  // extern "C"
