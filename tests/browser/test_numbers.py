"""The page's numbers are the command line's: the same report bytes, the same texts in the twin, the same after a link
has gone round."""
import json
import subprocess
import unittest

from harness import BrowserTest, command_line

REQUESTS = [
    {"version": 1, "id": "lora", "workload": {"kind": "lora", "model": {"id": "llama-2-7b"}, "data": {"tokens": 5e7}}},
    {"version": 1, "id": "pretrain", "workload": {"model": {"id": "llama-2-7b"}, "data": {"tokens": 1e9}, "seq_len": 4096},
     "hardware": {"gpus": ["a100-sxm-80gb", "h100-sxm-80gb"], "counts": [8]}},
    {"version": 1, "id": "vision", "workload": {"model": {"id": "resnet-50"}, "data": {"dataset": "imagenet-1k", "epochs": 90}},
     "decision": {"currency": "USD"}},
    {"version": 1, "id": "serve", "workload": {"kind": "inference", "model": {"id": "llama-2-13b"}, "inference": {"concurrency": 4}}},
    {"version": 1, "id": "measured", "workload": {"model": {"measured": {"gpu": "rtx-3090-24gb", "count": 2, "hours": 58, "memory_gb": 20, "family": "conv"}}}},
    {"version": 1, "id": "wrong", "workload": {"model": {"id": "llama2-7b"}, "data": {"tokens": -3}}},
]

LINKS = [
    "v=1",
    "v=1&k=lora&m=llama-2-13b&t=200000000&s=4096",
    "v=1&k=qlora&m=llama-2-70b&t=100000000&h=48",
    "v=1&k=train&m=resnet-50&ds=coco-2017&e=12&cur=USD",
    "v=1&k=inference&m=llama-2-7b",
]


def batch(lines):
    done = subprocess.run([command_line(), "batch"], input="\n".join(lines) + "\n", capture_output=True, text=True, encoding="utf-8", check=False)
    return done.stdout.splitlines()


class Numbers(BrowserTest):
    def test_reports_are_the_same_bytes(self):
        lines = [json.dumps(request) for request in REQUESTS]
        page = self.visit("v=1")
        for line, expected in zip(lines, batch(lines)):
            with self.subTest(request=line[:60]):
                self.assertEqual(page.call(line), expected)
        self.assertEqual(json.loads(page.call(lines[0]))["ok"], True)
        self.assertEqual(json.loads(page.call(lines[-1]))["ok"], False)

    def test_canvas_and_twin_show_what_the_command_line_says(self):
        for link in LINKS:
            with self.subTest(link=link):
                page = self.visit(link + "&lang=en")
                request = page.js("window.xuanka.request()")
                expected = json.loads(batch([request])[0])
                self.assertTrue(expected["ok"], expected)
                report = json.loads(page.js("window.xuanka.report()"))
                self.assertEqual(report["candidates"], expected["candidates"])
                view = json.loads(page.js("request => window.xuanka.view(request, 'en')", request))
                ends = (0, len(expected["candidates"]) - 1)
                labels = [view["rows"][i]["label"] for i in ends]
                rows = page.playwright.locator("#twin table").first.locator("tbody tr")
                page.wait(lambda: [rows.count(), *(rows.nth(i).inner_text(timeout=2000) for i in ends if i < rows.count())],
                          lambda shown: shown[0] == len(expected["candidates"]) and all(label in text for label, text in zip(labels, shown[1:])))
                if expected["recommended"] is not None:
                    best = expected["candidates"][expected["recommended"]]
                    page.wait_sentence(lambda sentence: str(best["count"]) in sentence)

    def test_link_goes_round(self):
        page = self.open("v=1&lang=zh&k=lora&m=llama-2-13b&t=200000000")
        request, fragment = page.js("window.xuanka.request()"), page.js("window.xuanka.fragment()")
        other = self.open(fragment.replace("lang=zh", "lang=en") + "&cur=USD")
        self.assertEqual(other.js("document.documentElement.lang"), "en")
        mine, theirs = json.loads(request), json.loads(other.js("window.xuanka.request()"))
        self.assertEqual(mine["workload"], theirs["workload"])
        first = [(c["gpu"], c["count"], c["verdict"]) for c in json.loads(page.js("window.xuanka.report()"))["candidates"]]
        second = [(c["gpu"], c["count"], c["verdict"]) for c in json.loads(other.js("window.xuanka.report()"))["candidates"]]
        self.assertEqual(first, second)

    def test_history_and_hash_changes(self):
        page = self.open("v=1&lang=en&k=train")
        page.js("location.hash = '#v=1&lang=en&k=qlora'")
        page.settle()
        self.assertEqual(json.loads(page.js("window.xuanka.request()"))["workload"]["kind"], "qlora")
        page.js("history.back()")
        page.wait_js("JSON.parse(window.xuanka.request()).workload.kind !== 'qlora'")

    def test_hostile_links(self):
        for link in ("v=1&k=%3Cscript%3E&m=%00%FF&s=-3&t=NaN", "v=99&x=y", "z1=!!!!", "z1=AAAA", "v=1&" + "a" * 9000,
                     "v=1&m=../../etc/passwd&s=1e999&cur=%F0%9F%92%B0"):
            with self.subTest(link=link[:40]):
                page = self.open(link)
                self.assertTrue(page.js("document.getElementById('twin-notices').textContent || document.querySelector('#twin .error')?.textContent || window.xuanka.fragment()"))
                self.assert_silent(page)
                page.close()


if __name__ == "__main__":
    unittest.main()
