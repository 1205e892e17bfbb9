#!/usr/bin/env python3
"""Checks what a visitor downloads against its budgets, compressed as a host would (brotli, quality 11).

    check_sizes.py DIST
"""
import pathlib
import subprocess
import sys

# (what, glob, kilobytes of 1000 bytes). The program holds the catalog and the messages.
BUDGETS = [
    ("the page's program", ["xuanka_app.wasm"], 520),
    ("the scripts", ["*.js", "*.mjs"], 40),
    ("the styles", ["*.css"], 10),
    ("the module without a page", ["xuanka_api.wasm"], 260),
]
# Beside the page and not part of it: the documentation's theme, the JavaScript module (which has a budget of its own).
APART = {"docs", "js"}
# Characters are drawn by the browser's own fonts.
FORBIDDEN = ["*.ttf", "*.otf", "*.woff", "*.woff2", "*.map"]


def compressed(path):
    return len(subprocess.run(["brotli", "-q", "11", "-c", path], capture_output=True, check=True).stdout)


def of_page(dist, pattern):
    return [path for path in sorted(dist.rglob(pattern)) if path.relative_to(dist).parts[0] not in APART]


def main():
    dist = pathlib.Path(sys.argv[1])
    failed = 0
    for what, patterns, budget in BUDGETS:
        files = [path for pattern in patterns for path in of_page(dist, pattern) if path.name != "xuanka_api.js"]
        size = sum(map(compressed, files)) / 1000
        within = bool(files) and size <= budget
        failed += not within
        print(f"{'ok  ' if within else 'FAIL'} {what}: {size:.1f} of {budget} kB ({len(files)} files)")
    for pattern in FORBIDDEN:
        for path in of_page(dist, pattern):
            failed += 1
            print(f"FAIL {path.relative_to(dist)} must not be shipped")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
