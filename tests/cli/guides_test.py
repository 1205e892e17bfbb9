#!/usr/bin/env python3
"""What the three guides say, statement by statement, asked of the command line (assets/catalog: guide-aistudio, guide-cloud, guide-buying)."""
import json
import os
import pathlib
import shlex
import subprocess
import unittest

CLI = os.environ["XUANKA_CLI"]
SOURCE = pathlib.Path(os.environ.get("XUANKA_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
RESNET = "--model resnet-50 --dataset imagenet-1k --epochs 90 --precision fp16 "
REFERENCE = SOURCE / "assets/reference"


def run(line, status=0):
    done = subprocess.run([CLI, *shlex.split(line)], capture_output=True, text=True, check=False)
    if done.returncode != status:
        raise AssertionError(f"{line}: {done.returncode} {done.stdout[:300]} {done.stderr[:300]}")
    return done.stdout


def rank(flags, status=0):
    return json.loads(run(f"rank {flags} --json", status))


def first(flags, status=0):
    return rank(flags, status)["candidates"][0]


def codes(candidate):
    return {note["code"]: note["args"] for note in candidate["notes"]}


def reference(name):
    return json.loads((REFERENCE / f"{name}.json").read_text("utf-8"))[name]


class Selection(unittest.TestCase):
    """GPU 选型指南."""

    def test_time_follows_from_the_throughput_at_the_precision_used(self):
        c = first(RESNET + "--gpu a100-pcie-40gb --count 1 --deadline none")
        report = rank(RESNET + "--gpu a100-pcie-40gb --count 1 --deadline none")
        flops = report["model"]["flops_per_unit"] * 1281167 * 90
        self.assertAlmostEqual(c["time"]["seconds"], flops / (312e12 * c["time"]["mfu"]), delta=1e-6 * c["time"]["seconds"])

    def test_ampere_leaves_tf32_off(self):
        self.assertIn("tf32_off_by_default", codes(first("--model resnet-50 --data 1M --precision tf32 --gpu a100-pcie-40gb --count 1")))
        self.assertIn("TF32", run("catalog architectures --filter ampere"))

    def test_hopper_has_the_transformer_engine(self):
        self.assertIn("transformer_engine", codes(first("--model gpt2 --data 1M --gpu h100-sxm-80gb --count 1")))
        self.assertIn("Transformer Engine", run("catalog architectures --filter hopper"))

    def test_a_run_should_end_within_a_day(self):
        report = rank(RESNET + "--provider AIStudio --gpu rtx-4090-24gb --count 1,2,4,8")
        self.assertEqual(report["candidates"][report["recommended"]]["count"], 2)
        self.assertIn("decision.deadline_hours", report["assumed"])
        one = next(c for c in report["candidates"] if c["count"] == 1)
        self.assertEqual((one["verdict"], codes(one)["deadline_missed"]["deadline"]), ("too_slow", 24))

    def test_one_card_for_voc_and_two_experiments_on_two(self):
        best = first("--model fasterrcnn-resnet50-fpn --dataset pascal-voc --epochs 12 --provider AIStudio")
        self.assertEqual(best["count"], 1)
        self.assertIn("two_experiments", codes(best))

    def test_shapes_and_prices(self):
        rows = {(o["gpu"], o["gpu_count"]): o for o in json.loads(run("catalog offers --json")) if o["provider"] == "AIStudio"}
        for gpu, price, cores, ram in (("rtx-4090-24gb", 2.09, 14, 28), ("a100-pcie-40gb", 4.81, 10, 86)):
            for count in (1, 2, 4, 8):
                row = rows[gpu, count]
                self.assertAlmostEqual(row["price_per_hour"]["amount"], price * count, places=9)
                self.assertEqual((row["vcpus"], row["ram_gb"]), (cores * count, ram * count))

    def test_cores_per_gpu(self):
        low = first(RESNET + "--provider AIStudio --gpu a100-pcie-40gb --count 8 --deadline none")
        self.assertEqual(codes(low)["cpu_cores_low"], {"have": 10, "want": 12})
        self.assertNotIn("cpu_cores_low", codes(first(RESNET + "--provider AIStudio --gpu rtx-4090-24gb --count 8")))

    def test_ram_is_a_hard_limit_and_a_larger_shape_would_do(self):
        c = first(RESNET + "--provider AIStudio --gpu rtx-4090-24gb --count 1 --ram 50 --deadline none", status=1)
        self.assertEqual(c["verdict"], "host_short")
        self.assertEqual(codes(c)["shape_that_would_do"]["gpu_count"], 2)

    def test_peaks_put_right(self):
        for gpu, used, marketed in (("rtx-4090-24gb", 165.2, 330.3), ("h100-sxm-80gb", 989.4, 1978.8)):
            c = codes(first(f"--model gpt2 --data 1M --precision fp16 --gpu {gpu} --count 1"))
            note = c.get("peak_accumulate", c["peak_sparse"]) if gpu.startswith("rtx") else c["peak_sparse"]
            self.assertAlmostEqual(note["used"], used)
            self.assertAlmostEqual(note["marketed"], marketed)

    def test_the_stack_must_fit(self):
        c = first("--model gpt2 --data 1M --gpu rtx-4090-24gb --count 1 --cuda 11.7", status=1)
        self.assertEqual((c["verdict"], codes(c)["cuda_too_old"]["need"]), ("unsupported", "11.8"))
        c = first("--model gpt2 --data 1M --gpu rtx-5090-32gb --count 1 --cuda 12.4", status=1)
        self.assertEqual(codes(c)["cuda_too_old"]["need"], "12.8")


class Clouds(unittest.TestCase):
    """Choosing a configuration on cloud servers."""

    def test_families_hold_the_cards_the_guide_names_or_the_right_ones(self):
        offers = json.loads(run("catalog offers --json"))
        for provider, prefix, gpu in (("AWS", "p3.", "v100"), ("AWS", "p4d", "a100"), ("AWS", "g4dn", "t4"), ("Google Cloud", "a2-", "a100"),
                                      ("Azure", "Standard_ND40rs_v2", "v100"), ("Alibaba Cloud", "ecs.gn5-", "p100"), ("Alibaba Cloud", "ecs.gn6v", "v100")):
            found = {o["gpu"].split("-")[0] for o in offers if o["provider"] == provider and o["instance"].startswith(prefix)}
            self.assertEqual(found, {gpu}, f"{provider} {prefix}")
        self.assertIn("P4d/P4de carry A100, T4 is in G4dn", " ".join(run("catalog providers --filter aws").split()))

    def test_every_provider_of_the_guide_can_be_asked(self):
        for provider, gpu in (("AWS", "v100-sxm-16gb"), ("Google Cloud", "p100-pcie-16gb"), ("Azure", "v100-pcie-16gb"), ("Alibaba Cloud", "p100-pcie-16gb")):
            c = first(f"--model bert-base-uncased --kind finetune --data 10M --precision fp16 --provider '{provider}' --gpu {gpu} --count 1 --max-age-days 3000")
            self.assertEqual(c["verdict"], "ok", provider)

    def test_no_v100_has_64_gb(self):
        sizes = {g["memory_gb"] for g in json.loads(run("catalog gpus --filter v100 --json"))}
        self.assertEqual(sizes, {16, 32})
        large = json.loads(run("catalog gpus --where 'GB>=64' --json"))
        self.assertTrue(large and all(g["memory_gb"] >= 64 for g in large))

    def test_whole_instances(self):
        c = first("--model gpt2 --data 100M --provider AWS --gpu a100-sxm-40gb --count 3 --currency USD")
        self.assertEqual(codes(c)["whole_instance"], {"billed": 8, "used": 3})

    def test_storage_transfer_and_monitoring_are_computed(self):
        c = first(RESNET + "--provider AIStudio --gpu rtx-4090-24gb --count 8 --set host.upload_mbit_s=1000 --set host.disk_mb_s=100")
        data, notes = c["data"], codes(c)
        self.assertAlmostEqual(data["transfer_seconds"], 147.9e9 * 8 / 1e9)
        self.assertAlmostEqual(data["read_bytes_per_second"], 147.9e9 * 90 / c["time"]["seconds"], delta=1)
        self.assertEqual(set(notes) & {"disk_slow", "checkpoint_size", "gpu_busy", "data_transfer"},
                         {"disk_slow", "checkpoint_size", "gpu_busy", "data_transfer"})
        parts = c["time"]["parts"]
        self.assertAlmostEqual(data["gpu_busy"], (parts["compute"] + parts["memory"] + parts["communication"]) / c["time"]["step_seconds"], places=6)

    def test_starved_gpus_show_in_the_utilisation(self):
        few, many = (first(f"--model resnet-18 --data 1M --gpu h100-sxm-80gb --count 1 --have-cores {n}") for n in (2, 64))
        self.assertIn("input_bound", codes(few))
        self.assertLess(few["data"]["gpu_busy"], many["data"]["gpu_busy"])


class Buying(unittest.TestCase):
    """Buying GPUs for large models."""

    def test_does_it_load(self):
        report = rank("--model llama-2-70b --kind inference --gpu rtx-4090-24gb,h200-sxm-141gb --count 1")
        verdicts = {c["gpu"]: c["verdict"] for c in report["candidates"]}
        self.assertEqual(verdicts["rtx-4090-24gb"], "does_not_fit")

    def test_ampere_does_more_per_watt_than_volta(self):
        watt = {c["gpu"]: c["value"]["flops_per_watt"]
                for c in rank("--model gpt2 --data 1M --precision fp16 --gpu v100-sxm-32gb,a100-sxm-80gb --count 1")["candidates"]}
        self.assertGreater(watt["a100-sxm-80gb"], watt["v100-sxm-32gb"])

    def test_v100_against_a100_over_a_long_life(self):
        """Dearer to buy, but faster: with the same use of both, more work for the money of owning it."""
        flags = ("--model bert-large-uncased --kind finetune --data 2B --seq-len 512 --precision fp16 --gpu v100-sxm-32gb,a100-pcie-40gb "
                 "--count 1 --acquire buy --deadline none --hours-per-month 700 --years 5 ")
        cards = {c["gpu"]: c for c in rank(flags)["candidates"]}
        v100, a100 = cards["v100-sxm-32gb"], cards["a100-pcie-40gb"]
        self.assertGreater(a100["ledger"]["buy"]["card"], v100["ledger"]["buy"]["card"])
        self.assertLess(a100["time"]["seconds"], v100["time"]["seconds"])
        # The price of an A100 at which both do the same work for the money, by the ledger's own formula.
        speed = v100["time"]["seconds"] / a100["time"]["seconds"]
        hours = v100["ledger"]["hours"]
        fair = (v100["ledger"]["buy"]["hourly"] * speed * hours - a100["ledger"]["buy"]["electricity"]) / 0.7 - 8000
        for price, wins in ((fair * 0.98, "a100-pcie-40gb"), (fair * 1.02, "v100-sxm-32gb")):
            asked = rank(flags + f"--set 'overrides.prices=[{{\"gpu\":\"a100-pcie-40gb\",\"price\":{{\"amount\":{price:.2f},\"currency\":\"CNY\"}}}}]'")
            self.assertEqual(asked["candidates"][0]["gpu"], wins)

    def test_second_hand_counts_failures_and_what_it_cannot_run(self):
        new, used = (first(f"--model llama-2-7b --kind lora --data 1M --gpu v100-sxm-32gb --count 1 --acquire {way} --deadline none")
                     for way in ("buy", "used --price 6000"))
        self.assertLess(used["ledger"]["buy"]["card"], new["ledger"]["buy"]["card"])
        self.assertEqual(new["ledger"]["buy"]["upkeep"], 0)
        self.assertAlmostEqual(used["ledger"]["buy"]["upkeep"], used["ledger"]["buy"]["cards"] * 0.05 * 3)
        self.assertTrue({"no_flash_attention", "end_of_life"} <= set(codes(used)))
        card = run("catalog architectures --filter volta")
        for word in ("bf16 emulated", "FlashAttention none", "9.0–12.9"):
            self.assertIn(word, card)

    def test_compute_and_memory_for_the_money(self):
        for acquire, per in (("rent", 3600), ("buy", 1)):
            c = first(f"--model gpt2 --data 1M --precision fp16 --gpu rtx-4090-24gb --count 1 --acquire {acquire} --price 0.3 --currency USD --deadline none")
            self.assertAlmostEqual(c["value"]["flops_per_money"], 165.2e12 * per / 0.3, delta=1e7)
            self.assertAlmostEqual(c["value"]["gb_per_money"], 24 / 0.3)
            self.assertAlmostEqual(c["value"]["gb_s_per_money"], 1008 / 0.3)

    def test_the_budget_decides(self):
        c = first(RESNET + "--provider AIStudio --gpu a100-pcie-40gb --count 2 --budget 100", status=1)
        self.assertEqual(c["verdict"], "over_budget")


class Journeys(unittest.TestCase):
    def test_4090_or_a100_in_yuan_and_dollars(self):
        """J6: Lambda's 622 and 290 images/s for a yuan an hour lie within the ranges; dollars differ by the rate alone."""
        flags = RESNET + "--provider AIStudio --gpu rtx-4090-24gb,a100-pcie-40gb --count 1 --deadline none "
        yuan, dollars = ({c["gpu"]: c for c in rank(flags + f"--currency {unit}")["candidates"]} for unit in ("CNY", "USD"))
        for gpu, measured in (("rtx-4090-24gb", 622), ("a100-pcie-40gb", 290)):
            c = yuan[gpu]
            low, high = (c["value"]["units_per_money"] / 3600 * c["time"]["seconds"] / c["time"][end] for end in ("high", "low"))
            self.assertTrue(low < measured < high, f"{gpu}: {low} {high}")
            note = codes(dollars[gpu])["price_converted"]
            self.assertEqual((note["from"], note["rate_date"]), ("CNY", "2025-02"))
            self.assertAlmostEqual(dollars[gpu]["cost"]["amount"], c["cost"]["amount"] * note["rate"], places=6)

    def test_70b_on_two_24_gb_cards_lacks_host_ram(self):
        """J9: the cards hold it, 128 GB of RAM do not; 10 to 20 GB of swap were needed."""
        c = first("--model llama-2-70b --kind qlora --data 10M --seq-len 1024 --gpu rtx-4090-24gb --count 2 --zero 3 --offload all --have-ram 128 "
                  "--micro-batch 1 --recompute full --deadline none", status=1)
        self.assertEqual((c["memory"]["fits"], c["verdict"]), (True, "host_short"))
        self.assertTrue(128 < codes(c)["host_ram_short"]["want"] < 128 + 20)

    def test_new_card_on_an_old_stack(self):
        """J10"""
        c = first("--model llama-2-7b --kind lora --data 10M --gpu rtx-5090-32gb --count 1 --cuda 12.4", status=1)
        self.assertEqual((c["verdict"], codes(c)["cuda_too_old"]), ("unsupported", {"have": "12.4", "need": "12.8"}))

    def test_rent_or_buy(self):
        """J11: with neither resale nor a host, break-even months are price / (monthly rent - monthly power)."""
        c = first("--model gpt2 --data 100M --gpu rtx-4090-24gb --count 1 --acquire buy --price 15000 --deadline none --set decision.own.residual=0 "
                  "--set decision.own.pue=1 --set 'decision.own.machine_price={\"amount\":0,\"currency\":\"CNY\"}'")
        ledger = c["ledger"]
        monthly_rent = ledger["rent"]["hourly"] * 300
        monthly_power = ledger["buy"]["electricity"] / 36
        self.assertAlmostEqual(ledger["break_even_hours"] / 300, 15000 / (monthly_rent - monthly_power))
        self.assertEqual([entry["years"] for entry in ledger["by_years"]], [1, 2, 3, 4, 5])
        for entry in ledger["sensitivity"]:
            if entry["flips_at"] is not None:
                self.assertTrue(entry["low"] <= entry["flips_at"] <= entry["high"], entry["path"])

    def test_how_far_the_recommendation_holds(self):
        """At a price higher by the factor the other card is as good, at a higher one it is the answer."""
        flags = RESNET + "--provider AIStudio --gpu rtx-4090-24gb,a100-pcie-40gb --count 1 --deadline none "
        factor = rank(flags)["robustness"]["price_factor"]
        for change, wins in ((0.99, "rtx-4090-24gb"), (1.01, "a100-pcie-40gb")):
            price = 2.09 * factor * change
            text = run(flags.join(["rank ", "--show-request"]))
            request = json.loads(text)
            request["overrides"] = {"offers": [{"id": "aistudio-rtx-4090-24gb-x1", "provider": "AIStudio", "gpu": "rtx-4090-24gb", "gpu_count": 1, "vcpus": 14,
                                                "ram_gb": 28, "price_per_hour": {"amount": price, "currency": "CNY"}}]}
            request["hardware"]["counts"] = [1]
            done = subprocess.run([CLI, "rank", "-", "--json"], input=json.dumps(request), capture_output=True, text=True, check=False)
            report = json.loads(done.stdout)
            ours = next(c for c in report["candidates"] if c["gpu"] == "rtx-4090-24gb")
            self.assertEqual((ours["cost"]["offer"], report["candidates"][0]["gpu"]), ("aistudio-rtx-4090-24gb-x1", wins))


class Reference(unittest.TestCase):
    def test_one_card_in_full(self):
        shown = run("catalog gpus --filter rtx-2080-ti-22gb")
        for word in ("CC 7.5", "memory modified", "NVLink 2 bridge", "With the NVLink bridge only", "NVIDIA Turing", "fp16 native"):
            self.assertIn(word, shown)
        self.assertNotIn("NVIDIA Ada", run("catalog gpus --filter ada"))  # several cards: the table alone

    def test_every_architecture_has_its_card(self):
        covered = [name for entry in reference("architectures") for name in entry["covers"]]
        self.assertEqual(sorted(covered), sorted({g["architecture"] for g in json.loads(run("catalog gpus --json"))}))

    def test_examples_are_what_their_command_asks_and_are_answered(self):
        for entry in reference("presets"):
            with self.subTest(entry["id"]):
                self.assertEqual(json.loads(run(f"rank {entry['flags']} --show-request")), entry["request"])
                done = subprocess.run([CLI, "rank", "-", "--json"], input=json.dumps(entry["request"]), capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                report = json.loads(done.stdout)
                self.assertEqual(report["candidates"], rank(entry["flags"])["candidates"])
                headline = run(f"rank {entry['flags']} --lang zh").split("（")[0].split("\n")[0]
                self.assertIn(headline, run("catalog presets --lang zh"))

    def test_faults_are_named_with_place_and_reason(self):
        changes = {
            "architectures": (("\"cuda_last\":\"12.9\"", "\"cuda_last\":\"13.0\"", "cuda_last"), ("\"bf16\":\"emulated\"", "\"bf16\":\"native\"", "formats"),
                              ("\"covers\":[\"Volta\"]", "\"covers\":[\"Volta X\"]", "covers"), ("\"2026-01-13\"", "\"2999-01-13\"", "date"),
                              ("\"pt-172352\"]", "\"pt-1\"]", "sources"), ("\"zh\":\"用 FP32 训练", "\"zz\":\"用 FP32 训练", "zh")),
            "providers": (("\"prefix\":\"p4d\",\"gpus\":[\"a100-sxm-40gb\",\"a100-sxm-80gb\"]", "\"prefix\":\"p4d\",\"gpus\":[\"t4-16gb\"]", "gpus"),
                          ("\"prefix\":\"g4dn\"", "\"prefix\":\"g9dn\"", "prefix")),
            "presets": (("\"id\":\"voc-one-card\"", "\"id\":\"beginner-one-card\"", "id"), ("\"flags\":", "\"flag\":", "flags")),
        }
        folder = pathlib.Path(os.environ.get("XUANKA_BUILD_DIR", "build"))
        for name, edits in changes.items():
            text = (REFERENCE / f"{name}.json").read_text("utf-8")
            for before, after, field in edits:
                self.assertIn(before, text)
                bad = folder / "reference-under-test.json"
                bad.write_text(text.replace(before, after, 1), "utf-8")
                out = run(f"check {bad}", status=1)
                self.assertRegex(out, rf":\d+:\d+: .*\b{field}\b", f"{name}: {after}")


class BadInput(unittest.TestCase):
    def test_bad_offers_are_told_and_the_rest_is_used(self):
        good = {"id": "good", "gpu": "rtx-4090-24gb", "gpu_count": 1, "price_per_hour": {"amount": 1, "currency": "CNY"}}
        bad = [{"id": "free", "gpu": "rtx-4090-24gb", "gpu_count": 1, "price_per_hour": {"amount": 0, "currency": "CNY"}},
               {"id": "none", "gpu": "rtx-4090-24gb", "gpu_count": 1},
               {"id": "pound", "gpu": "rtx-4090-24gb", "gpu_count": 1, "price_per_hour": {"amount": 1, "currency": "GBP"}},
               {"id": "later", "gpu": "rtx-4090-24gb", "gpu_count": 1, "as_of": "2027-01-01", "price_per_hour": {"amount": 1, "currency": "CNY"}},
               {"id": "card", "gpu": "rtx-9090", "gpu_count": 1, "price_per_hour": {"amount": 1, "currency": "CNY"}}]
        request = {"version": 1, "workload": {"model": {"id": "gpt2"}, "data": {"tokens": 1e7}},
                   "hardware": {"gpus": ["rtx-4090-24gb"], "counts": [1]}, "overrides": {"offers": [*bad, good]}}
        done = subprocess.run([CLI, "rank", "-", "--json"], input=json.dumps(request), capture_output=True, text=True, check=False)
        report = json.loads(done.stdout)
        self.assertEqual((done.returncode, report["ok"], report["candidates"][0]["cost"]["offer"]), (0, True, "good"))
        self.assertEqual({issue["path"].split(".")[1]: issue["code"] for issue in report["issues"]},
                         {"offers[0]": "out_of_range", "offers[1]": "missing", "offers[2]": "bad_currency", "offers[3]": "bad_date", "offers[4]": "unknown_id"})
        told = [note["args"]["path"] for note in report["notes"] if note["code"] == "entry_refused"]
        self.assertEqual(sorted(told), sorted(issue["path"] for issue in report["issues"]))
        shown = subprocess.run([CLI, "rank", "-"], input=json.dumps(request), capture_output=True, text=True, check=False).stdout
        for path in told:
            self.assertIn(path, shown)


if __name__ == "__main__":
    unittest.main()
