"""The HTML twin: complete, labelled, alive in both directions, and clean to an accessibility checker."""
import json
import unittest

from axe_playwright_python.sync_playwright import Axe
from harness import BrowserTest


class Twin(BrowserTest):
    def test_every_control_has_a_name_and_every_table_a_caption(self):
        for lang in ("zh", "en"):
            page = self.visit(f"v=1&lang={lang}")
            nameless = page.js("""() => [...document.querySelectorAll('#twin input, #twin select, #twin textarea')]
              .filter((c) => ![...c.labels].some((l) => l.textContent.trim())).map((c) => c.id)""")
            self.assertEqual(nameless, [])
            captions = page.js("[...document.querySelectorAll('#twin table')].map((t) => t.caption.textContent.trim())")
            self.assertTrue(captions and all(captions))
            self.assertGreater(page.js("document.querySelectorAll('#twin [data-field]').length"), 60)

    def test_twin_edits_and_the_canvas_follows(self):
        page = self.visit("v=1&lang=en")
        before = page.sentence()
        page.playwright.select_option("#in-k", "finetune")
        self.assertEqual(json.loads(page.js("window.xuanka.request()"))["workload"]["kind"], "finetune")
        page.wait_sentence(lambda said: said and said != before)
        page.playwright.fill("#in-s", "1024")
        page.playwright.keyboard.press("Tab")
        self.assertEqual(json.loads(page.js("window.xuanka.request()"))["workload"]["seq_len"], 1024)
        self.assertIn("s=1024", page.js("window.xuanka.fragment()"))
        page.wait_js("location.hash.includes('s=1024')")
        self.assert_silent(page)

    def test_canvas_edits_and_the_twin_follows(self):
        page = self.visit("v=1&lang=en")
        page.click_item("step-job")
        page.click_item("kind-qlora")
        page.wait_js("document.getElementById('in-k').value === 'qlora'")

    def test_a_wrong_entry_is_named_and_kept(self):
        page = self.open("v=1&lang=zh")
        page.playwright.fill("#in-s", "-3")
        page.playwright.keyboard.press("Tab")
        page.playwright.wait_for_selector("#in-s[aria-invalid]")
        self.assertEqual(page.js("document.getElementById('in-s').value"), "-3")
        error = page.js("document.getElementById(document.getElementById('in-s').getAttribute('aria-describedby').split(' ').pop()).textContent")
        self.assertIn("-3", error)

    def test_typing_keeps_the_caret(self):
        page = self.open("v=1&lang=en")
        page.playwright.focus("#in-s")
        page.playwright.keyboard.press("Control+a")
        page.playwright.keyboard.type("2048", delay=120)
        page.playwright.wait_for_timeout(700)
        self.assertEqual(page.js("document.activeElement.id"), "in-s")
        self.assertEqual(page.js("document.getElementById('in-s').value"), "2048")

    def test_print_shows_the_twin(self):
        page = self.open("v=1&lang=en")
        page.playwright.emulate_media(media="print")
        self.assertFalse(page.playwright.is_visible("#canvas"))
        self.assertTrue(page.playwright.is_visible("#twin table >> nth=0"))


class Accessibility(BrowserTest):
    # Rows of a table look alike: three of each stand for the thousands whose colours would take minutes to compare.
    FEW_ROWS = {"exclude": [["#twin tbody tr:nth-child(n+4)"]]}

    def violations(self, page, context=None, **rules):
        """What the checker finds; it is put in by the devtools, past the page's policy."""
        found = Axe().run(page.playwright, context=context, options={"resultTypes": ["violations"], **rules})
        return [f"{v['id']}: {v['help']} {[n['html'][:120] for n in v['nodes'][:3]]}" for v in found.response["violations"]]

    def test_axe_finds_nothing(self):
        # The colours are the theme's, whatever the language.
        for lang, theme in (("zh", "light"), ("en", "dark"), ("zh", "contrast")):
            with self.subTest(lang=lang, theme=theme):
                page = self.visit(f"v=1&lang={lang}&theme={theme}")
                # The twin is written a moment after the link was taken.
                page.wait_sentence(lambda said: any("一" <= c <= "鿿" for c in said) == (lang == "zh"))
                self.assertEqual(self.violations(page, self.FEW_ROWS, runOnly=["color-contrast"]), [])
                if theme != "contrast":
                    self.assertEqual(self.violations(page, rules={"color-contrast": {"enabled": False}}), [])

    def test_axe_sees_a_faint_text(self):
        page = self.open("v=1&lang=en&theme=light")
        # A rule, not the element's own style: the twin may be written anew.
        page.js("""() => {
          const faint = new CSSStyleSheet();
          faint.insertRule('#twin h2 { color: #eee !important; }');
          document.adoptedStyleSheets.push(faint);
        }""")
        self.assertTrue(self.violations(page, self.FEW_ROWS, runOnly=["color-contrast"]))


if __name__ == "__main__":
    unittest.main()
