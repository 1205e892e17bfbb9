"""Runs a test unless it has passed before on the very same inputs: run_cached.py STAMP INPUT [INPUT...] -- COMMAND...

An input is a file, or a folder with all that is in it but the paths given with '!' before them; the command and the
interpreter's version count as inputs too.
What fails is run once more: a browser beside others may miss a deadline of the test's own, a fault fails twice.
What has passed is kept in STAMP, one line: a hash of the inputs and the day. XUANKA_TEST_AGAIN=1 runs the command in any
case. Exits with the command's status.
"""

import datetime
import hashlib
import os
import pathlib
import subprocess
import sys


def files_of(path, without):
    """The file, or every file below the folder, in a fixed order."""
    if not path.is_dir():
        return [path]
    return sorted(p for p in path.rglob("*")
                  if p.is_file() and "__pycache__" not in p.parts and not any(w in p.parents for w in without))


def content_of(path):
    """What a file holds; of a very large one (a browser) its size and date."""
    about = path.stat()
    if about.st_size > 64e6:
        return repr((about.st_size, about.st_mtime_ns)).encode()
    return hashlib.sha256(path.read_bytes()).digest()


def hash_of(inputs, command):
    """A hash of names and contents of the inputs and of the command."""
    digest = hashlib.sha256(repr((sys.version, command)).encode())
    without = [pathlib.Path(given[1:]) for given in inputs if given.startswith("!")]
    for given in inputs:
        for path in [] if given.startswith("!") else files_of(pathlib.Path(given), without):
            digest.update(f"\0{path}\0".encode())
            digest.update(content_of(path))
    return digest.hexdigest()


def main():
    at = sys.argv.index("--")
    stamp, inputs = pathlib.Path(sys.argv[1]), sys.argv[2:at]
    command = sys.argv[at + 1:]
    wanted = hash_of(inputs, command)
    passed, _, day = stamp.read_text(encoding="utf-8").partition(" ") if stamp.is_file() else ("", "", "")
    if passed == wanted and os.environ.get("XUANKA_TEST_AGAIN", "") in ("", "0"):
        print(f"passed on {day.strip()} with the same files; XUANKA_TEST_AGAIN=1 runs it again")
        return 0
    stamp.unlink(missing_ok=True)
    status = subprocess.run(command, check=False).returncode
    if status:
        print("failed; once more, to tell a fault from a machine that was busy", flush=True)
        status = subprocess.run(command, check=False).returncode
    if status == 0 and hash_of(inputs, command) == wanted:
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.write_text(f"{wanted} {datetime.date.today()}\n", encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
