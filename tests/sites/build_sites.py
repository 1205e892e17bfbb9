"""Builds the documentation sites of this folder with their own tools, the calculator put in as the documentation says: the
snippets are those of shell/docs/snippets, word for word."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
SNIPPETS = SOURCE / "shell" / "docs" / "snippets"
DIST = pathlib.Path(os.environ.get("XUANKA_DIST_DIR", SOURCE / "dist"))
APART = ("docs", "js", "schema")  # in the site's folder, and not the calculator


def snippet(name):
    return (SNIPPETS / name).read_text("utf-8")


def fill(folder):
    """Puts the snippets in place of their marks."""
    for path in [*folder.rglob("*.md"), *folder.rglob("*.rst"), *folder.rglob("*.html")]:
        text = path.read_text("utf-8")
        filled = re.sub(r"(?m)^(?:<!-- snippet: (\S+) -->|\.\. snippet: (\S+))$", lambda mark: snippet(mark[1] or mark[2]), text)
        if filled != text:
            path.write_text(filled, "utf-8")


def copy_calculator(target):
    shutil.copytree(DIST, target, ignore=lambda folder, names: [n for n in names if pathlib.Path(folder) == DIST and n in APART])


def run(command, folder):
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run([sys.executable, "-m", *command], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise AssertionError(done.stdout)


def mkdocs(work, address):
    """Builds into work/site, to be served at `address`: instant navigation compares links with it."""
    site = work / "mkdocs"
    shutil.copytree(HERE / "mkdocs", site)
    fill(site)
    with (site / "mkdocs.yml").open("a", encoding="utf-8") as file:
        file.write(f"site_url: {address}\n" + snippet("mkdocs.yml"))
    copy_calculator(site / "docs" / "assets" / "xuanka")
    run(["mkdocs", "build", "--strict", "--site-dir", work / "site"], site)


def sphinx(work, _):
    site = work / "sphinx"
    shutil.copytree(HERE / "sphinx", site)
    fill(site)
    with (site / "conf.py").open("a", encoding="utf-8") as file:
        file.write(snippet("sphinx.py"))
    copy_calculator(site / "extra" / "xuanka")
    run(["sphinx", "-q", "-W", "-b", "html", site, work / "site"], site)


def plain(work, _):
    site = work / "site"
    site.mkdir()
    page = f"<!doctype html><html lang='en'><meta charset='utf-8'><title>Plain</title><h1>A page</h1>{snippet('plain.html')}{snippet('events.html')}"
    (site / "index.html").write_text(page, "utf-8")
    copy_calculator(site / "xuanka")
