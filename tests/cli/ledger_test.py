#!/usr/bin/env python3
"""The ledgers of ledgers.py through the command line: what the program answers is what the arithmetic gives."""
import json
import math
import os
import subprocess
import unittest

import ledgers

CLI = os.environ["XUANKA_CLI"]
NAMES = {"ceil": math.ceil, "max": max, "min": min, "e": math.e, "__builtins__": {}}


def batch(requests):
    text = "".join(json.dumps({"version": 1, **request}) + "\n" for request in requests)
    run = subprocess.run([CLI, "batch"], input=text, capture_output=True, text=True, check=False)
    return [json.loads(line) for line in run.stdout.splitlines()]


def at(value, path):
    for key in path.split("."):
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


class Ledgers(unittest.TestCase):
    def test_all(self):
        self.assertGreaterEqual(len(ledgers.CASES), 40)
        self.assertEqual(len({case["name"] for case in ledgers.CASES}), len(ledgers.CASES))
        for case, report in zip(ledgers.CASES, batch([case["request"] for case in ledgers.CASES])):
            with self.subTest(case["name"]):
                self.assertTrue(report["ok"], report.get("issues"))
                for path, sum_ in case["expect"].items():
                    result, arithmetic = sum_.split(" = ")
                    want = eval(arithmetic, NAMES)  # pylint: disable=eval-used
                    got = at(report["candidates"][0], path)
                    if want is None:
                        self.assertIsNone(got, path)
                        continue
                    self.assertAlmostEqual(float(result) / (want or 1), 1 if want else 0, delta=2e-6, msg=f"{path}: {sum_}")
                    self.assertAlmostEqual(got, want, delta=1e-9 * max(1, abs(want)), msg=f"{path}: {sum_}")


if __name__ == "__main__":
    unittest.main()
