#!/usr/bin/env python3
"""Assembles the static site: the page's files and the wasm modules, in one folder with nothing else in it.

    assemble.py --page shell/page --out dist MODULE_FILE...
"""
import argparse
import pathlib
import shutil

# Files of the page's folder that build the site rather than belong to it.
BUILD_ONLY = {".py", ".txt", ".cmake", ".md"}


def wanted(page, modules):
    """Maps each path inside the site to the file it comes from."""
    files = {}
    for path in sorted(page.rglob("*")):
        if path.is_file() and path.suffix not in BUILD_ONLY and "__pycache__" not in path.parts:
            files[path.relative_to(page)] = path
    for module in modules:
        files[pathlib.Path(module.name)] = module
    return files


def assemble(page, out, modules):
    files = wanted(page, modules)
    out.mkdir(parents=True, exist_ok=True)
    for path in sorted(out.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.relative_to(out) not in files:
            path.unlink()
    for target, source in files.items():
        (out / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, out / target)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--page", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("modules", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    assemble(args.page, args.out, args.modules)


if __name__ == "__main__":
    main()
