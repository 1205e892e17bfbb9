#!/usr/bin/env python3
"""The probe without a card: a made-up machine that says so, bad machines, forged reports, the overlay in the estimate. With
XUANKA_PROBE_REPORT a measured report is read back instead of the made-up one (class Report)."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

CLI = os.environ["XUANKA_CLI"]
SOURCE = pathlib.Path(os.environ["XUANKA_SOURCE_DIR"])
FIXTURE = SOURCE / "tests/data/probe/made_up_2x_rtx_4090.json"
ENV = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
JOB = ["--model", "llama-2-7b", "--kind", "lora", "--data", "50M", "--count", "1,2"]


def run(*args, **more):
    return subprocess.run([CLI, *map(str, args)], env=ENV, capture_output=True, text=True, timeout=120, **more)


class Probe(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def fixture(self, **changes):
        return self.file("fixture.json", {**json.loads(FIXTURE.read_text()), **changes})

    def report(self, fixture=FIXTURE, *args):
        done = run("probe", "--fixture", fixture, "--json", *args)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def changed(self, change):
        report = self.report()
        change(report)
        return self.file("probe.json", report)

    def test_a_made_up_machine_says_so_everywhere(self):
        report = self.report()
        self.assertTrue(report["made_up"])
        path = self.file("probe.json", report)
        self.assertIn("made up", run("probe", "--from", path).stdout)
        self.assertIn('"made_up":true', run("probe", "--from", path, "--overlay").stdout)
        self.assertIn("made up", run("rank", *JOB, "--gpu", "rtx-4090-24gb", "--overlay", path).stdout)

    def test_measured_efficiencies_change_the_estimate_and_are_named(self):
        path = self.file("probe.json", self.report())
        job = [*JOB, "--gpu", "rtx-4090-24gb,rtx-3090-24gb"]
        plain = json.loads(run("rank", *job, "--json").stdout)["candidates"]
        here = json.loads(run("rank", *job, "--json", "--overlay", path).stdout)["candidates"]
        for gpu, same in (("rtx-4090-24gb", False), ("rtx-3090-24gb", True)):
            before, after = ([c for c in cs if c["gpu"] == gpu and c["count"] == 1][0] for cs in (plain, here))
            self.assertEqual(before["time"]["step_seconds"] == after["time"]["step_seconds"], same, gpu)
            self.assertEqual("measured_here" in [note["code"] for note in after["notes"]], not same, gpu)
        overlay = run("probe", "--from", path, "--overlay").stdout
        self.assertEqual(run("check", self.file("overlay.json", overlay)).returncode, 0)
        again = json.loads(run("rank", *job, "--json", "--overlay", self.folder / "overlay.json").stdout)["candidates"]
        self.assertEqual(again, here)

    def test_a_request_file_takes_the_overlay_beside_its_own(self):
        path = self.file("probe.json", self.report())
        base = {"version": 1, "workload": {"model": {"id": "llama-2-7b"}, "data": {"tokens": 1e7}, "kind": "lora"},
                "hardware": {"gpus": ["rtx-4090-24gb"], "counts": [1]}}
        for request in (base, {**base, "overrides": {}}, {**base, "overrides": {"fx": {"USD_CNY": 7}}}):
            text = self.file("request.json", json.dumps(request, indent=1))
            notes = json.loads(run("rank", text, "--json", "--overlay", path).stdout)["candidates"][0]["notes"]
            self.assertIn("measured_here", [note["code"] for note in notes])
        own = {**base, "overrides": {"measured": [{"gpu": "rtx-4090-24gb", "matmul_peak": 0.1}]}}
        slow = json.loads(run("rank", self.file("own.json", own), "--json", "--overlay", path).stdout)
        self.assertEqual(slow, json.loads(run("rank", self.folder / "own.json", "--json").stdout))

    def test_shares_stand_for_the_models_constants(self):
        measured = json.loads(run("probe", "--from", self.file("p.json", self.report()), "--overlay").stdout)["measured"]
        self.assertEqual([one["gpu"] for one in measured], ["rtx-4090-24gb"])  # two alike are one entry
        self.assertAlmostEqual(measured[0]["bandwidth_reached"], 900 / 1008, places=3)
        self.assertGreater(measured[0]["matmul_peak"], 140 / 165.2)  # the roof is in the formula

    def test_what_cannot_be_measured_is_told_and_the_rest_goes_on(self):
        report = self.report(self.fixture(fails={"matmul.fp8/fp32": "not_supported", "triad": "out_of_memory",
                                                 "all_reduce": "no_nccl", "block": "unspecified launch failure"}))
        self.assertTrue(report["complete"])
        card = report["gpus"][0]
        self.assertNotIn("fp8", [row["format"] for row in card["matmul"]])
        self.assertEqual([entry["why"] for entry in card["skipped"]], ["not_supported", "out_of_memory", "unspecified launch failure"])
        self.assertEqual(report["skipped"][0]["why"], "no_nccl")
        said = run("probe", "--from", self.file("p.json", report)).stdout
        for words in ("cannot do it", "not enough free memory", "unspecified launch failure", "libnccl"):
            self.assertIn(words, said)

    def test_no_card_no_driver_wrong_driver(self):
        for why, words in (("no_driver", "no NVIDIA driver"), ("driver_too_old", "older than"), ("weird", "weird")):
            done = run("probe", "--fixture", self.fixture(fails={"rig": why}))
            self.assertEqual((done.returncode, done.stdout), (3, ""))
            self.assertIn(words, done.stderr)
        self.assertIn("no NVIDIA GPU", run("probe", "--fixture", self.fixture(cards=[])).stderr)

    def test_shared_cards_and_time_limits(self):
        self.assertIn("others compute on this card", run("probe", "--fixture", FIXTURE).stdout)
        report = self.report(FIXTURE, "--quick")
        self.assertLess(len(report["gpus"][0]["matmul"]), len(self.report()["gpus"][0]["matmul"]))
        self.assertEqual(run("probe", "--fixture", FIXTURE, "--time-limit", "0").returncode, 2)

    def test_other_versions_and_forged_reports_are_refused(self):
        def faster(report):
            for row in report["gpus"][0]["matmul"]:
                row["seconds"] /= 10

        changes = [(lambda r: r.update(xuanka_probe=2), "version 2"), (faster, "seconds"),
                   (lambda r: r["gpus"][0]["memory"][1].update(gb_s=5000), "gb_s"),
                   (lambda r: r["gpus"][0].update(name="RTX 9999"), "RTX 9999"), (lambda r: r.update(gpus=[]), "gpus"),
                   (lambda r: r.update(gpus="x"), "gpus"), (lambda r: r.update(date="soon"), "date")]
        for change, words in changes:
            path = self.changed(change)
            for args in (["rank", *JOB, "--overlay", path], ["probe", "--from", path, "--overlay"]):
                done = run(*args)
                self.assertEqual((done.returncode, done.stdout), (2, ""), words)
                self.assertIn(words, done.stderr)
        self.assertEqual(run("rank", *JOB, "--overlay", self.file("bad.json", "{")).returncode, 2)
        self.assertEqual(run("rank", *JOB, "--overlay", "/no/such").returncode, 3)
        for text, words in (('{"gpuss": []}', "did you mean gpus"), ('{"id": "own", "gpu": "a10-24gb", "price_per_hour": 1}', "price_per_hour"),
                            ('{"overrides": {"offer": []}}', "overrides.offer"), ('{"overrides": []}', "overrides")):
            path = self.file("other.json", text)
            done = run("rank", *JOB, "--overlay", path)
            self.assertEqual((done.returncode, done.stdout), (2, ""), text)
            self.assertIn(words, done.stderr)
            self.assertIn(str(path), done.stderr)

    def test_cards_are_known_by_the_names_drivers_print(self):
        names = {"NVIDIA A100-SXM4-80GB": (79.3, "a100-sxm-80gb"), "NVIDIA A100-PCIE-40GB": (39.4, "a100-pcie-40gb"),
                 "NVIDIA A100 80GB PCIe": (79.2, "a100-pcie-80gb"), "NVIDIA H100 80GB HBM3": (79.2, "h100-sxm-80gb"),
                 "NVIDIA H100 PCIe": (79.2, "h100-pcie-80gb"), "NVIDIA H200": (140.4, "h200-sxm-141gb"),
                 "Tesla V100-SXM2-16GB": (15.8, "v100-sxm-16gb"), "Tesla T4": (14.6, "t4-16gb"), "NVIDIA L40S": (44.4, "l40s-48gb"),
                 "NVIDIA GeForce RTX 3090": (23.6, "rtx-3090-24gb"), "NVIDIA GeForce RTX 3090 Ti": (23.6, "rtx-3090-ti-24gb"),
                 "NVIDIA GeForce RTX 4090 D": (23.6, "rtx-4090-d-24gb"), "NVIDIA GeForce RTX 4080 SUPER": (15.6, "rtx-4080-super-16gb"),
                 "NVIDIA GeForce RTX 4090": (47.4, "rtx-4090-48gb"), "NVIDIA RTX A6000": (47.4, "rtx-a6000-48gb"),
                 "NVIDIA RTX 6000 Ada Generation": (47.5, "rtx-6000-ada-48gb"), "NVIDIA A10": (22.1, "a10-24gb")}
        for name, (memory, gpu) in names.items():
            card = {"name": name, "compute_capability": "8.0", "memory_gib": memory}
            fixture = self.fixture(cards=[card], tflops={"int8/int32": 1}, memory_gb_s=0, pinned_gb_s=0)
            done = run("probe", "--from", self.file("p.json", self.report(fixture)), "--overlay")
            self.assertEqual(done.returncode, 0, name + done.stderr)
            self.assertEqual(json.loads(done.stdout)["measured"][0]["gpu"], gpu, name)

    def test_verify_prints_estimate_against_measurement(self):
        request = self.file("request.json", {"version": 1, "workload": {"model": {"id": "llama-2-7b"}, "seq_len": 1024, "micro_batch": 2}})
        report = self.report(FIXTURE, "--quick", "--verify", request)
        verify = report["verify"]
        self.assertEqual((verify["block"]["hidden"], verify["block"]["seq_len"], verify["block"]["batch"]), (4096, 1024, 2))
        self.assertAlmostEqual(verify["ratio"], verify["measured_seconds"] / verify["estimated_seconds"], places=6)
        self.assertNotEqual(verify["ratio"], verify["ratio_measured_here"])
        self.assertIn("ratio", run("probe", "--fixture", FIXTURE, "--quick", "--verify", request).stdout)
        image = self.file("image.json", {"version": 1, "workload": {"model": {"id": "resnet-50"}}})
        self.assertEqual(run("probe", "--fixture", FIXTURE, "--verify", image).returncode, 2)

    def test_bad_fixtures(self):
        self.assertEqual(run("probe", "--fixture", "/no/such").returncode, 3)
        self.assertEqual(run("probe", "--fixture", self.file("f.json", '{"cards":[{}]}')).returncode, 2)


class Report(unittest.TestCase):
    """What holds of every report, made up or measured."""

    def test_reads_back(self):
        path = os.environ.get("XUANKA_PROBE_REPORT")
        text = pathlib.Path(path).read_text() if path else run("probe", "--fixture", FIXTURE, "--json").stdout
        report = json.loads(text)
        self.assertEqual(report["xuanka_probe"], 1)
        self.assertEqual(report["made_up"], path is None)
        for card in report["gpus"]:
            for row in card["matmul"]:
                self.assertLessEqual(row["low"], row["seconds"])
                self.assertLessEqual(row["seconds"], row["high"])
                work = 2 * row["m"] * row["n"] * row["k"]
                self.assertAlmostEqual(work / row["seconds"] / 1e12, row["tflops"], delta=1e-6 * row["tflops"])
            rates = [row["tflops"] for row in card["matmul"] if row["format"] == "fp16" and row["accumulate"] == "fp32"]
            if path:  # small products are slower than large ones, and a card is not slower than its host
                self.assertLess(rates[0], max(rates))
            self.assertGreater(min(row["gb_s"] for row in card["memory"]), max(row["gb_s"] for row in card["host_copies"]))
        try:
            import jsonschema
        except ImportError:
            return  # the schema is tried where the pinned packages are
        jsonschema.validate(report, json.loads((SOURCE / "assets/schema/probe.schema.json").read_text()))


if __name__ == "__main__":
    unittest.main(verbosity=2)
