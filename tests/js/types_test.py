#!/usr/bin/env python3
"""The package's types under TypeScript's own compiler: `usage.ts` compiles in strict mode, and it has an eye for errors."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = pathlib.Path(os.environ.get("XUANKA_JS_DIR", HERE.parents[1] / "build" / "web" / "js"))
OPTIONS = ["--noEmit", "--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--lib", "es2022,dom"]


class Types(unittest.TestCase):
    def compile(self, text, resolution):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            (place / "node_modules").mkdir()
            shutil.copytree(PACKAGE, place / "node_modules" / "xuanka")
            (place / "package.json").write_text('{"type": "module"}')
            (place / "usage.ts").write_text(text, "utf-8")
            module = "node16" if resolution == "node16" else "es2022"
            return subprocess.run(["tsc", *OPTIONS, "--module", module, "--moduleResolution", resolution, "usage.ts"],
                                  cwd=place, capture_output=True, text=True, check=False)

    def test_usage_compiles(self):
        for resolution in ("node16", "node"):
            run = self.compile((HERE / "usage.ts").read_text("utf-8"), resolution)
            self.assertEqual(run.returncode, 0, run.stdout)

    def test_wrong_uses_do_not(self):
        text = (HERE / "usage.ts").read_text("utf-8")
        expected = len(re.findall("@ts-expect-error", text))
        run = self.compile(text.replace("@ts-expect-error", "wrong"), "node16")
        self.assertEqual(len(re.findall(r"error TS", run.stdout)), expected, run.stdout)


if __name__ == "__main__":
    unittest.main()
