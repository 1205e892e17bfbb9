#!/usr/bin/env python3
"""Puts collected measurements into assets/measurements: one JSON file per kind of source, nothing dropped.

  assets/tools/build_measurements.py FOLDER      FOLDER holds measured.json, serving.json, user_cases.json and *.csv

JSON lists are wrapped with their licence and origin, one case a line; a CSV becomes columns and rows.
"""
import csv
import json
import pathlib
import sys

TARGET = pathlib.Path(__file__).resolve().parents[1] / "measurements"
NOTES = {
    "measured": "Published measurements; `source` says where each was read, `quality` how.",
    "serving": "Published rates of generation, ordinary code and engines, read at the source on 2026-12-01.",
    "user_cases": "What users of public repositories ran and what happened; `source` says where.",
}
TABLE_NOTE = ("Measured step times of GPT models under Megatron-DeepSpeed on A100 SXM 80 GB: fp16, full activation "
              "recomputation, GELU MLP of 4h, vocabulary 51200 and unfused attention assumed, 1F1B, NVSwitch inside "
              "a node of 8, 800 Gbit/s InfiniBand per node.")
TABLE_SOURCE = "VIA-Research/vTrain, data/ (MIT licence); vTrain, MICRO 2024"


def write(name, head, key, items):
    lines = ",\n".join("  " + json.dumps(item, ensure_ascii=False, separators=(",", ":")) for item in items)
    start = json.dumps(head, ensure_ascii=False)[:-1]
    (TARGET / name).write_text(f'{start}, "{key}": [\n{lines}\n]}}\n', encoding="utf-8")


def number(text):
    value = float(text)
    return int(value) if value.is_integer() else value


def main():
    folder = pathlib.Path(sys.argv[1])
    TARGET.mkdir(exist_ok=True)
    for name, note in NOTES.items():
        if not (folder / f"{name}.json").exists():
            continue
        cases = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        write(f"{name}.json", {"_generated": "by assets/tools/build_measurements.py", "_note": note,
                               "_licence": "facts with their sources; compilation CC BY 4.0"}, "cases", cases)
    for path in sorted(folder.glob("*.csv")):
        rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
        write(f"{path.stem}.json", {"_generated": "by assets/tools/build_measurements.py", "_note": TABLE_NOTE,
                                    "source": TABLE_SOURCE, "columns": rows[0]}, "rows",
              [[number(cell) for cell in row] for row in rows[1:]])


if __name__ == "__main__":
    main()
