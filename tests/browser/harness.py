"""The real page in a real browser: the built site on loopback under its strict policy, Debian's Chromium with software
WebGL, and the canvas driven by the keys of its items."""
import importlib.util
import json
import os
import pathlib
import shutil
import sys
import threading
import time
import unittest
import urllib.parse

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "wizard"))
from hands import Hand, inputs_of  # noqa: E402

ARGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
        "--disable-dev-shm-usage"]


def load_serve():
    spec = importlib.util.spec_from_file_location("xuanka_serve", ROOT / "shell" / "page" / "serve.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Site:
    """The folder `dist` on a free loopback port."""

    def __init__(self, folder, prefix="/", **options):
        self.server = load_serve().make_server(folder, 0, prefix, **options)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}{prefix}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Browser:
    def __init__(self, args=()):
        self.args = list(args)

    def __enter__(self):
        self.driver = sync_playwright().start()
        path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
        self.browser = self.driver.chromium.launch(executable_path=path, args=ARGS + self.args)
        return self

    def __exit__(self, *_):
        self.browser.close()
        self.driver.stop()

    def page(self, width=1280, height=860, ratio=1, touch=False, **options):
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=ratio, has_touch=touch, is_mobile=touch,
            **{"locale": "zh-CN", "color_scheme": "light", **options})
        return Page(context)


class Page:
    """A page and what it said; `messages` must be empty at the end of a good run."""

    def __init__(self, context):
        self.context = context
        self.playwright = context.new_page()
        self.playwright.set_default_timeout(90_000)
        self.messages = []
        self.playwright.on("console", lambda m: m.type in ("error", "warning") and self.note(m.text))
        self.playwright.on("pageerror", lambda e: self.messages.append(f"pageerror: {e}"))

    def note(self, text):
        # Chromium's own remarks on software rendering are not the page's.
        if "GPU stall" not in text and "WebGL" not in text.split("]")[0]:
            self.messages.append(text)

    def close(self):
        self.context.close()

    def open(self, address, wait="ready", timeout=120):
        self.playwright.goto(address, wait_until="commit")
        states = [part.strip() for part in wait.split(" or ")]
        selector = ", ".join(f'html[data-xuanka="{state}"]' for state in states)
        self.playwright.wait_for_selector(selector, state="attached", timeout=timeout * 1000)
        return self

    def go(self, fragment):
        """Takes the open page to another link, without loading it anew."""
        self.js("""async (hash) => {
          // The same address with other inputs: the page has yet to write them into it.
          for (let i = 0; i < 50 && location.hash === hash; i++) {
            if (`#${window.xuanka.fragment()}` === hash) return;
            await new Promise((resume) => setTimeout(resume, 20));
          }
          if (location.hash === hash) return;
          const changed = new Promise((resume) => addEventListener('hashchange', () => setTimeout(resume), {once: true}));
          location.hash = hash;
          await changed;
        }""", f"#{fragment}")
        self.settle()
        return self

    def js(self, code, *args):
        return self.playwright.evaluate(code, *args)

    def frames(self):
        return self.js("window.xuanka.frames()")

    def settle(self, quiet=0.05, limit=10):
        """Waits until no frame has been drawn or is due for `quiet` seconds."""
        self.js("""async ([quiet, limit]) => {
          const start = performance.now();
          let last = start;
          while (document.documentElement.dataset.xuanka === 'ready') {
            const now = performance.now();
            if (window.xuanka.busy()) last = now;
            if (now - last >= quiet || now - start >= limit) return;
            await new Promise((resume) => setTimeout(resume, 8));
          }
        }""", [quiet * 1000, limit * 1000])

    def item(self, key):
        """Where an item is in the window, or None: {x, y, width, height, shown}."""
        return self.js("key => window.xuanka.item(key)", key)

    def point_of(self, key, timeout=5):
        """The middle of the part of an item that can be seen; scrolls the canvas until there is one."""
        end = time.monotonic() + timeout
        while True:
            box = self.item(key)
            if box and box["shown"]["width"] > 1 and box["shown"]["height"] > min(8, box["height"]):
                shown = box["shown"]
                return shown["x"] + shown["width"] / 2, shown["y"] + shown["height"] / 2
            if time.monotonic() > end:
                raise AssertionError(f"item {key!r} is not on the canvas ({box})")
            if box:
                # The canvas first, then what is in it: a wheel turn over the middle of the column.
                self.js("scrollTo(0, 0)")
                view = self.playwright.viewport_size
                self.playwright.mouse.move(view["width"] * 0.7, view["height"] * 0.6)
                self.playwright.mouse.wheel(0, box["y"] + box["height"] / 2 - view["height"] * 0.5)
                self.settle(0.05, 2)
            else:
                time.sleep(0.1)

    def wait_js(self, expression, timeout=20):
        """Waits until an expression is true; the page's policy forbids the driver's own way."""
        end = time.monotonic() + timeout
        while not self.js(expression):
            if time.monotonic() > end:
                raise AssertionError(f"never true: {expression}")
            time.sleep(0.05)

    def click_item(self, key):
        x, y = self.point_of(key)
        self.playwright.mouse.move(x, y)
        self.playwright.mouse.click(x, y)
        self.settle()

    def tap_item(self, key):
        x, y = self.point_of(key)
        self.playwright.touchscreen.tap(x, y)
        self.settle()

    def type(self, text):
        self.playwright.keyboard.type(text)
        self.settle()

    def press(self, *keys):
        for key in keys:
            self.playwright.keyboard.press(key)
        self.settle()

    def call(self, request):
        return self.js("request => window.xuanka.call(request)", request)

    def shot(self, name):
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.playwright.screenshot(path=str(SHOTS / f"{name}.png"))

    def sentence(self):
        return self.js("document.getElementById('twin-sentence').textContent")

    def wait(self, read, accept, timeout=10):
        """Reads again until a function accepts what was read: the twin settles a moment after each change."""
        end = time.monotonic() + timeout
        while not accept(value := read()):
            if time.monotonic() > end:
                raise AssertionError(f"what is shown stays {value!r}")
            time.sleep(0.05)
        return value

    def wait_sentence(self, accept, timeout=10):
        return self.wait(self.sentence, accept, timeout)


def dist_folder():
    return pathlib.Path(os.environ.get("XUANKA_DIST_DIR", ROOT / "dist"))


def command_line():
    return os.environ.get("XUANKA_CLI", str(ROOT / "build" / "xuanka"))


SHOTS = pathlib.Path(os.environ.get("XUANKA_BUILD_DIR", ROOT / "build")) / "screenshots"


class BrowserTest(unittest.TestCase):
    """One site and one browser for all tests of a class. `open` gives a page of the test's own; `visit` one that the
    tests of a class share, taken to a link: a second instead of two."""

    browser_args = ()

    @classmethod
    def setUpClass(cls):
        cls.visited = {}
        cls.site = cls.enterClassContext(Site(dist_folder()))
        cls.browser = cls.enterClassContext(Browser(cls.browser_args))

    def open(self, fragment="", wait="ready", page="", site=None, **options):
        view = self.browser.page(**options)
        self.addCleanup(view.close)
        address = (site or self.site).address + page
        view.open(f"{address}#{fragment}" if fragment else address, wait=wait)
        view.settle()
        return view

    def visit(self, fragment, **options):
        key = tuple(sorted(options.items()))
        if key not in self.visited:
            self.visited[key] = self.browser.page(**options).open(f"{self.site.address}#{fragment}")
            self.visited[key].settle()
            return self.visited[key]
        view = self.visited[key]
        view.messages.clear()
        return view.go(fragment)

    def assert_silent(self, page):
        self.assertEqual(page.messages, [], "the console must stay empty")


class Mouse(Hand):
    """The canvas by pointer and keys."""

    options = {"width": 1280, "height": 860}
    pictures = "desktop"

    def __init__(self, page):
        self.page = page

    def click(self, key):
        self.page.click_item(key)

    def type(self, text):
        self.page.type(text)

    def press(self, *keys):
        self.page.press(*keys)

    def item(self, key):
        return self.page.item(key)

    def request(self):
        return json.loads(self.page.js("window.xuanka.request()"))

    def link(self):
        return self.page.js("window.xuanka.fragment()")

    def lang(self):
        return self.page.js("document.documentElement.lang")

    def sentence(self):
        return self.page.sentence()

    def wait_sentence(self, accept):
        self.page.wait_sentence(accept)

    def rests(self):
        self.page.playwright.mouse.move(self.page.playwright.viewport_size["width"] / 2, 4)
        self.page.settle()
        return not self.page.js("window.xuanka.busy()")

    def shot(self, name):
        self.page.shot(f"{self.pictures}-{name}")


class Keyboard(Mouse):
    """Tab and Enter alone; a list is searched by typing or walked through."""

    last = None

    def focus(self, key, limit=200):
        """Tabs to an item from where the focus is, back or on; past the edge of the canvas from its beginning, once."""
        wanted = self.page.js("key => window.xuanka.idOf(key)", key)
        if not wanted:
            raise AssertionError(f"{key} is not drawn")
        was, there = self.last and self.item(self.last), self.item(key)
        step, self.last = "Shift+Tab" if was and there["y"] < was["y"] else "Tab", key
        entered = 0
        for _ in range(limit):
            if not self.page.js("['canvas', 'field'].includes(document.activeElement.id)"):
                entered += 1
                if entered > 2:
                    break
                step = "Tab"
                self.page.js("document.getElementById('skip').focus()")
            elif self.page.js("window.xuanka.focused()") == wanted:
                return
            self.page.playwright.keyboard.press(step)
            self.page.settle(0.02)
        raise AssertionError(f"Tab never came to {key}")

    def click(self, key):
        self.focus(key)
        self.page.press("Enter")

    def number(self, key, text):
        # Tab opens a text for writing, so Enter would close it.
        self.focus(key)
        self.press("Control+a")
        self.type(text)
        self.press("Enter")


class Finger(Mouse):
    """A phone: taps, and the sheet for what is typed."""

    options = {"width": 390, "height": 844, "ratio": 2, "touch": True}
    pictures = "phone"

    def click(self, key):
        self.page.tap_item(key)

    def sheet(self, text):
        self.page.playwright.wait_for_selector("#sheet[open]")
        self.page.playwright.fill("#sheet-input", text)
        self.page.playwright.click("#sheet .primary")
        self.page.settle()

    def number(self, key, text):
        self.click(key)
        self.sheet(text)

    def search(self, text):
        self.click("search")
        self.sheet(text)

    def step(self, name):
        if not self.page.item(f"step-{name}"):
            self.click("change-job")
        self.click(f"step-{name}")


class Form(Mouse):
    """The HTML twin."""

    def fill_in(self, link):
        form = self.page.playwright
        # The form of the link before goes a moment after it.
        self.page.wait(lambda: form.input_value("#in-k"), lambda kind: self.link_holds("k", kind))
        form.wait_for_timeout(600)
        for key, value in inputs_of(link).items():
            control = f"#in-{key}"
            form.wait_for_selector(control)
            kind = form.get_attribute(control, "type")
            if kind == "checkbox":
                for word in form.eval_on_selector_all(f"input[data-many={key}]", "boxes => boxes.map((box) => box.value)"):
                    form.set_checked(f'input[data-many={key}][value="{word}"]', word in value.split(","))
            elif self.page.js("control => document.querySelector(control).tagName", control) == "SELECT":
                form.select_option(control, value)
            else:
                form.fill(control, value)
                form.keyboard.press("Tab")
            self.page.wait(lambda: self.link(), lambda _: self.link_holds(key, value))

    def link_holds(self, key, value):
        return urllib.parse.unquote(inputs_of(self.link()).get(key, value)) == value
