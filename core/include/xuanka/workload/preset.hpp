// A model that can be named, or given by counts -> Model.
#pragma once

#include <string_view>

#include "xuanka/base/result.hpp"
#include "xuanka/catalog/catalog.hpp"
#include "xuanka/workload/model.hpp"

namespace xuanka {

/// Reads the preset's config.json, or takes its vision figures; id and names are the preset's.
/// `path` prefixes the issues of a config that cannot be read.
[[nodiscard]] Result<Model> model_from_preset(const ModelPreset& preset, std::string_view path);

/// A model known by parameters, MACs and activations (elements kept by the forward pass), all at
/// its own image size.
[[nodiscard]] Model model_from_vision(const ModelPreset::Vision& vision);

/// Elements kept by the forward pass per MAC, for models given without them: of a typical member of
/// the family at 224 px (ResNet-50 11.1e6 over 4.09e9, MobileNetV2 6.7e6 over 0.30e9, ViT-B/16
/// 16.9e6 over 17.6e9 by the fvcore counts that arXiv 2003.13678 and timm's result tables use).
[[nodiscard]] double activations_per_mac(VisionFamily family);

}  // namespace xuanka
