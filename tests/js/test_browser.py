#!/usr/bin/env python3
"""The package in Chromium: in a page and in a worker, served under a strict policy from a sub-path."""
import http.server
import json
import os
import pathlib
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "browser"))
from harness import Browser  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = pathlib.Path(os.environ.get("XUANKA_JS_DIR", ROOT / "build" / "web" / "js"))
REQUEST = {"version": 1, "workload": {"kind": "lora", "model": {"id": "llama-2-7b"}, "data": {"tokens": 5e7}}, "hardware": {"counts": [1]}}
FILES = {
    "/a/b/page.html": ("text/html", "<!doctype html><title>test</title><p id=out>"),
    "/a/b/worker.js": ("text/javascript", """
import { rank, catalog, LoadError } from './xuanka/index.js';
onmessage = async ({ data }) => {
  try {
    const report = await rank(data);
    postMessage({ best: report.candidates[report.recommended].gpu, seconds: report.candidates[0].time.seconds, gpus: (await catalog('gpus')).length });
  } catch (error) {
    postMessage({ failed: error.name, load: error instanceof LoadError });
  }
};"""),
}
TYPES = {".js": "text/javascript", ".wasm": "application/wasm"}


class Handler(http.server.BaseHTTPRequestHandler):
    policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

    def do_GET(self):
        path = self.path.split("?")[0]
        if path in FILES:
            kind, body = FILES[path][0], FILES[path][1].encode()
        else:
            file = PACKAGE / path.rsplit("/xuanka/", 1)[-1]
            if not file.is_file():
                return self.send_error(404)
            kind, body = TYPES.get(file.suffix, "text/plain"), file.read_bytes()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-security-policy", self.policy if "nowasm" not in self.path else self.policy.replace(" 'wasm-unsafe-eval'", ""))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.browser = Browser()
        cls.browser.__enter__()
        cls.page = cls.browser.page(width=300, height=200)
        cls.address = f"http://127.0.0.1:{cls.server.server_address[1]}/a/b/page.html"

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.server.shutdown()
        cls.server.server_close()

    WORKER = """([request, worker]) => new Promise((resolve, reject) => {
        const w = new Worker(worker, { type: 'module' });
        w.onmessage = ({ data }) => resolve(data);
        w.onerror = (event) => reject(new Error(event.message));
        w.postMessage(request);
    })"""

    def test_worker_and_page_agree(self):
        self.page.playwright.goto(self.address)
        inside = self.page.js(self.WORKER, [REQUEST, "worker.js"])
        outside = self.page.js("""async (request) => {
            const { rank, catalog } = await import('./xuanka/index.js');
            const report = await rank(request);
            return { best: report.candidates[report.recommended].gpu, seconds: report.candidates[0].time.seconds, gpus: (await catalog('gpus')).length };
        }""", REQUEST)
        self.assertEqual(inside, outside)
        gpus = json.loads((ROOT / "assets/catalog/gpus.json").read_text("utf-8"))["gpus"]
        self.assertEqual(inside["gpus"], len(gpus))
        self.assertEqual(self.page.messages, [])

    def test_policy_that_forbids_wasm_is_a_load_error(self):
        self.page.playwright.goto(self.address)
        said = self.page.js(self.WORKER, [REQUEST, "worker.js?nowasm"])
        self.page.messages.clear()
        self.assertEqual(said, {"failed": "LoadError", "load": True})


if __name__ == "__main__":
    unittest.main()
