// The C interface of both wasm modules: requests in, reports out.
//
// Memory: texts go in as (pointer, bytes) of UTF-8 in the module's memory, which stays the caller's
// (malloc and free are exported). Texts come back as a pointer to UTF-8 with a final NUL;
// `xuanka_length` is its length in bytes. The module owns it, and it is valid until the next call
// of any function that returns a text. Languages: 0 = Chinese, 1 = English.
#pragma once

#include <cstddef>
#include <string>

#include "xuanka/api/api.hpp"

namespace xuanka::wasm {

/// The module's one Api, loaded by `xuanka_init`; nullptr before that or when the shipped data is
/// faulty.
[[nodiscard]] const Api* api();

/// Keeps `text` for the caller of the C interface and gives the pointer that goes out.
[[nodiscard]] const char* give(std::string text);

[[nodiscard]] inline Lang lang_of(int code) { return code == 0 ? Lang::kZh : Lang::kEn; }

}  // namespace xuanka::wasm

extern "C" {

/// Loads catalog, constants and messages. Empty text when all is well, else what is wrong. Calling
/// again is free.
const char* xuanka_init();
/// Bytes of the text that was returned last.
std::size_t xuanka_length();
/// Request text -> report text: contract v1, the same bytes as the command line's `batch`.
const char* xuanka_rank(const char* request, std::size_t size);
/// The view model of a request, worded.
const char* xuanka_view(const char* request, std::size_t size, int lang);
/// The formulas of the best candidate with the numbers put in.
const char* xuanka_explain(const char* request, std::size_t size, int lang);
/// `what`: gpus | models | offers | datasets | sources | purchase.
const char* xuanka_catalog(const char* what, std::size_t size);

}  // extern "C"
