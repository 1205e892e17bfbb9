// Any bytes are a report or a refusal, and the answer is JSON.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "json/json_document.hpp"
#include "xuanka/api/api.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto api = xuanka::Api::create();
  if (!api) std::abort();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string report = api->rank(text);
  xuanka::json::Limits limits;
  limits.max_bytes = std::size_t{1} << 30U;
  const auto parsed = xuanka::json::parse(report, limits);
  if (!parsed.document || !parsed.issues.empty()) std::abort();
  return 0;
}
