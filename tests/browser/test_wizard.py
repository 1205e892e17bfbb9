"""The wizard on the real canvas: clicked through with the mouse, by keyboard and by finger, in both languages; a
picture of every step in build/screenshots/."""
import json
import unittest

import harness
from harness import BrowserTest
from panels import STEPS, Panels

DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844, "ratio": 2, "touch": True}


class Mouse(Panels, BrowserTest):
    def hand(self, link):
        page = self.visit(f"v=1&{link}", **DESKTOP)
        self.assert_silent(page)
        return harness.Mouse(page)


class Keyboard(BrowserTest):
    def test_all_steps_in_both_languages(self):
        for lang in ("zh", "en"):
            with self.subTest(lang=lang):
                page = self.open(f"v=1&lang={lang}", **DESKTOP)
                hand = harness.Keyboard(page)
                hand.step("job")
                hand.click("kind-qlora")
                self.assertEqual(hand.request()["workload"]["kind"], "qlora")
                for step in STEPS[1:]:
                    hand.focus("next")
                    if step == "model":
                        hand.shot(f"light-{lang}-keyboard-focus")
                    hand.press("Enter")
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
