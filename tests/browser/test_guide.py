"""The guide beside the wizard: worked examples that fill in the inputs, architectures, providers."""
import json
import os
import pathlib
import subprocess
import unittest

from axe_playwright_python.sync_playwright import Axe
from harness import BrowserTest, command_line, dist_folder

SOURCE = pathlib.Path(os.environ["XUANKA_SOURCE_DIR"]) if "XUANKA_SOURCE_DIR" in os.environ else pathlib.Path(__file__).parents[2]
REFERENCE = {name: json.loads((SOURCE / f"assets/reference/{name}.json").read_text("utf-8"))[name]
             for name in ("presets", "architectures", "providers")}
AXE = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}


def headline(request, lang):
    done = subprocess.run([command_line(), "rank", "-", "--lang", lang], input=json.dumps(request), capture_output=True,
                          encoding="utf-8", check=False)
    return done.stdout.splitlines()[0]


class Guide(BrowserTest):
    def open_guide(self, page):
        page.click_item("guide")
        page.playwright.wait_for_selector("#guide[open]")

    def test_holds_every_example_architecture_and_provider(self):
        for lang, theme, width in (("zh", "light", 1280), ("en", "dark", 390)):
            with self.subTest(lang):
                page = self.open(f"v=1&lang={lang}&theme={theme}", width=width, height=860)
                if width < 700:
                    page.click_item("share")
                self.open_guide(page)
                text = page.js("document.getElementById('guide').textContent")
                for kind, words in (("presets", "title"), ("presets", "says"), ("architectures", "brings"),
                                    ("architectures", "obsolescence"), ("providers", "slip")):
                    for entry in REFERENCE[kind]:
                        if words in entry:
                            self.assertIn(entry[words][lang], text)
                for preset in REFERENCE["presets"]:
                    shown = page.wait(lambda p=preset: page.js("id => document.querySelector(`#example-${id} b`).textContent", p["id"]),
                                      lambda answer: answer != "")
                    self.assertTrue(headline(preset["request"], lang).replace(" ", "").startswith(shown.replace(" ", "")), shown)
                self.assertLessEqual(page.js("(() => { const g = document.getElementById('guide'); return g.scrollWidth - g.clientWidth; })()"), 0)
                page.shot(f"guide-{lang}-{theme}-{width}")
                found = Axe().run(page.playwright, context="#guide", options=AXE)
                self.assertEqual(found.violations_count, 0, found.generate_report())
                self.assert_silent(page)

    def test_an_example_fills_in_the_wizard(self):
        page = self.open("v=1&lang=en")
        for preset in (REFERENCE["presets"][1], REFERENCE["presets"][-1]):
            with self.subTest(preset["id"]):
                self.open_guide(page)
                page.playwright.click(f"#example-{preset['id']} button")
                page.playwright.wait_for_selector("#guide", state="detached")
                page.wait(lambda: page.js("document.activeElement.id"), lambda focused: focused == "canvas")
                page.settle()
                asked = json.loads(page.js("window.xuanka.request()"))
                self.assertEqual(asked["workload"]["model"], preset["request"]["workload"]["model"])
                self.assertEqual(asked["hardware"]["counts"], preset["request"]["hardware"]["counts"])
                page.wait_sentence(lambda text, p=preset: text.replace(" ", "") == headline(p["request"], "en").replace(" ", ""))
        self.assert_silent(page)

    def test_escape_closes_it_and_a_missing_file_is_told(self):
        # A service worker would fetch past the route below.
        page = self.open("v=1&lang=en", service_workers="block")
        self.open_guide(page)
        page.playwright.keyboard.press("Escape")
        page.playwright.wait_for_selector("#guide", state="detached")
        page.playwright.route("**/reference-*.json", lambda route: route.abort())
        self.open_guide(page)
        self.assertIn("did not load", page.js("document.getElementById('guide').textContent"))

    def test_the_single_file_has_it_too(self):
        page = self.browser.page()
        self.addCleanup(page.close)
        page.open((dist_folder() / "xuanka-single.html").as_uri() + "#v=1&lang=zh")
        self.open_guide(page)
        self.assertIn(REFERENCE["presets"][0]["title"]["zh"], page.js("document.getElementById('guide').textContent"))
        self.assert_silent(page)


if __name__ == "__main__":
    unittest.main()
