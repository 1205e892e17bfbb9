"""What the wizard must do wherever it runs: the page in a browser and the native window take the same tests. A test case
that mixes this in gives `hand(link)`: a hand (hands.py) at a wizard that shows a link, with `request`, `link`, `lang`,
`item`, `sentence`, `rests` and `shot`."""
import json
import os
import subprocess

VIEWS = ["plans", "charts", "gpus", "offers", "value", "own", "measured", "how", "yours"]
STEPS = ["job", "model", "constraints", "answer"]


def command(verb, request, *options):
    done = subprocess.run([os.environ["XUANKA_CLI"], verb, "-", *options], input=json.dumps(request), capture_output=True, text=True,
                          encoding="utf-8", check=False)
    return done.stdout


class Wizard:
    def same_words(self, hand, lang):
        """What the wizard says is what the command line prints, spaces aside."""
        said = command("rank", hand.request(), "--lang", lang).splitlines()[0]
        hand.wait_sentence(lambda text: text.replace(" ", "") == said.replace(" ", ""))


class Panels(Wizard):
    def test_all_steps_in_both_languages_and_themes(self):
        for lang in ("zh", "en"):
            for theme in ("light", "dark"):
                with self.subTest(lang=lang, theme=theme):
                    hand = self.hand(f"lang={lang}&theme={theme}")
                    self.assertTrue(hand.sentence(), "there is an answer without a click")
                    hand.step("job")
                    hand.shot(f"{theme}-{lang}-{STEPS[0]}")
                    hand.click("kind-qlora")
                    for step in STEPS[1:]:
                        hand.click("next")
                        hand.shot(f"{theme}-{lang}-{step}")
                    self.assertIsNotNone(hand.item("again"), "the last step is reached")
                    self.assertEqual(hand.request()["workload"]["kind"], "qlora")
                    self.same_words(hand, lang)
                    hand.step("job")
                    hand.click("kind-train")
                    self.assertNotEqual(hand.request()["workload"].get("kind", "train"), "qlora")

    def test_every_tab(self):
        for lang, theme in (("zh", "light"), ("en", "dark"), ("zh", "contrast")):
            hand = self.hand(f"lang={lang}&theme={theme}")
            for view in VIEWS:
                with self.subTest(lang=lang, view=view):
                    hand.click(view)
                    hand.shot(f"{theme}-{lang}-tab-{view}")
                    self.assertIn("view=" + view if view != "plans" else "", hand.link())
                    self.assertTrue(hand.rests())

    def test_language_is_switched_live(self):
        hand = self.hand("lang=zh")
        self.same_words(hand, "zh")
        chinese, request = hand.sentence(), hand.request()
        hand.click("lang/en")
        self.assertEqual(hand.lang(), "en")
        hand.wait_sentence(lambda said: said != chinese)
        self.assertEqual(hand.request(), request)
        hand.click("lang/zh")
        self.assertTrue(hand.lang().startswith("zh"))
        hand.wait_sentence(lambda said: said == chinese)

    def test_going_back_loses_nothing(self):
        hand = self.hand("lang=en")
        hand.step("job")
        hand.click("kind-qlora")
        for key in ("next", "next", "back", "back"):
            hand.click(key)
        self.assertEqual(hand.request()["workload"]["kind"], "qlora")

    def test_model_is_searched_and_chosen(self):
        hand = self.hand("lang=zh")
        hand.step("model")
        hand.choose("model", "mistral-7b-v0.3", "mistral-7b v0.3")
        self.assertEqual(hand.request()["workload"]["model"], {"id": "mistral-7b-v0.3"})
