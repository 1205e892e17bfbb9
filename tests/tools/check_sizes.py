#!/usr/bin/env python3
"""Checks what a visitor downloads against its budgets, compressed as a host would (brotli, quality 11).

    check_sizes.py DIST
"""
import pathlib
import subprocess
import sys

# (what, files, kilobytes of 1000 bytes). The program holds the catalog and the messages.
BUDGETS = [
    ("the first load: page, script, style, program, icon",
     ["index.html", "assets/xuanka-*.js", "assets/xuanka-*.css", "assets/xuanka-*.wasm", "assets/icon-*.svg"], 450),
    ("the script", ["assets/xuanka-*.js"], 32),
    ("the style", ["assets/xuanka-*.css"], 6),
    ("the page with its first answer", ["index.html"], 8),
    ("the embedding script", ["xuanka-embed.js"], 5),
    ("the single file", ["xuanka-single.html"], 650),
]
# Characters are drawn by the browser's own fonts.
FORBIDDEN = ["*.ttf", "*.otf", "*.woff", "*.woff2", "*.map"]


def compressed(path):
    return len(subprocess.run(["brotli", "-q", "11", "-w", "24", "-c", path], capture_output=True, check=True).stdout)


def main():
    dist = pathlib.Path(sys.argv[1])
    failed = 0
    for what, patterns, budget in BUDGETS:
        matched = [sorted(dist.glob(pattern)) for pattern in patterns]
        size = sum(compressed(path) for paths in matched for path in paths) / 1000
        # One file for each: a second would be what an older build left behind.
        within = all(len(paths) == 1 for paths in matched) and size <= budget
        failed += not within
        print(f"{'ok  ' if within else 'FAIL'} {what}: {size:.1f} of {budget} kB ({', '.join(p.name for ps in matched for p in ps)})")
    for pattern in FORBIDDEN:
        for path in [*dist.glob(pattern), *(dist / "assets").glob(pattern)]:
            failed += 1
            print(f"FAIL {path.relative_to(dist)} must not be shipped")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
