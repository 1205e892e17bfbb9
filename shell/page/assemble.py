#!/usr/bin/env python3
"""Assembles the static site. The program and all it loads have names made of their contents, in assets/; the pages,
the embedding script, the service worker and the manifest have names that stay. Every address in them is relative.

    assemble.py --source REPOSITORY --out dist --icons FOLDER --site https://example.org/xuanka/ --measured FILE \
        PROGRAM.js PROGRAM.wasm

The pages are written with the default answer in them (prerender.mjs runs the page's own module under node), so that
it is readable before any script has run. --site is where the site will be, for the oEmbed documents: the one thing
that must be absolute.
"""
import argparse
import base64
import hashlib
import json
import pathlib
import re
import subprocess
import sys

import bundle
import pack

NAME = "选卡 Xuanka"
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob: data:; "
    "object-src 'none'; base-uri 'none'; form-action 'none'"
)
# What the service worker keeps.
OFFLINE = ("xuanka.css", "xuanka.js", "xuanka.wasm", "measured.txt", "guide.js", "reference.json", "icon.svg")
ICON_SIZES = {"icon-192.png": "any", "icon-512.png": "any", "icon-full-512.png": "maskable"}
# view -> width, height of a frame that cannot ask for its height
OEMBED = {"full": (1100, 1400), "answer": (720, 420), "table": (1000, 720), "wizard": (560, 1100)}


def digest(data):
    return hashlib.sha256(data).hexdigest()[:12]


def policy_hash(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii") + "'"


class Site:
    """What is written below `out`; assets under names with their digest."""

    def __init__(self, out):
        self.out = out
        self.assets = {}

    def write(self, name, data):
        path = self.out / name
        data = data.encode("utf-8") if isinstance(data, str) else data
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)

    def asset(self, name, data):
        data = data.encode("utf-8") if isinstance(data, str) else data
        stem, suffix = name.rsplit(".", 1)
        address = f"assets/{stem}-{digest(data)}.{suffix}"
        self.write(address, data)
        self.assets[name] = address
        return address

    def drop_old_assets(self):
        wanted = {address + suffix for address in self.assets.values() for suffix in ("", ".br", ".gz")}
        for path in (self.out / "assets").iterdir():
            if f"assets/{path.name}" not in wanted:
                path.unlink()


def fill(name, template, values):
    for key, value in values.items():
        mark = f"@{key}@"
        if mark not in template:
            sys.exit(f"assemble.py: {name} has no {mark}")
        template = template.replace(mark, value)
    return template


def prerender(page, program, node):
    """What the pages show before their module has loaded: {"twin", "zh", "en"} as HTML."""
    run = subprocess.run(
        [node, str(page / "prerender.mjs"), str(page), str(program)],
        capture_output=True, text=True, encoding="utf-8", check=False,
    )
    if run.returncode != 0:
        sys.exit(f"assemble.py: the default answer could not be rendered:\n{run.stderr}")
    return json.loads(run.stdout)


def reference(source):
    """What the page fetches when it is asked for: architectures, providers, examples, in one file."""
    def read(path):
        return json.loads((source / "assets" / path).read_text(encoding="utf-8"))

    merged = {"sources": []}
    known = read("catalog/sources.json")["sources"]
    for name in ("architectures", "providers", "presets"):
        data = read(f"reference/{name}.json")
        merged[name] = data[name]
        known.extend(data.get("sources", []))
    named = set(re.findall(r"[\w.-]+", json.dumps([entry.get("sources") for name in merged for entry in merged[name]])))
    merged["sources"] = [{"id": one["id"], "title": one["title"]} for one in known if one["id"] in named]
    return json.dumps(merged, ensure_ascii=False, separators=(",", ":"))


def head(site, kind):
    lines = [f'<link rel="icon" href="{site.assets["icon.svg"]}" type="image/svg+xml">']
    if kind == "page":
        lines.append('<link rel="manifest" href="xuanka.webmanifest">')
        lines.append(f'<link rel="apple-touch-icon" href="{site.assets["icon-192.png"]}">')
    else:
        lines.append('<meta name="robots" content="noindex">')
        lines.append('<!-- Origins that may embed this site, separated by spaces; * is everyone. -->')
        lines.append('<meta name="xuanka-hosts" content="*">')
    lines.append(f'<link rel="alternate" type="application/json+oembed" href="oembed.json" title="{NAME}">')
    lines.append(f'<link rel="stylesheet" href="{site.assets["xuanka.css"]}">')
    lines.append(f'<link rel="preload" href="{site.assets["xuanka.wasm"]}" as="fetch" type="application/wasm" crossorigin>')
    lines.append(f'<script defer src="{site.assets["xuanka.js"]}"></script>')
    return "\n".join(lines)


def single_file(template, values, style, script, program, icon, texts):
    """The page with everything in it; its policy names the digests of its own style and script."""
    text, size = pack.as_text(program)
    data = "data:image/svg+xml;base64," + base64.b64encode(icon).decode("ascii")
    policy = (
        f"default-src 'none'; script-src {policy_hash(script)} 'wasm-unsafe-eval'; style-src {policy_hash(style)}; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    if "</script" in script + "".join(texts.values()) or "</style" in style:
        sys.exit("assemble.py: the single file's script or style would end early")
    return fill("index.html", template, {
        **values,
        "PAGE": "single",
        "POLICY": policy,
        "PROGRAM": "",
        "MEASURED": "",
        "GUIDE": "",
        "REFERENCE": "",
        "HEAD": f'<link rel="icon" href="{data}" type="image/svg+xml">\n<style>{style}</style>',
        "TAIL": f'<script type="text/plain" id="program" data-size="{size}">{text}</script>\n'
                + "".join(f'<script type="text/plain" id="{name}">{text}</script>\n' for name, text in texts.items())
                + f"<script>{script}</script>\n",
    })


def manifest(site):
    icons = [{"src": site.assets["icon.svg"], "sizes": "any", "type": "image/svg+xml"}]
    for name, purpose in ICON_SIZES.items():
        size = re.search(r"\d+", name).group()
        icons.append({"src": site.assets[name], "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose})
    return {
        "name": NAME, "short_name": "选卡", "lang": "zh-CN", "start_url": "./", "scope": "./", "id": "./",
        "description": "选对 GPU，算清时间、显存和价钱. The right GPU: time, memory and price worked out.",
        "display": "standalone", "background_color": "#f6f7f9", "theme_color": "#0f766e", "icons": icons,
    }


def worker(template, site, index):
    files = ["", "xuanka.webmanifest", *(site.assets[name] for name in OFFLINE)]
    version = digest("\n".join([*files, index, json.dumps(manifest(site))]).encode("utf-8"))
    return template.replace("@VERSION@", version).replace("@FILES@", json.dumps(files))


def oembed(site, address):
    for view, (width, height) in OEMBED.items():
        source = f"{address}embed.html#v=1&amp;view={view}"
        html = (
            f'<iframe src="{source}" title="{NAME}" width="{width}" height="{height}" loading="lazy" '
            'style="max-width:100%;border:0" allow="clipboard-write; fullscreen"></iframe>'
        )
        document = {
            "version": "1.0", "type": "rich", "title": NAME, "provider_name": NAME, "provider_url": address,
            "width": width, "height": height, "html": html, "cache_age": 86400,
        }
        name = "oembed.json" if view == "full" else f"oembed-{view}.json"
        site.write(name, json.dumps(document, ensure_ascii=False, indent=2) + "\n")


def assemble(source, out, icons, address, program, measured, node):
    page = source / "shell" / "page"
    script, module = program
    site = Site(out)
    style = (page / "style.css").read_text(encoding="utf-8")
    code = bundle.bundle(page, "loader.js", script.read_text(encoding="utf-8"))
    icon = (page / "icon.svg").read_bytes()
    site.asset("xuanka.css", style)
    site.asset("xuanka.js", code)
    site.asset("xuanka.wasm", module.read_bytes())
    site.asset("measured.txt", measured)
    site.asset("icon.svg", icon)
    texts = {"measured": measured, "reference": reference(source)}
    guide = bundle.stripped("guide.js", (page / "guide.js").read_text(encoding="utf-8")) + "\n"
    site.asset("guide.js", guide)
    site.asset("reference.json", texts["reference"])
    for name in ICON_SIZES:
        site.asset(name, (icons / name).read_bytes())
    site.drop_old_assets()

    first = prerender(page, script, node)
    template = (page / "index.html").read_text(encoding="utf-8")
    values = {"TWIN": first["twin"], "ANSWER_ZH": first["zh"], "ANSWER_EN": first["en"], "BYTES": str(module.stat().st_size)}
    pages = {}
    for name, kind in {"index.html": "page", "embed.html": "embed"}.items():
        pages[name] = fill("index.html", template, {
            **values, "PAGE": kind, "POLICY": POLICY, "PROGRAM": site.assets["xuanka.wasm"],
            "MEASURED": site.assets["measured.txt"], "GUIDE": site.assets["guide.js"], "REFERENCE": site.assets["reference.json"],
            "HEAD": head(site, kind), "TAIL": "",
        })
        site.write(name, pages[name])
    site.write("xuanka-single.html", single_file(template, values, style, guide + code, module.read_bytes(), icon, texts))
    site.write("xuanka-embed.js", (source / "shell" / "embed" / "xuanka-embed.js").read_bytes())
    site.write("xuanka.webmanifest", json.dumps(manifest(site), ensure_ascii=False, indent=1) + "\n")
    site.write("sw.js", worker((page / "sw.js").read_text(encoding="utf-8"), site, pages["index.html"]))
    site.write("_headers", (page / "headers.txt").read_text(encoding="utf-8").replace("@POLICY@", POLICY))
    oembed(site, address)
    pack.pack(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--icons", required=True, type=pathlib.Path)
    parser.add_argument("--site", required=True)
    parser.add_argument("--measured", required=True, type=pathlib.Path, help="the measurements beside their estimates")
    parser.add_argument("--node", default="node")
    parser.add_argument("script", type=pathlib.Path)
    parser.add_argument("module", type=pathlib.Path)
    args = parser.parse_args()
    assemble(args.source, args.out, args.icons, args.site.rstrip("/") + "/", (args.script, args.module),
             args.measured.read_text(encoding="utf-8"), args.node)


if __name__ == "__main__":
    main()
