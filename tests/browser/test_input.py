"""Keyboard, text, clipboard, wheel, fingers, files: what the canvas takes, and what it leaves to the browser."""
import json
import time
import unittest

from harness import BrowserTest

SEARCH = "v=1&lang=zh&view=gpus"


class Text(BrowserTest):
    def field(self, page):
        """What stands in the search field: selected and copied, as a user would."""
        page.press("Control+a", "Control+c")
        return page.js("navigator.clipboard.readText()")

    def open_search(self):
        page = self.open(SEARCH)
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.click_item("gpu-search")
        self.assertEqual(page.js("document.activeElement.id"), "field")
        return page

    def test_input_method(self):
        page = self.open_search()
        page.type("a")
        devtools = page.context.new_cdp_session(page.playwright)
        for part in ("x", "xian", "显 cun", "显存"):
            devtools.send("Input.imeSetComposition", {"text": part, "selectionStart": len(part), "selectionEnd": len(part)})
        self.assertTrue(page.js("document.getElementById('field').classList.contains('composing')"))
        devtools.send("Input.insertText", {"text": "显存"})
        page.settle()
        page.type("b 𠮷")
        self.assertEqual(self.field(page), "a显存b 𠮷")
        self.assertFalse(page.js("document.getElementById('field').classList.contains('composing')"))
        self.assert_silent(page)

    def test_clipboard_both_ways_and_editing_keys(self):
        page = self.open_search()
        page.js("navigator.clipboard.writeText('RTX 4090 显卡')")
        page.press("Control+v")
        self.assertEqual(self.field(page), "RTX 4090 显卡")
        page.press("End", "Backspace", "Backspace", "Home", "Delete")
        self.assertEqual(self.field(page), "TX 4090 ")
        page.press("Control+x")
        self.assertEqual(page.js("navigator.clipboard.readText()"), "TX 4090 ")
        page.press("Control+v", "Control+v")
        self.assertEqual(self.field(page), "TX 4090 TX 4090 ")

    def test_browser_keys_are_left_alone(self):
        page = self.open("v=1")
        page.playwright.mouse.click(640, 6)
        page.js("""() => {
          window.taken = [];
          addEventListener('keydown', (e) => setTimeout(() => window.taken.push([e.key, e.defaultPrevented]), 0));
        }""")
        page.press("Control+f", "F1", "Control+Shift+k", "Alt+x", "x", "ArrowDown")
        taken = dict(page.js("window.taken"))
        self.assertFalse(any(taken[key] for key in ("f", "F1", "x")), taken)
        self.assertTrue(taken["ArrowDown"], taken)


class Focus(BrowserTest):
    def test_tab_enters_and_leaves_at_both_ends(self):
        page = self.open("v=1&lang=zh")
        page.js("""() => {
          window.trail = [];
          addEventListener('focusin', ({target}) => {
            const at = target.closest('#twin')?.id ?? (target.id === 'field' ? 'canvas' : target.id);
            if (trail.at(-1) !== at) trail.push(at);
          });
        }""")
        self.tab_until(page, "Tab", ["skip", "canvas", "twin"])
        # And back in to the last item, then on to the first and out before it.
        page.js("document.getElementById('twin-title').focus()")
        page.js("trail.length = 0")
        self.tab_until(page, "Shift+Tab", ["canvas", "skip"])

    def test_tab_enters_at_the_first_item_whatever_had_the_focus(self):
        page = self.open("v=1&lang=zh")

        def enter():
            page.js("document.getElementById('skip').focus()")
            for _ in range(3):
                page.press("Tab")
                if page.js("xuanka.focused()"):
                    return page.js("xuanka.focused()")
            self.fail("Tab came to no item")

        first = enter()
        self.assertEqual(enter(), first)
        for key in ("next", "value", "gpus"):
            page.click_item(key)
            self.assertEqual(enter(), first, key)

    def tab_until(self, page, key, places, batch=15, limit=300):
        """Presses a key until the focus has been at `places`, in this order and at no other before them."""
        for _ in range(0, limit, batch):
            for _ in range(batch):
                page.playwright.keyboard.press(key)
            trail = page.js("trail")[:len(places)]
            self.assertEqual(trail, places[:len(trail)])
            if trail == places:
                return
        self.fail(f"{key} never got there, the focus went {trail}")

    def test_enter_works_where_tab_went(self):
        page = self.open("v=1&lang=zh")
        page.press("Tab", "Tab")
        for _ in range(8):
            if page.js("document.documentElement.lang") == "en":
                break
            page.press("Enter")
            page.press("Tab")
        self.assertEqual(page.js("document.documentElement.lang"), "en", "the language switch is among the first stops")

    def test_escape_gives_the_keyboard_back(self):
        page = self.open("v=1")
        page.playwright.mouse.click(640, 6)
        self.assertEqual(page.js("document.activeElement.id"), "canvas")
        page.press("Escape", "Escape")
        self.assertEqual(page.js("document.activeElement.tagName"), "BODY")

    def test_skip_link(self):
        page = self.open("v=1&lang=zh")
        page.press("Tab", "Enter")
        self.assertEqual(page.js("document.activeElement.id"), "twin-title")
        self.assertIn("v=1", page.js("location.hash"))


class Scrolling(BrowserTest):
    def test_wheel_scrolls_the_canvas_then_the_page(self):
        page = self.open(SEARCH, width=1280, height=700)
        page.playwright.mouse.move(900, 500)
        search = page.item("gpu-search")["y"]
        page.playwright.mouse.wheel(0, 200)
        page.settle()
        self.assertAlmostEqual(page.item("gpu-search")["y"] if page.item("gpu-search") else search - 200, search - 200, delta=2)
        self.assertEqual(page.js("scrollY"), 0)
        for _ in range(200):
            page.playwright.mouse.wheel(0, 2000)
            if page.js("scrollY") > 0:
                break
            time.sleep(0.05)
        self.assertGreater(page.js("scrollY"), 0, "at its end the canvas lets the page scroll")
        self.assert_silent(page)

    def test_zoom_wheel_is_the_browsers(self):
        page = self.open(SEARCH)
        page.js("addEventListener('wheel', (e) => { window.wheel = e.defaultPrevented; })")
        page.playwright.mouse.move(900, 500)
        page.playwright.keyboard.down("Control")
        page.playwright.mouse.wheel(0, 120)
        page.playwright.keyboard.up("Control")
        time.sleep(0.2)
        self.assertIs(page.js("window.wheel"), False)


class Touch(BrowserTest):
    def drag(self, page, x, y, dy, steps=12):
        devtools = page.context.new_cdp_session(page.playwright)
        devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for i in range(1, steps + 1):
            devtools.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y + dy * i / steps}]})
            time.sleep(0.016)
        devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def test_drag_scrolls_and_presses_nothing(self):
        page = self.open("v=1&lang=zh", width=390, height=844, ratio=2, touch=True)
        before = page.item("change-job")
        fragment = page.js("location.hash")
        self.drag(page, 195, 560, -160)
        page.settle()
        self.assertLess(page.item("change-job")["y"], before["y"] - 100)
        self.assertEqual(page.js("location.hash"), fragment)
        self.assertEqual(page.js("scrollY"), 0)
        self.assertIsNone(page.item("done"), "the drag did not open the wizard")

    def test_reduced_motion_does_not_glide(self):
        page = self.open("v=1&lang=zh", width=390, height=844, touch=True, reduced_motion="reduce")
        before = page.item("change-job")
        self.drag(page, 195, 560, -160)
        time.sleep(0.1)
        first = page.item("change-job")["y"]
        time.sleep(0.5)
        self.assertEqual(page.item("change-job")["y"], first)

    def test_number_goes_through_the_sheet(self):
        page = self.open("v=1&lang=zh", width=390, height=844, ratio=2, touch=True)
        page.tap_item("change-job")
        page.tap_item("step-model")
        page.tap_item("wizard/1/s/text")
        page.playwright.wait_for_selector("#sheet[open]")
        self.assertEqual(page.js("document.activeElement.id"), "sheet-input")
        self.assertEqual(page.js("document.activeElement.inputMode"), "decimal")
        page.playwright.fill("#sheet-input", "1024")
        page.playwright.click("#sheet .primary")
        page.settle()
        self.assertEqual(json.loads(page.js("window.xuanka.request()"))["workload"]["seq_len"], 1024)
        self.assert_silent(page)


class Files(BrowserTest):
    CONFIG = json.dumps({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 2048, "intermediate_size": 5632,
                         "num_hidden_layers": 22, "num_attention_heads": 32, "num_key_value_heads": 4, "vocab_size": 32000})

    def drop(self, page, name, text, target="#canvas"):
        transfer = page.playwright.evaluate_handle(
            "([name, text]) => { const t = new DataTransfer(); t.items.add(new File([text], name)); return t; }", [name, text])
        page.playwright.dispatch_event(target, "drop", {"dataTransfer": transfer})
        time.sleep(0.3)
        page.settle()

    def test_config_dropped_and_pasted(self):
        for how in ("canvas", "beside", "paste"):
            with self.subTest(how=how):
                page = self.open("v=1&lang=zh")
                if how == "paste":
                    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
                    page.js("text => navigator.clipboard.writeText(text)", self.CONFIG)
                    page.playwright.mouse.click(640, 6)
                    page.press("Control+v")
                else:
                    self.drop(page, "config.json", self.CONFIG, "#canvas" if how == "canvas" else "#twin")
                model = json.loads(page.js("window.xuanka.request()"))["workload"]["model"]
                self.assertEqual(model["hf_config"]["hidden_size"], 2048)
                self.assert_silent(page)

    def test_a_large_file_is_refused_in_words(self):
        page = self.open("v=1&lang=zh")
        before = page.js("window.xuanka.request()")
        page.js("""() => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([new Uint8Array(50 * 1024 * 1024)], 'huge.bin'));
          document.getElementById('canvas').dispatchEvent(new DragEvent('drop', {dataTransfer: transfer, cancelable: true, bubbles: true}));
        }""")
        page.playwright.wait_for_selector("#twin-notices:not([hidden])")
        self.assertIn("huge.bin", page.js("document.getElementById('twin-notices').textContent"))
        self.assertEqual(page.js("window.xuanka.request()"), before)
        self.assert_silent(page)


if __name__ == "__main__":
    unittest.main()
