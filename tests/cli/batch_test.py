#!/usr/bin/env python3
"""Drives `xuanka batch`: order, sweeps, bad lines, interruption, resume, full disks, memory."""
import itertools
import json
import os
import pathlib
import pty
import re
import resource
import signal
import subprocess
import tempfile
import time
import unittest

CLI = os.environ["XUANKA_CLI"]
ENV = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
SMALL = {"version": 1, "workload": {"kind": "lora", "model": {"id": "llama-2-7b"}, "data": {"tokens": 5e7}},
         "hardware": {"gpus": ["rtx-4090-24gb"], "counts": [1]}}


def batch(lines, *args, **more):
    text = lines if isinstance(lines, (str, bytes)) else "".join(json.dumps(line) + "\n" for line in lines)
    data = text if isinstance(text, bytes) else text.encode()
    return subprocess.run([CLI, "batch", *args], input=data, env=ENV, timeout=120, capture_output=True, **more)


def reports(done):
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def swept(sweep, **more):
    return {**SMALL, "sweep": sweep, **more}


def put(request, path, value):
    *parents, last = path.split(".")
    for key in parents:
        request = request.setdefault(key, {})
    request[last] = value


class Order(unittest.TestCase):
    def test_any_number_of_jobs_gives_the_same_bytes(self):
        lines = [{**SMALL, "id": i, "workload": {**SMALL["workload"], "seq_len": 128 + i}} for i in range(300)]
        lines[7] = {"version": 1}
        one = batch(lines, "--jobs", "1")
        self.assertEqual(one.returncode, 0)
        self.assertEqual([r["id"] for r in reports(one)], [None if i == 7 else i for i in range(300)])
        for jobs in ("2", "7"):
            self.assertEqual(batch(lines, "--jobs", jobs).stdout, one.stdout)

    def test_one_line_is_what_rank_says(self):
        rank = subprocess.run([CLI, "rank", "-", "--json"], input=json.dumps(SMALL).encode(), env=ENV, capture_output=True)
        self.assertEqual(batch([SMALL]).stdout, rank.stdout)

    def test_a_bad_line_costs_one_line(self):
        good = json.dumps({**SMALL, "id": "good"})
        bad = ['{"version":1', "", "null", '{"version":1,"id":9}', "\x00", "{" * 9000, '"' + "x" * 300000 + '"']
        text = "".join(good + "\n" + line + "\n" for line in bad) + good  # the last without a line feed
        done = batch(text, "--jobs", "3")
        self.assertEqual(done.returncode, 0)
        got = reports(done)
        self.assertEqual([r["ok"] for r in got], [True, False] * len(bad) + [True])
        self.assertEqual(got[7]["id"], 9)
        self.assertEqual(batch(text, "--strict").returncode, 2)
        self.assertIn(b"7 of 15", batch(text, "--strict").stderr)

    def test_an_enormous_line_costs_one_line_and_little_memory(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (900 << 20, 900 << 20))
        text = json.dumps(SMALL).encode() + b"\n" + b'{"a":"' + b"x" * (200 << 20) + b'"}\n' + json.dumps(SMALL).encode()
        done = batch(text, "--jobs", "2", preexec_fn=limit)
        self.assertEqual([r["ok"] for r in reports(done)], [True, False, True])
        self.assertEqual(reports(done)[1]["issues"][0]["code"], "too_large")

    def test_carriage_returns(self):
        self.assertEqual(batch(json.dumps(SMALL) + "\r\n").stdout, batch([SMALL]).stdout)

    def test_each_line_is_answered_as_it_comes(self):
        process = subprocess.Popen([CLI, "batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENV)
        with process:
            for i in range(3):
                process.stdin.write(json.dumps({**SMALL, "id": i}).encode() + b"\n")
                process.stdin.flush()
                self.assertEqual(json.loads(process.stdout.readline())["id"], i)
            process.stdin.close()
        self.assertEqual(process.returncode, 0)


class Overlay(unittest.TestCase):
    def test_is_put_under_every_line_and_every_point_of_a_sweep(self):
        own = {"offers": [{"id": "mine", "gpu": "rtx-4090-24gb", "gpu_count": 1,
                           "price_per_hour": {"amount": 0.01, "currency": "CNY"}}]}
        lines = [SMALL, "no request", swept({"workload.seq_len": [512, 1024]})]
        text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(own, file)
            file.flush()
            got = reports(batch(text, "--overlay", file.name))
        self.assertEqual([r["ok"] for r in got], [True, False, True, True])
        for report in got[:1] + got[2:]:
            self.assertEqual(report["candidates"][0]["cost"]["offer"], "mine")
        missing = batch([SMALL], "--overlay", "/no/such/file.json")
        self.assertEqual((missing.returncode, missing.stdout), (3, b""))


class Sweep(unittest.TestCase):
    def test_is_every_combination_written_out(self):
        sweep = {"workload.seq_len": [512, 1024], "workload.data.tokens": {"from": 1e6, "to": 1e8, "times": 10},
                 "decision.deadline_hours": {"from": 1, "to": 2, "step": 0.5},
                 "overrides.efficiency": {"from": 0.1, "to": 0.3, "points": 3}}
        axes = [[512, 1024], [1e6, 1e7, 1e8], [1, 1.5, 2], [0.1, 0.2, 0.3]]
        got = reports(batch([swept(sweep, id="s"), {**SMALL, "id": "after"}], "--jobs", "2"))
        self.assertEqual(len(got), 2 * 3 * 3 * 3 + 1)
        self.assertEqual(got.pop()["id"], "after")
        plain = []
        for values in itertools.product(*axes):
            request = json.loads(json.dumps({**SMALL, "id": "s"}))
            for path, value in zip(sweep, values):
                put(request, path, value)
            plain.append(request)
        for k, (report, expected) in enumerate(zip(got, reports(batch(plain)))):
            told = report.pop("sweep")
            self.assertEqual((told["index"], told["count"]), (k, 54))
            for path, value in zip(sweep, [axis[i] for axis, i in zip(axes, (k // 27, k // 9 % 3, k // 3 % 3, k % 3))]):
                self.assertAlmostEqual(told["values"][path], value, places=12)
            self.assertEqual(report, expected)

    def test_fields_that_change_together_and_values_of_any_kind(self):
        sweep = {"hardware.gpus, hardware.counts": [[["a100-pcie-40gb"], [1]], [["rtx-4090-24gb"], [2]]],
                 "workload.kind": ["lora", "qlora"]}
        got = reports(batch([swept(sweep)]))
        self.assertEqual([(r["candidates"][0]["gpu"], r["candidates"][0]["count"]) for r in got],
                         [("a100-pcie-40gb", 1)] * 2 + [("rtx-4090-24gb", 2)] * 2)
        self.assertEqual(got[1]["sweep"]["values"], {"hardware.gpus": ["a100-pcie-40gb"], "hardware.counts": [1],
                                                     "workload.kind": "qlora"})

    def test_into_lists_and_in_ratio(self):
        own = {"id": "own", "gpu": "rtx-4090-24gb", "gpu_count": 1, "price_per_hour": {"amount": 1, "currency": "CNY"}}
        sweep = {"overrides.offers[0].price_per_hour.amount": {"from": 0.25, "to": 1, "points": 3, "scale": "log"}}
        got = reports(batch([swept(sweep, overrides={"offers": [own]})]))
        self.assertEqual([r["sweep"]["values"]["overrides.offers[0].price_per_hour.amount"] for r in got], [0.25, 0.5, 1])
        costs = [r["candidates"][0]["value"]["gb_per_money"] for r in got]
        self.assertAlmostEqual(costs[0], 4 * costs[2], places=6)

    def test_a_wrong_point_costs_one_line(self):
        got = reports(batch([swept({"workload.seq_len": [512, -1, 1024]})]))
        self.assertEqual([r["ok"] for r in got], [True, False, True])
        self.assertEqual(got[1]["issues"][0]["path"], "workload.seq_len")
        self.assertEqual(got[1]["sweep"]["index"], 1)

    def test_is_refused_with_its_path(self):
        cases = [(7, "sweep", "wrong_type"), ({}, "sweep", "missing"),
                 ({"workload.seq_len": 5}, "sweep.workload.seq_len", "wrong_type"),
                 ({"workload.seq_len": []}, "sweep.workload.seq_len", "missing"),
                 ({"workload.seq_lne": [1, 2]}, "sweep.workload.seq_lne", "unknown_field"),
                 ({"workload.seq_len": [512], "workload.nonsense.x": [1]}, "sweep.workload.nonsense.x", "unknown_field"),
                 ({"workload..x": [1]}, "sweep.workload..x", "unknown_field"),
                 ({"hardware.gpus[7]": ["a"]}, "sweep.hardware.gpus[7]", "unknown_field"),
                 ({"workload.kind.x": [1]}, "sweep.workload.kind.x", "unknown_field"),
                 ({"version": [1, 2]}, "sweep.version", "unknown_field"),
                 ({"workload.seq_len": {"from": 1, "to": 9}}, "sweep.workload.seq_len.step", "missing"),
                 ({"workload.seq_len": {"from": 9, "to": 1, "step": 1}}, "sweep.workload.seq_len.to", "out_of_range"),
                 ({"workload.seq_len": {"from": 1, "to": 9, "step": -1}}, "sweep.workload.seq_len.step", "out_of_range"),
                 ({"workload.seq_len": {"from": 0, "to": 9, "times": 2}}, "sweep.workload.seq_len.from", "out_of_range"),
                 ({"workload.seq_len": {"from": 1, "to": 9, "step": 1, "times": 2}}, "sweep.workload.seq_len.times", "conflict"),
                 ({"workload.seq_len": {"from": 1, "to": 9, "stpe": 1, "step": 1}}, "sweep.workload.seq_len.stpe", "unknown_field"),
                 ({"workload.seq_len": {"from": 1, "to": 9, "points": 3, "scale": "cube"}}, "sweep.workload.seq_len.scale",
                  "unknown_value"),
                 ({"workload.data": [{}], "workload.data.tokens": [1]}, "sweep.workload.data.tokens", "conflict"),
                 ({"hardware.gpus,hardware.counts": [[["t4-16gb"]]]}, "sweep.hardware.gpus,hardware.counts[0]", "out_of_range"),
                 ({"workload.seq_len": {"from": 1, "to": 2, "points": 1e10},
                   "workload.data.tokens": {"from": 1, "to": 2, "points": 1e10}}, "sweep", "too_large")]
        got = reports(batch([swept(sweep, id=i) for i, (sweep, _, _) in enumerate(cases)]))
        self.assertEqual([r["id"] for r in got], list(range(len(cases))))
        for report, (sweep, path, code) in zip(got, cases):
            self.assertFalse(report["ok"], sweep)
            self.assertIn((path, code), [(i["path"], i["code"]) for i in report["issues"]], sweep)
            self.assertTrue(report["issues"][0]["message"])

    def test_parts_are_the_whole(self):
        whole = swept({"workload.seq_len": [256, 512, 1024], "workload.kind": ["lora", "qlora"]}, id="p")
        self.assertEqual(batch([whole, SMALL, {**whole, "sweep_part": [1, 3]}], "--count").stdout, b"6\n1\n3\n")
        parts = [{**whole, "sweep_part": part} for part in ([0, 4], [4, 1], [5, 1])]
        self.assertEqual(batch(parts).stdout, batch([whole]).stdout)
        for part in ([0, 7], [6, 1], [0], [0.5, 1], 3, [0, 0]):
            refused = reports(batch([{**whole, "sweep_part": part}]))
            self.assertEqual([i["path"] for i in refused[0]["issues"]][0], "sweep_part", part)

    def test_a_million_are_not_kept(self):
        line = json.dumps(swept({"workload.data.tokens": {"from": 1, "to": 1e15, "step": 1}})) + "\n"
        process = subprocess.Popen([CLI, "batch", "--jobs", "2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENV)
        with process:
            process.stdin.write(line.encode())
            process.stdin.close()
            sizes = []
            for i in range(6000):
                report = process.stdout.readline()
                if i % 1500 == 1499:
                    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
                    sizes.append(int(status.split("VmRSS:")[1].split()[0]))
            self.assertEqual(json.loads(report)["sweep"]["index"], 5999)
            process.terminate()
        self.assertLess(max(sizes), 120_000)  # kB


class Interrupted(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.requests = pathlib.Path(self.folder.name, "requests.jsonl")
        self.reports = pathlib.Path(self.folder.name, "reports.jsonl")
        lines = [{**SMALL, "id": "first"}, swept({"workload.data.tokens": {"from": 1e6, "to": 3e9, "step": 1e6}}), {"version": 1},
                 swept({"workload.seq_len": {"from": 128, "to": 1127, "step": 1}}, id="last")]
        self.requests.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def command(self, *more):
        return [CLI, "batch", str(self.requests), "-o", str(self.reports), *more]

    def whole(self):
        text = self.reports.read_bytes()
        self.assertTrue(text.endswith(b"\n") or not text)
        for line in text.splitlines():
            json.loads(line)
        return text

    def test_resume_after_a_signal_gives_the_same_file(self):
        subprocess.run(self.command(), check=True, env=ENV)
        complete = self.whole()
        self.assertEqual(complete.count(b"\n"), 1 + 3000 + 1 + 1000)
        for stop in (signal.SIGINT, signal.SIGTERM):
            self.reports.unlink()
            process = subprocess.Popen(self.command("--jobs", "1"), env=ENV, stderr=subprocess.PIPE)
            while not self.reports.exists() or self.reports.stat().st_size < 100_000:
                time.sleep(0.002)
            process.send_signal(stop)
            said = process.communicate()[1].decode()
            self.assertEqual(process.returncode, -stop)
            part = self.whole()
            self.assertTrue(complete.startswith(part))
            self.assertLess(len(part), len(complete))
            self.assertEqual(re.sub(r"\D", "", re.search(r"stopped: (.*) answers", said)[1]), str(part.count(b"\n")))
            subprocess.run(self.command("--resume"), check=True, env=ENV)
            self.assertEqual(self.reports.read_bytes(), complete)

    def test_resume_after_a_kill_cuts_the_broken_line(self):
        subprocess.run(self.command(), check=True, env=ENV)
        complete = self.whole()
        for cut in (0, 10, len(complete) // 2, len(complete) - 1, len(complete)):
            self.reports.write_bytes(complete[:cut])
            subprocess.run(self.command("--resume"), check=True, env=ENV)
            self.assertEqual(self.reports.read_bytes(), complete, cut)

    def test_resume_of_something_else_is_refused_and_changes_nothing(self):
        self.reports.write_text('{"not":"ours"}\n')
        done = subprocess.run(self.command("--resume"), env=ENV, capture_output=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"line 1", done.stderr)
        self.assertEqual(self.reports.read_text(), '{"not":"ours"}\n')
        self.assertEqual(batch([SMALL], "--resume").returncode, 2)

    def test_a_full_disk_leaves_whole_lines(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_001, 1_000_001))
        done = subprocess.run(self.command(), env=ENV, capture_output=True, preexec_fn=limit)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"reports.jsonl", done.stderr)
        self.assertGreater(len(self.whole()), 900_000)
        with open("/dev/full", "w") as full:
            self.assertEqual(subprocess.run([CLI, "batch", str(self.requests)], env=ENV, stdout=full, stderr=subprocess.PIPE).returncode, 3)

    def test_files_that_cannot_be_had(self):
        self.assertEqual(subprocess.run([CLI, "batch", "/no/such"], env=ENV, capture_output=True).returncode, 3)
        self.assertEqual(subprocess.run([CLI, "batch", "/"], env=ENV, capture_output=True).returncode, 3)
        self.assertEqual(subprocess.run([CLI, "batch", str(self.requests), "-o", "/no/such/file"], env=ENV,
                                        capture_output=True).returncode, 3)

    def test_the_requests_are_never_written_over(self):
        with tempfile.TemporaryDirectory() as folder:
            same, link = pathlib.Path(folder) / "same.jsonl", pathlib.Path(folder) / "link.jsonl"
            text = json.dumps(SMALL) + "\n"
            same.write_text(text)
            link.symlink_to(same)
            for args, stdin in (([str(same), "-o", str(same)], None), ([str(same), "-o", str(link)], None),
                                (["-o", str(same)], same)):
                with open(stdin or os.devnull) as given:
                    done = subprocess.run([CLI, "batch", *args], env=ENV, capture_output=True, stdin=given)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertEqual(same.read_text(), text)

    def test_progress_only_on_a_terminal(self):
        lead, follow = pty.openpty()
        process = subprocess.Popen(self.command("--jobs", "1"), env={**ENV, "TERM": "xterm"}, stderr=follow, stdin=subprocess.DEVNULL)
        quiet = subprocess.run([CLI, "batch", str(self.requests)], env=ENV, capture_output=True)
        self.assertEqual(quiet.stderr, b"")
        self.assertEqual(process.wait(60), 0)
        os.close(follow)
        os.close(lead)
        done = subprocess.run([CLI, "batch", "--progress", "always", "--jobs", "1"], env=ENV, capture_output=True, input=json.dumps(
            swept({"workload.data.tokens": {"from": 1e6, "to": 2e10, "step": 1e6}})).encode())
        self.assertRegex(done.stderr.decode(), r"\d answered, [\d.,]+( k)?/s")


if __name__ == "__main__":
    unittest.main(verbosity=2)
