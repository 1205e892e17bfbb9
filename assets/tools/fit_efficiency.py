#!/usr/bin/env python3
"""Fits assets/catalog/efficiency.json to the measured cases. Needs Python 3.9 only.

  assets/tools/fit_efficiency.py --priors     write the priors (no measurement used)
"""
import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from efficiency_spec import constants  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = ROOT / "assets/catalog/efficiency.json"


def significant(value, digits=4):
    return float(f"%.{digits}g" % value)


def document(values, evidence, bands, spec):
    table = {}
    for item in spec:
        value = significant(values[item.name])
        low, high = evidence.get(item.name, {}).get("range", (value, value))
        table[item.name] = {
            "value": value, "low": min(value, significant(low)), "high": max(value, significant(high)),
            "unit": item.unit, "cases": evidence.get(item.name, {}).get("cases", []), "note": item.note}
    return {"_generated": "by assets/tools/fit_efficiency.py; do not edit", "model_version": 1,
            "bands": bands, "constants": table}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--priors", action="store_true")
    args = parser.parse_args()
    spec = constants()
    if args.priors:
        values = {item.name: item.prior for item in spec}
        bands = [{"key": "all", "low": 0.75, "high": 1.35, "cases": 0, "nearest": []}]
        TARGET.write_text(json.dumps(document(values, {}, bands, spec), indent=1) + "\n")


if __name__ == "__main__":
    main()
