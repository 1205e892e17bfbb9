#!/usr/bin/env python3
"""Writes the request lines of the parity test: every kind of job, model form, option and mistake, a few of each.

    make_requests.py OUT_FOLDER [--check]

Everything follows from the lists below; the same lines come out on every machine. --check compares instead of writing.
"""
import argparse
import itertools
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LANGUAGE = ["llama-2-7b", "llama-2-13b", "llama-2-70b", "llama-3-8b", "llama-3.1-405b", "mistral-7b-v0.3", "mixtral-8x7b", "qwen2.5-7b",
            "qwen2.5-72b", "qwen3-30b-a3b", "gemma-2-9b", "gpt2", "gpt2-xl", "bert-base-uncased", "t5-base", "deepseek-v3", "falcon-7b",
            "opt-13b", "pythia-1b", "phi-2", "bloom-7b1"]
CARDS = ["rtx-4090-24gb", "rtx-3090-24gb", "a100-pcie-40gb", "a100-sxm-80gb", "h100-sxm-80gb", "v100-sxm-32gb", "t4-16gb", "p100-pcie-16gb"]


def request(workload, hardware=None, decision=None, host=None, **rest):
    body = {"version": 1, "workload": workload}
    for key, value in (("hardware", hardware), ("decision", decision), ("host", host)):
        if value:
            body[key] = value
    body.update(rest)
    return body


def transformers():
    for kind, model in itertools.product(["train", "finetune", "lora", "qlora"], LANGUAGE):
        yield request({"kind": kind, "model": {"id": model}, "data": {"tokens": 2e8}}, {"gpus": CARDS[:5]})
    for name, values in {
        "precision": ["fp32", "tf32", "fp16", "bf16", "fp8"],
        "optimizer": ["adamw", "adamw-8bit", "paged-adamw-8bit", "adafactor", "lion", "sgd", "sgd-momentum", "muon"],
        "optimizer_precision": ["fp32", "bf16"],
        "grad_precision": ["fp32", "bf16", "fp16"],
        "recompute": ["none", "selective", "full"],
        "framework": ["pytorch", "megatron", "mlperf"],
        "flash_attention": [True, False],
        "packed": [True, False],
        "activation_offload": [True],
        "compile": [True],
        "optimizer_in_backward": [True],
        "master_weights": [False],
        "loss_chunk_tokens": [1024],
        "copies": [3],
        "seq_len": [128, 4096, 32768],
        "micro_batch": [1, 4, 64],
        "global_batch": [8, 1000],
        "mean_tokens": [700],
        "flops_convention": ["full", "causal"],
    }.items():
        for value in values:
            workload = {"model": {"id": "llama-3-8b"}, "data": {"tokens": 1e9}, name: value}
            if name == "mean_tokens":
                workload["packed"] = False
            yield request(workload, {"gpus": ["a100-sxm-80gb", "rtx-4090-24gb", "v100-sxm-32gb"]})
    for rank, targets, base in itertools.product([4, 64], ["attention", "qv", "all-linear"], ["bf16", "int8", "nf4"]):
        yield request({"kind": "lora", "model": {"id": "qwen2.5-7b"}, "data": {"tokens": 1e7}, "lora": {"rank": rank, "targets": targets, "base": base}},
                      {"gpus": ["rtx-3090-24gb", "a100-pcie-40gb"], "counts": [1, 2]})


def model_forms():
    yield request({"model": {"params": 7e9}, "data": {"tokens": 1e9}})
    yield request({"model": {"params": 4.67e10, "active_params": 1.29e10}, "data": {"tokens": 1e9}})
    shape = {"layers": 24, "hidden": 2048, "heads": 16, "kv_heads": 4, "head_dim": 128, "ffn": 5504, "vocab": 50000, "gated_mlp": True}
    for extra in ({}, {"tied_embeddings": True}, {"biases": True, "norm": "layer", "positions": "learned"}, {"window": 1024, "window_every": 2},
                  {"encoder_layers": 12}, {"moe": {"experts": 16, "top_k": 2, "ffn": 1408, "shared": 1, "dense_layers": 1}}, {"params": 1.5e9}):
        yield request({"model": {"transformer": {**shape, **extra}}, "data": {"tokens": 5e8}}, {"gpus": CARDS[:4]})
    for path in sorted((ROOT / "tests" / "data" / "configs").glob("*.json"))[:60]:
        config = json.loads(path.read_text(encoding="utf-8"))
        yield request({"model": {"hf_config": config}, "data": {"tokens": 1e8}, "seq_len": 512}, {"gpus": ["a100-sxm-80gb"], "counts": [1, 8]})


def vision():
    for model, dataset in itertools.product(["resnet-50", "vit-b-16"], ["pascal-voc", "coco-2017", "imagenet-1k"]):
        for image, precision in ((224, "fp16"), ([800, 1333], "fp32")):
            yield request({"model": {"id": model}, "data": {"dataset": dataset, "epochs": 12}, "image_size": image, "precision": precision},
                          {"gpus": CARDS})
    for family in ("conv", "depthwise", "attention", "detector", "diffusion", "audio"):
        yield request({"model": {"vision": {"params": 25.6e6, "macs_per_sample": 4.09e9, "image_size": 224, "activations_per_sample": 11.1e6, "family": family}},
                       "data": {"samples": 118287, "epochs": 12}}, {"gpus": CARDS})
    for hours, count, gpu in ((58, 2, "rtx-3090-24gb"), (40, 1, "rtx-4090-24gb"), (10, 1, "rtx-4090-24gb"), (200, 4, "v100-sxm-32gb")):
        yield request({"model": {"measured": {"gpu": gpu, "count": count, "hours": hours, "memory_gb": 12, "family": "conv"}}})


def inference():
    for model, concurrency, weights, cache in itertools.product(["llama-2-7b", "llama-2-70b", "mixtral-8x7b"], [1, 32], ["fp16", "int4", "fp8"], ["fp16", "fp8"]):
        yield request({"kind": "inference", "model": {"id": model},
                       "inference": {"prompt_tokens": 1024, "output_tokens": 256, "concurrency": concurrency, "weights": weights, "kv_cache": cache}},
                      {"gpus": CARDS[:5], "counts": [1, 2, 4]})
    yield request({"kind": "inference", "model": {"id": "llama-2-13b"}, "inference": {"output_tokens_total": 1e9, "weight_bits": 4.89}},
                  decision={"max_first_token_seconds": 2, "min_tokens_per_second_per_request": 10})


def decisions():
    job = {"kind": "lora", "model": {"id": "llama-2-7b"}, "data": {"tokens": 5e7}}
    for rank_by, currency, acquire in itertools.product(["cost", "time", "flops_per_money", "memory_per_money"], ["CNY", "USD"], ["rent", "buy", "used"]):
        yield request(job, decision={"rank_by": rank_by, "currency": currency, "acquire": acquire})
    for billing in ("on-demand", "spot", "reserved-1y", "monthly", "marketplace"):
        yield request(job, decision={"offers": {"billing": [billing], "max_age_days": 10000}})
    yield request(job, decision={"budget": {"amount": 30, "currency": "CNY"}, "deadline_hours": None})
    yield request(job, decision={"deadline_hours": 2})
    for link, counts, network in itertools.product(["auto", "nvlink", "nvlink-pairs", "pcie", "pcie-no-p2p"], [[1, 2, 4, 8], [16, 64]], [25, 400]):
        yield request({"model": {"id": "llama-2-13b"}, "data": {"tokens": 1e10}}, {"gpus": ["a100-sxm-80gb", "rtx-4090-24gb"], "counts": counts, "link": link, "network_gbit_s": network})
    for plan in ({"zero": 0}, {"zero": 1}, {"zero": 2}, {"zero": 3}, {"tensor": 2}, {"pipeline": 4}, {"tensor": 3}, {"offload": "all"}, {"data": 8},
                 {"tensor": 8, "sequence_parallel": True}, {"pipeline": 2, "interleave": 2}, {"context": 2}, {"expert": 8}):
        yield request({"model": {"id": "mixtral-8x7b" if "expert" in plan else "llama-2-7b"}, "data": {"tokens": 1e9}, "seq_len": 4096},
                      {"gpus": ["a100-sxm-80gb"], "counts": [8], "plan": plan})
    for host in ({"ram_gb": 64}, {"cpu_cores_per_gpu": 12}, {"dataset_gb": 500}, {"cuda": "11.7"}, {"cuda": "12.4"}, {"cuda": "13.0"}, {"have_ram_gb": 32, "have_cpu_cores": 8}):
        yield request(job, {"gpus": CARDS}, host=host)
    for solve in ("micro_batch", "seq_len", "count", "params"):
        yield request({"model": {"id": "llama-2-7b"}, "data": {"tokens": 1e9}}, {"gpus": ["a100-sxm-80gb"], "counts": [8]}, solve=solve)
    yield request({"kind": "inference", "model": {"id": "llama-2-7b"}}, {"gpus": ["rtx-4090-24gb"], "counts": [1]}, solve="concurrency")
    yield request({"model": {"id": "llama-2-7b"}}, {"gpus": CARDS})
    yield request(job, overrides={"efficiency": 0.42, "fx": {"USD_CNY": 7.0}, "electricity_per_kwh": {"amount": 0.6, "currency": "CNY"},
                                  "gpus": [{"id": "my-card-96gb", "memory_gb": 96, "bandwidth_gb_s": 3000, "tflops": {"bf16_tensor": 500, "fp32": 60}}],
                                  "offers": [{"id": "my-offer", "gpu": "my-card-96gb", "gpu_count": 8, "price_per_hour": {"amount": 80, "currency": "CNY"}}]},
                  hardware={"gpus": ["my-card-96gb", "rtx-4090-24gb"]})
    yield from rent_or_own(job)
    yield request(job, as_of="2027-06-01", id="名字 \"quoted\" \\ \u0007 \U0001f600")


def rent_or_own(job):
    """Spot hours, terms, own quotes, refused offers, storage and transfer."""
    quote = {"gpu": "rtx-4090-24gb", "gpu_count": 1}
    yield request(job, {"gpus": ["a100-sxm-80gb"], "counts": [1]}, decision={"currency": "USD", "offers": {"billing": ["spot"]}, "spot": {"interruptions_per_day": 2, "checkpoint_minutes": 30}})
    yield request(job, {"gpus": ["a100-sxm-80gb", "v100-sxm-32gb"], "counts": [1, 8]},
                  decision={"deadline_hours": None, "offers": {"billing": ["monthly", "on-demand", "reserved-1y"], "max_age_days": 10000},
                            "own": {"hosting_per_month": {"amount": 500, "currency": "CNY"}, "failure_rate": 0.03}})
    yield request({"model": {"id": "resnet50"}, "data": {"samples": 1e6}}, {"gpus": ["rtx-4090-24gb"], "counts": [1]},
                  host={"dataset_gb": 300, "disk_mb_s": 1, "upload_mbit_s": 20, "storage_per_gb_month": {"amount": 0.8, "currency": "CNY"}, "transfer_per_gb": {"amount": 0.1, "currency": "USD"}},
                  overrides={"offers": [{"id": "zero", **quote, "price_per_hour": {"amount": 0, "currency": "CNY"}}, {"id": "none", **quote},
                                        {"id": "mine", **quote, "min_hours": 24, "price_per_hour": {"amount": 1.5, "currency": "CNY"}}]})
    yield request(job, {"gpus": ["rtx-3090-24gb", "v100-sxm-32gb"], "counts": [2]}, decision={"acquire": "used", "own": {"years": 2, "residual": 0.25}},
                  overrides={"prices": [{"gpu": "rtx-3090-24gb", "condition": "second-hand", "price": {"amount": 5200, "currency": "CNY"}},
                                        {"gpu": "v100-sxm-32gb", "condition": "second-hand", "price": {"amount": 0, "currency": "CNY"}}]})


def mistakes():
    """Lines as they are, not JSON objects: many of them are no JSON."""
    good = json.dumps(request({"model": {"id": "llama-2-7b"}}))
    yield from ["{", "[]", "null", "3", '"text"', "{}", good[:-1], good + "x", '{"version":2,"workload":{"model":{"id":"gpt2"}}}', "\u4f60\u597d",
                '{"version":1,"version":1}', '{"version":1e999}', '{"version":NaN}', "[" * 2000, '{"a":' * 600 + "1" + "}" * 600,
                '{"version":1,"id":"\\ud800","workload":{}}', '{"version":1,"workload":"text"}', '{"version":true,"workload":{"model":{"id":7}}}']
    for path, value in {
        "model": [{}, {"id": "llama2-7b"}, {"id": "gpt2", "params": 1}, {"params": -1}, {"params": 1e300}, {"hf_config": {}}, {"hf_config": {"model_type": "unheard-of", "hidden_size": 64}},
                  {"transformer": {"layers": 0}}, {"vision": {"params": 1}}, {"measured": {"gpu": "rtx-9999", "count": 2, "hours": 1}}],
        "data": [{"tokens": -3}, {"tokens": 0}, {"tokens": "many"}, {"dataset": "cocoa"}, {"samples": 1.5}, {"epochs": -1, "samples": 10}, []],
        "seq_len": [-3, 0, 1.5, 1e12, "long", None],
        "precision": ["int8", "", 16],
        "kind": ["pretrain", 0],
        "optimizer": ["adam"],
        "unknown": [1],
    }.items():
        for entry in value:
            workload = {"model": {"id": "llama-2-7b"}, "data": {"tokens": 1e9}, path: entry}
            yield json.dumps(request(workload))
    for hardware in ({"gpus": ["rtx4090"]}, {"gpus": "a100"}, {"counts": []}, {"counts": [0, -1, 1.5, 100000000]}, {"link": "infiniband"}, {"plan": {"zero": 5}}, {"gpus_per_node": 0}):
        yield json.dumps(request({"model": {"id": "gpt2"}}, hardware))
    for decision in ({"currency": "???"}, {"budget": 5}, {"deadline_hours": -1}, {"rank_by": "luck"}, {"offers": {"billing": ["free"]}}, {"acquire": "steal"}):
        yield json.dumps(request({"model": {"id": "gpt2"}}, decision=decision))
    yield json.dumps(request({"model": {"id": "x" * 70000}}))


def files():
    def lines(requests):
        return "".join(json.dumps(r, ensure_ascii=False, separators=(",", ":")) + "\n" for r in requests)

    out = {f"{make.__name__}.jsonl": lines(make()) for make in (transformers, model_forms, vision, inference, decisions)}
    out["mistakes.jsonl"] = "".join(line + "\n" for line in mistakes())
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    stale = []
    for name, text in files().items():
        path = args.folder / name
        if args.check:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                stale.append(name)
        else:
            path.write_text(text, encoding="utf-8")
    if stale:
        sys.exit(f"{', '.join(stale)}: not what make_requests.py writes")


if __name__ == "__main__":
    main()
