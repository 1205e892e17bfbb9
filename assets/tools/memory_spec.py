"""Names, units and values of the memory constants in assets/catalog/efficiency.json.

Most are counted (saved-tensor hooks, documentation of the programs named); those in FITTED, which no document
states to better than a factor, are moved by the fit within their spread. The ranges are the spread of
measured over estimated peaks. `cases` are id prefixes of the figures behind each.
"""

TRAINING = ["titan-mem", "torchtune-", "litgpt-mem", "litgpt-a10g", "fsdpqlora-"]

# name, value, unit, note, cases
MEMORY = [
    ("memory_context_gib", 0.55, "GiB", "CUDA context and lazily loaded kernels: 0.47 to 0.92 on A100", []),
    ("memory_nccl_gib", 0.35, "GiB", "communicators when several GPUs talk", []),
    ("memory_reserve", 0.03, "fraction", "held by the allocator above what is allocated, states apart",
     ["titan-mem", "fsdpqlora-"]),
    ("memory_workspace_gib", 0.1, "GiB", "workspace of the matrix library", []),
    ("memory_conv_workspace_gib", 0.5, "GiB", "workspace of the convolution library: 0.1 to 1", []),
    ("memory_working_set", 1.25, "layers", "activations of a layer at work under recomputation: 1.0 to 1.5",
     ["titan-mem", "fsdpqlora-"]),
    ("memory_phase_overlap", 0.2, "fraction",
     "of the smaller of loss and layer at work that the other cannot reuse", ["fsdpqlora-", "titan-mem"]),
    ("memory_foreach_bytes", 1.5, "bytes/parameter", "temporaries of an optimizer step without a fused kernel",
     ["torchtune-3b-mem"]),
    ("memory_kv_growth", 0.85, "fraction", "copies of a cache that grows by concatenation", ["qwen-"]),
    ("memory_lora_dropout", 1.0, "1", "1: adapters are trained with dropout", ["litgpt-mem"]),
    ("memory_channels_first", 1.1, "1", "factor on 16-bit activations of NCHW convolutions", []),
    ("memory_low_states", 0.95, "1", "low end of weights and states", TRAINING),
    ("memory_high_states", 1.08, "1", "high end of weights and states", TRAINING),
    ("memory_low_rest", 0.68, "1", "low end of everything else", TRAINING),
    ("memory_high_rest", 1.32, "1", "high end of everything else", TRAINING),
    ("memory_logit_bytes.pytorch", 14.0, "bytes", "peak per logit: logits, fp32 copy, gradient",
     ["torchtune-3b-mem", "litgpt-mem", "titan-mem"]),
    ("memory_logit_bytes.megatron", 12.0, "bytes", "peak per logit of a vocabulary-parallel loss", []),
    ("memory_logit_bytes.mlperf", 12.0, "bytes", "peak per logit of a fused loss", []),
    ("memory_vision_bytes.conv", 4.1, "bytes", "kept per 16-bit convolution output, counted on ResNet", []),
    ("memory_vision_bytes.depthwise", 5.8, "bytes", "the same, depth-wise with SiLU: EfficientNet, MobileNet", []),
    ("memory_vision_bytes.attention", 4.0, "bytes", "the same, windowed or global attention: Swin, ViT", []),
    ("memory_vision_bytes.detector", 4.5, "bytes", "the same, detectors with their heads", []),
    ("memory_vision_bytes.diffusion", 4.5, "bytes", "the same, UNets and diffusion transformers", []),
    ("memory_vision_bytes.audio", 4.5, "bytes", "the same, audio models", []),
]


# What the fit may move, and how far (a factor): overheads that programs do not state.
FITTED = {"memory_context_gib": 1.15, "memory_nccl_gib": 1.4, "memory_reserve": 1.4, "memory_working_set": 1.15,
          "memory_phase_overlap": 1.5, "memory_foreach_bytes": 1.25, "memory_kv_growth": 1.1,
          "memory_logit_bytes.pytorch": 1.15, "memory_vision_bytes.detector": 1.15,
          "memory_vision_bytes.diffusion": 1.15}


def memory_constants(make):
    """The rows as objects of the fitting tool's own kind."""
    return [make(name, value, FITTED.get(name, 1.0), unit, note, name in FITTED) for name, value, unit, note, _ in MEMORY]


def memory_cases():
    return {name: cases for name, _, _, _, cases in MEMORY}
