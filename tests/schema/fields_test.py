#!/usr/bin/env python3
"""The fields, words and bounds of the schemas are those of the program, object by object.

Nothing is listed here twice: the program is asked. Every word that stands in quotes in the sources of the parsers is offered
to it as a field of every object, and what it does not call unknown is a field.
"""
import copy
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from support import (CATALOG, CLI, FULLEST, GPU, REFERENCE, SCHEMAS, all_objects, at, batch, object_schema, quoted_words, resolve,
                     schema_at, shown, walk)

PART = 100  # unknown fields of one text: fewer than the program reports at once


def variants(words, full, path):
    """`full` with all the words as fields of the object at `path`, in parts; null says "not given"."""
    given = at(full, path)
    fresh = [word for word in words if word not in given]
    for start in range(0, len(fresh), PART):
        probe = copy.deepcopy(full)
        at(probe, path).update({word: None for word in fresh[start : start + PART]})
        yield probe


class Fields(unittest.TestCase):
    def test_request(self):
        words = quoted_words("core/src/api", "core/src/catalog")
        self.assertGreater(len(words), 150)
        places = [(full, path, known) for full in FULLEST for path, known in walk("request", SCHEMAS["request"], full)]
        probes = [(index, probe) for index, (full, path, _) in enumerate(places) for probe in variants(words, full, path)]
        unknown = [set() for _ in places]
        for (index, _), report in zip(probes, batch([probe for _, probe in probes])):
            path = places[index][1]
            self.assertTrue(report["ok"], f"{shown(path)}: {report.get('issues')}")
            prefix = shown(path) + "." if path else ""
            unknown[index] |= {note["args"]["path"][len(prefix) :] for note in report["notes"] if note["code"] == "unknown_field"}
        asked = set()
        for (full, path, known), strange in zip(places, unknown):
            self.assertGreater(len(strange), 50, shown(path))
            self.assertEqual((set(words) | set(at(full, path))) - strange, known, f"fields of {shown(path) or 'a request'}")
            asked.add(id(schema_at("request", path)))
        reachable = {}
        all_objects("request", SCHEMAS["request"], set(), reachable)
        left = [fields for key, fields in reachable.items() if key not in asked]
        self.assertEqual(left, [], "objects of the schema that no request here holds")

    def test_catalog(self):
        """`xuanka check` names every field that it does not know."""
        words = quoted_words("core/src/catalog")
        with tempfile.TemporaryDirectory() as folder:
            for path in [*sorted(CATALOG.glob("*.json")), REFERENCE / "history.json"]:
                data = json.loads(path.read_text("utf-8"))
                if "kind" not in data:
                    continue  # efficiency.json, written by a tool, with free names inside
                name = f"{data['kind']}_file"
                data = {key: value[:1] if isinstance(value, list) else value for key, value in data.items()}
                if name == "gpus_file":
                    data["gpus"] = [{**data["gpus"][0], **{key: GPU[key] for key in GPU if key not in ("id", "tflops")}}]
                for where, known in walk("catalog", {"$ref": f"catalog.schema.json#/$defs/{name}"}, data):
                    files = []
                    for probe in variants(words, data, where):
                        files.append(str(pathlib.Path(folder) / f"{len(files)}.json"))
                        pathlib.Path(files[-1]).write_text(json.dumps(probe), "utf-8")
                    told = subprocess.run([CLI, "check", *files], capture_output=True, text=True, check=False).stdout
                    prefix = re.escape(shown(where) + "." if where else "")
                    strange = set(re.findall(rf"(?m): {prefix}([a-z0-9_]+): no such field", told))
                    self.assertGreater(len(strange), 50, f"{name} {shown(where)}")
                    self.assertEqual((set(words) | set(at(data, where))) - strange, known, f"fields of {name} {shown(where)}")


class Words(unittest.TestCase):
    def test_request(self):
        """Each closed vocabulary of a request is what the parser says it allows."""
        asked = [(path, allowed) for path, allowed in self.enums("request", SCHEMAS["request"], ()) if path[0] != "overrides"]
        self.assertGreaterEqual(len(asked), 20)
        probes = []
        for path, _ in asked:
            base = copy.deepcopy(next(full for full in FULLEST if path[1:2] != ("model",) or path[2] in full["workload"]["model"]))
            parent = at(base, path[:-2]) if isinstance(path[-1], int) else at(base, path[:-1])
            if isinstance(path[-1], int):
                parent[path[-2]] = ["no-such-word"]
            else:
                parent[path[-1]] = "no-such-word"
            probes.append(base)
        for (path, allowed), report in zip(asked, batch(probes)):
            issues = [issue for issue in report.get("issues", []) if issue["code"] == "unknown_value"]
            self.assertEqual([issue["path"] for issue in issues], [shown(path)])
            self.assertEqual(issues[0]["args"]["allowed"].split(", "), [word for word in allowed if word is not None], shown(path))

    def enums(self, name, schema, path):
        name, schema = resolve(name, schema)
        if "enum" in schema:
            yield path, schema["enum"]
            return
        for way in schema.get("anyOf", []):
            yield from self.enums(name, way, path)
        if isinstance(schema.get("items"), dict):
            yield from self.enums(name, schema["items"], (*path, 0))
        for key, inner in schema.get("properties", {}).items():
            yield from self.enums(name, inner, (*path, key))


class Bounds(unittest.TestCase):
    # Their upper bound is another field of the same request.
    DEPENDENT = {"kv_heads", "top_k", "dense_layers", "active_params", "mean_tokens"}

    def test_request(self):
        """Just beyond every bound of the schema the program refuses, and names that bound."""
        asked, probes, wanted = [], [], set()
        for full in FULLEST:
            for path, _ in walk("request", SCHEMAS["request"], full):
                if path[:1] == ("overrides",) and len(path) > 1:
                    continue  # entries of the catalog
                for key, bound, value, limit in self.limits("request", schema_at("request", path)):
                    wanted.add((path, key, bound))
                    if path in (("workload", "model"), ("workload", "data")) and key not in at(full, path):
                        continue  # one form at a time
                    changed = copy.deepcopy(full)
                    at(changed, path)[key] = value
                    asked.append((path, key, bound, limit))
                    probes.append(changed)
        self.assertGreater(len(asked), 80)
        self.assertEqual(wanted - {(path, key, bound) for path, key, bound, _ in asked}, set())
        for (path, key, bound, limit), report in zip(asked, batch(probes)):
            place = shown((*path, key))
            mine = [issue for issue in report.get("issues", []) if issue["path"] == place and issue["code"] == "out_of_range"]
            self.assertTrue(mine, f"{place} beyond its {bound} {limit}: {report.get('issues')}")
            if key not in self.DEPENDENT:
                self.assertAlmostEqual(mine[0]["args"][bound[:3]], limit, delta=abs(limit) * 1e-9, msg=place)

    @staticmethod
    def limits(name, schema):
        """(field, which bound, a value just beyond, the bound) of the numbers of an object."""
        for key, inner in schema["properties"].items():
            _, inner = resolve(name, inner)
            for bound, side in (("minimum", -1), ("maximum", 1)):
                if bound in inner:
                    limit = inner[bound]
                    step = abs(limit) * 1e-6 or 1e-9
                    yield key, bound, limit + side * (max(1, step) if "integer" in inner["type"] else step), limit


if __name__ == "__main__":
    unittest.main()
