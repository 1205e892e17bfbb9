#!/usr/bin/env python3
"""Runs deno_test.ts with the package in node_modules: without network, reading nothing but its folder."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

DENO = pathlib.Path(sys.executable).parent / "deno"  # of the tests' virtual environment
REQUEST = {"version": 1, "workload": {"kind": "lora", "model": {"id": "llama-2-7b"}, "data": {"tokens": 5e7}},
           "hardware": {"gpus": ["rtx-4090-24gb"], "counts": [1, 2]}}


class Deno(unittest.TestCase):
    def test_package(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            shutil.copytree(os.environ["XUANKA_JS_DIR"], folder / "node_modules" / "xuanka")
            shutil.copyfile(pathlib.Path(__file__).with_suffix(".ts"), folder / "deno_test.ts")
            (folder / "package.json").write_text('{"type": "module", "dependencies": {"xuanka": "*"}}')
            line = subprocess.run([os.environ["XUANKA_CLI"], "batch"], input=json.dumps(REQUEST), capture_output=True, text=True,
                                  encoding="utf-8", check=True).stdout
            (folder / "report.json").write_text(line, encoding="utf-8")
            done = subprocess.run([DENO, "test", "--no-remote", "--node-modules-dir=manual", f"--allow-read={folder}", "deno_test.ts"],
                                  cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False,
                                  env={**os.environ, "DENO_DIR": str(folder / "cache"), "NO_COLOR": "1"})
            self.assertEqual(done.returncode, 0, (done.stdout + done.stderr)[-3000:])
            self.assertIn("3 passed", done.stdout)


if __name__ == "__main__":
    unittest.main()
