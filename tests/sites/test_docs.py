#!/usr/bin/env python3
"""The project's own documentation in Chromium, under the site's strict policy: the live calculators show what the text says."""
import json
import os
import pathlib
import shlex
import subprocess
import unittest

from guest import CLI, SOURCE, Browser, Guest, Site, command_line

DIST = pathlib.Path(os.environ.get("XUANKA_DIST_DIR", SOURCE / "dist"))


class Documentation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = Site(DIST, "/a/b/")
        cls.site.__enter__()
        cls.browser = Browser()
        cls.browser.__enter__()
        cls.page = cls.browser.page(width=1100, height=800)
        cls.asked = []
        cls.page.playwright.on("request", lambda request: cls.asked.append(request.url))

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.site.__exit__()

    def said(self, index):
        """What the text above a calculator says: its headline and its command."""
        return self.page.js("index => { const box = document.querySelectorAll('.xk-answer')[index]; return [box.querySelector('strong').textContent, box.querySelector('code').textContent]; }", index)

    def check(self, address, index, lang):
        self.page.messages.clear()
        self.page.playwright.goto(self.site.address + address)
        report = Guest(self.page, index).ready()
        headline, command = self.said(index)
        shown = subprocess.run([CLI, *shlex.split(command)[1:], "--lang", lang], capture_output=True, text=True, check=False).stdout.split("\n")[0]
        self.assertEqual(headline, shown, "the text is what the command prints")
        asked = subprocess.run([CLI, *shlex.split(command)[1:], "--json"], capture_output=True, text=True, check=False).stdout
        self.assertEqual(report["candidates"][0], command_line(Guest(self.page, index).request())["candidates"][0])
        best = json.loads(asked)
        self.assertEqual([(c["gpu"], c["count"], c["time"]["seconds"]) for c in report["candidates"]],
                         [(c["gpu"], c["count"], c["time"]["seconds"]) for c in best["candidates"]], "the calculator is set to the text's example")
        self.assertEqual(self.page.messages, [])

    def test_start_in_chinese(self):
        self.check("docs/zh/", 0, "zh")

    def test_choosing_in_english(self):
        self.check("docs/en/choose/", 1, "en")

    def test_search_and_languages(self):
        self.page.messages.clear()
        self.page.playwright.goto(self.site.address + "docs/en/accuracy/")

        box = self.page.playwright.locator("input.md-search__input")

        def search():  # typed again until the theme's script listens: it looks at the field when a key is released
            box.fill("")
            box.press_sequentially("bandwidth")
            self.page.playwright.wait_for_timeout(500)
            return self.page.playwright.locator(".md-search-result__item").count()

        self.page.wait(search, lambda found: found > 0, 60)
        self.assertEqual(self.page.messages, [])
        strange = [url for url in self.asked if not url.startswith((self.site.address, "data:", "blob:"))]
        self.assertEqual(strange, [], "asked of others")


if __name__ == "__main__":
    unittest.main()
