// The smallest program that uses the library: exits 0 when a request gets a report.
#include <cstdio>
#include <string>

#include "xuanka/api/api.hpp"

int main() {
  const auto api = xuanka::Api::create();
  if (!api) return 1;
  const std::string report = api->rank(R"({"version":1,"workload":{"model":{"params":7e9}}})");
  std::puts(report.c_str());
  return report.find("\"ok\":true") == std::string::npos;
}
