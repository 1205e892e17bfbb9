// Any bytes as JSON: accepted exactly when nlohmann_json accepts them, and what is accepted reads
// back from its own text alike.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "json/json_document.hpp"
#include "json/json_text.hpp"

namespace {

bool library_accepts(std::string_view text) {
  return nlohmann::json::accept(text.begin(), text.end());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = xuanka::json::parse(text);
  // The library takes a NUL after the value for the end of the text; here it is a fault.
  bool limited = text.find('\0') != std::string_view::npos;
  for (const auto& issue : parsed.issues) {
    limited = limited || issue.code == xuanka::IssueCode::kTooDeep ||
              issue.code == xuanka::IssueCode::kTooLarge;
  }
  if (limited) return 0;
  if (parsed.document.has_value() != library_accepts(text)) std::abort();
  if (!parsed.document) return 0;
  std::string out;
  xuanka::json::append_text(parsed.document->root(), out);
  const auto again = xuanka::json::parse(out);
  if (!again.document) std::abort();
  std::string twice;
  xuanka::json::append_text(again.document->root(), twice);
  if (twice != out) std::abort();
  return 0;
}
