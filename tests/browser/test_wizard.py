"""The wizard on the real canvas: clicked through with the mouse, by keyboard and by finger, in both languages; a
picture of every step in build/screenshots/."""
import json
import unittest

from harness import BrowserTest

VIEWS = ["plans", "charts", "gpus", "offers", "value", "own", "measured", "how", "yours"]
STEPS = ["job", "model", "constraints", "answer"]
DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844, "ratio": 2, "touch": True}


class Mouse(BrowserTest):
    def test_all_steps_in_both_languages_and_themes(self):
        for lang in ("zh", "en"):
            for theme in ("light", "dark"):
                with self.subTest(lang=lang, theme=theme):
                    page = self.visit(f"v=1&lang={lang}&theme={theme}", **DESKTOP)
                    self.assertTrue(page.sentence(), "there is an answer without a click")
                    page.click_item("step-job")
                    page.shot(f"desktop-{theme}-{lang}-{STEPS[0]}")
                    page.click_item("kind-qlora")
                    for step in STEPS[1:]:
                        page.click_item("next")
                        page.shot(f"desktop-{theme}-{lang}-{step}")
                    request = json.loads(page.js("window.xuanka.request()"))
                    self.assertEqual(request["workload"]["kind"], "qlora")
                    page.click_item("step-job")
                    page.click_item("kind-train")
                    request = json.loads(page.js("window.xuanka.request()"))
                    self.assertNotEqual(request["workload"].get("kind", "train"), "qlora")
                    self.assert_silent(page)

    def test_every_tab(self):
        for lang, theme in (("zh", "light"), ("en", "dark"), ("zh", "contrast")):
            page = self.visit(f"v=1&lang={lang}&theme={theme}", **DESKTOP)
            for view in VIEWS:
                page.click_item(view)
                page.playwright.mouse.move(640, 4)
                page.settle()
                page.shot(f"desktop-{theme}-{lang}-tab-{view}")
                self.assertIn("view=" + view if view != "plans" else "", page.js("window.xuanka.fragment()"))
            self.assert_silent(page)

    def test_language_is_switched_live(self):
        page = self.open("v=1&lang=zh", **DESKTOP)
        chinese, request = page.sentence(), page.js("window.xuanka.request()")
        page.click_item("lang/en")
        self.assertEqual(page.js("document.documentElement.lang"), "en")
        page.wait_sentence(lambda said: said != chinese)
        self.assertEqual(page.js("window.xuanka.request()"), request)
        page.click_item("lang/zh")
        self.assertEqual(page.js("document.documentElement.lang"), "zh-CN")
        page.wait_sentence(lambda said: said == chinese)

    def test_going_back_loses_nothing(self):
        page = self.visit("v=1&lang=en", **DESKTOP)
        page.click_item("step-job")
        page.click_item("kind-qlora")
        page.click_item("next")
        page.click_item("next")
        page.click_item("back")
        page.click_item("back")
        self.assertEqual(json.loads(page.js("window.xuanka.request()"))["workload"]["kind"], "qlora")

    def test_model_is_searched_and_chosen(self):
        page = self.visit("v=1&lang=zh", **DESKTOP)
        page.click_item("step-model")
        page.click_item("model")
        page.type("mistral-7b v0.3")
        page.press("Enter")
        if json.loads(page.js("window.xuanka.request()"))["workload"]["model"].get("id") != "mistral-7b-v0.3":
            page.click_item("mistral-7b-v0.3")
        self.assertEqual(json.loads(page.js("window.xuanka.request()"))["workload"]["model"], {"id": "mistral-7b-v0.3"})
        self.assert_silent(page)


class Keyboard(BrowserTest):
    def focus(self, page, key, limit=120):
        """Tabs until the item is where Enter would go."""
        wanted = page.js("key => window.xuanka.idOf(key)", key)
        self.assertNotEqual(wanted, 0, f"{key} is drawn")
        for _ in range(limit):
            if page.js("window.xuanka.focused()") == wanted:
                return
            page.playwright.keyboard.press("Tab")
            page.settle(0.02)
        self.fail(f"Tab never came to {key}")

    def test_all_steps_in_both_languages(self):
        for lang in ("zh", "en"):
            with self.subTest(lang=lang):
                page = self.open(f"v=1&lang={lang}", **DESKTOP)
                page.press("Tab", "Tab")
                self.focus(page, "step-job")
                page.press("Enter")
                self.focus(page, "kind-qlora")
                page.press("Enter")
                self.assertEqual(json.loads(page.js("window.xuanka.request()"))["workload"]["kind"], "qlora")
                for step in STEPS[1:]:
                    # By keyboard from the start of the page: the skip link, then the canvas.
                    page.js("document.getElementById('skip').focus()")
                    page.press("Tab")
                    self.focus(page, "next")
                    if step == "model":
                        page.shot(f"desktop-light-{lang}-keyboard-focus")
                    page.press("Enter")
                self.assertIsNotNone(page.item("again"), "the last step is reached")
                self.assert_silent(page)
                page.close()


class Phone(BrowserTest):
    def test_all_steps_by_finger(self):
        for lang, theme in (("zh", "light"), ("en", "dark")):
            with self.subTest(lang=lang, theme=theme):
                page = self.visit(f"v=1&lang={lang}&theme={theme}", **PHONE)
                page.shot(f"phone-{theme}-{lang}-first")
                page.tap_item("change-job")
                page.tap_item("step-job")
                page.shot(f"phone-{theme}-{lang}-{STEPS[0]}")
                page.tap_item("kind-qlora")
                for step in STEPS[1:]:
                    page.tap_item("next")
                    page.shot(f"phone-{theme}-{lang}-{step}")
                page.tap_item("done")
                self.assertEqual(json.loads(page.js("window.xuanka.request()"))["workload"]["kind"], "qlora")
                for view in ("plans", "charts", "gpus", "offers", "value"):
                    page.tap_item(view)
                    page.shot(f"phone-{theme}-{lang}-tab-{view}")
                self.assert_silent(page)


if __name__ == "__main__":
    unittest.main()
