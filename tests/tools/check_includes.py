#!/usr/bin/env python3
"""Checks the layers: core knows nothing of web or shell, web nothing of shell, and neither pulls in what it must not.

    check_includes.py REPOSITORY
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)

# Headers that cost hundreds of kilobytes in the wasm modules, that not all our compilers have, or that reach outside.
HEAVY = {"format", "iostream", "regex", "print", "expected", "locale", "sstream", "fstream", "filesystem"}
OUTSIDE = {"chrono", "ctime", "random", "thread", "mutex", "future", "cstdio", "cstdlib", "stdio.h", "stdlib.h"}
# Only + - * / and sqrt are the same to the last bit in every libm; base/math.hpp has what else is needed.
INEXACT = re.compile(r"\bstd::(pow|exp|exp2|expm1|log|log2|log10|log1p|sin|cos|tan|tanh|cbrt|hypot|fma)\s*\(")
# Where core may see nlohmann_json.
JSON_DOOR = "core/src/json/"
# Standard allowances, each with its reason.
ALLOWED = {
    ("web", "cstdio"),  # snprintf of a float label costs nothing and prints nothing
    ("web", "cstdlib"),
    ("core/src/json/json_number.cpp", "cstdlib"),  # strtod of the wasm modules, where there is no locale
}
# Files that talk to one platform, so may include what belongs to it.
PLATFORM = re.compile(r"^web/platform_[^/]+\.(cpp|hpp)$")


def layer(path):
    return path.split("/", 1)[0]


def include_problems(path, quoted, header):
    where = layer(path)
    if quoted:
        first = header.split("/", 1)[0]
        if first == "xuanka":
            return []
        if where == "core":
            return [f"includes {header!r}: core knows only xuanka/ and its own src"] if first in {"web", "shell", "tests", "assets"} else []
        if where == "web" and first in {"shell", "tests"}:
            return [f"includes {header!r}: web knows nothing of {first}"]
        return []
    problems = []
    if header in HEAVY | OUTSIDE and not {(where, header), (path, header)} & ALLOWED:
        problems.append(f"includes <{header}>: not in core or web")
    if where == "core" and header.startswith("nlohmann/") and not path.startswith(JSON_DOOR):
        problems.append(f"includes <{header}>: only the JSON door ({JSON_DOOR}) reads JSON")
    if where == "core" and re.match(r"(imgui|implot|emscripten|CLI|gtest)", header):
        problems.append(f"includes <{header}>: core knows no user interface and no platform")
    return problems


def file_problems(path, text):
    """The broken rules of one file of core/ or web/, path relative to the repository."""
    bare = COMMENT.sub(" ", text)
    problems = []
    if not PLATFORM.match(path):
        for bracket, header in INCLUDE.findall(bare):
            problems += include_problems(path, bracket == '"', header)
    if layer(path) == "core":
        problems += [f"calls std::{name}: not the same in every libm" for name in INEXACT.findall(bare)]
    if path.endswith(".hpp") and "#pragma once" not in text:
        problems.append("lacks #pragma once")
    return problems


def main():
    root = pathlib.Path(sys.argv[1])
    checked = failed = 0
    for folder in ("core", "web"):
        for file in sorted((root / folder).rglob("*.[ch]pp")):
            path = file.relative_to(root).as_posix()
            checked += 1
            for problem in file_problems(path, file.read_text(encoding="utf-8")):
                failed += 1
                print(f"{path}: {problem}")
    if not checked:
        sys.exit("no source found: wrong folder?")
    print(f"{checked} files read, {failed} problems")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
