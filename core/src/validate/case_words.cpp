// Settings that sources state in words: precision, method, links, units.
#include <array>

#include "validate/case_model.hpp"
#include "validate/case_text.hpp"

namespace xuanka {
namespace {

void read_precision(const std::string& p, const Gpu& gpu, MeasuredCase& out) {
  WorkloadRequest& w = out.workload;
  const auto c = gpu_class(gpu);
  const bool tf32 = c == GpuClass::kAmpereServer || c == GpuClass::kAmpere || c == GpuClass::kAda ||
                    c == GpuClass::kHopper || c == GpuClass::kBlackwellServer ||
                    c == GpuClass::kBlackwell;
  const bool fp8 = gpu.peak(PeakFormat::kFp8Tensor).has_value();
  if (has(p, "fp8")) {
    // "fp8/fp16 mixed (H100/L40S) or fp16": FP8 on the cards named
    const bool named = !has(p, "(h100/l40s)") || c == GpuClass::kHopper || has(gpu.id, "l40s");
    w.precision = fp8 && named ? Precision::kFp8 : Precision::kFp16;
  } else if (has(p, "tf32") && has(p, "fp32")) {
    w.precision = tf32 ? Precision::kTf32 : Precision::kFp32;
  } else if (has(p, "tf32")) {
    w.precision = Precision::kTf32;
  } else if (has(p, "bf16")) {
    w.precision = Precision::kBf16;
  } else if (has_any(p, {"fp16", "amp", "f16", "half"})) {
    w.precision = Precision::kFp16;
  } else if (has(p, "fp32")) {
    w.precision = Precision::kFp32;
  }
  if (has_any(p, {"bf16-true", "bf16 (true)", "full-bf16", "pure bf16"})) {
    w.master_weights = false;
    w.optimizer_precision = StorageType::kBf16;
    w.grad_precision = StorageType::kBf16;
  }
}

/// Weights of inference cases; GGUF widths follow from the block layouts of llama.cpp's formats.
void read_weights(const std::string& p, MeasuredCase& out) {
  InferenceOptions& inference = out.workload.inference;
  struct Width {
    std::string_view word;
    double bits;
  };
  constexpr auto kGguf = std::to_array<Width>({{"q8_0", 8.5},
                                               {"q6_k", 6.5625},
                                               {"q5_k_m", 5.7},
                                               {"q5_k", 5.5},
                                               {"q4_k_m", 4.85},
                                               {"q4_k", 4.5},
                                               {"iq4_xs", 4.46},
                                               {"q3_k_l", 4.3},
                                               {"q3_k", 3.4375},
                                               {"q2_k", 3.16}});
  for (const Width& width : kGguf) {
    if (has(p, width.word)) {
      inference.weight_bits = width.bits;
      return;
    }
  }
  if (has(p, "nf4-dq")) {
    inference.weights = StorageType::kNf4Dq;
  } else if (has(p, "nf4")) {
    inference.weights = StorageType::kNf4;
  } else if (has(p, "int4") || has(p, "4-bit") || has(p, "4bit")) {
    inference.weights = StorageType::kInt4;
  } else if (has(p, "int8") || has(p, "8-bit") || has(p, "8bit")) {
    inference.weights = StorageType::kInt8;
  } else if (has(p, "fp8")) {
    inference.weights = StorageType::kFp8;
  } else if (has(p, "fp32")) {
    inference.weights = StorageType::kFp32;
  }
}

void read_adapters(const CaseWords& words, MeasuredCase& out) {
  WorkloadRequest& w = out.workload;
  const std::string& m = words.method;
  const bool nf4 = has_any(m, {"qlora", "nf4"}) || has(words.precision, "nf4");
  w.kind = nf4 ? JobKind::kQlora : JobKind::kLora;
  if (has_any(m, {"q,v", "qv", "q_proj"})) {
    w.lora.targets = LoraTargets::kQv;
  } else if (has(m, "attention")) {
    w.lora.targets = LoraTargets::kAttention;
  }
  auto rank = number_after(m, "rank ");
  if (!rank) rank = number_after(m, " r");
  if (!rank) rank = number_after(m, "rank");
  if (rank && *rank > 0) w.lora.rank = *rank;
  if (nf4) {
    const bool plain = has(m, "nf4") && !has(m, "nf4-dq");
    w.lora.base = plain ? StorageType::kNf4 : StorageType::kNf4Dq;
    if (has_any(m, {"8bit", "8-bit"}) && has(m, "qlora-8")) w.lora.base = StorageType::kInt8;
  }
}

/// Flag tables list their rows cumulatively: each "+" keeps the switches above it.
void read_switches(const CaseWords& words, MeasuredCase& out) {
  WorkloadRequest& w = out.workload;
  const std::string& m = words.method;
  constexpr std::array<std::string_view, 6> kOrder{"+compile",
                                                   "+chunked",
                                                   "+activation checkpointing",
                                                   "+optimizer in backward",
                                                   "+activation offload",
                                                   "+8-bit"};
  std::size_t reached = 0;
  for (std::size_t i = 0; i < kOrder.size(); ++i) {
    if (has(m, kOrder[i])) reached = i + 1;
  }
  if (reached >= 1 || has(words.technique, "compile") ||
      has_any(words.notes + words.framework, {"compile on"})) {
    w.compile = true;
  }
  if (has(words.title, "torchtune readme")) w.compile = !has_any(m, {"packed"});
  if (reached >= 3) w.recompute = Recompute::kFull;
  if (reached >= 4 || has_any(m, {"optimizer-in-backward", "optimizer in backward"})) {
    w.optimizer_in_backward = true;
  }
  if (reached >= 5 || has(m, "activation offload")) w.activation_offload = true;
  if (reached >= 6 || has_any(m, {"8-bit adam", "8-bit/paged", "8-bit optim", "adamw8bit"})) {
    w.optimizer = Optimizer::kAdamw8bit;
  }
  if (has(m, "paged")) w.optimizer = Optimizer::kPagedAdamw8bit;
  if (has(m, "unpacked") || has(words.notes, "unpacked")) w.packed = false;
}

void read_recompute(const CaseWords& words, MeasuredCase& out) {
  const std::string& r = words.recompute;
  if (r.starts_with("full") || r == "true") out.workload.recompute = Recompute::kFull;
  if (r.starts_with("selective")) out.workload.recompute = Recompute::kSelective;
  if (r == "none" || r == "false" || r == "gelu-only") out.workload.recompute = Recompute::kNone;
}

}  // namespace

Framework CaseWords::software() const {
  // Vendors' recipes of today overlap collectives and fuse kernels as benchmark code does.
  if (has_any(title, {"mlperf", "megatron-bridge", "automodel"}) ||
      has_any(where, {"mlcommons", "llm.c", "nvidia-nemo", "nvidia/nemo"})) {
    return Framework::kMlperf;
  }
  // Engines that serve: captured graphs, kernels for the cache and for narrow weights.
  if (has_any(framework + " " + notes,
              {"vllm", "sglang", "tensorrt-llm", "lmdeploy", "turbomind", "gpt-fast", "tinychat",
               "exllama", "llama.cpp", "fastertransformer", "deepspeed-inference"})) {
    return Framework::kMlperf;
  }
  if (has_any(title, {"megatron", "selene", "gpt-neox", "mt-nlg", "2205.05198"}) ||
      has_any(where, {"megatron", "bigscience", "metaseq"}) ||
      has_any(framework, {"megatron", "nemo"})) {
    return Framework::kMegatron;
  }
  return Framework::kPytorch;
}

bool CaseWords::unfused_attention() const {
  return has_any(title, {"2021", "sc21", "2104.04473", "deepspeed on azure", "bloom", "opt-175b",
                         "2205.05198", "2204.02311", "selene", "deeplearningexamples", "lambda",
                         "1910.02054"}) ||
         has_any(where,
                 {"metaseq", "bigscience", "deeplearning-benchmark", "google-research/bert"}) ||
         has_any(notes, {"eager attention", "no flash"});
}

void read_case_words(const CaseWords& words, const Gpu& gpu, MeasuredCase& out) {
  WorkloadRequest& w = out.workload;
  w.framework = words.software();
  read_precision(words.precision, gpu, out);
  if (w.kind == JobKind::kInference) {
    read_weights(words.precision, out);
  } else if (has(words.method, "lora") || has(words.precision, "nf4")) {
    read_adapters(words, out);
  } else if (w.kind == JobKind::kLora) {
    w.lora.targets = LoraTargets::kAllLinear;
  }
  read_switches(words, out);
  read_recompute(words, out);
  if (words.unfused_attention() && w.framework != Framework::kMlperf) w.flash_attention = false;
  w.channels_last =
      has(words.method + words.technique, "nhwc") || has(words.title, "deeplearningexamples");
  if (has_any(words.method, {"cpu offload", "offload optimizer"}) && !out.plan.offload) {
    out.plan.offload = Offload::kAll;
  }
  if (!out.plan.offload) out.plan.offload = Offload::kNone;  // a run that offloads says so
  read_memory_words(words, out);
}

void settle_host(const CaseWords& words, MeasuredCase& out) {
  const bool run = out.kind == "train_time" || out.kind == "time" || out.kind == "memory+time";
  const bool ordinary =
      out.workload.framework == Framework::kPytorch &&
      !has_any(words.title + words.notes, {"deeplearningexamples", "dali", "synthetic"});
  if (run && ordinary && out.workload.model.vision) out.host_cores = 8;
}

void read_case_links(const CaseWords& words, Gpu& gpu, MeasuredCase& out) {
  const std::string& text = words.interconnect;
  const auto c = gpu_class(gpu);
  const bool recent = c == GpuClass::kHopper || c == GpuClass::kBlackwellServer;
  out.network_gbit_s = recent ? 400 : 200;  // one card per GPU: NDR beside Hopper, HDR before
  if (has_any(text, {"1600 gbps", "200 gb/s", "hdr"})) out.network_gbit_s = 200;
  if (has_any(text, {"400 gb/s per gpu", "ndr", "8x400", "rdma 400"})) out.network_gbit_s = 400;
  if (has_any(text, {"omni-path", "efa 400 gb/s per node", "efa v1"})) out.network_gbit_s = 50;
  if (has(gpu.id, "gb200") || has(gpu.id, "gb300")) out.gpus_per_node = 72;
  if (has(text, "pcie") && !has(text, "nvlink3") && !has(text, "nvlink4")) {
    const bool consumer = !gpu.p2p_ok || has(gpu.id, "rtx-30");
    out.link = consumer ? LinkChoice::kPcieNoP2p : LinkChoice::kPcie;
    if (has(text, "nvbridge")) out.link = LinkChoice::kNvlinkPairs;
  }
  if (has(text, "low pcie lanes") && gpu.pcie) {  // four lanes instead of sixteen
    gpu.pcie->bidirectional *= 0.25;
    gpu.own = true;
    out.own_gpu = gpu;
  }
}

bool read_case_unit(std::string_view printed, MeasuredCase& out) {
  const std::string unit = lowered(printed);
  const auto set = [&](MeasuredQuantity quantity, double scale) {
    out.quantity = quantity;
    out.unit_scale = scale;
    return true;
  };
  constexpr double kGib = 1073741824.0;
  if (has(unit, "busbw") || has(unit, "gb/s"))
    return set(MeasuredQuantity::kBusGigabytesPerSecond, 1);
  if (has(unit, "max micro-batch")) return set(MeasuredQuantity::kMaxMicroBatch, 1);
  if (has(unit, "bits per weight")) return set(MeasuredQuantity::kBitsPerWeight, 1);
  if (unit.starts_with("%") && has(unit, "activation"))
    return set(MeasuredQuantity::kActivationPercent, 1);
  if (has(unit, "oom")) return set(MeasuredQuantity::kVerdict, 1);
  if (unit.starts_with("gib") || unit.starts_with("gb")) {
    out.memory_scope = MemoryScope::kDevice;
    if (has(unit, "reserved")) out.memory_scope = MemoryScope::kReserved;
    if (has_any(unit, {"active", "allocated"})) out.memory_scope = MemoryScope::kAllocated;
    if (has(unit, "activations")) out.memory_scope = MemoryScope::kActivations;
    if (has(unit, "states")) out.memory_scope = MemoryScope::kStates;
    if (has(unit, "weights")) out.memory_scope = MemoryScope::kWeights;
    if (has(unit, "(fits)")) return set(MeasuredQuantity::kVerdict, 1);
    return set(MeasuredQuantity::kMemoryBytes, unit.starts_with("gib") ? kGib : 1e9);
  }
  if (has(unit, "mfu")) return set(MeasuredQuantity::kMfuPercent, 1);
  if (has(unit, "tflops") && has_any(unit, {"matmul", "best shape", "layer"})) {
    return set(MeasuredQuantity::kMatmulTflops, 1);
  }
  if (has(unit, "tflops")) {
    return set(has(unit, "hardware") ? MeasuredQuantity::kHardwareTflopsPerGpu
                                     : MeasuredQuantity::kModelTflopsPerGpu,
               1);
  }
  if (has_any(unit, {"s/gpu", "/s per gpu"}))
    return set(MeasuredQuantity::kUnitsPerSecondPerGpu, 1);
  if (has_any(unit, {"tokens/s", "images/s", "samples/s", "sequences/s", "seq/s"})) {
    return set(MeasuredQuantity::kUnitsPerSecond, 1);
  }
  if (has(unit, "gpu-hours")) return set(MeasuredQuantity::kGpuHours, 1);
  if (has_any(unit, {"ms/step", "ms/iteration", "ms forward"}))
    return set(MeasuredQuantity::kSecondsPerStep, 1e-3);
  if (has_any(unit, {"s/iteration", "s/step"})) return set(MeasuredQuantity::kSecondsPerStep, 1);
  if (unit.starts_with("day")) return set(MeasuredQuantity::kSecondsTotal, 86400);
  if (unit.starts_with("hour")) return set(MeasuredQuantity::kSecondsTotal, 3600);
  if (unit.starts_with("minute")) return set(MeasuredQuantity::kSecondsTotal, 60);
  if (unit.starts_with("second")) return set(MeasuredQuantity::kSecondsTotal, 1);
  return false;
}

}  // namespace xuanka
