#!/usr/bin/env python3
"""The workflows under actionlint, and against the repository: what they run exists."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(os.environ.get("XUANKA_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
WORKFLOWS = sorted((SOURCE / ".github" / "workflows").glob("*.yml"))
ACTIONLINT = pathlib.Path(sys.executable).parent / "actionlint"


def lint(*paths):
    return subprocess.run([ACTIONLINT, "-no-color", "-shellcheck=", "-pyflakes=", *paths], cwd=SOURCE, capture_output=True, text=True, check=False)


class Workflows(unittest.TestCase):
    def test_actionlint(self):
        self.assertGreaterEqual(len(WORKFLOWS), 3)
        run = lint(*WORKFLOWS)
        self.assertEqual((run.returncode, run.stdout + run.stderr), (0, ""))

    def test_actionlint_has_teeth(self):
        text = WORKFLOWS[0].read_text("utf-8").replace("runs-on: ubuntu-24.04", "runs-on: ubuntu-2404", 1)
        run = subprocess.run([ACTIONLINT, "-no-color", "-"], input=text, cwd=SOURCE, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("ubuntu-2404", run.stdout)

    def test_commands_exist(self):
        """Each ./dev command is one of dev's, each preset one of CMake's, each tool a file."""
        dev = (SOURCE / "dev").read_text("utf-8")
        presets = (SOURCE / "CMakePresets.json").read_text("utf-8")
        commands = set()
        for path in WORKFLOWS:
            text = path.read_text("utf-8")
            commands |= set(re.findall(r"run: \./dev (\w+)", text))
            for preset in re.findall(r"^\s+preset: (\w+)", text, re.M):
                self.assertIn(f'"name": "{preset}"', presets)
            for tool in re.findall(r"python3 (\S+\.py)", text):
                self.assertTrue((SOURCE / tool).is_file(), tool)
        self.assertGreaterEqual(commands, {"test", "dist", "fmt"})
        for command in commands:
            self.assertIn(f"cmd_{command}()", dev)

    def test_nothing_more_is_allowed_than_needed(self):
        for path in WORKFLOWS:
            text = path.read_text("utf-8")
            self.assertRegex(text, r"(?m)^permissions:\n  contents: read$", path.name)
            self.assertNotIn("write-all", text)
            for use in re.findall(r"uses: (\S+)", text):
                self.assertRegex(use, r"^actions/[a-z-]+@v\d+$")


if __name__ == "__main__":
    unittest.main()
