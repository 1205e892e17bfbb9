// The memory constants of EfficiencyModel by the names they have in efficiency.json.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "xuanka/base/enums.hpp"
#include "xuanka/time/efficiency.hpp"

namespace xuanka {

struct MemoryConstant {
  std::string_view name;
  double EfficiencyModel::* member;
};
inline constexpr auto kMemoryConstants = std::to_array<MemoryConstant>({
    {"memory_context_gib", &EfficiencyModel::memory_context_gib},
    {"memory_nccl_gib", &EfficiencyModel::memory_nccl_gib},
    {"memory_reserve", &EfficiencyModel::memory_reserve},
    {"memory_workspace_gib", &EfficiencyModel::memory_workspace_gib},
    {"memory_conv_workspace_gib", &EfficiencyModel::memory_conv_workspace_gib},
    {"memory_working_set", &EfficiencyModel::memory_working_set},
    {"memory_phase_overlap", &EfficiencyModel::memory_phase_overlap},
    {"memory_foreach_bytes", &EfficiencyModel::memory_foreach_bytes},
    {"memory_kv_growth", &EfficiencyModel::memory_kv_growth},
    {"memory_lora_dropout", &EfficiencyModel::memory_lora_dropout},
    {"memory_channels_first", &EfficiencyModel::memory_channels_first},
    {"memory_low_states", &EfficiencyModel::memory_low_states},
    {"memory_high_states", &EfficiencyModel::memory_high_states},
    {"memory_low_rest", &EfficiencyModel::memory_low_rest},
    {"memory_high_rest", &EfficiencyModel::memory_high_rest},
});

/// Gives `visit(name, value&)` every memory constant.
template <class Visit>
void each_memory_constant(EfficiencyModel& model, const Visit& visit) {
  for (const MemoryConstant& entry : kMemoryConstants) {
    visit(std::string(entry.name), model.*entry.member);
  }
  for (std::size_t i = 0; i < model.memory_logit_bytes.size(); ++i) {
    visit("memory_logit_bytes." + std::string(EnumNames<Framework>::kNames[i]),
          model.memory_logit_bytes[i]);
  }
  for (std::size_t i = 0; i < model.memory_vision_bytes.size(); ++i) {
    visit("memory_vision_bytes." + std::string(EnumNames<VisionFamily>::kNames[i]),
          model.memory_vision_bytes[i]);
  }
}

}  // namespace xuanka
