#!/usr/bin/env python3
"""Builds the documentation into DIST/docs (zh, en and a page that chooses), and puts the schemas and the JavaScript module
beside it (DIST/schema, DIST/js). Needs mkdocs-material: run it with the Python of .toolchain/venv.

    build.py --dist dist --cli build/xuanka --js build/web/js [--force]

Nothing is done when nothing has changed since the last time.
"""
import argparse
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
CHOOSER = """<!doctype html>
<html lang="zh"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Xuanka 选卡</title>
<meta http-equiv="refresh" content="0; url={first}/"></head>
<body><p><a href="zh/">中文文档</a></p><p><a href="en/" lang="en">Documentation in English</a></p></body></html>
"""


def fingerprint(cli):
    """Of everything that the pages are made of."""
    digest = hashlib.sha256(cli.read_bytes())
    for folder in ("shell/docs", "shell/js", "assets/catalog", "assets/schema", "assets/measurements", "core/docs"):
        for path in sorted((SOURCE / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(SOURCE)} {path.stat().st_size}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def build_docs(dist, cli, js):
    docs = dist / "docs"
    env = {**os.environ, "XUANKA_CLI": str(cli), "XUANKA_SOURCE_DIR": str(SOURCE), "XUANKA_JS_DIR": str(js), "NO_MKDOCS_2_WARNING": "1"}
    shutil.rmtree(docs, ignore_errors=True)
    for lang in ("zh", "en"):
        command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", HERE / f"mkdocs.{lang}.yml", "--site-dir", docs / lang]
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            sys.exit(done.stdout)
    (docs / "index.html").write_text(CHOOSER.format(first="zh"), "utf-8")


def copy_folder(source, target, pattern):
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for path in sorted(source.glob(pattern)):
        if path.is_file():
            shutil.copyfile(path, target / path.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dist", required=True, type=pathlib.Path)
    parser.add_argument("--cli", required=True, type=pathlib.Path)
    parser.add_argument("--js", required=True, type=pathlib.Path, help="the assembled npm package")
    parser.add_argument("--force", action="store_true")
    args = parser.parse_args()
    dist, cli = args.dist.resolve(), args.cli.resolve()
    copy_folder(SOURCE / "assets" / "schema", dist / "schema", "*.json")
    copy_folder(args.js, dist / "js", "*.*")
    stamp, now = dist / "docs" / ".made-of", fingerprint(cli)
    if not args.force and stamp.exists() and stamp.read_text() == now:
        return
    build_docs(dist, cli, args.js.resolve())
    stamp.write_text(now)


if __name__ == "__main__":
    main()
