"""MkDocs hooks: pages are Jinja templates over figures.py and fields.py, so that every number in them is computed."""
import hashlib
import os
import pathlib
import re
import sys

import jinja2

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import fields  # noqa: E402
import figures  # noqa: E402

from mkdocs.structure.files import File  # noqa: E402

ENVIRONMENT = jinja2.Environment(undefined=jinja2.StrictUndefined, comment_start_string="{##", comment_end_string="##}", keep_trailing_newline=True)


# Where the site will lie is not known when it is built; the theme wants some address to tell its pages from others.
NOWHERE = "http://localhost/"


def on_config(config):
    config.site_url = os.environ.get("XUANKA_SITE_URL", NOWHERE) + f"docs/{config.theme['language']}/"


def on_files(files, config):
    """The style sheet and the formulas are one file for both languages."""
    shared = {"extra/docs.css": HERE / "extra" / "docs.css", "formulas.md": figures.SOURCE / "core" / "docs" / "model.md"}
    for place, path in shared.items():
        files.append(File.generated(config, place, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown, page, config, files):
    if page.file.src_uri == "formulas.md":
        return markdown
    lang = config.theme["language"]
    # From the page to the site's own folder: out of its own, then out of docs/LANGUAGE/.
    root = "../" * (page.url.count("/") + 2)
    names = {
        "lang": lang, "root": root, "n": figures.n, "gib": figures.gib, "rank": figures.rank, "best": figures.best, "first": figures.first, "gpu": figures.gpu, "offer": figures.offer,
        "source": figures.source, "catalog": figures.catalog, "reference": figures.reference, "reference_source": figures.reference_source, "validation": figures.validation, "console": figures.console, "request": figures.request_text,
        "accuracy_table": lambda group: figures.accuracy_table(lang, group), "bounds_table": figures.bounds_table, "unseen_table": figures.unseen_table, "snippet": lambda name: figures.snippet(name, lang),
        "fields": lambda *args: fields.table(lang, *args), "calculator": lambda flags, **more: figures.calculator(flags, lang, root, **more),
        "refusal": figures.refusal(), "js_size": figures.js_size(),
        "include": lambda path: (figures.SOURCE / path).read_text("utf-8"), "data_version": figures.rank("--model gpt2")["versions"]["data"],
    }
    try:
        return ENVIRONMENT.from_string(markdown).render(names)
    except jinja2.TemplateError as error:
        raise SystemExit(f"{page.file.src_uri}: {error}") from error


def outside(text, ending, page, config):
    """Puts text into a file of the site; its address from the page."""
    name = f"assets/inline/{hashlib.sha256(text.encode()).hexdigest()[:12]}.{ending}"
    path = pathlib.Path(config.site_dir) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return "../" * page.url.count("/") + name


def on_post_page(output, page, config):
    """Nothing inline: the pages work under the same strict policy as the calculator."""
    if NOWHERE in config.site_url:
        output = re.sub(r'<link rel="canonical"[^>]*>', "", output)
    output = re.sub(r"<script>(.*?)</script>", lambda m: f'<script src="{outside(m[1], "js", page, config)}"></script>', output, flags=re.S)
    output = re.sub(r"<style>(.*?)</style>", lambda m: f'<link rel="stylesheet" href="{outside(m[1], "css", page, config)}">', output, flags=re.S)
    return re.sub(r'<(t[dh]) style="text-align: (\w+);">', r'<\1 class="xk-\2">', output)


def on_post_build(config):
    """Only what a reader needs: no maps of the theme's scripts, no error page, which would need an address."""
    site = pathlib.Path(config.site_dir)
    for path in [*site.glob("sitemap.xml.gz"), *site.rglob("*.map"), site / "404.html"]:
        path.unlink()
