#include "validate/case_model.hpp"

#include <cctype>

#include "validate/case_text.hpp"
#include "xuanka/workload/hf_config.hpp"
#include "xuanka/workload/preset.hpp"

namespace xuanka {
namespace {

double number(json::Value object, std::string_view key, double fallback = 0) {
  const auto value = object.find(key);
  return value && value->is_number() ? value->number() : fallback;
}
std::string text(json::Value object, std::string_view key) {
  const auto value = object.find(key);
  return value && value->is_string() ? std::string(value->string()) : std::string();
}

std::string folded(std::string_view name) {
  std::string out;
  for (const char c : lowered(name)) {
    const bool keep = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (keep) out.push_back(c);
  }
  return out;
}

/// "7B", "1.3B", "175b": nominal sizes.
double nominal_size(std::string_view name) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] < '0' || name[i] > '9') continue;
    double value = 0, unit = 0;
    bool fraction = false;
    std::size_t j = i;
    for (; j < name.size() && ((name[j] >= '0' && name[j] <= '9') || name[j] == '.'); ++j) {
      if (name[j] == '.') {
        fraction = true;
        unit = 1;
        continue;
      }
      value = value * 10 + (name[j] - '0');
      if (fraction) unit *= 10;
    }
    if (fraction && unit > 0) value /= unit;
    if (j < name.size() && (name[j] == 'b' || name[j] == 'B')) return value * 1e9;
    if (j < name.size() && (name[j] == 't' || name[j] == 'T')) return value * 1e12;
    if (j < name.size() && (name[j] == 'm' || name[j] == 'M') && value >= 10) return value * 1e6;
    i = j;
  }
  return 0;
}

Result<Model> layered_model(json::Value model, bool encoder) {
  TransformerShape shape;
  shape.layers = number(model, "layers");
  shape.hidden = number(model, "hidden");
  shape.heads = number(model, "heads");
  shape.kv_heads = number(model, "kv_heads");
  shape.ffn = number(model, "ffn");
  shape.vocab = number(model, "vocab", 51200);
  const auto gated = model.find("gated_ffn");
  shape.gated_mlp = gated && gated->is_bool() ? gated->boolean() : false;
  shape.layer_norm = !shape.gated_mlp;
  shape.biases = !shape.gated_mlp;
  const double params = number(model, "params");
  auto built = model_from_shape(shape, "model");
  // A stated size well below the untied count means one table for input and output.
  if (built && params > 0 && built->params - params > 0.5 * shape.vocab * shape.hidden) {
    shape.tied_embeddings = true;
    built = model_from_shape(shape, "model");
  }
  // Rounded sizes ("7.5 B") and learned positions are within a few per cent: the shape is exact.
  if (built && params > 0 && (params > 1.1 * built->params || params < 0.9 * built->params)) {
    shape.params = params;
    built = model_from_shape(shape, "model");
  }
  if (built && encoder) {
    built->encoder_only = true;
    for (LayerGroup& group : built->groups) {
      group.encoder = true;
      group.attention.causal = false;
    }
  }
  return built;
}

/// Detectors that benchmarks name without their MACs.
double published_macs(std::string_view printed) {
  const std::string name = lowered(printed);
  // torchvision's table of detection weights: RetinaNet ResNet-50 FPN 151.54 GFLOPS (MACs) at 800
  // px
  if (has(name, "retinanet")) return 151.54e9;
  // ResNet-50 to its third stage, at stride 8 and 300 px, with six feature levels: counted by layer
  if (has(name, "ssd300") && has(name, "resnet-50")) return 16.0e9;
  return 0;
}

void read_vision(const Catalog& catalog, json::Value model, MeasuredCase& out) {
  const std::string name = text(model, "name");
  const auto known = model_by_printed_name(catalog, name);
  double height = number(model, "image"), width = height;
  if (height == 0) {
    const std::string printed = text(model, "image");  // "800x1333"
    const auto split = printed.find('x');
    if (split != std::string::npos) {
      height = number_after(printed, "").value_or(0);
      width = number_after(printed, "x").value_or(height);
    }
  }
  if (known) {
    out.workload.model = *known;
    if (height > 0) {
      out.workload.image_height = height;
      out.workload.image_width = width;
    }
    return;
  }
  double macs = number(model, "gmacs_per_sample") * 1e9;
  if (macs <= 0) macs = published_macs(name);
  if (macs <= 0) {
    out.skipped = "neither MACs nor a known model name";
    return;
  }
  ModelPreset::Vision vision;
  vision.params = number(model, "params");
  vision.macs_per_sample = macs;
  vision.image_size = height > 0 ? height : 224;
  vision.image_width = width;
  vision.family = family_by_name(name);
  if (has(lowered(name), "yolo")) vision.kept_share = 1.4;  // as the catalog's
  out.workload.model = model_from_vision(vision);
  out.workload.model.name = name;
}

}  // namespace

VisionFamily family_by_name(std::string_view printed) {
  const std::string name = lowered(printed);
  if (has_any(name, {"unet", "diffusion", "sdxl", "dit", "flux"}) && !has(name, "edit")) {
    return VisionFamily::kDiffusion;
  }
  if (has_any(name, {"yolo", "rcnn", "r-cnn", "retinanet", "ssd", "detr", "fpn", "mask"})) {
    return VisionFamily::kDetector;
  }
  if (has_any(name, {"vit", "swin", "deit", "beit", "transformer", "mixer", "convnext"})) {
    return VisionFamily::kAttention;
  }
  if (has_any(name, {"efficientnet", "mobilenet", "mnasnet", "shufflenet", "ghostnet"})) {
    return VisionFamily::kDepthwise;
  }
  if (has_any(name, {"whisper", "wav2vec", "tacotron", "waveglow", "audio"})) {
    return VisionFamily::kAudio;
  }
  return VisionFamily::kConv;
}

std::optional<Model> model_by_printed_name(const Catalog& catalog, std::string_view printed) {
  std::string name = folded(printed);
  // Tuned variants have the structure of their base.
  for (const std::string_view tail : {"chat", "instruct", "hf", "base"}) {
    if (name.size() > tail.size() + 3 && name.ends_with(tail))
      name.resize(name.size() - tail.size());
  }
  if (name.empty()) return std::nullopt;
  const ModelPreset* best = catalog.find_model(lowered(printed));
  for (const ModelPreset& preset : catalog.models) {
    if (best != nullptr) break;
    if (folded(preset.id) == name || folded(preset.name) == name) best = &preset;
  }
  // "resnet50v15", "bertlargemlmnsp", "vitbasepatch16224": a preset's name is a prefix.
  for (const ModelPreset& preset : catalog.models) {
    if (best != nullptr) break;
    const std::string id = folded(preset.id);
    if (id.size() >= 7 && name.starts_with(id) && name.size() - id.size() <= 10 &&
        preset.vision.has_value()) {
      best = &preset;
    }
  }
  if (best == nullptr) return std::nullopt;
  auto model = model_from_preset(*best, "model");
  if (!model) return std::nullopt;
  return *model;
}

void read_case_model(const Catalog& catalog, json::Value model, std::string_view,
                     MeasuredCase& out) {
  const std::string family = text(model, "family");
  const std::string name = text(model, "name");
  if (has(family, "vision") || has(family, "cnn")) {
    read_vision(catalog, model, out);
    return;
  }
  const double active = number(model, "active_params");
  const double params = number(model, "params");
  if (active > 0 || number(model, "layers") == 0) {
    if (const auto known = model_by_printed_name(catalog, name)) {
      out.workload.model = *known;
      return;
    }
    const double size = params > 0 ? params : nominal_size(name);
    if (size <= 0) {
      out.skipped = "neither a shape, a size nor a known model name";
      return;
    }
    out.workload.model = model_from_params(size, active);
    out.workload.model.name = name;
    return;
  }
  auto built = layered_model(model, has(family, "encoder"));
  if (!built) {
    out.skipped = "the model's shape does not add up";
    return;
  }
  out.workload.model = *built;
  out.workload.model.name = name;
}

std::string case_family(const MeasuredCase& measured) {
  const Model& m = measured.workload.model;
  const JobKind kind = measured.workload.kind;
  if (kind == JobKind::kInference) return "inference";
  if (m.vision) return std::string(name_of(m.vision->family));
  if (m.patches > 0) return "vit";
  if (m.encoder_only) return "encoder";
  if (kind == JobKind::kLora || kind == JobKind::kQlora) return "lora";
  for (const LayerGroup& group : m.groups) {
    if (group.ffn.experts > 0) return "moe";
  }
  return "decoder";
}

}  // namespace xuanka
