#!/usr/bin/env python3
"""Assembles the npm package: the folder that `npm pack` or `npm publish` takes.

    make_package.py --source REPOSITORY --out FOLDER --version 0.1.0 MODULE_FILE...
"""
import argparse
import pathlib
import shutil
import subprocess
import sys

OURS = ["index.js", "errors.js", "instance.js", "index.d.ts", "README.md"]


def assemble(source, out, version, modules):
    shutil.rmtree(out, ignore_errors=True)
    (out / "schema").mkdir(parents=True)
    js = source / "shell" / "js"
    files = [*(js / name for name in OURS), source / "shell" / "page" / "core.js", source / "LICENSE", *modules]
    for file in files:
        shutil.copyfile(file, out / file.name)
    shutil.copyfile(source / "assets" / "LICENSE", out / "LICENSE-data")
    for schema in sorted((source / "assets" / "schema").glob("*.json")):
        shutil.copyfile(schema, out / "schema" / schema.name)
    subprocess.run([sys.executable, js / "make_types.py", source / "assets" / "schema", out / "types.d.ts"], check=True)
    manifest = (js / "package.json").read_text("utf-8").replace("@VERSION@", version)
    (out / "package.json").write_text(manifest, "utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--version", required=True)
    parser.add_argument("modules", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    assemble(args.source, args.out, args.version, args.modules)


if __name__ == "__main__":
    main()
