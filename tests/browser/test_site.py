"""The site as files: names, compression, offline use, and the one file that holds everything."""
import gzip
import hashlib
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

from harness import ROOT, BrowserTest, Site, dist_folder

STABLE = {"index.html", "embed.html", "xuanka-embed.js", "xuanka-single.html", "sw.js", "xuanka.webmanifest", "_headers",
          "oembed.json", "oembed-answer.json", "oembed-table.json", "oembed-wizard.json"}


class Files(unittest.TestCase):
    def setUp(self):
        self.dist = dist_folder()

    def test_names(self):
        root = {path.name for path in self.dist.iterdir() if path.is_file() and path.suffix not in {".br", ".gz"}}
        self.assertEqual(root & STABLE, STABLE)
        for path in (self.dist / "assets").iterdir():
            if path.suffix in {".br", ".gz"}:
                continue
            digest = re.fullmatch(r"[\w-]+-([0-9a-f]{12})\.\w+", path.name)
            self.assertTrue(digest, path.name)
            self.assertEqual(hashlib.sha256(path.read_bytes()).hexdigest()[:12], digest.group(1), path.name)

    def test_every_address_is_relative_and_there(self):
        for name in ("index.html", "embed.html"):
            text = (self.dist / name).read_text(encoding="utf-8")
            found = re.findall(r'(?:src|href|data-program|data-guide|data-reference|data-measured)="([^"#]+)"', text)
            self.assertGreater(len(found), 4)
            for address in found:
                self.assertNotRegex(address, r"^(/|\w+:)", name)
                self.assertTrue((self.dist / address).exists(), f"{name}: {address}")
        manifest = json.loads((self.dist / "xuanka.webmanifest").read_text(encoding="utf-8"))
        for icon in manifest["icons"]:
            data = (self.dist / icon["src"]).read_bytes()
            if icon["type"] == "image/png":
                width, height = struct.unpack(">II", data[16:24])
                self.assertEqual(icon["sizes"], f"{width}x{height}")
        self.assertIn("maskable", {icon.get("purpose") for icon in manifest["icons"]})

    def test_compressed_beside_each_file(self):
        for name in ("index.html", "embed.html", "xuanka-embed.js", "xuanka-single.html"):
            self.compressed(self.dist / name)
        for path in (self.dist / "assets").iterdir():
            if path.suffix in {".js", ".css", ".wasm"}:
                self.compressed(path)

    def compressed(self, path):
        data = path.read_bytes()
        self.assertEqual(gzip.decompress(path.with_name(path.name + ".gz").read_bytes()), data, path.name)
        brotli = path.with_name(path.name + ".br")
        undone = subprocess.run(["brotli", "-d", "-c", str(brotli)], capture_output=True, check=True).stdout
        self.assertEqual(undone, data, path.name)

    def test_policy_of_the_pages_is_that_of_the_headers(self):
        headers = (self.dist / "_headers").read_text(encoding="utf-8")
        for name in ("index.html", "embed.html"):
            policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', (self.dist / name).read_text(encoding="utf-8")).group(1)
            self.assertRegex(headers, rf"/{re.escape(name)}\n  Content-Security-Policy: {re.escape(policy)}")
            self.assertNotRegex(policy, r"'unsafe-(inline|eval)'")

    def test_oembed(self):
        for name in STABLE:
            if not name.startswith("oembed"):
                continue
            document = json.loads((self.dist / name).read_text(encoding="utf-8"))
            self.assertEqual((document["version"], document["type"]), ("1.0", "rich"))
            self.assertRegex(document["html"], r'^<iframe src="https://[^"]+/embed\.html#v=1')
            self.assertIn(f'width="{document["width"]}" height="{document["height"]}"', document["html"])

    def test_a_second_run_writes_the_same_and_clears_what_is_old(self):
        sys.path.insert(0, str(ROOT / "shell" / "page"))
        try:
            import pack
        finally:
            sys.path.pop(0)
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder)
            shutil.copyfile(self.dist / "sw.js", copy / "sw.js")
            (copy / "gone.js.gz").write_bytes(b"")
            pack.pack(copy)
            self.assertEqual(sorted(p.name for p in copy.iterdir()), ["sw.js", "sw.js.br", "sw.js.gz"])
            self.assertEqual((copy / "sw.js.gz").read_bytes(), (self.dist / "sw.js.gz").read_bytes())


class Offline(BrowserTest):
    def test_after_the_first_visit_without_the_server(self):
        site = Site(dist_folder(), prefix="/a/b/")
        with site:
            page = self.browser.page()
            self.addCleanup(page.close)
            page.open(site.address + "#v=1&lang=en&s=1024")
            page.js("navigator.serviceWorker.ready.then((r) => r.active.state)")
            page.wait_js("caches.keys().then(async (names) => names.length === 1 && "
                         "(await (await caches.open(names[0])).keys()).length >= 6)")
            before = page.sentence()
        # The server is gone.
        page.open(site.address + "#v=1&lang=en&s=1024")
        page.settle()
        self.assertEqual(page.sentence(), before)
        page.open(site.address + "index.html#v=1&lang=en&s=1024")
        self.assertEqual(page.sentence(), before)

    def test_single_file_from_disk(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "选卡 single.html"
            shutil.copyfile(dist_folder() / "xuanka-single.html", copy)
            page = self.browser.page(offline=True)
            self.addCleanup(page.close)
            asked = []
            page.playwright.on("request", lambda request: asked.append(request.url))
            page.open(copy.as_uri() + "#v=1&lang=en&s=1024")
            page.settle()
            self.assertIn('"ok":true', page.call('{"version":1,"workload":{"model":{"id":"llama-2-7b"}}}'))
            self.assertIn('"seq_len":1024', page.js("window.xuanka.request()"))
            page.playwright.select_option("#in-k", "qlora")
            page.wait_js("location.hash.includes('k=qlora')")
            self.assertEqual([url for url in asked if not url.startswith(("file:", "data:", "blob:"))], [])
            self.assert_silent(page)


if __name__ == "__main__":
    unittest.main()
