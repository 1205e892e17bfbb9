// Low and high: the residual band of the nearest measured cases.
#include <algorithm>
#include <array>

#include "xuanka/time/step_model.hpp"

namespace xuanka {
namespace {

std::string_view family_of(const Job& job) {
  const Model& m = *job.model;
  if (job.kind == JobKind::kInference) return "inference";
  if (m.kind == ModelKind::kMeasured) return "measured";
  if (m.vision) return name_of(m.vision->family);
  if (m.patches > 0) return "vit";
  if (m.encoder_only) return "encoder";
  if (job.frozen_base) return "lora";
  for (const LayerGroup& group : m.groups) {
    if (group.ffn.experts > 0) return "moe";
  }
  return "decoder";
}

std::string_view inside_name(LinkKind kind) {
  switch (kind) {
    case LinkKind::kNvSwitch:
      return "nvswitch";
    case LinkKind::kNvPairs:
    case LinkKind::kPcieP2p:
    case LinkKind::kPcieHost:
      return "pcie";
    case LinkKind::kNone:
      break;
  }
  return "one";
}

}  // namespace

void StepModel::build_range(const Job& job, const Gpu& gpu, const Topology& topology,
                            const EfficiencyModel& model) {
  const std::string_view family = family_of(job);
  const std::array<std::string_view, 3> where{"one", inside_name(topology.inside), "network"};
  const NearBands near = near_bands(model, family, where, gpu_class(gpu));
  card_measured_ = near.card_seen;
  double widen = near.card_seen ? 1 : model.relative_widening;
  if (job.model->kind == ModelKind::kSizeOnly) widen *= model.size_only_widening;
  const ResidualBand* every = near.every;
  for (std::size_t i = 0; i < where.size(); ++i) {
    const ResidualBand* band = near.place[i];
    double low = band != nullptr ? band->low : 0.7;
    double high = band != nullptr ? band->high : 1.4;
    if (band != nullptr && band->cases < kFewCases && every != nullptr) {
      low = std::min(low, every->low);  // a few that agree say little
      high = std::max(high, every->high);
    }
    band_low_[i] = low / widen;
    band_high_[i] = high * widen;
    // Cases of every other kind are no evidence for this one.
    band_cases_[i] = band != nullptr && band->key != kEveryCase ? band->cases : 0;
    band_keys_[i] = band != nullptr ? band->key : std::string();
  }
}

}  // namespace xuanka
