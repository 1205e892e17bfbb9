#!/usr/bin/env python3
"""`xuanka explain`: every number that is put into a formula gives the result that stands beside it."""
import json
import os
import re
import subprocess
import unittest

UNITS = {"": 1, "%": 0.01, "k": 1e3, "M": 1e6, "T": 1e12, "GiB": 2**30, "MMAC": 1e6, "GMAC": 1e9, "TMAC": 1e12,
         "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400}
for power, prefix in enumerate(["", "k", "M", "G", "T", "P", "E"]):
    for unit in ("B", "B/s", "FLOP", "FLOP/s"):
        UNITS.setdefault(prefix + unit, 1000.0**power)

A100 = {"gpus": ["a100-sxm-80gb"]}
REQUESTS = {
    "lora": {"workload": {"kind": "lora", "model": {"id": "llama-2-7b"}, "data": {"tokens": 5e7}, "seq_len": 2048},
             "hardware": {"gpus": ["rtx-4090-24gb"], "counts": [2]}},
    "full": {"workload": {"kind": "finetune", "model": {"id": "llama-2-7b"}, "data": {"tokens": 1e8}}, "hardware": {**A100, "counts": [8]}},
    "pretraining": {"workload": {"kind": "train", "model": {"id": "gpt2"}, "data": {"tokens": 1e9}}, "hardware": {**A100, "counts": [4]}},
    "vision": {"workload": {"kind": "train", "model": {"id": "resnet-50"}, "data": {"dataset": "imagenet-1k", "epochs": 90}},
               "hardware": {"gpus": ["a100-pcie-40gb"], "counts": [4]}},
    "serving": {"workload": {"kind": "inference", "model": {"id": "llama-2-13b"}}, "hardware": {**A100, "counts": [1]}},
    "engine": {"workload": {"kind": "inference", "model": {"id": "llama-3.1-8b"}, "framework": "mlperf"}, "hardware": {**A100, "counts": [2]}},
    **{f"zero-{zero}": {"workload": {"kind": "finetune", "model": {"id": "llama-2-7b"}, "data": {"tokens": 1e8}},
                        "hardware": {**A100, "counts": [8], "plan": {"zero": zero, "tensor": 1, "pipeline": 1}}} for zero in (1, 2, 3)},
    "pipeline": {"workload": {"kind": "train", "model": {"id": "llama-2-70b"}, "data": {"tokens": 1e9}, "framework": "megatron"},
                 "hardware": {**A100, "counts": [64], "plan": {"tensor": 8, "pipeline": 4, "data": 2}}},
    "uneven": {"workload": {"kind": "finetune", "model": {"id": "gemma-2-9b"}, "data": {"tokens": 1e8}},
               "hardware": {**A100, "counts": [8], "plan": {"pipeline": 4, "tensor": 2}}},
    "offloaded": {"workload": {"kind": "finetune", "model": {"id": "llama-2-13b"}, "data": {"tokens": 1e8}},
                  "hardware": {**A100, "counts": [4], "plan": {"offload": "all"}}},
    "latent": {"workload": {"kind": "inference", "model": {"id": "deepseek-v3"}}, "hardware": {"gpus": ["h100-sxm-80gb"], "counts": [16]}},
    "mixture": {"workload": {"kind": "finetune", "model": {"id": "mixtral-8x7b"}, "data": {"tokens": 1e8}}, "hardware": {**A100, "counts": [32]}},
    "bought": {"workload": {"kind": "qlora", "model": {"id": "llama-2-13b"}, "data": {"tokens": 1e8}},
               "hardware": {"gpus": ["rtx-3090-24gb"], "counts": [1]}, "decision": {"acquire": "buy"}},
}
# What must have its numbers wherever the step is there.
ALWAYS = {"active_params", "attention", "memory.gradients", "memory.optimizer", "memory.kv_cache", "turning", "host.ram", "step", "rate", "mfu", "time", "prefill", "decode", "memory.weights", "memory.activations", "memory.logits",
          "memory.buffers", "memory.overhead", "memory.sum", "checkpoint", "gpu_busy", "data_read", "host.cores"}
# Whose numbers are an expression that gives the step's value.
EVALUATED = {"params", "active_params", "matmul", "attention", "flops", "flops_frozen", "flops_vision", "ideal", "step", "rate", "mfu", "prefill", "decode",
             "memory.weights", "memory.gradients", "memory.optimizer", "memory.activations", "memory.logits", "memory.kv_cache",
             "memory.buffers", "memory.overhead", "data_read", "gpu_busy", "host.cores", "host.ram"}
SCALE = {"memory.sum": 2**-30, "host.ram": 1e9}  # values in other units than their numbers
# Each factor has three digits; durations and percentages have two.
ROUNDING = {"data_read": 0.06, "prefill": 0.05}


def evaluated(text):
    """The value of "2 × 6.74 B / (8 × 312 TFLOP/s)"; a B before a × is a billion, any other a byte."""
    text = re.sub(r"\((?![^()]*\d)[^()]*\)", "", text)  # names of parts
    text = text.replace("output tokens", "").replace("tokens", "").replace("samples", "")

    def number(match):
        value, unit = float(match[1].replace(",", "")), match[2] or ""
        billion = unit == "B" and text[match.end():].lstrip().startswith("×")
        return repr(value * (1e9 if billion else UNITS[unit]))

    text_with_numbers = re.sub(r"(\d[\d,]*(?:\.\d+)?(?:e-?\d+)?)(?: ?((?:[kMGTPE]?FLOP(?:/s)?|[kMGTPE]?B(?:/s)?|[MGT]MAC|GiB|ms|min|[kMTshd]|%)(?![\w/])))?",
                               number, text)
    expression = text_with_numbers.replace("×", "*").replace("·", "*").replace("−", "-")
    if not re.fullmatch(r"[\d\s.+*/()e-]+", expression):
        raise ValueError(expression)
    return eval(expression)  # pylint: disable=eval-used


def steps_of(request):
    done = subprocess.run([os.environ["XUANKA_CLI"], "explain", "-", "--json"], input=json.dumps({"version": 1, **request}),
                          capture_output=True, text=True, encoding="utf-8", check=True)
    return {step["id"]: step for step in json.loads(done.stdout)["steps"]}


class Explain(unittest.TestCase):
    def test_numbers_give_the_result(self):
        checked = set()
        for name, request in REQUESTS.items():
            for step in steps_of(request).values():
                with self.subTest(request=name, step=step["id"], numbers=step["substituted"]):
                    self.assertTrue(step["formula"])
                    if step["id"] in ALWAYS:
                        self.assertTrue(step["substituted"])
                    if step["id"] not in EVALUATED or not step["substituted"]:
                        continue
                    expected = step["value"] * SCALE.get(step["id"], 1)
                    got = evaluated(step["substituted"])
                    self.assertAlmostEqual(got, expected, delta=ROUNDING.get(step["id"], 0.03) * abs(expected))
                    checked.add(step["id"])
        self.assertGreaterEqual(checked, EVALUATED - {"flops", "ideal"})

    def test_parts_add_up_to_the_peak(self):
        for request in REQUESTS.values():
            steps = steps_of(request)
            parts = [step["value"] for key, step in steps.items() if key.startswith("memory.") and key not in ("memory.sum", "memory.usable")]
            self.assertAlmostEqual(sum(parts), steps["memory.sum"]["value"], delta=1e-6 * sum(parts))


if __name__ == "__main__":
    unittest.main()
