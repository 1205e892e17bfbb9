// Writes the shipped measurements beside their estimates, for the page's tab: run when the site is
// built.
#include <cstdio>

#include "web/measured_cases.hpp"
#include "xuanka/api/api.hpp"
#include "xuanka/base/embedded.hpp"

int main() {
  const auto api = xuanka::Api::create();
  if (!api) return 1;
  std::vector<xuanka::MeasurementText> texts;
  for (const auto& file : xuanka::assets::measurement_files())
    texts.push_back({std::string(file.name), std::string(file.text)});
  const std::string text = xuanka::web::write_measured(xuanka::validate(api->knowledge(), texts));
  std::fwrite(text.data(), 1, text.size(), stdout);
  return text.empty() ? 1 : 0;
}
