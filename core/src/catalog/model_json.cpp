// Sources, datasets and model presets: JSON objects -> entries.
#include <string>
#include <utility>

#include "catalog/catalog_json.hpp"
#include "catalog/dates.hpp"
#include "catalog/entry_fields.hpp"
#include "json/json_text.hpp"

namespace xuanka::catalog_json {
namespace {

using json::View;

constexpr json::Range kCount{1, 1e18};

// Vision by counts: exactly what the six forms of a request's model call "vision".
std::optional<ModelPreset::Vision> read_vision(const View& model) {
  const auto view = model.object("vision");
  if (!view) return std::nullopt;
  view->only({"params", "macs_per_sample", "activations_per_sample", "kept_share", "image_size",
              "family"});
  ModelPreset::Vision out;
  out.params = view->need_number("params", kCount).value_or(0);
  out.macs_per_sample = view->need_number("macs_per_sample", kCount).value_or(0);
  out.activations_per_sample = view->number("activations_per_sample", kCount).value_or(0);
  out.kept_share = view->number("kept_share", {0.1, 10}).value_or(1);
  const auto size = view->get("image_size");
  constexpr json::Range kSide{1, 1e6};
  if (size && size->is_array()) {  // [height, width]
    const auto sides = view->numbers("image_size", kSide);
    if (sides.size() == 2) {
      out.image_size = sides[0];
      out.image_width = sides[1];
    } else {
      view->report(IssueCode::kOutOfRange, "image_size", {{"want", "[height, width]"}});
    }
  } else {
    out.image_size = view->number("image_size", kSide).value_or(0);
  }
  if (!view->has("family")) view->report(IssueCode::kMissing, "family");
  out.family = view->word<VisionFamily>("family").value_or(VisionFamily::kConv);
  return out;
}

bool is_group(std::string_view group) {
  return group == "language" || group == "vision" || group == "detection" || group == "diffusion" ||
         group == "speech";
}

}  // namespace

std::string to_text(json::Value value) {
  std::string out;
  json::append_text(value, out);
  return out;
}

std::optional<Source> read_source(const View& view) {
  const std::size_t before = view.issues().size();
  view.only({"id", "title", "publisher", "address", "date", "says"});
  Source out;
  out.id = needed_text(view, "id");
  out.title = needed_text(view, "title");
  out.publisher = text_or_empty(view, "publisher");
  out.address = text_or_empty(view, "address");
  out.date = date_at(view, "date").value_or("");
  if (view.issues().size() != before) return std::nullopt;
  return out;
}

std::optional<Dataset> read_dataset(const View& view) {
  const std::size_t before = view.issues().size();
  view.only({"id", "name", "name_zh", "modality", "samples", "tokens", "disk_gb", "usual_epochs",
             "image_size", "sources", "note"});
  Dataset out;
  out.id = needed_text(view, "id");
  out.name = needed_text(view, "name");
  out.name_zh = text_or_empty(view, "name_zh");
  if (!view.has("modality")) view.report(IssueCode::kMissing, "modality");
  out.modality = view.word<Modality>("modality").value_or(Modality::kText);
  out.samples = view.integer("samples", kCount);
  out.tokens = view.number("tokens", kCount);
  if (!view.has("samples") && !view.has("tokens")) view.report(IssueCode::kMissing, "samples");
  out.disk_gb = view.number("disk_gb", {1e-6, 1e9});
  out.usual_epochs = view.number("usual_epochs", {0.01, 1e5}).value_or(1);
  out.image_size = view.number("image_size", {1, 1e6});
  out.sources = needed_sources(view);
  out.note = text_or_empty(view, "note");
  if (view.issues().size() != before) return std::nullopt;
  return out;
}

std::optional<ModelPreset> read_model(const View& view) {
  const std::size_t before = view.issues().size();
  view.only({"id", "name", "name_zh", "aliases", "group", "config", "vision", "params", "sources",
             "note"});
  ModelPreset out;
  out.id = needed_text(view, "id");
  out.name = needed_text(view, "name");
  out.name_zh = text_or_empty(view, "name_zh");
  out.aliases = view.strings("aliases");
  out.group = needed_text(view, "group");
  if (!out.group.empty() && !is_group(out.group)) {
    view.report(
        IssueCode::kUnknownValue, "group",
        {{"got", out.group}, {"allowed", "language, vision, detection, diffusion, speech"}});
  }
  if (const auto config = view.object("config")) out.config_text = to_text(config->value());
  out.vision = read_vision(view);
  if (view.has("config") == view.has("vision")) {
    view.report(view.has("config") ? IssueCode::kConflict : IssueCode::kMissing, "config",
                {{"other", "vision"}});
  }
  out.expected_params = view.integer("params", kCount);
  out.sources = needed_sources(view);
  out.note = text_or_empty(view, "note");
  if (view.issues().size() != before) return std::nullopt;
  return out;
}

}  // namespace xuanka::catalog_json
