// Jobs, cards and constants for tests of time, planner and validation.
#pragma once

#include "unit/catalog_fixture.hpp"
#include "unit/workload_fixture.hpp"
#include "xuanka/plan/search_space.hpp"
#include "xuanka/time/step_model.hpp"
#include "xuanka/workload/preset.hpp"

namespace xuanka::testing {

inline const EfficiencyModel& shipped_efficiency() {
  static const EfficiencyModel model = [] {
    auto loaded = load_efficiency(shipped_text("efficiency.json"));
    if (!loaded) {
      for (const Issue& issue : loaded.error()) {
        ADD_FAILURE() << issue_code_name(issue.code) << " at " << issue.path;
      }
      return EfficiencyModel{};
    }
    return *loaded;
  }();
  return model;
}

inline const Gpu& shipped_gpu(std::string_view id) {
  const Gpu* gpu = shipped_catalog().find_gpu(id);
  EXPECT_NE(gpu, nullptr) << id;
  return gpu != nullptr ? *gpu : shipped_catalog().gpus.front();
}

/// One question about time. Members may be changed before `estimate`.
struct TimeCase {
  WorkloadRequest workload;
  Plan plan;
  Gpu gpu = shipped_gpu("a100-sxm-80gb");
  LinkChoice link = LinkChoice::kAuto;
  double gpus_per_node = 8, network_gbit_s = 100, own_efficiency = 0;
  HostFeed feed;
  EfficiencyModel constants = shipped_efficiency();

  [[nodiscard]] Topology topology() const {
    return make_topology(gpu, link, gpus_per_node, network_gbit_s);
  }
  [[nodiscard]] Job job() const {
    std::vector<Note> notes;
    auto made = make_job(workload, gpu, notes);
    EXPECT_TRUE(made);
    return made.value_or(Job{});
  }
  [[nodiscard]] StepModel model() const {
    return {job(), gpu, topology(), feed, constants, own_efficiency};
  }
  [[nodiscard]] TimeEstimate estimate() const { return model().estimate(plan); }
  [[nodiscard]] double seconds() const { return estimate().step.value(); }
};

inline TimeCase time_of(Model model, double seq_len, double micro_batch = 1,
                        double accumulation = 1) {
  TimeCase c;
  c.workload.model = std::move(model);
  c.workload.seq_len = seq_len;
  c.plan.micro_batch = micro_batch;
  c.plan.grad_accumulation = accumulation;
  return c;
}

inline Model llama_7b() {
  TransformerShape shape;
  shape.layers = 32;
  shape.hidden = 4096;
  shape.heads = 32;
  shape.ffn = 11008;
  shape.vocab = 32000;
  return model_from_shape(shape, "").value();
}

inline Model resnet_50() {
  const ModelPreset* preset = shipped_catalog().find_model("resnet50");
  EXPECT_NE(preset, nullptr);
  return model_from_vision(*preset->vision);
}

}  // namespace xuanka::testing
