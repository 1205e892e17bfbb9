// `workload.model`: one of six forms -> Model. `workload.data`: the amount of work.
#include <array>
#include <utility>

#include "api/request_reader.hpp"
#include "json/json_text.hpp"
#include "xuanka/workload/hf_config.hpp"
#include "xuanka/workload/preset.hpp"

namespace xuanka::request_json {
namespace {

using json::View;

constexpr json::Range kParams{1, 1e15};
constexpr json::Range kWidth{1, 1e7};
constexpr json::Range kLayers{1, 1e5};
constexpr json::Range kPixels{1, 65536};

// Takes the model, or its problems.
void take(Reader& reader, Result<Model> model) {
  if (model) {
    reader.request.workload.model = std::move(*model);
    return;
  }
  for (Issue& issue : model.error()) reader.issues.add(std::move(issue));
}

void read_preset(Reader& reader, const View& view) {
  const auto id = view.need_string("id");
  if (!id) return;
  if (const ModelPreset* preset = reader.catalog.find_model(*id)) {
    take(reader, model_from_preset(*preset, view.value().path_of("id")));
    return;
  }
  std::vector<std::string_view> known;
  for (const ModelPreset& one : reader.catalog.models) known.push_back(one.id);
  reader.unknown_id(*view.get("id"), "model", std::move(known));
}

void read_config(Reader& reader, const View& view) {
  const auto config = view.need_object("hf_config");
  if (!config) return;
  std::string text;
  json::append_text(config->value(), text);
  take(reader, read_hf_config(text, config->value().path()));
}

void read_moe(const View& view, TransformerShape& shape) {
  const auto moe = view.object("moe");
  if (!moe) return;
  moe->only({"experts", "top_k", "ffn", "shared", "dense_layers"}, true);
  shape.experts = moe->integer("experts", {0, 1e5}).value_or(0);
  if (shape.experts == 0) return;
  shape.top_k = moe->integer("top_k", {1, shape.experts}).value_or(1);
  shape.expert_ffn = moe->integer("ffn", kWidth).value_or(shape.ffn);
  // Shared experts are as wide as the routed ones.
  shape.shared_ffn = moe->integer("shared", {0, 1e4}).value_or(0) * shape.expert_ffn;
  shape.dense_layers = moe->integer("dense_layers", {0, shape.layers}).value_or(0);
}

void read_norm_and_positions(const View& view, double seq_len, TransformerShape& shape) {
  constexpr std::array<std::string_view, 2> kNorms{"rms", "layer"};
  constexpr std::array<std::string_view, 5> kPositions{"rope", "learned", "alibi", "sinusoidal",
                                                       "none"};
  const auto word = [&view](std::string_view key, auto words) -> std::string_view {
    const auto text = view.string(key);
    if (!text) return words.front();
    std::string allowed;
    for (const std::string_view one : words) {
      if (one == *text) return one;
      allowed += allowed.empty() ? "" : ", ";
      allowed += one;
    }
    view.report(IssueCode::kUnknownValue, key, {{"got", clip(*text)}, {"allowed", allowed}});
    return words.front();
  };
  shape.layer_norm = word("norm", kNorms) == "layer";
  shape.max_seq_len = view.integer("max_seq_len", {1, 1e9}).value_or(0);
  if (word("positions", kPositions) != "learned") return;
  shape.learned_positions = shape.max_seq_len > 0 ? shape.max_seq_len : seq_len;
  shape.max_seq_len = shape.learned_positions;
}

void read_shape(Reader& reader, const View& view, double seq_len) {
  const auto inner = view.need_object("transformer");
  if (!inner) return;
  inner->only({"layers", "hidden", "heads", "kv_heads", "head_dim", "ffn", "vocab", "gated_mlp",
               "tied_embeddings", "biases", "norm", "positions", "max_seq_len", "encoder_layers",
               "window", "window_every", "moe", "params"},
              true);
  TransformerShape shape;
  const std::size_t before = reader.issues.size();
  shape.layers = inner->need_integer("layers", kLayers).value_or(1);
  shape.hidden = inner->need_integer("hidden", kWidth).value_or(1);
  shape.heads = inner->need_integer("heads", {1, 1e5}).value_or(1);
  shape.kv_heads = inner->integer("kv_heads", {1, shape.heads}).value_or(0);
  shape.head_dim = inner->integer("head_dim", {1, 1e5}).value_or(0);
  shape.ffn = inner->integer("ffn", kWidth).value_or(0);
  shape.vocab = inner->integer("vocab", {1, 1e8}).value_or(shape.vocab);
  shape.gated_mlp = inner->boolean("gated_mlp").value_or(shape.gated_mlp);
  shape.tied_embeddings = inner->boolean("tied_embeddings").value_or(shape.tied_embeddings);
  shape.biases = inner->boolean("biases").value_or(shape.biases);
  shape.encoder_layers = inner->integer("encoder_layers", {0, kLayers.max}).value_or(0);
  shape.window = inner->integer("window", {0, 1e9}).value_or(0);
  shape.window_every = inner->integer("window_every", {1, kLayers.max}).value_or(1);
  shape.params = inner->number("params", kParams).value_or(0);
  read_norm_and_positions(*inner, seq_len, shape);
  read_moe(*inner, shape);
  if (reader.issues.size() == before) take(reader, model_from_shape(shape, inner->value().path()));
}

void read_size(Reader& reader, const View& view) {
  const auto params = view.need_number("params", kParams);
  const auto active = view.number("active_params", {1, params.value_or(kParams.max)});
  if (params) reader.request.workload.model = model_from_params(*params, active.value_or(0));
}

void read_vision(Reader& reader, const View& view) {
  const auto inner = view.need_object("vision");
  if (!inner) return;
  inner->only({"params", "macs_per_sample", "image_size", "activations_per_sample", "family"},
              true);
  ModelPreset::Vision vision;
  const auto params = inner->need_number("params", kParams);
  const auto macs = inner->need_number("macs_per_sample", {1, 1e18});
  const auto activations = inner->number("activations_per_sample", {1, 1e15});
  vision.family = inner->word<VisionFamily>("family").value_or(VisionFamily::kConv);
  if (const auto size = read_image_size(*inner, "image_size"); size.height > 0) {
    vision.image_size = size.height;
    vision.image_width = size.width == size.height ? 0 : size.width;
  }
  if (!params || !macs) return;
  vision.params = *params;
  vision.macs_per_sample = *macs;
  vision.activations_per_sample = activations.value_or(*macs * activations_per_mac(vision.family));
  Model model = model_from_vision(vision);
  model.name = "vision model";
  if (!activations) {
    model.notes.push_back({NoteCode::kModelFallback,
                           Severity::kInfo,
                           {{"what", std::string("activations_per_sample")}}});
  }
  reader.request.workload.model = std::move(model);
}

void read_measured(Reader& reader, const View& view) {
  const auto inner = view.need_object("measured");
  if (!inner) return;
  inner->only({"gpu", "count", "hours", "memory_gb", "family"}, true);
  MeasuredJob job;
  const auto name = inner->need_string("gpu");
  job.count = inner->integer("count", {1, 65536}).value_or(1);
  const auto hours = inner->need_number("hours", {1e-6, 1e7});
  job.memory_gb = inner->number("memory_gb", {1e-3, 1e5});
  job.family = inner->word<VisionFamily>("family").value_or(VisionFamily::kConv);
  const Gpu* gpu = name ? reader.find_gpu(*name) : nullptr;
  if (name && gpu == nullptr) {
    std::vector<std::string_view> known;
    for (const Gpu& one : reader.catalog.gpus) known.push_back(one.id);
    reader.unknown_id(*inner->get("gpu"), "gpu", std::move(known));
  }
  if (gpu == nullptr || !hours) return;
  job.gpu = gpu->id;
  job.reference = *gpu;
  job.hours = *hours;
  Model& model = reader.request.workload.model;
  model.kind = ModelKind::kMeasured;
  model.name = "measured job";
  model.measured = std::move(job);
}

}  // namespace

ImageSize read_image_size(const View& view, std::string_view key) {
  const auto value = view.get(key);
  if (!value) return {};
  if (!value->is_array()) {
    const double side = view.number(key, kPixels).value_or(0);
    return {side, side};
  }
  const auto sides = view.numbers(key, kPixels);
  if (value->size() != 2) {
    view.report(IssueCode::kWrongType, key,
                {{"want", std::string("number or [height, width]")},
                 {"got", "array of " + std::to_string(value->size())}});
    return {};
  }
  return sides.size() == 2 ? ImageSize{sides[0], sides[1]} : ImageSize{};
}

void read_model(Reader& reader, const View& workload) {
  const auto view = workload.need_object("model");
  if (!view) return;
  constexpr std::array<std::string_view, 6> kForms{"id",     "hf_config", "transformer",
                                                   "params", "vision",    "measured"};
  std::vector<std::string_view> given;
  for (const std::string_view form : kForms) {
    if (view->has(form)) given.push_back(form);
  }
  view->only({"id", "hf_config", "transformer", "params", "active_params", "vision", "measured"},
             true);
  if (given.empty()) {
    workload.report(
        IssueCode::kMissing, "model",
        {{"need", std::string("id, hf_config, transformer, params, vision or measured")}});
    return;
  }
  if (given.size() > 1) {
    view->report(IssueCode::kConflict, given[1], {{"other", view->value().path_of(given[0])}});
    return;
  }
  const std::string_view form = given.front();
  if (form == "id") return read_preset(reader, *view);
  if (form == "hf_config") return read_config(reader, *view);
  if (form == "params") return read_size(reader, *view);
  if (form == "vision") return read_vision(reader, *view);
  if (form == "measured") return read_measured(reader, *view);
  constexpr double kUsualLength = 2048;
  read_shape(reader, *view, workload.integer("seq_len", {1, 1e7}).value_or(kUsualLength));
}

namespace {

// Counted in samples (images, clips) rather than in tokens.
bool counts_samples(const Model& model) {
  return model.kind == ModelKind::kVision || model.patches > 0;
}

const Dataset* read_dataset(Reader& reader, const View& data) {
  const auto id = data.string("dataset");
  if (!id) return nullptr;
  const Dataset* dataset = reader.catalog.find_dataset(*id);
  if (dataset == nullptr) {
    std::vector<std::string_view> known;
    for (const Dataset& one : reader.catalog.datasets) known.push_back(one.id);
    reader.unknown_id(*data.get("dataset"), "dataset", std::move(known));
  }
  return dataset;
}

// Pictures for what looks, sound for what listens, text for what reads. Of a language model with
// pictures or sound it is only told (its config may be one half of a model that takes both), of a
// timed job nothing is known.
bool suits(const Model& model, const Dataset& dataset) {
  if (!counts_samples(model)) return true;
  const bool listens = model.vision && model.vision->family == VisionFamily::kAudio;
  return dataset.modality == (listens ? Modality::kSpeech : Modality::kImage);
}

// A dataset gives what the model counts in: tokens for language where it knows them, else samples.
void use_dataset(Reader& reader, const View& data, const Dataset& dataset, double epochs) {
  WorkloadRequest& workload = reader.request.workload;
  workload.dataset = dataset.id;
  if (!suits(workload.model, dataset)) {
    data.report(IssueCode::kConflict, "dataset", {{"other", std::string("workload.model")}});
  } else if (!counts_samples(workload.model) && dataset.tokens) {
    workload.tokens = *dataset.tokens * epochs;
  } else if (dataset.samples) {
    workload.samples = dataset.samples;
  } else {
    data.report(IssueCode::kConflict, "dataset", {{"other", std::string("workload.model")}});
  }
}

}  // namespace

void read_data(Reader& reader, const View& workload_view) {
  const auto data = workload_view.object("data");
  if (!data) return;
  data->only({"tokens", "samples", "epochs", "dataset"}, true);
  WorkloadRequest& workload = reader.request.workload;
  constexpr std::array<std::string_view, 3> kForms{"tokens", "samples", "dataset"};
  std::string_view form;
  for (const std::string_view one : kForms) {
    if (!data->has(one)) continue;
    if (!form.empty()) {
      data->report(IssueCode::kConflict, one, {{"other", data->value().path_of(form)}});
      return;
    }
    form = one;
  }
  const auto tokens = data->number("tokens", {1, 1e18});
  const auto samples = data->number("samples", {1, 1e15});
  const auto epochs = data->number("epochs", {1e-3, 1e6});
  const Dataset* dataset = read_dataset(reader, *data);
  if (form.empty()) return;
  workload.epochs = epochs.value_or(dataset != nullptr ? dataset->usual_epochs : 1.0);
  if (!data->has("epochs") && form != "tokens") reader.assume(data->value().path_of("epochs"));
  if (tokens && counts_samples(workload.model)) {
    data->report(IssueCode::kConflict, "tokens", {{"other", std::string("workload.model")}});
  } else if (tokens) {
    workload.tokens = *tokens * workload.epochs;
  }
  if (samples) workload.samples = samples;
  if (dataset != nullptr) use_dataset(reader, *data, *dataset, workload.epochs);
}

}  // namespace xuanka::request_json
