#!/usr/bin/env python3
"""Puts assets/catalog/*.json and assets/reference/*.json in their form: header keys and one entry a line, fields in a fixed order,
numbers in their shortest form, unknown fields left at the end for `xuanka check` to name.

    format_catalog.py [--check] [FILE...]

Without files: every catalogue file. --check changes nothing and exits 1 when a file is not in form.
"""
import argparse
import json
import pathlib
import sys

HEADER = ["kind", "schema", "data_date", "license"]
ORDER = {
    "gpus": ["id", "name", "aliases", "vendor", "architecture", "launch", "compute_capability", "cuda_min", "cuda_last",
             "memory_gb", "memory_type", "bandwidth_gb_s", "tflops", "sparse_multiplier", "matmul_measured_tflops",
             "nvlink", "pcie", "tdp_w", "board", "form_factor", "ecc", "p2p", "p2p_ok", "msrp_usd", "msrp_cny",
             "status", "confidence", "verified_by", "notes", "sources", "disagreements", "exceptions"],
    "offers": ["id", "provider", "region", "instance", "gpu", "gpu_count", "vcpus", "ram_gb", "disk", "price_per_hour",
               "price_per_gpu_hour", "billing", "as_of", "sources", "note", "per_gpu"],
    "prices": ["gpu", "condition", "kind", "price", "date", "market", "sources", "note"],
    "datasets": ["id", "name", "name_zh", "modality", "samples", "tokens", "disk_gb", "usual_epochs", "image_size", "sources",
                 "note"],
    "models": ["id", "name", "name_zh", "aliases", "group", "config", "vision", "params", "sources", "note"],
    "sources": ["id", "title", "publisher", "address", "date", "says"],
}
FILES = ["datasets", "gpus", "models", "offers", "purchase", "sources"]


def shortest(value):
    """Whole numbers without a point, recursively; nulls and empty texts dropped, but for requests, where null is a word."""
    if isinstance(value, dict):
        return {k: v if k == "request" else shortest(v) for k, v in value.items() if v is not None and v != ""}
    if isinstance(value, list):
        return [shortest(v) for v in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    return value


def ordered(entry, keys):
    known = {key: entry[key] for key in keys if key in entry}
    return known | {key: value for key, value in entry.items() if key not in known}


def line(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def formatted(data):
    parts = [f"{line(key)}:{line(data[key])}" for key in HEADER if key in data]
    for key, entries in data.items():
        if key in HEADER:
            continue
        rows = ",\n".join(line(ordered(shortest(entry), ORDER.get(key, []))) for entry in entries)
        parts.append(f"{line(key)}:[\n{rows}\n]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    assets = pathlib.Path(__file__).resolve().parent.parent
    shipped = [assets / "catalog" / f"{name}.json" for name in FILES] + sorted((assets / "reference").glob("*.json"))
    status = 0
    for path in args.files or shipped:
        text = path.read_text(encoding="utf-8")
        wanted = formatted(json.loads(text))
        if wanted == text:
            continue
        if args.check:
            print(f"{path}: not in form, run assets/tools/format_catalog.py")
            status = 1
        else:
            path.write_text(wanted, encoding="utf-8")
            print(f"{path}: rewritten")
    return status


if __name__ == "__main__":
    sys.exit(main())
