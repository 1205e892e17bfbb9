#!/usr/bin/env python3
"""A picture of the page, for looking at.

    shot.py OUT.png [--dist dist] [--fragment 'v=1&...'] [--size 1280x860] [--ratio 1] [--theme dark] [--lang en]
            [--touch] [--click KEY]... [--twin]
"""
import argparse
import pathlib
import sys
import urllib.parse

from harness import Browser, Site


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--dist", type=pathlib.Path, default=pathlib.Path("dist"))
    parser.add_argument("--fragment", default="")
    parser.add_argument("--size", default="1280x860")
    parser.add_argument("--ratio", type=float, default=1)
    parser.add_argument("--theme", choices=["auto", "light", "dark", "contrast"], default="light")
    parser.add_argument("--lang", choices=["zh", "en"], default="zh")
    parser.add_argument("--touch", action="store_true")
    parser.add_argument("--click", action="append", default=[], help="key of an item to click, in order")
    parser.add_argument("--twin", action="store_true", help="the whole page with the text version")
    args = parser.parse_args()
    width, height = (int(part) for part in args.size.split("x"))
    state = dict(urllib.parse.parse_qsl(args.fragment, keep_blank_values=True))
    state = {"v": "1", "lang": args.lang, "theme": args.theme, **state}
    with Site(args.dist) as site, Browser() as browser:
        page = browser.page(width, height, ratio=args.ratio, touch=args.touch)
        page.open(site.address + "#" + urllib.parse.urlencode(state), wait="ready or error")
        for key in args.click:
            page.click_item(key)
        args.out.parent.mkdir(parents=True, exist_ok=True)
        page.settle()
        page.playwright.screenshot(path=str(args.out), full_page=args.twin)
        for line in page.messages:
            print(line, file=sys.stderr)


if __name__ == "__main__":
    main()
