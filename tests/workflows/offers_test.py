#!/usr/bin/env python3
"""The tools that keep prices fresh, on made-up rows in gpuhunt's format and on what ships."""
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("XUANKA_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
CLI = os.environ.get("XUANKA_CLI", str(SOURCE / "build" / "xuanka"))
TOOLS = SOURCE / "assets" / "tools"
ROWS = SOURCE / "tests/data/gpuhunt/made_up_rows.json"
sys.path.insert(0, str(TOOLS))
import offers_age  # noqa: E402
import refresh_offers  # noqa: E402


class Refresh(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.catalog = pathlib.Path(cls.folder.name)
        for path in (SOURCE / "assets/catalog").glob("*.json"):
            shutil.copyfile(path, cls.catalog / path.name)
        cls.before = json.loads((cls.catalog / "offers.json").read_text("utf-8"))["offers"]
        cls.today = max(offer["as_of"] for offer in cls.before if len(offer.get("as_of", "")) == 10)
        cls.said = subprocess.run([sys.executable, TOOLS / "refresh_offers.py", "--rows", ROWS, "--catalog", cls.catalog, "--as-of", cls.today],
                                  capture_output=True, text=True, check=True).stdout
        cls.after = json.loads((cls.catalog / "offers.json").read_text("utf-8"))["offers"]
        cls.fresh = {(o["provider"], o["instance"], o["region"], o["billing"]): o for o in cls.after if o["sources"] == ["gpuhunt"]}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_what_comes_out_is_a_good_catalogue(self):
        sources = json.loads((self.catalog / "sources.json").read_text("utf-8"))["sources"]
        overlay = self.catalog / "overlay.json"
        overlay.write_text(json.dumps({"offers": list(self.fresh.values()), "sources": [s for s in sources if s["id"] == "gpuhunt"]}))
        self.assertGreaterEqual(len(self.fresh), 6)
        checked = subprocess.run([CLI, "check", overlay, self.catalog / "sources.json"], capture_output=True, text=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stdout)
        form = subprocess.run([sys.executable, TOOLS / "format_catalog.py", "--check", self.catalog / "offers.json", self.catalog / "sources.json"], check=False)
        self.assertEqual(form.returncode, 0)

    def test_a_price_is_replaced_and_the_others_stay(self):
        offer = self.fresh[("AWS", "p4d.24xlarge", "us-east-1", "on-demand")]
        self.assertEqual((offer["price_per_hour"]["amount"], offer["gpu"], offer["as_of"]), (20.25, "a100-sxm-40gb", self.today))
        same = [o for o in self.after if (o["provider"], o["instance"], o["region"], o["billing"]) == ("AWS", "p4d.24xlarge", "us-east-1", "on-demand")]
        self.assertEqual(len(same), 1)
        untouched = [o for o in self.before if o["provider"] in ("AIStudio", "AutoDL", "Alibaba Cloud")]
        self.assertTrue(untouched and all(o in self.after for o in untouched))
        self.assertIn(("AWS", "p4d.24xlarge", "us-east-1", "spot"), self.fresh)

    def test_form_factors_are_never_guessed(self):
        self.assertEqual(self.fresh[("Google Cloud", "a2-highgpu-1g", "us-central1", "on-demand")]["gpu"], "a100-sxm-40gb")  # as an offer of that instance says
        self.assertIn("shape-with-an-a100 (A100): several form factors", self.said)
        self.assertFalse([key for key in self.fresh if key[1] == "shape-with-an-a100"])
        self.assertEqual(self.fresh[("Lambda", "gpu_1x_a6000", "any", "on-demand")]["gpu"], "rtx-a6000-48gb")

    def test_regions_and_unknown_cards(self):
        self.assertFalse([key for key in self.fresh if key[2] == "mars-north-1"])
        self.assertEqual([key[2] for key in self.fresh if key[1] == "rtx5090.1x"], ["moon-1"])  # a new provider: the cheapest
        self.assertIn("tt.1x (n300): not in the catalogue", self.said)
        self.assertFalse([key for key in self.fresh if key[1] == "m5.large"])

    def test_the_rows_say_that_they_are_made_up(self):
        self.assertIn("Made up", json.loads(ROWS.read_text("utf-8"))["_note"])

    def test_another_format_is_told(self):
        path = self.catalog / "rows.json"
        path.write_text('[{"provider": "aws", "cost": 3}]')
        run = subprocess.run([sys.executable, TOOLS / "refresh_offers.py", "--rows", path, "--catalog", self.catalog], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("instance_name", run.stderr)

    def test_every_card_of_the_catalogue_is_found_by_its_own_name(self):
        gpus = json.loads((self.catalog / "gpus.json").read_text("utf-8"))["gpus"]
        cards = refresh_offers.cards_by_name(gpus)
        for gpu in gpus:
            if "(" in gpu["name"] or not gpu.get("memory_gb"):
                continue  # modified or nominal: no cloud rents them under that name
            row = {"provider": "x", "instance_name": gpu["id"], "gpu_name": gpu["name"].replace(f"{gpu['memory_gb']} GB", ""), "gpu_memory": gpu["memory_gb"]}
            found, why = refresh_offers.card_of(row, cards, {})
            self.assertIn(found, (gpu["id"], None), gpu["id"])
            self.assertTrue(found or why == "several form factors", f"{gpu['id']}: {why}")


class Age(unittest.TestCase):
    def test_counts_days(self):
        offers = [{"provider": "A", "as_of": "2026-01-01"}, {"provider": "A", "as_of": "2026-06-01"}, {"provider": "B"}, {"provider": "C", "as_of": "2026"}]
        text, stale = offers_age.report(offers, 180, datetime.date(2026, 7, 1))
        self.assertTrue(stale)
        self.assertIn("2 of 4 offers are older than 180 days on 2026-07-01, 1 have no date", text)
        self.assertIn("| A | 2 | 1 | 0 | 2026-06-01 |", text)
        text, stale = offers_age.report(offers[1:2], 180, datetime.date(2026, 7, 1))
        self.assertFalse(stale)

    def test_what_ships(self):
        run = subprocess.run([sys.executable, TOOLS / "offers_age.py", "--as-of", "2100-01-01"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        total = len(json.loads((SOURCE / "assets/catalog/offers.json").read_text("utf-8"))["offers"])
        self.assertIn(f"of {total} offers", run.stdout)


if __name__ == "__main__":
    unittest.main()
