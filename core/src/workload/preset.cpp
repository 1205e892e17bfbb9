#include "xuanka/workload/preset.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "xuanka/workload/hf_config.hpp"

namespace xuanka {

Result<Model> model_from_preset(const ModelPreset& preset, std::string_view path) {
  Model model;
  if (preset.vision) {
    model = model_from_vision(*preset.vision);
  } else {
    Result<Model> read = read_hf_config(preset.config_text, path);
    if (!read) return read;
    model = std::move(*read);
  }
  model.id = preset.id;
  model.name = preset.name;
  model.name_zh = preset.name_zh;
  return model;
}

Model model_from_vision(const ModelPreset::Vision& vision) {
  Model model;
  model.kind = ModelKind::kVision;
  model.params = vision.params;
  model.active_params = vision.params;
  model.matmul_params = vision.params;
  VisionShape shape;
  shape.macs_per_sample = vision.macs_per_sample;
  shape.activations_per_sample = vision.activations_per_sample;
  shape.image_height = vision.image_size;
  shape.image_width = vision.image_width > 0 ? vision.image_width : vision.image_size;
  shape.family = vision.family;
  shape.kept_share = vision.kept_share;
  model.vision = shape;
  return model;
}

double activations_per_mac(VisionFamily family) {
  // conv, depthwise, attention, detector, diffusion, audio
  constexpr std::array<double, 6> kRatio{2.7e-3, 2.2e-2, 9.6e-4, 2.7e-3, 2.7e-3, 9.6e-4};
  return kRatio[static_cast<std::size_t>(family)];
}

}  // namespace xuanka
