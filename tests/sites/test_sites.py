#!/usr/bin/env python3
"""Documentation sites built by MkDocs Material and Sphinx with the snippets of our documentation, opened in Chromium and
used: the calculator answers, is changed with the mouse, follows the palette toggle, survives instant navigation."""
import pathlib
import tempfile
import unittest

import build_sites
from guest import Browser, Guest, Site, command_line


class Sites(unittest.TestCase):
    build = None

    @classmethod
    def setUpClass(cls):
        if cls.build is None:
            raise unittest.SkipTest("what the sites share")
        cls.folder = tempfile.TemporaryDirectory()
        work = pathlib.Path(cls.folder.name)
        cls.site = Site(work / "site", "/guide/", policy=None)
        cls.build(work, cls.site.address)
        cls.site.__enter__()
        cls.browser = Browser()
        cls.browser.__enter__()
        cls.page = cls.browser.page(width=1000, height=760, locale="en-US")
        cls.asked = []
        cls.page.playwright.on("request", lambda request: cls.asked.append(request.url))
        cls.missing = []
        cls.page.playwright.on("response", lambda response: response.status >= 400 and cls.missing.append(response.url))

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.site.__exit__()
        cls.folder.cleanup()

    def setUp(self):
        self.page.messages.clear()
        self.page.playwright.goto(self.site.address)

    def tearDown(self):
        # These sites have no icon, and Chromium asks for one.
        missing = [url for url in self.missing if not url.endswith("/favicon.ico")]
        messages = [text for text in self.page.messages if missing or "Failed to load resource" not in text]
        self.assertEqual((missing, messages), ([], []))
        strange = [url for url in self.asked if not url.startswith((self.site.address, "data:", "blob:")) and not url.endswith("/favicon.ico")]
        self.assertEqual(strange, [], "asked of others")

    def answers(self, guest):
        report = guest.ready()
        request = guest.request()
        self.assertEqual(request["workload"]["model"], {"id": "llama-2-7b"})
        self.assertEqual(request["workload"]["data"], {"tokens": 5e7})
        self.assertEqual(report, command_line(request))

    def use(self, guest):
        """Another kind of job, with the mouse: another request, another report."""
        before = guest.request()["workload"]["kind"]
        self.assertEqual(before, "lora")
        guest.click("step-job")
        guest.click("kind-qlora")
        guest.wait("the change is told", lambda: guest.request()["workload"]["kind"] == "qlora")
        guest.wait("the new answer is told", lambda: guest.element("host => host.report") == command_line(guest.request()))

    def follows(self, guest, toggle):
        self.assertEqual(guest.theme(), "light")
        toggle()
        guest.wait("dark with the page", lambda: guest.theme() == "dark", 10)


class MkDocs(Sites):
    build = staticmethod(build_sites.mkdocs)

    def toggle(self):
        self.page.playwright.locator("label[for^=__palette]:visible").first.click()

    def test_answers_and_is_used(self):
        guest = Guest(self.page)
        self.answers(guest)
        self.use(guest)

    def test_palette_and_instant_navigation(self):
        guest = Guest(self.page)
        self.answers(guest)
        self.follows(guest, self.toggle)
        self.page.js("() => { window.same_page = true; }")
        self.page.playwright.click("article a[href*=time]")
        self.page.playwright.wait_for_selector("h1:has-text('Time')")
        self.answers(Guest(self.page))
        self.assertTrue(self.page.js("window.same_page"), "instant navigation loads no new page")
        self.assertEqual(Guest(self.page).theme(), "dark")
        self.page.playwright.go_back()
        self.page.playwright.wait_for_selector("h1:has-text('Memory')")
        self.answers(Guest(self.page))
        self.toggle()
        guest.wait("light again", lambda: Guest(self.page).theme() == "light", 10)


class Sphinx(Sites):
    build = staticmethod(build_sites.sphinx)

    def test_answers_is_used_and_follows_the_theme(self):
        guest = Guest(self.page)
        self.answers(guest)
        # furo goes from auto to the other one first.
        self.follows(guest, lambda: self.page.playwright.locator("button.theme-toggle:visible").first.click())
        self.use(guest)


class Plain(Sites):
    build = staticmethod(build_sites.plain)

    def test_answers_and_tells(self):
        said = []
        self.page.playwright.on("console", lambda message: said.append(message.text))
        self.page.playwright.goto(self.site.address)
        guest = Guest(self.page)
        self.answers(guest)
        self.use(guest)
        best = guest.element("host => host.report.candidates[host.report.recommended].gpu")
        self.assertIn(best, said)


if __name__ == "__main__":
    unittest.main()
