"""Copies a C++ source with the bodies of named functions left out: leave_out.py SOURCE NAMES OUT

NAMES holds patterns (as of a shell), one a line, '#' begins a comment; a line '[imgui.cpp]' begins the patterns of the
source of that name. A function that matches returns at once, with a value made of nothing where it returns one. A pattern
that matches nothing is told, and is no error: another version of the library may not have the function.
"""

import fnmatch
import pathlib
import re
import sys

# A definition of Dear ImGui's style: it begins in the first column, and so does the brace that ends it.
DEFINITION = re.compile(
    r"^(?P<type>(?:static |inline )*[A-Za-z_][\w:<>*& ]*?[ *&])(?P<name>(?:\w+::)?\w+)\([^;{}]*\)\s*\{.*?^\}", re.M | re.S)


def patterns(text, source):
    """The patterns of one source."""
    section = None
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("["):
            section = line.strip("[]")
        elif line and section == source:
            yield line


def main():
    source, names, out = map(pathlib.Path, sys.argv[1:])
    wanted = {pattern: 0 for pattern in patterns(names.read_text(encoding="utf-8"), source.name)}

    def left_out(match):
        short = match["name"].split("::")[-1]
        found = next((pattern for pattern in wanted if fnmatch.fnmatchcase(short, pattern)), None)
        if found is None:
            return match[0]
        wanted[found] += 1
        head = match[0][: match[0].index("{")]
        is_void = re.fullmatch(r"(static |inline )*void\s+", match["type"]) is not None
        return head + ("{}" if is_void else "{ return {}; }")

    text = DEFINITION.sub(left_out, source.read_text(encoding="utf-8"))
    for pattern, count in wanted.items():
        if count == 0:
            print(f"{names.name}: {source.name} has no function {pattern}")
    out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
