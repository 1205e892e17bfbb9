"""Names, units, priors and bounds of the constants in assets/catalog/efficiency.json.

A prior is what one would take without any measurement (hardware facts, published micro-benchmarks);
`spread` is how far the fit may reasonably move it, as a factor. `fit` False = kept at the prior.
"""
from dataclasses import dataclass

from memory_spec import memory_constants

CLASSES = ["pascal", "volta", "turing", "ampere_server", "ampere", "ada", "hopper",
           "blackwell_server", "blackwell", "cdna", "other"]
FRAMEWORKS = ["pytorch", "megatron", "mlperf"]
FAMILIES = ["conv", "depthwise", "attention", "detector", "diffusion", "audio"]
LINKS = ["nvswitch", "nvpairs", "pcie_p2p", "pcie_host"]


@dataclass
class Constant:
    name: str
    prior: float
    spread: float
    unit: str
    note: str
    fit: bool = True
    low: float = 0.0
    high: float = 1e18


def constants():
    table = []

    def add(name, prior, spread, unit, note, fit=True, low=0.0, high=1e18):
        table.append(Constant(name, prior, spread, unit, note, fit, low, high))

    fraction = "fraction"
    matmul = {"pascal": 0.85, "volta": 0.75, "turing": 0.7, "ampere_server": 0.82, "ampere": 0.8,
              "ada": 0.8, "hopper": 0.72, "blackwell_server": 0.74, "blackwell": 0.75,
              "cdna": 0.5, "other": 0.55}
    attention = {"pascal": 0.5, "volta": 0.4, "turing": 0.45, "ampere_server": 0.6, "ampere": 0.7,
                 "ada": 0.7, "hopper": 0.5, "blackwell_server": 0.45, "blackwell": 0.6,
                 "cdna": 0.35, "other": 0.35}
    bandwidth = {name: 0.82 for name in CLASSES}
    bandwidth["other"] = 0.7
    for name in CLASSES:
        add(f"matmul_peak.{name}", matmul[name], 1.15, fraction,
            "of the dense peak, wide matrix products", high=1.0)
    for name in CLASSES:
        add(f"attention_peak.{name}", attention[name], 1.2, fraction,
            "of the 16-bit peak on causal FLOPs, fused attention", high=1.0)
    for name in CLASSES:
        add(f"bandwidth_reached.{name}", bandwidth[name], 1.1, fraction,
            "of the memory bandwidth, element-wise kernels", high=1.0)
    add("gemm_roof", 0.8, 1.4, "1", "operand traffic not hidden behind a matrix product")
    add("gemm_tile", 40, 1.8, "elements", "tile and wave quantisation of a matrix product")
    # Watts per 16-bit TFLOPS of the boards that are not slowed down (A100 SXM, H100 SXM, RTX 3090 Ti,
    # RTX 4090, TITAN RTX, V100, MI325X); half-rate GeForce cards never are.
    need = {"pascal": 0, "volta": 2.2, "turing": 2.4, "ampere_server": 1.1, "ampere": 3.2, "ada": 1.7,
            "hopper": 0.9, "blackwell_server": 0.5, "blackwell": 1.7, "cdna": 0.9, "other": 0}
    for name in CLASSES:
        add(f"power_need.{name}", need[name], 1.25, "W/TFLOPS",
            "below it the power limit slows the matrix units, by the square root", fit=need[name] > 0)
    for name, value in zip(FRAMEWORKS, [0.7, 0.8, 0.85]):
        add(f"fp8_peak.{name}", value, 1.15, fraction, "of matmul_peak, FP8 products and their casts", high=1.0)
    add("vector_peak", 0.85, 1.1, fraction, "of the FP32 peak, products without matrix units", high=1.0)
    add("moe_peak", 0.7, 1.3, fraction, "of matmul_peak, grouped expert products", high=1.0)
    add("softmax_flops", 20, 1.6, "FLOP", "FP32 operations per attention score, fused")
    add("score_bytes", 14, 1.4, "bytes", "moved per attention score, unfused forward")
    for name, value in zip(FRAMEWORKS, [1.2, 0.9, 0.6]):
        add(f"elementwise.{name}", value, 1.4, "1", "factor on counted element-wise traffic")
    add("compiled_elementwise", 0.55, 1.3, "1", "factor with torch.compile", high=1.0)
    for name, value in zip(FRAMEWORKS, [28, 50, 14]):
        add(f"loss_bytes.{name}", value, 1.4, "bytes",
            "moved per logit, forward and backward: fp32 cross-entropy by operations, or fused")
    add("optimizer_traffic", 1.2, 1.4, "1", "factor on states read and written once")
    add("dequant_bytes", 5, 1.5, "bytes", "moved per 4-bit weight and pass")
    add("adapter_traffic", 2, 1.6, "elements", "moved per input and output of an adapted linear")
    for name, value in zip(FRAMEWORKS, [3e-4, 3e-4, 1.5e-4]):
        add(f"layer_seconds.{name}", value, 1.6, "s", "host time to launch one layer's forward")
    add("lora_launch", 1.6, 1.3, "1", "factor on layer_seconds with adapters", low=1.0)
    add("moe_launch", 2.0, 1.4, "1", "factor on layer_seconds with routed experts", low=1.0)
    add("expert_seconds", 8e-5, 1.6, "s", "host time to launch one local expert's forward")
    add("compiled_launch", 0.6, 1.3, "1", "factor on layer_seconds with torch.compile", high=1.0)
    for name, value in zip(FRAMEWORKS, [1.5e-3, 1.5e-3, 5e-4]):
        add(f"pass_seconds.{name}", value, 1.6, "s", "host time per micro-batch beside its layers")
    for name, value in zip(FRAMEWORKS, [2e-2, 1e-2, 3e-3]):
        add(f"step_seconds.{name}", value, 1.4, "s", "fixed cost of an optimizer step")
    for name, value in zip(FRAMEWORKS, [7e-4, 8e-5, 5e-5]):
        add(f"decode_layer_seconds.{name}", value, 1.3, "s", "host time per layer and decode step")
    reached = {"nvswitch": 0.8, "nvpairs": 0.8, "pcie_p2p": 0.6, "pcie_host": 0.3}
    latency = {"nvswitch": 1e-5, "nvpairs": 1e-5, "pcie_p2p": 2e-5, "pcie_host": 3e-5}
    for name in LINKS:
        add(f"link_reached.{name}", reached[name], 1.3, fraction, "of the one-way bandwidth", high=1.0)
        add(f"link_latency.{name}", latency[name], 1.8, "s", "per collective and further rank")
    add("network_reached", 0.75, 1.2, fraction, "of the network bandwidth between nodes", high=1.0)
    add("network_latency", 2.5e-5, 1.8, "s", "per collective and doubling of nodes")
    add("switch_reduction", 1.25, 1.15, "1", "all-reduce gain with reduction inside the switch", low=1.0)
    for name, value in zip(FRAMEWORKS, [0.2, 0.6, 0.15]):
        add(f"data_exposed.{name}", value, 1.6, fraction,
            "share of data-parallel traffic that is never hidden", high=1.0)
    add("gather_exposed", 0.15, 1.6, fraction, "the same for ZeRO-3 gathers", high=1.0)
    for name, value in zip(FRAMEWORKS, [0.9, 0.95, 0.6]):
        add(f"tensor_exposed.{name}", value, 1.25, fraction, "the same for tensor-parallel collectives", high=1.0)
    add("pipeline_exposed", 0.5, 1.5, fraction, "the same for pipeline sends", high=1.0)
    add("expert_exposed", 0.7, 1.3, fraction, "the same for expert all-to-all", high=1.0)
    add("collective_seconds", 3e-5, 1.8, "s", "host time of a collective and each further rank")
    add("straggler", 0.004, 1.4, fraction, "slowdown per doubling of nodes")
    # Products of attention models are those of language models; what they move besides is counted on
    # ViT-B (14 bytes per byte of products' outputs) and Swin-T (25: windows, shifts and norms copied).
    peak = [0.75, 0.5, 0.9, 0.6, 0.45, 0.5]
    traffic = [10.0, 12.0, 18.0, 10.0, 10.0, 8.0]
    launch = [1.0, 1.5, 1.5, 2.0, 5.0, 3.0]
    kept = [2.7e-3, 1.5e-2, 9.6e-4, 1.5e-3, 5e-4, 7e-4]
    for i, name in enumerate(FAMILIES):
        add(f"vision_peak.{name}", peak[i], 1.4, fraction, "of matmul_peak x peak", high=1.0)
        add(f"vision_traffic.{name}", traffic[i], 1.4, "1",
            "bytes moved per byte of activations kept, forward and backward")
        add(f"vision_launch.{name}", launch[i], 1.15, "1",
            "factor on vision_host_seconds: operations a pass beside a classifier's", fit=name != "conv")
        add(f"activations_per_mac.{name}", kept[i], 1.0, "elements", "where a model states none", fit=False)
    add("vector_convolution", 1.3, 1.15, "1",
        "speed of FP32 convolutions beside products: 3 x 3 ones take fewer multiplications (Winograd)", low=1.0)
    add("channels_first", 1.35, 1.1, "1", "factor on the time of 16-bit NCHW convolutions", low=1.0)
    for name, value in zip(FRAMEWORKS, [0.022, 0.015, 0.006]):
        add(f"vision_host_seconds.{name}", value, 1.2, "s", "host time per pass of a classifier")
    for name, value in zip(FRAMEWORKS, [1.0, 1.0, 0.6]):
        add(f"vision_speed.{name}", value, 1.2, "1", "factor on the time by class of software",
            fit=name == "mlperf")
    add("input_seconds", 6e-3, 1.0, "core s", "to decode one image", fit=False)
    add("input_pixel_seconds", 4e-8, 1.0, "core s", "to resize and augment, per output pixel", fit=False)
    for name, value in (("hbm", 0.8), ("gddr", 0.88)):
        add(f"decode_bandwidth.{name}", value, 1.2, fraction, "of the bandwidth, weights and cache", high=0.96)
    add("decode_gap_seconds", 1e-4, 1.5, "s", "per layer and decode step between kernels, on the device")
    for name, value in zip(FRAMEWORKS, [5.0, 1.0, 1.0]):
        add(f"decode_cache_passes.{name}", value, 1.4, "1",
            "times a decode step moves the cache; ordinary code repeats it for every query head and copies it to append",
            fit=name == "pytorch", low=1.0)
    for name, value in zip(FRAMEWORKS, [1.4, 0.25, 0.2]):
        add(f"decode_dequant_bytes.{name}", value, 1.3, "bytes",
            "moved per weight stored below 8 bits, above its own width")
    add("host_copy", 0.8, 1.0, fraction, "of the host link (55 of 63 GB/s measured on H200)", fit=False)
    add("host_adam_bandwidth", 6e10, 1.0, "bytes/s", "optimizer states per node on the CPU", fit=False)
    add("relative_widening", 1.15, 1.0, "1", "range factor for a class without cases", fit=False)
    add("size_only_widening", 1.25, 1.0, "1", "range factor for a model known by size only", fit=False)
    return table + memory_constants(lambda name, value, spread, unit, note, fit: Constant(
        name, value, spread, unit, note, fit))
