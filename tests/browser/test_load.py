"""How soon a first visit can be read and used, on loopback and over a phone's network. The figures are printed."""
import unittest

from harness import BrowserTest

# Lighthouse's mobile profile: 1.6 Mbit/s down, 750 kbit/s up, 150 ms round trip.
MOBILE = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
WATCH = """new MutationObserver(() => {
  if (document.documentElement && document.documentElement.dataset.xuanka) window.usableAt ??= performance.now();
}).observe(document, {attributes: true, childList: true, subtree: true});"""


class Load(BrowserTest):
    def first_visit(self, network=None):
        """Seconds to the first picture, which holds the default answer, and to the usable wizard."""
        page = self.browser.page()
        try:
            if network:
                devtools = page.playwright.context.new_cdp_session(page.playwright)
                devtools.send("Network.enable")
                devtools.send("Network.emulateNetworkConditions", network)
            page.playwright.add_init_script(WATCH)
            page.open(self.site.address)
            painted = page.wait(lambda: page.js("performance.getEntriesByName('first-contentful-paint')[0]?.startTime"),
                                lambda moment: moment is not None)
            answer = page.js("document.querySelector('#cover .first').textContent")
            self.assertRegex(answer, r"\d+ × ")
            return painted / 1000, page.js("window.usableAt") / 1000
        finally:
            page.close()

    def fastest(self, name, network, aim):
        """The best of some tries against the aim, for a machine with a free core; one that is half as fast still passes."""
        readable = usable = float("inf")
        for _ in range(4):
            seen = self.first_visit(network)
            readable, usable = min(readable, seen[0]), min(usable, seen[1])
            if readable <= 1.0 and usable <= aim:
                break
        print(f"\n{name}: readable after {readable:.2f} s (aim 1.0), usable after {usable:.2f} s (aim {aim:.1f})")
        self.assertLessEqual(readable, 2.0)
        self.assertLessEqual(usable, 2 * aim)

    def test_loopback(self):
        self.fastest("loopback", None, 1.5)

    def test_phone_network(self):
        self.fastest("1.6 Mbit/s, 150 ms", MOBILE, 3.2)


if __name__ == "__main__":
    unittest.main()
