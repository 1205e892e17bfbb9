#include "xuanka/workload/hf_config.hpp"

#include <array>
#include <string>
#include <utility>

#include "json/json_document.hpp"
#include "json/json_view.hpp"
#include "workload/config_layers.hpp"

namespace xuanka {
namespace {

using json::View;

bool is_plain_activation(std::string_view name) {
  return name == "gelu" || name == "gelu_new" || name == "gelu_fast" || name == "relu" ||
         name == "gelu_pytorch_tanh" || name == "quick_gelu" || name == "relu2";
}

// A decoder nobody knows: what its fields suggest, beside the plain llama row.
Family guess_family(const ConfigFields& f) {
  Family family = find_family("").family;
  constexpr auto kActivation =
      std::to_array<std::string_view>({"hidden_act", "activation_function", "hidden_activation"});
  for (const std::string_view name : kActivation) {
    if (is_plain_activation(f.text(name))) family.gated = false;
  }
  if (f.has("layer_norm_eps") || f.has("layer_norm_epsilon")) {
    family.layer_norm = family.norm_bias = true;
  }
  return family;
}

// Multimodal configs keep the language model in an object of its own.
std::optional<View> text_part(const View& root) {
  if (ConfigFields(root).has(keys::kLayers)) return std::nullopt;
  constexpr auto kParts = std::to_array<std::string_view>(
      {"text_config", "llm_config", "language_config", "thinker_config", "text_model_config"});
  for (const std::string_view part : kParts) {
    const auto value = root.get(part);
    if (value && value->is_object()) return View(*value, root.issues());
  }
  return std::nullopt;
}

void add_fallback(Model& model, std::string what) {
  model.notes.push_back(
      {NoteCode::kModelFallback, Severity::kWarning, {{"what", std::move(what)}}});
}

void read_layout(const ConfigFields& fields, const Family& family, Model& model) {
  switch (family.layout) {
    case ModelLayout::kDecoder:
      return read_decoder(fields, family, model);
    case ModelLayout::kEncoder:
      return read_encoder(fields, family, model);
    case ModelLayout::kT5:
      return read_t5(fields, family, model);
    case ModelLayout::kBart:
      return read_bart(fields, family, model);
    case ModelLayout::kWhisper:
      return read_whisper(fields, family, model);
    case ModelLayout::kVit:
      return read_vit(fields, family, model);
    case ModelLayout::kMamba:
      return read_mamba(fields, family, model);
    case ModelLayout::kUnsupported:
      break;
  }
  fields.view().report(IssueCode::kUnsupportedModel, "model_type",
                       {{"what", std::string(family.type)}});
}

// `tie_word_embeddings` of a multimodal config stands beside the text part.
void read_outer_tie(const View& root, const ConfigFields& inner, Model& model) {
  if (inner.has("tie_word_embeddings") || model.groups.empty()) return;
  const ConfigFields outer(root);
  if (!outer.has("tie_word_embeddings")) return;
  const bool tied = outer.flag("tie_word_embeddings", model.tied_embeddings);
  if (tied == model.tied_embeddings || model.encoder_only) return;
  const double head = model.vocab * model.hidden;
  model.head_params += tied ? -head : head;
  model.tied_embeddings = tied;
}

// The type that the weights were published in, where it is not the 16 bits of most.
std::optional<StorageType> published_weights(const View& root) {
  const auto value = root.get("quantization_config");
  if (!value || !value->is_object()) return std::nullopt;
  const ConfigFields fields(View(*value, root.issues()));
  const std::string_view method = fields.text("quant_method");
  if (method == "fp8" || method == "fbgemm_fp8") return StorageType::kFp8;
  if (method == "mxfp4") return StorageType::kInt4;
  if (method == "awq" || method == "gptq") {
    const double bits = fields.number("bits", fields.number("w_bit", 4, 1, 16), 1, 16);
    if (bits == 4) return StorageType::kInt4;
    if (bits == 8) return StorageType::kInt8;
    return std::nullopt;
  }
  if (fields.flag("load_in_4bit", false)) return StorageType::kNf4;
  if (fields.flag("load_in_8bit", false)) return StorageType::kInt8;
  return std::nullopt;
}

Model read_model(const View& root) {
  Model model;
  const std::optional<View> part = text_part(root);
  const View view = part.value_or(root);
  const ConfigFields fields(view);
  std::string_view type = fields.text("model_type");
  if (type.empty()) type = ConfigFields(root).text("model_type");
  if (view.has("model_type") && fields.text("model_type").empty()) {
    view.report(IssueCode::kWrongType, "model_type",
                {{"want", std::string("string")}, {"got", std::string("other")}});
    return model;
  }
  model.model_type = std::string(type);
  const std::string_view name = ConfigFields(root).text("_name");
  const std::string_view path = ConfigFields(root).text("_name_or_path");
  model.name = std::string(!name.empty() ? name : (!path.empty() ? path : type));

  const FamilyMatch match = find_family(type);
  read_layout(fields, match.known ? match.family : guess_family(fields), model);
  if (part) {
    read_outer_tie(root, fields, model);
    model.notes.push_back(
        {NoteCode::kTextPart, Severity::kWarning, {{"what", std::string(view.value().key())}}});
  }
  if (!match.known) add_fallback(model, type.empty() ? "model_type" : std::string(type));
  model.published_weights = published_weights(root);
  sum_model(model);
  return model;
}

}  // namespace

Result<Model> read_hf_config(std::string_view json_text, std::string_view path) {
  json::Parsed parsed = json::parse(json_text, {}, path);
  if (!parsed.document) return tl::unexpected(std::move(parsed.issues));
  json::Issues issues;
  for (Issue& issue : parsed.issues) issues.add(std::move(issue));
  const auto root = json::object_at(parsed.document->root(), issues);
  Model model;
  if (root && issues.empty()) model = read_model(*root);
  if (!issues.empty()) return tl::unexpected(issues.take());
  return model;
}

}  // namespace xuanka
