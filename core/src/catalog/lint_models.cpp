#include <string>

#include "catalog/entry_fields.hpp"
#include "catalog/lints.hpp"
#include "json/json_text.hpp"
#include "xuanka/workload/hf_config.hpp"

namespace xuanka::catalog_json {
namespace {

void lint_config(const Placed<ModelPreset>& placed) {
  const ModelPreset& preset = placed.entry;
  const auto model = read_hf_config(preset.config_text, placed.view.value().path_of("config"));
  if (!model) {
    for (Issue issue : model.error()) {
      const json::Position position = placed.view.value().position();
      issue.line = position.line;
      issue.column = position.column;
      placed.view.issues().add(std::move(issue));
    }
    return;
  }
  if (preset.expected_params && *preset.expected_params != model->params) {
    std::string want;
    json::append_number(model->params, want);
    lint(placed.view, "params", "params_of_config", *preset.expected_params, want);
  }
}

// A sample costs at most every parameter once per output position and at least a few of them once.
void lint_vision(const Placed<ModelPreset>& placed) {
  const auto view = placed.view.object("vision");
  if (!view || !placed.entry.vision) return;
  const double per_param = placed.entry.vision->macs_per_sample / placed.entry.vision->params;
  if (per_param < 1 || per_param > 1e5) {
    lint(*view, "macs_per_sample", "macs_per_parameter", per_param, "1 to 100000");
  }
  const double macs = placed.entry.vision->macs_per_sample;
  if (placed.entry.vision->activations_per_sample > macs) {
    lint(*view, "activations_per_sample", "activations_above_macs",
         placed.entry.vision->activations_per_sample, "<= macs_per_sample");
  }
}

}  // namespace

void lint_models(const Sections& sections, std::string_view today) {
  for (const auto& source : sections.sources) {
    lint_date(source.view, "date", source.entry.date, today);
    (void)needed_text(source.view, "says");
  }
  for (const auto& model : sections.models) {
    if (model.entry.vision) {
      lint_vision(model);
    } else {
      lint_config(model);
    }
  }
}

}  // namespace xuanka::catalog_json
