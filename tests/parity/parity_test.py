#!/usr/bin/env python3
"""One door: the same request lines give the same bytes from the command line, the native library and the wasm module
under node.

    parity_test.py --library PROGRAM    (the rest from the tests' environment)
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
AT_LEAST = 300


def request_lines(folder):
    lines = []
    for path in sorted(folder.glob("*.jsonl")):
        lines += [line for line in path.read_bytes().split(b"\n") if line.strip()]
    return lines


def run(name, command, lines):
    done = subprocess.run(command, input=b"\n".join(lines) + b"\n", capture_output=True, check=False)
    # batch tells by its exit status that lines were bad or nothing fits; only a crash or no data is a failure here.
    if done.returncode not in (0, 1, 2):
        sys.exit(f"{name}: exit {done.returncode}\n{done.stderr.decode(errors='replace')}")
    out = done.stdout.split(b"\n")
    if out[-1] == b"":
        out.pop()
    if len(out) != len(lines):
        sys.exit(f"{name}: {len(out)} reports for {len(lines)} requests\n{done.stderr.decode(errors='replace')}")
    return out


def first_difference(a, b):
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    begin = max(0, at - 60)
    return f"at byte {at}:\n  {a[begin : at + 60]!r}\n  {b[begin : at + 60]!r}"


def compare(lines, results):
    (first, expected), *others = results.items()
    differing = 0
    for name, reports in others:
        for number, (want, have) in enumerate(zip(expected, reports)):
            if want != have:
                differing += 1
                if differing <= 5:
                    print(f"line {number + 1}: {first} and {name} differ {first_difference(want, have)}\n  {lines[number][:300]!r}")
    return differing


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", required=True)
    args = parser.parse_args()
    source = pathlib.Path(os.environ["XUANKA_SOURCE_DIR"])
    wasm = pathlib.Path(os.environ["XUANKA_WEB_BUILD_DIR"]) / "shell" / "wasm"
    lines = request_lines(source / "tests" / "data" / "requests")
    if len(lines) < AT_LEAST:
        sys.exit(f"only {len(lines)} request lines, at least {AT_LEAST} are wanted")
    node = shutil.which("node") or shutil.which("nodejs")
    results = {
        "command line": run("command line", [os.environ["XUANKA_CLI"], "batch"], lines),
        "library": run("library", [args.library], lines),
        "wasm": run("wasm", [node, str(HERE / "batch.mjs"), str(wasm)], lines),
    }
    differing = compare(lines, results)
    answered = sum(json.loads(report)["ok"] for report in results["command line"])
    print(f"{len(lines)} requests, {answered} answered, {len(lines) - answered} refused; {differing} differ")
    # A file of refusals only would prove nothing.
    sys.exit(differing != 0 or answered < AT_LEAST * 2 // 3)


if __name__ == "__main__":
    main()
