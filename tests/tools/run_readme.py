#!/usr/bin/env python3
"""Runs every `$ xuanka ...` example of Markdown files and compares what it prints with what the file shows.

    run_readme.py [--write] FILE...

An example is a fenced block of language `console`. Lines that begin with `$ ` are run by a shell in a scratch folder
that holds the repository's `assets` and `tests`; the lines after it are the expected output of both streams, with
`[exit N]` last when the status is not 0. `...` alone on a line stands for any lines. Commands of `./dev` are for a
person and are not run. --write puts the real output in place of the old (lines hidden by `...` stay hidden only
when the rest still matches).
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SOURCE = pathlib.Path(os.environ.get("XUANKA_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
CLI = pathlib.Path(os.environ.get("XUANKA_CLI", SOURCE / "build/xuanka")).resolve()


def examples(block):
    """(command, expected lines) of one block, continued lines joined."""
    found = []
    lines = block.splitlines()
    while lines:
        line = lines.pop(0)
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\") and lines:
                command = command[:-1] + lines.pop(0).lstrip("> ")
            found.append((line, command, []))
        elif found:
            found[-1][2].append(line)
    return found


def run(command, folder):
    bin_folder = folder / "bin"
    env = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=env, text=True, encoding="utf-8", timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    shown = done.stdout.rstrip("\n").split("\n") if done.stdout.strip() else []
    return shown + ([f"[exit {done.returncode}]"] if done.returncode else [])


def matches(expected, shown):
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + r"\n" for line in expected)
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in shown)) is not None


def prepare(folder):
    (folder / "bin").mkdir()
    (folder / "bin/xuanka").symlink_to(CLI)
    for name in ("assets", "tests"):
        (folder / name).symlink_to(SOURCE / name)


def check(path, write):
    text = path.read_text(encoding="utf-8")
    wrong, count = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder)

        def block(match):
            nonlocal count
            out = []
            for line, command, expected in examples(match.group(1)):
                out.append(line)
                if command.startswith("./dev") or "git clone" in command:
                    out += expected
                    continue
                count += 1
                shown = run(command, folder)
                if matches(expected, shown):
                    out += expected
                    continue
                out += [s.rstrip() for s in shown]
                wrong.append((command, expected, shown))
            return "```console\n" + "".join(l + "\n" for l in out) + "```"
        new = FENCE.sub(block, text)
    if write and wrong:
        path.write_text(new, encoding="utf-8")
        print(f"{path.name}: {len(wrong)} of {count} outputs written anew")
        return 0, count
    for command, expected, shown in wrong:
        print(f"{path.name}: $ {command}")
        print("--- in the file\n" + "\n".join(expected) + "\n--- printed\n" + "\n".join(shown) + "\n")
    return len(wrong), count


def main(arguments):
    write = "--write" in arguments
    total = failed = 0
    for name in arguments:
        if name == "--write":
            continue
        bad, count = check(SOURCE / name, write)
        failed += bad
        total += count
    if total == 0:
        print("no example found")
        return 1
    print(f"{total - failed} of {total} examples print what the files say")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
