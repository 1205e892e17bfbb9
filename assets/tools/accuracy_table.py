#!/usr/bin/env python3
"""Writes the accuracy table of core/docs/model.md from `xuanka validate --json`.

  assets/tools/accuracy_table.py build/xuanka            writes the table
  assets/tools/accuracy_table.py build/xuanka --check    exit 1 when the table is not current
"""
import json
import pathlib
import subprocess
import sys

DOC = pathlib.Path(__file__).resolve().parents[2] / "core/docs/model.md"
CONSTANTS = pathlib.Path(__file__).resolve().parents[1] / "catalog" / "efficiency.json"
BEGIN, END = "<!-- accuracy: begin -->\n", "<!-- accuracy: end -->"


def percent(value):
    return f"{100 * value:.0f} %"


def rows(groups, names):
    for name, g in groups.items():
        if g["count"] == 0:
            continue
        yield (f"| {names(name)} | {g['count']} | {percent(g['median_error'])} | {percent(g['mean_absolute_error'])} "
               f"| {percent(g['p90_error'])} | {percent(g['under_share'])} | {percent(g['inside_share'])} "
               f"| {g['median_high_over_low']:.2f} |")


def unseen_rows(unseen):
    yield "| predicted by fits that have not seen the source | cases | median error | mean | 90th percentile |"
    yield "|---|---|---|---|---|"
    for e in unseen:
        yield (f"| {e['name']} | {e['cases']} | {100 * e['median_error']:.1f} % | {100 * e['mean_absolute_error']:.1f} % "
               f"| {100 * e['p90_error']:.1f} % |")


def table(summary):
    head = ["| | cases | median error | mean | 90th percentile | estimate too low | inside the range | high / low |",
            "|---|---|---|---|---|---|---|---|"]
    lines = list(unseen_rows(summary["unseen"])) + [""] + head + list(rows(summary["by_kind"], lambda n: n))
    lines += list(rows(summary["by_family"], lambda n: n))
    lines += ["", "| stated bound | value | limit | cases |", "|---|---|---|---|"]
    for b in summary["bounds"]:
        sign = "at least" if b["at_least"] else "at most"
        lines.append(f"| {b['name']} | {b['value']:.3f} | {sign} {b['limit']:.2f} | {b['cases']} |")
    return "\n".join(lines) + "\n"


def main():
    done = subprocess.run([sys.argv[1], "validate", "--json"], capture_output=True, text=True, check=False)
    summary = json.loads(done.stdout)["summary"]
    text = DOC.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    new = before + BEGIN + table(summary) + END + after
    constants = json.loads(CONSTANTS.read_text(encoding="utf-8"))["constants"]
    if unexplained := [name for name, constant in constants.items() if not constant["note"]]:
        sys.exit(f"efficiency.json: no note at {unexplained}")
    if "--check" in sys.argv:
        sys.exit(0 if new == text else "core/docs/model.md: the accuracy table is not current")
    DOC.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
