#include "workload/config_fields.hpp"

#include <cmath>
#include <string>

namespace xuanka {

double ConfigFields::count(Names names, double max, double min) const {
  for (const std::string_view name : names) {
    if (!view_.has(name)) continue;
    const double value = view_.number(name, {min, max}).value_or(0);  // a size first, then whole
    if (std::floor(value) == value) return value;
    view_.report(IssueCode::kNotInteger, name, {{"got", value}});
    return 0;
  }
  return 0;
}

double ConfigFields::need(Names names, double max) const {
  if (has(names)) return count(names, max);
  view_.report(IssueCode::kMissing, names.front());
  return 0;
}

bool ConfigFields::has(Names names) const {
  for (const std::string_view name : names) {
    if (view_.has(name)) return true;
  }
  return false;
}

bool ConfigFields::flag(std::string_view name, bool fallback) const {
  const auto value = view_.get(name);
  return value && value->is_bool() ? value->boolean() : fallback;
}

std::string_view ConfigFields::text(std::string_view name) const {
  const auto value = view_.get(name);
  return value && value->is_string() ? value->string() : std::string_view();
}

double ConfigFields::number(std::string_view name, double fallback, double min, double max) const {
  return view_.number(name, {min, max}).value_or(fallback);
}

void ConfigFields::report_conflict(std::string_view key, std::string_view other) const {
  view_.report(IssueCode::kConflict, key, {{"other", std::string(other)}});
}

}  // namespace xuanka
