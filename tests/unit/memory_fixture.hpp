// Jobs on cards for memory tests.
#pragma once

#include "unit/workload_fixture.hpp"
#include "xuanka/memory/memory_model.hpp"

namespace xuanka::testing {

/// A card as the memory model sees it: 16-bit tensor units and a size.
inline Gpu card(double memory_gb, std::string memory_type = "HBM2e") {
  Gpu gpu;
  gpu.id = gpu.name = "card";
  gpu.vendor = Vendor::kNvidia;
  gpu.compute_capability = "8.0";
  gpu.memory_gb = memory_gb;
  gpu.memory_type = std::move(memory_type);
  gpu.form_factor = "SXM4";
  gpu.tflops[static_cast<std::size_t>(PeakFormat::kFp32)] = 19.5;
  gpu.tflops[static_cast<std::size_t>(PeakFormat::kFp16Tensor)] = 312;
  gpu.tflops[static_cast<std::size_t>(PeakFormat::kBf16Tensor)] = 312;
  return gpu;
}

/// One question: what a workload takes under a plan. Members may be changed before `estimate`.
struct MemoryCase {
  WorkloadRequest workload;
  Plan plan;
  Gpu gpu = card(80);

  [[nodiscard]] Job job() const {
    std::vector<Note> notes;
    const auto made = make_job(workload, gpu, notes);
    EXPECT_TRUE(made);
    return made.value_or(Job{});
  }
  [[nodiscard]] MemoryEstimate estimate() const {
    return estimate_memory(job(), plan, gpu, 8, EfficiencyModel{});
  }
  [[nodiscard]] double gib() const { return to_gibibytes(estimate().per_gpu); }
};

inline MemoryCase training(Model model, double seq_len, double data = 1) {
  MemoryCase c;
  c.workload.model = std::move(model);
  c.workload.seq_len = seq_len;
  c.plan.data = data;
  return c;
}

inline double states_gib(const MemoryEstimate& m) {
  return to_gibibytes(m.parts.weights + m.parts.gradients + m.parts.optimizer);
}

/// GPT-3 175B as in the papers: vocabulary 51200, 2048 learned positions, dropout.
inline Model gpt3() {
  return model_of(
      "{'model_type':'gpt2','n_embd':12288,'n_layer':96,'n_head':96,'n_positions':2048,"
      "'vocab_size':51200}");
}

}  // namespace xuanka::testing
