"""The calculator inside other pages: <xuanka-calculator> on a host with a strict policy and another origin."""
import pathlib
import shutil
import tempfile
import time
import unittest

from harness import BrowserTest, Site, dist_folder

HOST = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>host</title><link rel="icon" href="data:,">
<script src="{script}" defer></script><script src="host.js"></script></head>
<body data-md-color-scheme="default"><a id="before" href="#x">before</a>{body}<a id="after" href="#y">after</a>
<p class="tall"></p></body></html>"""
# What the host notes down: every event of every calculator, and anything that went wrong in the host itself.
HOST_SCRIPT = """
window.seen = []; window.faults = [];
addEventListener('error', (event) => faults.push(String(event.message)));
addEventListener('unhandledrejection', (event) => faults.push(String(event.reason)));
for (const type of ['ready', 'change', 'result', 'error']) {
  addEventListener(type, (event) => {
    if (event.target.tagName === 'XUANKA-CALCULATOR') seen.push({ id: event.target.id, type, detail: event.detail });
  }, true);
}
"""
THREE = """
<xuanka-calculator id="one" view="answer" lang="en" currency="USD" request="v=1&amp;m=llama-2-7b&amp;k=qlora"></xuanka-calculator>
<xuanka-calculator id="two" view="table" lang="zh" height="500"></xuanka-calculator>
<xuanka-calculator id="three" view="wizard" lang="en" lock="model, deadline"
  request='{"version":1,"workload":{"kind":"lora","model":{"id":"llama-3.1-8b"},"data":{"tokens":2e7}}}'></xuanka-calculator>
"""


def host_policy(site):
    return f"default-src 'none'; script-src 'self' {site.address}; frame-src {site.address}; img-src data:; style-src 'none'"


class Embedding(BrowserTest):
    """Makes host pages in a folder of their own, served from an origin of their own."""

    def host(self, body, policy=None, site=None, width=900, height=700, **options):
        site = site or self.site
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "host.js").write_text(HOST_SCRIPT, encoding="utf-8")
        (folder / "index.html").write_text(
            HOST.format(script=site.address + "xuanka-embed.js", body=body), encoding="utf-8")
        host = self.enterContext(Site(folder, policy=policy or host_policy(site)))
        page = self.browser.page(width=width, height=height, **options)
        self.addCleanup(page.close)
        page.playwright.goto(host.address, wait_until="load")
        return page

    def wait_for(self, page, kind, who, timeout=60):
        """The detail of an event that the host has seen."""
        found = "(() => seen.find((e) => e.type === '%s' && e.id === '%s'))()" % (kind, who)
        page.wait_js(f"Boolean({found})", timeout)
        return page.js(found)["detail"]

    def frame_of(self, page, who):
        return page.playwright.query_selector(f"#{who} iframe").content_frame()

    def message(self, page, who):
        page.wait_js(f"Boolean(document.querySelector('#{who} [role=alert]'))", 30)
        return page.playwright.text_content(f"#{who} [role=alert]")


class Three(Embedding):
    """Three calculators on one page; the tests share it."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = None

    def setUp(self):
        if Three.page is None:
            # Made once: its folder and server live as long as the class.
            case = Three
            folder = pathlib.Path(case.enterClassContext(tempfile.TemporaryDirectory()))
            (folder / "host.js").write_text(HOST_SCRIPT, encoding="utf-8")
            (folder / "index.html").write_text(
                HOST.format(script=self.site.address + "xuanka-embed.js", body=THREE), encoding="utf-8")
            host = case.enterClassContext(Site(folder, policy=host_policy(self.site)))
            case.page = self.browser.page(width=900, height=2600)
            case.page.playwright.goto(host.address)
            for who in ("one", "two", "three"):
                self.wait_for(case.page, "ready", who, 120)
        self.page = Three.page

    def test_1_ready_with_request_and_report(self):
        one = self.wait_for(self.page, "ready", "one")
        self.assertEqual(one["request"]["workload"]["kind"], "qlora")
        self.assertTrue(one["report"]["ok"])
        self.assertIn("$", self.frame_of(self.page, "one").text_content("#twin-sentence"))
        three = self.wait_for(self.page, "ready", "three")
        self.assertEqual(three["request"]["workload"]["model"]["id"], "llama-3.1-8b")
        self.assertEqual(self.page.js("document.querySelector('#three').report.ok"), True)
        self.assertEqual(self.page.messages, [])
        self.assertEqual(self.page.js("faults"), [])

    def test_2_heights(self):
        self.page.wait_js("document.querySelector('#one iframe').clientHeight !== 420")
        sizes = {}
        for who in ("one", "two", "three"):
            frame = self.frame_of(self.page, who)
            sizes[who] = self.page.js(f"document.querySelector('#{who} iframe').clientHeight")
            body = frame.evaluate("Math.ceil(document.body.getBoundingClientRect().height)")
            if who != "two":
                self.assertLess(abs(body - sizes[who]), 2, who)
        self.assertEqual(sizes["two"], 500)
        self.assertLess(sizes["one"], sizes["three"])

    def test_3_locked_inputs_cannot_be_changed(self):
        frame = self.frame_of(self.page, "three")
        self.assertTrue(frame.evaluate("document.getElementById('in-m').disabled"))
        self.assertTrue(frame.evaluate("document.getElementById('in-h').disabled"))
        self.assertFalse(frame.evaluate("document.getElementById('in-s').disabled"))
        self.assertIn("llama-3.1-8b", frame.evaluate("window.xuanka.request()"))

    def test_4_change_and_result(self):
        frame = self.frame_of(self.page, "one")
        self.page.js("seen.length = 0")
        frame.click("#text-version")
        frame.fill("#in-s", "1024")
        change = self.wait_for(self.page, "change", "one")
        self.assertEqual(change["request"]["workload"]["seq_len"], 1024)
        self.assertIn("s=1024", change["fragment"])
        result = self.wait_for(self.page, "result", "one")
        self.assertTrue(result["report"]["ok"])
        self.assertEqual([e["id"] for e in self.page.js("seen") if e["id"] != "one"], [])
        frame.click("#text-version")

    def test_5_follows_the_toggle_of_the_page(self):
        frames = [self.frame_of(self.page, who) for who in ("one", "two", "three")]

        def themes():
            return {frame.evaluate("document.documentElement.dataset.theme") for frame in frames}

        def wait(wanted):
            end = time.monotonic() + 15
            while themes() != {wanted}:
                self.assertLess(time.monotonic(), end, f"themes are {themes()} instead of {wanted}")
                time.sleep(0.05)

        body = "document.body.setAttribute('data-md-color-scheme', '%s')"
        self.page.js(body % "slate")
        wait("dark")
        self.page.js(body % "default")
        wait("light")
        self.page.js("document.body.removeAttribute('data-md-color-scheme'); document.documentElement.classList.add('dark')")
        wait("dark")
        self.page.js("document.documentElement.classList.remove('dark')")
        wait("light")
        self.page.playwright.emulate_media(color_scheme="dark")
        wait("dark")
        self.page.playwright.emulate_media(color_scheme="light")
        wait("light")

    def test_6_attributes_change_what_is_shown(self):
        self.page.js("seen.length = 0")
        self.page.js("document.querySelector('#two').setAttribute('request', 'v=1&m=llama-2-13b&k=lora')")
        change = self.wait_for(self.page, "change", "two")
        self.assertEqual(change["request"]["workload"]["model"]["id"], "llama-2-13b")
        self.page.js("document.querySelector('#two').request = {version: 1, workload: {model: {id: 'gpt2-xl'}}}")
        self.page.wait_js("document.querySelector('#two').request.workload.model.id === 'gpt2-xl'")
        self.page.js("document.querySelector('#two').setAttribute('lang', 'en')")
        frame = self.frame_of(self.page, "two")
        self.page.wait_js("true")
        end = time.monotonic() + 10
        while frame.evaluate("document.documentElement.lang") != "en" and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(frame.evaluate("document.documentElement.lang"), "en")

    def test_7_hostile_messages(self):
        frame = self.frame_of(self.page, "one")
        before = frame.evaluate("window.xuanka.request()")
        self.page.js("""() => {
          const target = document.querySelector('#one iframe').contentWindow;
          const bad = ['text', 1, null, [], {}, {source: 'xuanka'}, {source: 'other', v: 1, type: 'set', request: '{}'},
            {source: 'xuanka', v: 2, type: 'set', request: '{}'}, {source: 'xuanka', v: 1, type: 'set', request: 'no json'},
            {source: 'xuanka', v: 1, type: 'set', request: {constructor: 1}}, {source: 'xuanka', v: 1, type: 'set', lang: {}},
            {source: 'xuanka', v: 1, type: 'set', fragment: 'x'.repeat(100000)}, {source: 'xuanka', v: 1, type: 'theme'},
            {source: 'xuanka', v: 1, type: 'theme', theme: '<img src=x onerror=alert(1)>'},
            {source: 'xuanka', v: 1, type: 'set', __proto__: null, evil: 1}, {source: 'xuanka', v: 1, type: 'eval', code: '1'},
            {source: 'xuanka', v: 1, type: 'set', lock: 'no-such-input'}, {source: 'xuanka', v: 1, type: 'set', view: 'x'}];
          for (const data of bad) target.postMessage(data, '*');
        }""")
        end = time.monotonic() + 10
        while len([e for e in self.page.js("seen") if e["type"] == "error"]) < 5 and time.monotonic() < end:
            time.sleep(0.05)
        codes = {e["detail"]["code"] for e in self.page.js("seen") if e["type"] == "error"}
        self.assertEqual(codes, {"badOption", "badMessage"})
        self.assertEqual(frame.evaluate("window.xuanka.request()"), before)
        # The other way round: messages that do not come from the frame, or not in its shape, are no events.
        self.page.js("seen.length = 0")
        self.page.js("postMessage({source: 'xuanka', v: 1, type: 'result', request: {}, report: {}}, '*')")
        frame.evaluate("""() => {
          for (const data of [{source: 'xuanka', v: 1, type: 'height', height: 1e9}, {source: 'xuanka', v: 1, type: 'height', height: 'tall'},
            {source: 'xuanka', v: 1, type: 'result', request: 1}, {source: 'xuanka', v: 1, type: 'scroll', dy: NaN}, 'ready']) {
            parent.postMessage(data, '*');
          }
        }""")
        self.page.js("new Promise((done) => setTimeout(done, 200))")
        self.assertEqual(self.page.js("seen"), [])
        self.assertLessEqual(self.page.js("document.querySelector('#one iframe').clientHeight"), 12000)
        self.assertEqual(self.page.js("faults"), [])
        self.assertEqual(self.page.messages, [])


class Manners(Embedding):
    def walk(self, page, key, to):
        """Presses a key until the focus is there. It crosses processes: the next press waits for the last."""
        for _ in range(40):
            page.playwright.keyboard.press(key)
            time.sleep(0.05)
            if page.js("document.activeElement.id") == to:
                return
        self.fail(f"{key} never came to {to}")

    def test_wheel_and_tab_pass_through(self):
        page = self.host('<xuanka-calculator id="one" view="answer" lang="en"></xuanka-calculator>' + "<p>text</p>" * 120)
        self.wait_for(page, "ready", "one")
        box = page.playwright.locator("#one iframe").bounding_box()
        page.playwright.mouse.move(box["x"] + box["width"] / 2, box["y"] + 100)
        page.playwright.mouse.wheel(0, 300)
        page.wait_js("scrollY > 100")
        page.js("scrollTo(0, 0)")
        page.playwright.focus("#before")
        self.walk(page, "Tab", "after")
        self.walk(page, "Shift+Tab", "before")
        self.assertEqual(page.js("history.length"), 2)

    def test_made_only_when_near_the_window(self):
        page = self.host('<p>text</p>' * 150 + '<xuanka-calculator id="one" view="answer"></xuanka-calculator>')
        page.js("new Promise((done) => setTimeout(done, 300))")
        self.assertEqual(page.playwright.locator("iframe").count(), 0)
        page.js("document.querySelector('#one').scrollIntoView()")
        self.wait_for(page, "ready", "one")

    def test_blocked_storage(self):
        # A sandbox without an origin has no storage; the host's own policy is not the frame's.
        page = self.host(f'<iframe id="raw" sandbox="allow-scripts" src="{self.site.address}embed.html#v=1&amp;lang=en"></iframe>')
        frame = page.playwright.query_selector("#raw").content_frame()
        frame.wait_for_selector('html[data-xuanka="ready"]', state="attached", timeout=60_000)
        self.assertEqual(frame.evaluate("(() => { try { return String(localStorage) } catch (e) { return e.name } })()"), "SecurityError")
        self.assertIn('"ok":true', frame.evaluate("window.xuanka.report()"))

    def test_page_from_disk(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in ("xuanka-embed.js", "xuanka-single.html"):
            shutil.copyfile(dist_folder() / name, folder / name)
        (folder / "host.js").write_text(HOST_SCRIPT, encoding="utf-8")
        body = '<xuanka-calculator id="one" view="answer" lang="en" request="v=1&amp;s=1024"></xuanka-calculator>'
        (folder / "index.html").write_text(HOST.format(script="xuanka-embed.js", body=body), encoding="utf-8")
        page = self.browser.page(offline=True)
        self.addCleanup(page.close)
        page.playwright.goto((folder / "index.html").as_uri())
        self.assertEqual(self.wait_for(page, "ready", "one")["request"]["workload"]["seq_len"], 1024)
        page.js("document.body.setAttribute('data-md-color-scheme', 'slate')")
        frame = self.frame_of(page, "one")
        frame.wait_for_selector('html[data-theme="dark"]', state="attached")

    def test_no_worker_and_no_trace_in_a_frame(self):
        page = self.browser.page()
        self.addCleanup(page.close)
        page.open(self.site.address + "embed.html#v=1&view=answer&theme=dark")
        page.js("new Promise((done) => setTimeout(done, 1800))")
        self.assertEqual(page.js("navigator.serviceWorker.getRegistrations().then((list) => list.length)"), 0)
        self.assertEqual(page.js("localStorage.length"), 0)


class Faults(Embedding):
    """A message in place of the calculator, an event for the host, and nothing else happens to it."""

    ONE = '<xuanka-calculator id="one" lang="en" {}></xuanka-calculator>'

    def told(self, page, code, words):
        detail = self.wait_for(page, "error", "one")
        self.assertEqual(detail["code"], code)
        self.assertRegex(detail["message"], words)
        frame = self.frame_of(page, "one")
        self.assertTrue(frame.is_visible("#problem"))
        self.assertRegex(frame.text_content("#problem"), words)
        self.assertEqual(page.js("faults"), [])
        self.assertEqual(page.js("document.querySelector('#after').textContent"), "after")

    def test_options_that_do_not_exist(self):
        for attributes, words in (('view="nope"', "view=.*nope"), ('lock="model colour"', "lock=.*colour"), ('currency="yuan"', "currency=.*yuan")):
            with self.subTest(attributes):
                page = self.host(self.ONE.format(attributes))
                self.told(page, "badOption", words)
                page.close()

    def test_program_cut_short(self):
        copy = self.copy_of_site()
        program = next((copy / "assets").glob("*.wasm"))
        program.write_bytes(program.read_bytes()[:100_000])
        site = self.enterContext(Site(copy))
        self.told(self.host(self.ONE.format(""), site=site), "noFetch", "did not load")

    def test_policy_of_the_server_forbids_wasm(self):
        site = self.enterContext(Site(dist_folder(), policy="default-src 'self'"))
        self.told(self.host(self.ONE.format(""), site=site), "noWasm", "WebAssembly")

    def test_origin_not_allowed(self):
        copy = self.copy_of_site()
        embed = copy / "embed.html"
        embed.write_text(
            embed.read_text(encoding="utf-8").replace('name="xuanka-hosts" content="*"', 'name="xuanka-hosts" content="https://friend.example"'),
            encoding="utf-8")
        site = self.enterContext(Site(copy))
        page = self.host(self.ONE.format(""), site=site)
        page.js("new Promise((done) => setTimeout(done, 500))")
        frame = self.frame_of(page, "one")
        frame.wait_for_selector("#problem:not([hidden])")
        self.assertRegex(frame.text_content("#problem"), "does not allow pages of http://127.0.0.1:")
        self.assertEqual(page.js("seen"), [])
        self.assertEqual(page.js("faults"), [])

    def test_host_policy_forbids_the_frame(self):
        page = self.host(self.ONE.format(""), policy=f"default-src 'none'; script-src 'self' {self.site.address}; img-src data:")
        self.assertIn("content security policy", self.message(page, "one"))
        self.assertEqual(self.wait_for(page, "error", "one")["code"], "blocked")
        self.assertEqual(page.js("faults"), [])

    def test_address_that_is_none(self):
        page = self.host(self.ONE.format('src="javascript:alert(1)"'))
        self.assertIn("not valid", self.message(page, "one"))
        self.assertEqual(page.playwright.locator("iframe").count(), 0)

    def copy_of_site(self):
        copy = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "site"
        shutil.copytree(dist_folder(), copy, ignore=shutil.ignore_patterns("docs", "*.br", "*.gz"))
        return copy


if __name__ == "__main__":
    unittest.main()
