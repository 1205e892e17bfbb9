"""What the tests of the schemas share: the schemas, the program, and walks over both."""
import copy
import json
import os
import pathlib
import re
import subprocess

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

SOURCE = pathlib.Path(os.environ.get("XUANKA_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
CLI = os.environ.get("XUANKA_CLI", str(SOURCE / "build" / "xuanka"))
SCHEMAS = {path.name.split(".")[0]: json.loads(path.read_text("utf-8")) for path in (SOURCE / "assets/schema").glob("*.schema.json")}
REGISTRY = Registry().with_resources((f"{name}.schema.json", Resource.from_contents(schema)) for name, schema in SCHEMAS.items())
CATALOG = SOURCE / "assets" / "catalog"
REFERENCE = SOURCE / "assets" / "reference"


def validator(name, definition=None):
    schema = {"$ref": f"{name}.schema.json" + (f"#/$defs/{definition}" if definition else "")}
    return Draft202012Validator(schema, registry=REGISTRY)


def first_fault(check, value):
    fault = min(check.iter_errors(value), key=lambda error: -len(error.absolute_path), default=None)
    return fault and f"{fault.json_path}: {fault.message[:300]}"


def batch(requests):
    """Reports of request texts, in order."""
    text = "\n".join(r if isinstance(r, str) else json.dumps(r) for r in requests) + "\n"
    done = subprocess.run([CLI, "batch"], input=text.encode(), capture_output=True, check=False)
    return [json.loads(line) for line in done.stdout.decode().split("\n") if line]


def corpus():
    lines = []
    for path in sorted((SOURCE / "tests/data/requests").glob("*.jsonl")):
        lines += [line for line in path.read_text("utf-8").split("\n") if line.strip()]
    return lines


def quoted_words(*folders):
    """Every text in quotes that could be a field's name."""
    words = set()
    for folder in folders:
        for path in (SOURCE / folder).glob("*.[ch]pp"):
            words |= set(re.findall(r'"([a-z][a-z0-9_]*)"', path.read_text("utf-8")))
    return sorted(words)


def resolve(name, schema):
    """(schema name, schema) behind references."""
    while "$ref" in schema:
        target, _, pointer = schema["$ref"].partition("#")
        name = target.split(".")[0] or name
        schema = SCHEMAS[name]
        for part in pointer.strip("/").split("/") if pointer else []:
            schema = schema[part]
    return name, schema


def object_schema(name, schema):
    """The one object that a schema allows, if it has named fields."""
    name, schema = resolve(name, schema)
    if "properties" in schema:
        return name, schema
    for way in schema.get("anyOf", []) + schema.get("oneOf", []):
        found = object_schema(name, way)
        if found:
            return found
    return None


def walk(name, schema, value, path=()):
    """(path, field names of the schema) of every object in `value`; a path of keys and positions."""
    found = object_schema(name, schema)
    if isinstance(value, dict) and found:
        name, schema = found
        yield path, set(schema["properties"])
        for key, inner in value.items():
            if key in schema["properties"]:
                yield from walk(name, schema["properties"][key], inner, (*path, key))
    elif isinstance(value, list):
        name, schema = resolve(name, schema)
        ways = [schema, *schema.get("anyOf", []), *schema.get("oneOf", [])]
        items = next((resolve(name, way)[1]["items"] for way in ways if "items" in resolve(name, way)[1]), None)
        for position, inner in enumerate(value if items else []):
            yield from walk(name, items, inner, (*path, position))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def shown(path):
    """A path as messages write it."""
    return "".join(f"[{step}]" if isinstance(step, int) else ("." if place else "") + step for place, step in enumerate(path))


GPU = {"id": "own-card-20gb", "memory_gb": 20, "bandwidth_gb_s": 900, "tflops": {"fp32": 50}, "sparse_multiplier": {"tensor": 2},
       "matmul_measured_tflops": {"fp32": 40, "samples": 3}, "nvlink": {"version": "3", "topology": "switch", "total_gb_s": 600},
       "pcie": {"gen": "4.0", "lanes": 16, "gb_s_bidirectional": 64}, "board": {"gpus": 2, "tdp_w": 500},
       "disagreements": [{"field": "tdp_w", "catalog": 1, "source": "a", "value": 2}]}
MONEY = {"amount": 1, "currency": "CNY"}
OFFER = {"id": "own-offer", "gpu": "own-card-20gb", "gpu_count": 1, "price_per_hour": {**MONEY}, "price_per_gpu_hour": {**MONEY}}
SHAPE = {"layers": 2, "hidden": 64, "heads": 4, "moe": {"experts": 4, "top_k": 2}}
VISION = {"params": 1e7, "macs_per_sample": 1e9, "image_size": 224, "activations_per_sample": 1e7}
FULL = {  # every object that a request may hold
    "version": 1, "workload": {"model": {"transformer": SHAPE}, "data": {"tokens": 1e6}, "lora": {"rank": 8}, "inference": {"concurrency": 1}, "software": {"logit_bytes": 8}},
    "hardware": {"gpus": ["own-card-20gb"], "counts": [1], "plan": {"zero": 0}},
    "decision": {"budget": {**MONEY}, "offers": {"max_age_days": 900}, "own": {"years": 1, "machine_price": {**MONEY}, "hosting_per_month": {**MONEY}}, "spot": {"checkpoint_minutes": 5}},
    "host": {"ram_gb": 8, "storage_per_gb_month": {**MONEY}, "transfer_per_gb": {**MONEY}}, "overrides": {"measured": [{"gpu": "t4-16gb", "date": "2026-11-30", "made_up": True, "matmul_peak": 0.8, "fp8_peak": 0.9, "vector_peak": 0.8, "bandwidth_reached": 0.9, "host_copy": 0.8, "link_reached": 0.7}],
        "gpus": [GPU], "offers": [OFFER], "prices": [{"gpu": "t4-16gb", "price": {**MONEY}}], "electricity_per_kwh": {**MONEY}, "fx": {"USD_CNY": 7}},
}


def with_model(model, data):
    request = copy.deepcopy(FULL)
    request["workload"]["model"] = model
    request["workload"]["data"] = data
    return request


FULLEST = [
    FULL,
    with_model({"vision": VISION}, {"samples": 1000, "epochs": 2}),
    with_model({"measured": {"gpu": "rtx-3090-24gb", "hours": 3}}, {"samples": 10}),
    with_model({"id": "llama-2-7b"}, {"dataset": "alpaca-52k"}),
    with_model({"params": 1e9, "active_params": 1e9}, {"tokens": 1e6}),
]


def all_objects(name, schema, seen, found):
    """Every object with named fields that a schema can reach, as id()s of its schema."""
    name, schema = resolve(name, schema)
    if id(schema) in seen:
        return
    seen.add(id(schema))
    if "properties" in schema and "object" in schema.get("type", ()):
        found[id(schema)] = (name, sorted(schema["properties"]))
    for inner in [*schema.get("properties", {}).values(), *schema.get("anyOf", []), *schema.get("oneOf", []), schema.get("items")]:
        if isinstance(inner, dict):
            all_objects(name, inner, seen, found)




def schema_at(name, path):
    """The schema of the object at a path of keys and positions."""
    name, schema = object_schema(name, SCHEMAS[name])
    for step in path:
        if isinstance(step, int):
            continue
        inner = schema["properties"][step]
        ways = [inner, *inner.get("anyOf", [])]
        items = next((resolve(name, way)[1] for way in ways if "items" in resolve(name, way)[1]), None)
        name, schema = object_schema(name, items["items"] if items else inner)
    return schema
