#!/usr/bin/env python3
"""Compresses a folder for hosts that serve precompressed files: FILE.br and FILE.gz beside each FILE worth it.

    pack.py FOLDER

Also: the program as text for the single file (85 characters, four bytes to five of them; packed.js reads it).
"""
import concurrent.futures
import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import zlib

ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%()*+,-./:;=?@[]^_{}"
SUFFIXES = {".html", ".js", ".mjs", ".css", ".json", ".webmanifest", ".svg", ".wasm", ".xml", ".txt", ".ts"}
WORTH = 256  # bytes; smaller files fit into one packet anyway


def as_text(data):
    """(text, bytes of the deflated data): packed.js undoes both."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    packed = packer.compress(data) + packer.flush()
    padded = packed + b"\0" * (-len(packed) % 4)
    out = []
    for i in range(0, len(padded), 4):
        word = int.from_bytes(padded[i : i + 4], "big")
        digits = []
        for _ in range(5):
            word, digit = divmod(word, 85)
            digits.append(ALPHABET[digit])
        out.extend(reversed(digits))
    return "".join(out), len(packed)


def stale(source, made):
    return not made.exists() or made.stat().st_mtime_ns < source.stat().st_mtime_ns


def compress(path):
    small = path.with_name(path.name + ".gz")
    if stale(path, small):
        small.write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
    small = path.with_name(path.name + ".br")
    if stale(path, small) and shutil.which("brotli"):
        run = subprocess.run(["brotli", "-q", "11", "-w", "24", "-c", str(path)], check=True, capture_output=True)
        small.write_bytes(run.stdout)


def pack(folder):
    """Compresses what is not compressed yet; removes what is left of files that are gone."""
    if not shutil.which("brotli"):
        print("pack.py: no brotli command, so only .gz files are made", file=sys.stderr)
    files = []
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".br", ".gz"}:
            if not path.with_suffix("").exists():
                path.unlink()
        elif path.is_file() and path.suffix in SUFFIXES and path.stat().st_size >= WORTH:
            files.append(path)
    files.sort(key=lambda path: -path.stat().st_size)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(compress, files))


if __name__ == "__main__":
    pack(pathlib.Path(sys.argv[1]))
