#!/usr/bin/env python3
"""core/docs/model.md against the code: it names every constant, and nothing that is not there."""
import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT = (ROOT / "core/docs/model.md").read_text(encoding="utf-8")
CONSTANTS = {name.split(".")[0] for name in json.loads((ROOT / "assets/catalog/efficiency.json").read_text(encoding="utf-8"))["constants"]}
MESSAGES = {lang: json.loads((ROOT / f"assets/messages/{lang}.json").read_text(encoding="utf-8")) for lang in ("en", "zh-CN")}


class Model(unittest.TestCase):
    def test_every_constant_is_described(self):
        self.assertGreater(len(CONSTANTS), 60)
        self.assertEqual(sorted(name for name in CONSTANTS if f"`{name}" not in TEXT), [])

    def test_every_name_is_in_the_code(self):
        code = "".join(path.read_text(encoding="utf-8") for folder in ("core", "assets/tools", "shell/cli")
                       for path in (ROOT / folder).rglob("*") if path.suffix in (".cpp", ".hpp", ".py"))
        names = set(re.findall(r"`([a-z][a-z0-9_]*)(?:\.[a-z0-9_<>]+)?`", TEXT))
        self.assertGreater(len(names), 60)
        self.assertEqual(sorted(name for name in names if name not in CONSTANTS and name not in code), [])

    def test_files_that_are_named_exist(self):
        paths = re.findall(r"`((?:core|assets|tests|shell|web)/[\w./-]+)`", TEXT)
        self.assertGreater(len(paths), 3)
        self.assertEqual([path for path in paths if not (ROOT / path).exists()], [])

    def test_formulas_that_are_shown_have_a_title_in_both_languages(self):
        for lang, texts in MESSAGES.items():
            formulas = [key for key in texts if key.startswith("explain.") and key.endswith(".formula")]
            self.assertGreater(len(formulas), 40, lang)
            self.assertEqual([key for key in formulas if key.replace(".formula", ".title") not in texts], [], lang)


if __name__ == "__main__":
    unittest.main()
