#!/usr/bin/env python3
"""Estimates against published measurements that no constant was fitted to (tests/data/elsewhere.json)."""
import json
import os
import pathlib
import statistics
import subprocess
import unittest

CASES = pathlib.Path(__file__).resolve().parents[1] / "data" / "elsewhere.json"
# Median error allowed, by what is estimated: a third above what was seen when the set was collected.
ALLOWED = {"training of decoders": 0.09, "training of encoders": 0.11, "adapters": 0.20, "generation": 0.24, "memory": 0.09}
INSIDE = 0.77  # share inside the stated range, at least


def group_of(case):
    if case["kind"] == "memory":
        return "memory"
    if case["workload"].get("phase", "").startswith("inference"):
        return "generation"
    if "lora" in case["workload"].get("phase", ""):
        return "adapters"
    return "training of encoders" if "encoder" in case["model"]["family"].replace("decoder", "") else "training of decoders"


class Elsewhere(unittest.TestCase):
    def test_errors_and_ranges(self):
        cases = {case["id"]: case for case in json.loads(CASES.read_text(encoding="utf-8"))["cases"]}
        done = subprocess.run([os.environ["XUANKA_CLI"], "validate", str(CASES), "--json"], capture_output=True, text=True,
                              encoding="utf-8", check=False)
        errors = {}
        inside = []
        skipped = []
        for row in json.loads(done.stdout)["cases"]:
            if row.get("skipped"):
                skipped.append(row["id"])
            elif row.get("predicted") and row.get("measured"):
                errors.setdefault(group_of(cases[row["id"]]), []).append(abs(row["predicted"] / row["measured"] - 1))
                inside.append(row["low"] <= row["measured"] <= row["high"])
        self.assertEqual(skipped, [])
        self.assertEqual(set(errors), set(ALLOWED))
        for group, found in sorted(errors.items()):
            median = statistics.median(found)
            print(f"{group}: {len(found)} cases, median error {median:.3f} of {ALLOWED[group]} allowed")
            self.assertLess(median, ALLOWED[group], group)
        share = sum(inside) / len(inside)
        print(f"inside the stated range: {share:.3f}")
        self.assertGreater(share, INSIDE)


if __name__ == "__main__":
    unittest.main()
