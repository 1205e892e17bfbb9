#!/usr/bin/env python3
"""The documentation as built: every address in it leads somewhere, nothing is asked of other hosts, nothing is inline."""
import html.parser
import os
import pathlib
import re
import unittest
import urllib.parse

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DIST = pathlib.Path(os.environ.get("XUANKA_DIST_DIR", SOURCE / "dist"))
DOCS = DIST / "docs"


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.addresses, self.ids, self.inline = [], set(), []
        self.script = False

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids |= {values[key] for key in ("id", "name") if values.get(key)}
        for key in ("href", "src"):
            if values.get(key):
                self.addresses.append((tag, values[key]))
        if "style" in values or any(key.startswith("on") for key in values):
            self.inline.append(f"<{tag} {attributes}>")
        self.script = tag in ("script", "style") and "src" not in values and values.get("type") != "application/json"

    def handle_data(self, data):
        if self.script and data.strip():
            self.inline.append(data[:80])

    def handle_endtag(self, tag):
        self.script = False


def read(path):
    reader = Reader()
    reader.feed(path.read_text("utf-8"))
    return reader


class Documentation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = {path: read(path) for path in sorted(DOCS.rglob("*.html"))}

    def test_both_languages_have_every_page(self):
        names = {lang: {path.parent.name for path in (DOCS / lang).rglob("index.html")} - {lang} for lang in ("zh", "en")}
        self.assertEqual(names["zh"], names["en"])
        self.assertGreaterEqual(names["en"], {"choose", "answer", "assumptions", "method", "accuracy", "data", "embedding", "api", "fields", "contributing"})

    def test_addresses_lead_somewhere(self):
        seen = 0
        for path, reader in self.pages.items():
            for tag, address in reader.addresses:
                parts = urllib.parse.urlsplit(address)
                if parts.scheme or address.startswith("//"):
                    self.assertNotIn(tag, ("script", "link", "img", "iframe"), f"{path}: {address}")
                    continue
                target = path if not parts.path else (path.parent / urllib.parse.unquote(parts.path)).resolve()
                if target.is_dir():
                    target = target / "index.html"
                self.assertTrue(target.is_file(), f"{path.relative_to(DIST)}: {address}")
                if parts.fragment and target in self.pages and not parts.fragment.startswith(("v=", "__")):
                    self.assertIn(urllib.parse.unquote(parts.fragment), self.pages[target].ids, f"{path.relative_to(DIST)}: {address}")
                seen += 1
        self.assertGreater(seen, 500)

    def test_nothing_is_inline(self):
        for path, reader in self.pages.items():
            if path != DOCS / "index.html":
                self.assertEqual(reader.inline, [], path.relative_to(DIST))

    def test_no_template_is_left_and_no_machine_named(self):
        for path in self.pages:
            text = path.read_text("utf-8")
            self.assertNotRegex(text, r"\{\{|\{%|Undefined", path.relative_to(DIST))
            self.assertNotIn(str(SOURCE), text)
            self.assertEqual(re.findall(r"https?://localhost", text), [], path.relative_to(DIST))

    def test_examples_have_a_live_calculator(self):
        for lang in ("zh", "en"):
            text = (DOCS / lang / "choose" / "index.html").read_text("utf-8")
            self.assertGreaterEqual(len(re.findall(r"<xuanka-calculator [^>]*request=", text)), 4)


if __name__ == "__main__":
    unittest.main()
