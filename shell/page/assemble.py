#!/usr/bin/env python3
"""Assembles the static site: index.html and embed.html, and everything they load in assets/, with nothing else in it.

    assemble.py --page shell/page --out dist MODULE_FILE...

The pages are written with the default answer in them (prerender.mjs runs the page's own module under node), so that
it is readable before any script has run.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys

# Files of the page's folder that build the site rather than belong to it.
BUILD_ONLY = {".py", ".txt", ".cmake", ".md", ".mjs"}
PAGES = {"index.html": "page", "embed.html": "embed"}
TEMPLATE = "index.html"


def asset_files(page, modules):
    """Maps each name in assets/ to the file it comes from."""
    files = {}
    for path in sorted(page.iterdir()):
        if path.is_file() and path.suffix not in BUILD_ONLY and path.name != TEMPLATE:
            files[path.name] = path
    for module in modules:
        files[module.name] = module
    return files


def prerender(page, assets, node):
    """What the pages show before their module has loaded: {"twin", "zh", "en"} as HTML."""
    run = subprocess.run(
        [node, str(page / "prerender.mjs"), str(assets)], capture_output=True, text=True, encoding="utf-8", check=False
    )
    if run.returncode != 0:
        sys.exit(f"assemble.py: the default answer could not be rendered:\n{run.stderr}")
    return json.loads(run.stdout)


def fill(template, values):
    for name, value in values.items():
        mark = f"@{name}@"
        if mark not in template:
            sys.exit(f"assemble.py: {TEMPLATE} has no {mark}")
        template = template.replace(mark, value)
    return template


def assemble(page, out, modules, node):
    assets = out / "assets"
    assets.mkdir(parents=True, exist_ok=True)
    files = asset_files(page, modules)
    for path in sorted(out.rglob("*"), reverse=True):
        relative = path.relative_to(out)
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif str(relative) not in PAGES and not (relative.parent.name == "assets" and relative.name in files):
            path.unlink()
    assets.mkdir(parents=True, exist_ok=True)
    for name, source in files.items():
        shutil.copyfile(source, assets / name)

    first = prerender(page, assets, node)
    template = (page / TEMPLATE).read_text(encoding="utf-8")
    values = {
        "TWIN": first["twin"],
        "ANSWER_ZH": first["zh"],
        "ANSWER_EN": first["en"],
        "BYTES": str((assets / "xuanka_app.wasm").stat().st_size),
    }
    for name, kind in PAGES.items():
        (out / name).write_text(fill(template, {**values, "PAGE": kind}), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--page", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--node", default="node")
    parser.add_argument("modules", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    assemble(args.page, args.out, args.modules, args.node)


if __name__ == "__main__":
    main()
