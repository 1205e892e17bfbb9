#!/usr/bin/env python3
"""Checks that wrong code does not compile.

    must_fail.py CASES.cpp COMPILER FLAG...

CASES.cpp holds its cases as `#if XUANKA_CASE == N  // error: REGEX` blocks, N from 1 up. With XUANKA_CASE=0 the file must
compile; with each N it must not, and the compiler's message must match REGEX. Otherwise a typing mistake in a case
would pass as a proof.
"""
import os
import pathlib
import re
import subprocess
import sys

CASE = re.compile(r"^#(?:el)?if XUANKA_CASE == (\d+)\s*// error: (.+)$", re.MULTILINE)


def compile_case(command, source, number):
    done = subprocess.run([*command, f"-DXUANKA_CASE={number}", str(source)], capture_output=True, text=True, check=False,
                          env={**os.environ, "LC_ALL": "C"})
    return done.returncode == 0, done.stderr


def main():
    source, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    cases = [(int(number), pattern.strip()) for number, pattern in CASE.findall(source.read_text(encoding="utf-8"))]
    if [number for number, _ in cases] != list(range(1, len(cases) + 1)) or not cases:
        sys.exit(f"{source.name}: cases must be numbered 1, 2, 3, ... and there must be one")
    failed = 0
    compiled, message = compile_case(command, source, 0)
    if not compiled:
        sys.exit(f"{source.name}: does not compile without a case:\n{message}")
    for number, pattern in cases:
        compiled, message = compile_case(command, source, number)
        if compiled:
            print(f"{source.name}: case {number} compiles, but must not")
        elif not re.search(pattern, message):
            print(f"{source.name}: case {number} fails for another reason than /{pattern}/:\n{message}")
        else:
            continue
        failed += 1
    print(f"{len(cases) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
