#!/usr/bin/env python3
"""The JSON Schemas of assets/schema against what ships, against requests and against the reports of the program."""
import copy
import json
import re
import unittest

from jsonschema import Draft202012Validator
from support import CATALOG, FULLEST, GPU, MONEY, OFFER, SCHEMAS, SOURCE, at, batch, corpus, first_fault, resolve, shown, validator, walk


class Schemas(unittest.TestCase):
    def test_are_schemas_and_refer_to_what_exists(self):
        self.assertEqual(set(SCHEMAS), {"request", "report", "catalog", "overlay", "measurements", "probe", "batch"})
        for name, schema in SCHEMAS.items():
            Draft202012Validator.check_schema(schema)
            for reference in re.findall(r'"\$ref": "([^"]+)"', json.dumps(schema)):
                self.assertIsInstance(resolve(name, {"$ref": reference})[1], dict, reference)

    def test_issue_codes_are_those_with_a_text(self):
        texts = json.loads((SOURCE / "assets/messages/en.json").read_text("utf-8"))
        known = {key.removeprefix("issue.") for key in texts if key.startswith("issue.")}
        self.assertEqual(set(SCHEMAS["report"]["$defs"]["issue_code"]["enum"]), known)


class Shipped(unittest.TestCase):
    def test_catalog(self):
        files = sorted(CATALOG.glob("*.json"))
        self.assertGreaterEqual(len(files), 7)
        for path in files:
            data = json.loads(path.read_text("utf-8"))
            self.assertIsNone(first_fault(validator("catalog", f"{data.get('kind', path.stem)}_file"), data), path.name)
        small = json.loads((CATALOG / "datasets.json").read_text("utf-8"))
        self.assertIsNone(first_fault(validator("catalog"), small))
        small["datasets"][0]["samples"] = "many"
        self.assertIsNotNone(first_fault(validator("catalog"), small))

    def test_fitted_constants_have_units_and_lie_in_their_ranges(self):
        constants = json.loads((CATALOG / "efficiency.json").read_text("utf-8"))["constants"]
        self.assertGreater(len(constants), 100)
        for name, constant in constants.items():
            self.assertTrue(constant["low"] <= constant["value"] <= constant["high"], name)
            self.assertTrue(constant["unit"], name)

    def test_remarks_on_purchase_prices_are_kept(self):
        prices = json.loads((CATALOG / "purchase.json").read_text("utf-8"))["prices"]
        self.assertEqual(sum(len(entry.get("note", "").encode()) for entry in prices[:146]), 5314)

    def test_measurements(self):
        for path in sorted((SOURCE / "assets/measurements").glob("*.json")):
            data = json.loads(path.read_text("utf-8"))
            if "cases" in data:  # one by one: a fault is then told of its case
                check = validator("measurements", "user_case" if "observed" in data["cases"][0] else "measured_case")
                for case in data["cases"]:
                    self.assertIsNone(first_fault(check, case), f"{path.name} {case.get('id')}")
                data["cases"] = data["cases"][:2]
            self.assertIsNone(first_fault(validator("measurements"), data), path.name)

    def test_overlay(self):
        overlay = {"gpus": [GPU], "offers": [OFFER], "fx": {"USD_CNY": 7.1}, "electricity_per_kwh": MONEY, "efficiency": 0.4}
        self.assertIsNone(first_fault(validator("overlay"), overlay))
        for wrong in ({"gpus": [{"id": "x"}]}, {"fx": {"dollar": 7}}, {"efficiency": 40}, {"purchases": []}):
            self.assertIsNotNone(first_fault(validator("overlay"), wrong), wrong)

    def test_examples_of_contributing(self):
        text = re.sub(r"(?m)^   ", "", (SOURCE / "CONTRIBUTING.md").read_text("utf-8"))
        examples = [json.loads(example) for example in re.findall(r"```json\n(.*?)```", text, re.S)]
        self.assertGreaterEqual(len(examples), 3)
        for entry in examples:
            name = ("overlay",) if "gpus" in entry else ("catalog", "shipped_offer" if "price_per_hour" in entry else "model")
            self.assertIsNone(first_fault(validator(*name), entry), str(entry)[:80])


class Requests(unittest.TestCase):
    """What the schema says of a request is what the program says."""

    # Faults that a schema can see; the others need the catalog, a model's config.json or two fields at once.
    VISIBLE = {"wrong_type", "missing", "unknown_value", "out_of_range", "not_integer", "unsupported_version"}

    def test_agreement(self):
        check, lines = validator("request"), corpus()
        accepted = refused = 0
        for line, report in zip(lines, batch(lines)):
            try:
                request = json.loads(line, parse_constant=float.fromhex)
            except (ValueError, RecursionError):
                self.assertFalse(report["ok"], line[:200])
                continue
            fault = first_fault(check, request)
            unknown = any(note["code"] == "unknown_field" for note in report.get("notes", []))
            if report["ok"] and not report.get("issues") and not unknown:
                self.assertIsNone(fault, line[:300])
                accepted += 1
            elif unknown or all(map(self.visible, report["issues"])):
                self.assertIsNotNone(fault, f"{line[:300]} {report.get('issues')}")
                refused += 1
        self.assertGreater(accepted, 300)
        self.assertGreater(refused, 20)

    def visible(self, issue):
        return issue["code"] in self.VISIBLE and not issue["path"].startswith("workload.model.hf_config.")

    def test_nulls_are_absent(self):
        """A field that may be left out may be null, for the schema and for the program."""
        check, cases = validator("request"), []
        for full in FULLEST:
            self.assertIsNone(first_fault(check, full))
            for path, _ in walk("request", SCHEMAS["request"], full):
                for key in at(full, path):
                    changed = copy.deepcopy(full)
                    at(changed, path)[key] = None
                    if path[-1:] != ("tflops",):  # the only peak of the card
                        cases.append(((*path, key), changed))
        for (path, changed), report in zip(cases, batch([changed for _, changed in cases])):
            missing = any(issue["code"] in ("missing", "wrong_type") for issue in report.get("issues", []))
            self.assertEqual(first_fault(check, changed) is not None, missing, f"{shown(path)} {report.get('issues')}")


SWEPT = {"version": 1, "workload": {"model": {"id": "gpt2"}, "data": {"tokens": 1e6}}, "hardware": {"gpus": ["t4-16gb"], "counts": [1]}}


class Sweeps(unittest.TestCase):
    """A line that the schema of a batch takes is one whose sweep the program takes, and the other way round."""

    GOOD = [{"sweep": {"workload.seq_len": [512, 1024]}},
            {"sweep": {"workload.seq_len": {"from": 512, "to": 1024, "step": 256}, "workload.data.tokens": {"from": 1e6, "to": 1e8, "times": 10}}},
            {"sweep": {"overrides.efficiency": {"from": 0.2, "to": 0.6, "points": 3, "scale": "log"}}, "sweep_part": [1, 2]},
            {"sweep": {"hardware.gpus, hardware.counts": [[["a100-pcie-40gb"], [1]], [["rtx-4090-24gb"], [2]]]}},
            {"sweep": {"workload.model.id": ["gpt2", "llama-2-7b"]}, "workload": {"kind": "finetune"}},
            {"sweep": {"workload.model.id": ["gpt2"]}, "workload": None}]
    BAD = [{"sweep": 7}, {"sweep": {}}, {"sweep": {"workload.seq_len": 5}}, {"sweep": {"workload.seq_len": []}},
           {"sweep": {"workload.seq_len": {"from": 1, "to": 9}}}, {"sweep": {"workload.seq_len": {"from": 1, "to": 9, "step": -1}}},
           {"sweep": {"workload.seq_len": {"from": 1, "to": 9, "step": 1, "times": 2}}},
           {"sweep": {"workload.seq_len": {"from": 1, "to": 9, "points": 3, "scale": "cube"}}},
           {"sweep": {"workload.seq_len": {"from": 1, "to": 9, "step": 1, "stpe": 1}}},
           {"sweep": {"hardware.gpus, hardware.counts": [7]}}, {"sweep": {"hardware.gpus, hardware.counts": {"from": 1, "to": 2, "step": 1}}},
           {"sweep": {"workload.seq_len": [512]}, "sweep_part": 3}, {"sweep": {"workload.seq_len": [512]}, "sweep_part": [1]}]

    def test_agreement(self):
        check = validator("batch")
        for change in self.GOOD:
            line = {**SWEPT, **change}
            reports = batch([line])
            self.assertTrue(all("sweep" in report for report in reports), f"{line} {reports[0].get('issues')}")
            self.assertIsNone(first_fault(check, line), line)
        for change in self.BAD:
            line = {**SWEPT, **change}
            report, = batch([line])
            self.assertFalse(report["ok"], line)
            self.assertTrue(all(issue["path"].startswith("sweep") for issue in report["issues"]), report["issues"])
            self.assertIsNotNone(first_fault(check, line), line)

    def test_example_of_the_documentation(self):
        text = (SOURCE / "shell/batch/README.md").read_text("utf-8")
        example = json.loads(re.search(r"```json\n(.*?)```", text, re.S)[1])
        self.assertIn("sweep", example)
        self.assertIsNone(first_fault(validator("batch"), example))


class Reports(unittest.TestCase):
    def test_every_report_and_every_field(self):
        lines = corpus()
        lines += [json.dumps({**json.loads(lines[0]), "id": 7}), json.dumps({"version": 1, "id": "a", "workload": {}})]
        lines.append(json.dumps({**SWEPT, "sweep": {"workload.seq_len": [512, -1]}}))  # one that is answered, one refused
        reports = batch(lines)
        self.assertEqual(len(reports), len(lines) + 1)
        check, candidates, seen, fields = validator("report"), validator("report", "candidate"), set(), set()
        for report in reports:
            self.note_fields(report, (), fields)
            for candidate in report.get("candidates", []):
                signature = self.signature(candidate)
                if signature not in seen:  # one of each shape: there are thousands alike
                    seen.add(signature)
                    self.assertIsNone(first_fault(candidates, candidate))
            if "candidates" in report:
                report["candidates"] = report["candidates"][:1]
            self.assertIsNone(first_fault(check, report))
        self.assertGreater(len(seen), 100)
        for way in ("answer", "refusal"):
            unseen = set(self.schema_fields("report", SCHEMAS["report"]["$defs"][way], ())) - fields
            self.assertEqual(unseen, set(), "fields of the schema that no report has")

    def signature(self, value):
        if isinstance(value, dict):
            return tuple((key, self.signature(inner)) for key, inner in value.items() if key != "args")
        if isinstance(value, list):
            return tuple(sorted({str(self.signature(inner)) for inner in value}))
        return value if isinstance(value, bool) else type(value).__name__

    def note_fields(self, value, path, fields):
        if isinstance(value, dict):
            for key, inner in value.items():
                fields.add((*path, key))
                self.note_fields(inner, (*path, key), fields)
        elif isinstance(value, list):
            for inner in value:
                self.note_fields(inner, path, fields)

    def schema_fields(self, name, schema, path):
        name, schema = resolve(name, schema)
        for way in [*schema.get("anyOf", []), *schema.get("oneOf", [])]:
            yield from self.schema_fields(name, way, path)
        if isinstance(schema.get("items"), dict):
            yield from self.schema_fields(name, schema["items"], path)
        for key, inner in schema.get("properties", {}).items():
            yield (*path, key)
            yield from self.schema_fields(name, inner, (*path, key))


if __name__ == "__main__":
    unittest.main()
