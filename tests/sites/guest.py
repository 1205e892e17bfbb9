"""A calculator inside somebody's page, as the tests use it."""
import json
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "browser"))
from harness import Browser, Page, Site  # noqa: E402,F401

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CLI = os.environ.get("XUANKA_CLI", str(SOURCE / "build" / "xuanka"))


def command_line(request):
    """The report of the command line to a request."""
    done = subprocess.run([CLI, "batch"], input=json.dumps(request) + "\n", capture_output=True, text=True, check=False)
    return json.loads(done.stdout)


class Guest:
    """The `index`-th <xuanka-calculator> of a page."""

    def __init__(self, page, index=0):
        self.page, self.index = page, index

    def element(self, code):
        return self.page.js("([index, code]) => { const host = document.querySelectorAll('xuanka-calculator')[index]; return (" + code + ")(host); }", [self.index, code])

    def wait(self, what, check, timeout=60):
        end = time.monotonic() + timeout
        while True:
            value = check()
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"{what}: never ({self.page.messages})")
            time.sleep(0.05)

    def ready(self):
        """Waits until it has answered; its report."""
        self.element("host => host.scrollIntoView({ block: 'center' })")
        return self.wait("no report", lambda: self.element("host => host.report"))

    def request(self):
        return self.element("host => host.request")

    def frame(self):
        handle = self.page.playwright.query_selector_all("xuanka-calculator iframe")[self.index]
        return handle.content_frame()

    def theme(self):
        return self.frame().evaluate("document.documentElement.dataset.theme")

    def click(self, key):
        """Clicks an item of the canvas with the mouse."""
        frame = self.frame()
        handle = frame.frame_element()

        def point():
            item = frame.evaluate("key => window.xuanka.item(key)", key)
            if not item or item["shown"]["width"] < 2 or item["shown"]["height"] < 2:
                return None
            return item["shown"]
        shown = self.wait(f"no item {key}", point, 10)
        # The item into the window of the outer page, which scrolls by itself.
        box = handle.bounding_box()
        height = self.page.playwright.viewport_size["height"]
        self.page.js("dy => scrollBy({ top: dy, behavior: 'instant' })", box["y"] + shown["y"] + shown["height"] / 2 - height / 2)
        box = handle.bounding_box()
        shown = self.wait(f"no item {key}", point, 10)
        self.page.playwright.mouse.click(box["x"] + shown["x"] + shown["width"] / 2, box["y"] + shown["y"] + shown["height"] / 2)
