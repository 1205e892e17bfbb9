"""The page as a whole: policy, silence, idleness, sharpness, and every way it can fail to start."""
import pathlib
import shutil
import tempfile
import time
import unittest

from harness import BrowserTest, Site, dist_folder

VIEWS = ["plans", "charts", "gpus", "offers", "value", "own", "measured", "how", "yours"]


class Idle(BrowserTest):
    def test_no_frame_in_two_seconds_on_any_tab(self):
        page = self.open("v=1&lang=zh")
        for view in VIEWS:
            with self.subTest(view=view):
                page.click_item(view)
                page.playwright.mouse.move(640, 4)
                page.settle(0.5)
                before = page.frames()
                time.sleep(2)
                self.assertEqual(page.frames() - before, 0)
        self.assert_silent(page)

    def test_a_focused_text_field_is_idle_too(self):
        page = self.open("v=1&lang=zh&view=gpus")
        page.click_item("gpu-search")
        self.assertEqual(page.js("document.activeElement.id"), "field")
        page.settle()
        time.sleep(1)
        before = page.frames()
        time.sleep(2)
        self.assertEqual(page.frames() - before, 0)


    def test_a_picture_that_stays_is_not_drawn_again(self):
        page = self.browser.page()
        self.addCleanup(page.close)
        page.playwright.add_init_script("""
          window.draws = 0;
          const draw = WebGL2RenderingContext.prototype.drawElements;
          WebGL2RenderingContext.prototype.drawElements = function (...all) { window.draws++; return draw.apply(this, all); };""")
        page.open(self.site.address + "#v=1&lang=en")
        page.settle(0.7)
        seen = lambda: (page.frames(), page.js("window.draws"))  # noqa: E731
        frames, draws = seen()
        self.assertGreater(draws, 0)
        before = page.playwright.locator("#canvas").screenshot()
        for x in range(600, 640, 8):  # beside everything that could light up
            page.playwright.mouse.move(x, 4)
            page.settle()
        self.assertGreater(seen()[0], frames)
        self.assertEqual(seen()[1], draws)
        self.assertEqual(page.playwright.locator("#canvas").screenshot(), before)
        page.click_item("theme")
        self.assertGreater(seen()[1], draws)
        self.assertNotEqual(page.playwright.locator("#canvas").screenshot(), before)


class Speed(BrowserTest):
    def test_from_an_input_to_the_picture(self):
        """Core call and interface code, without WebGL: the median of 50 changes is printed."""
        page = self.open("v=1&lang=en")
        took = sorted(page.js("""async () => {
          const took = [];
          for (let i = 0; i < 50; i++) {
            const input = document.getElementById('in-s'); // made anew by each change
            input.value = String(1024 + 64 * i);
            input.dispatchEvent(new Event('change', {bubbles: true}));
            for (let wait = 0; wait < 400 && window.xuanka.busy(); wait++) await new Promise((r) => setTimeout(r, 5));
            took.push(window.xuanka.updateMs());
          }
          return took;
        }"""))
        print(f"\ninput to ImGui::Render: median {took[25]:.1f} ms, slowest {took[-1]:.1f} ms")
        self.assertGreater(took[0], 0)
        self.assertLess(took[25], 80)  # aim 16; other programs share the machine


class Policy(BrowserTest):
    def test_ready_without_a_word_under_the_strict_policy_in_a_sub_path(self):
        with Site(dist_folder(), prefix="/a/b/") as site:
            page = self.open(site=site)
            self.assertEqual(page.js("document.documentElement.dataset.xuanka"), "ready")
            self.assert_silent(page)

    def test_only_this_origin_is_asked(self):
        page = self.browser.page()
        self.addCleanup(page.close)
        asked = []
        page.playwright.on("request", lambda request: asked.append(request.url))
        page.open(self.site.address)
        self.assertTrue(asked)
        self.assertEqual([url for url in asked if not url.startswith((self.site.address, "blob:", "data:"))], [])

    def test_nothing_inline(self):
        for path in (dist_folder() / "index.html", dist_folder() / "embed.html"):
            text = path.read_text(encoding="utf-8")
            self.assertNotIn("<style", text)
            self.assertNotRegex(text, r"<script(?![^>]*\bsrc=)")
            self.assertNotRegex(text, r"\son\w+=")
            self.assertNotRegex(text, r"""(?:src|href)=["']/""")


class Sharpness(BrowserTest):
    def test_backing_store_follows_the_pixel_ratio(self):
        for ratio in (1, 1.5, 2, 3):
            with self.subTest(ratio=ratio):
                page = self.open("v=1", width=800, height=600, ratio=ratio)
                size = page.js("[document.getElementById('canvas').width, document.getElementById('canvas').height]")
                self.assertEqual(size, [800 * ratio, 600 * ratio])
                page.close()

    def test_resize_is_drawn_at_once(self):
        page = self.open("v=1", width=1280, height=860)
        page.playwright.set_viewport_size({"width": 700, "height": 500})
        page.settle()
        self.assertEqual(page.js("document.getElementById('canvas').width"), 700)
        self.assertGreater(len(set(page.playwright.screenshot())), 50)


class Failures(BrowserTest):
    def problem(self, page):
        self.assertEqual(page.js("document.documentElement.dataset.xuanka"), "error")
        self.assertTrue(page.playwright.is_visible("#problem"))
        return page.js("document.documentElement.dataset.problem"), page.js("document.getElementById('problem').textContent")

    def test_first_answer_is_there_before_the_program(self):
        for locale, mark in (("zh-CN", "zh-CN"), ("en-US", "en")):
            page = self.browser.page(locale=locale)
            self.addCleanup(page.close)
            held = []
            page.playwright.route("**/*.wasm", lambda route: held.append(route))
            page.playwright.goto(self.site.address, wait_until="commit")
            page.playwright.wait_for_selector(f'.first[lang="{mark}"] .sentence', state="visible")
            self.assertRegex(page.playwright.text_content(f'.first[lang="{mark}"] .sentence'), r"\d+ × ")
            self.assertTrue(page.playwright.is_visible("#progress"))
            self.assertGreater(page.playwright.locator("#twin table tbody tr").count(), 3)
            for route in held:
                route.abort()

    def test_without_script_the_default_answer_stands(self):
        page = self.browser.page(java_script_enabled=False)
        self.addCleanup(page.close)
        page.playwright.goto(self.site.address)
        self.assertTrue(page.playwright.is_visible("noscript"))
        self.assertGreater(page.playwright.locator("#twin table tbody tr").count(), 3)

    def test_program_missing(self):
        page = self.browser.page()
        self.addCleanup(page.close)
        page.playwright.route("**/*.wasm", lambda route: route.fulfill(status=404, body="gone"))
        page.open(self.site.address, wait="error")
        self.assertEqual(self.problem(page)[0], "noFetch")
        self.assertIn("404", self.problem(page)[1])

    def test_program_cut_short(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "site"
            shutil.copytree(dist_folder(), copy)
            program = next(copy.rglob("xuanka-*.wasm"))
            program.write_bytes(program.read_bytes()[:100_000])
            with Site(copy) as site:
                page = self.open(site=site, wait="error")
                self.assertEqual(self.problem(page)[0], "noFetch")

    def test_wrong_type_is_no_obstacle(self):
        page = self.browser.page()
        self.addCleanup(page.close)
        body = next(dist_folder().rglob("xuanka-*.wasm")).read_bytes()
        page.playwright.route("**/*.wasm", lambda route: route.fulfill(body=body, content_type="application/octet-stream"))
        page.open(self.site.address)

    def test_policy_that_forbids_wasm(self):
        policy = "default-src 'self'; script-src 'self'"
        with Site(dist_folder(), policy=policy) as site:
            page = self.open(site=site, wait="error")
            key, words = self.problem(page)
            self.assertEqual(key, "noWasm")
            self.assertIn("WebAssembly", words)

    def test_lost_context_comes_back(self):
        page = self.open("v=1&lang=zh")
        before = page.playwright.locator("#canvas").screenshot()
        page.js("""() => {
          const gl = document.getElementById('canvas').getContext('webgl2');
          window.loser = gl.getExtension('WEBGL_lose_context');
          window.loser.loseContext();
        }""")
        page.playwright.wait_for_selector("#problem:not([hidden])")
        self.assertEqual(page.js("document.documentElement.dataset.context"), "lost")
        self.assertTrue(page.playwright.is_visible(".first .sentence"))
        page.js("window.loser.restoreContext()")
        page.playwright.wait_for_selector("#cover[hidden]", state="attached")
        page.settle()
        self.assertEqual(page.playwright.locator("#canvas").screenshot(), before)
        self.assert_silent(page)

    def test_crash_keeps_the_inputs(self):
        page = self.open("v=1&lang=en&s=1024")
        page.js("dispatchEvent(new ErrorEvent('error', {error: new WebAssembly.RuntimeError('unreachable')}))")
        self.assertEqual(self.problem(page)[0], "crashed")
        self.assertIn("s=1024", page.js("document.querySelector('#problem a').href"))


class NoWebgl(BrowserTest):
    def test_words_and_a_working_twin(self):
        page = self.browser.page()
        self.addCleanup(page.close)
        page.playwright.add_init_script("""
          const original = HTMLCanvasElement.prototype.getContext;
          HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
            return /webgl/.test(kind) ? null : original.call(this, kind, ...rest);
          };""")
        page.open(self.site.address + "#v=1&lang=en", wait="error")
        self.assertEqual(page.js("document.documentElement.dataset.problem"), "noWebgl")
        self.assertIn("WebGL2", page.js("document.getElementById('problem').textContent"))
        before = page.sentence()
        page.playwright.select_option("#in-k", "qlora")
        page.wait_sentence(lambda said: said and said != before)
        self.assertIn('"ok":true', page.call('{"version":1,"workload":{"model":{"id":"llama-2-7b"}}}'))


class NoWasm(BrowserTest):
    def test_words(self):
        page = self.browser.page()
        self.addCleanup(page.close)
        page.playwright.add_init_script("delete globalThis.WebAssembly")
        page.open(self.site.address + "#v=1&lang=zh", wait="error")
        self.assertEqual(page.js("document.documentElement.dataset.problem"), "noWasm")
        self.assertIn("WebAssembly", page.js("document.getElementById('problem').textContent"))
        self.assertTrue(page.playwright.is_visible(".first .sentence"))


if __name__ == "__main__":
    unittest.main()
