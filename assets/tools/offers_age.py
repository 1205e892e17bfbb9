#!/usr/bin/env python3
"""Which offers are old, as Markdown: by provider, the offers older than so many days and those without a date.

    offers_age.py [--days 180] [--as-of 2026-11-30] [FILE]

Exit status 1 when there are any.
"""
import argparse
import collections
import datetime
import json
import pathlib
import sys

OFFERS = pathlib.Path(__file__).resolve().parents[1] / "catalog" / "offers.json"


def read_on(as_of):
    """First day of the period that a date names ("2026", "2026-08", "2026-08-14"): how old it may be."""
    parts = [int(part) for part in as_of.split("-")]
    return datetime.date(*(parts + [1, 1])[:3])


def report(offers, days, today):
    old, undated, newest = collections.Counter(), collections.Counter(), {}
    total = collections.Counter(offer["provider"] for offer in offers)
    for offer in offers:
        provider = offer["provider"]
        if "as_of" not in offer:
            undated[provider] += 1
            continue
        newest[provider] = max(newest.get(provider, ""), offer["as_of"])
        if (today - read_on(offer["as_of"])).days > days:
            old[provider] += 1
    lines = [f"{sum(old.values())} of {len(offers)} offers are older than {days} days on {today}, {sum(undated.values())} have no date.", ""]
    stale = sorted(set(old) | set(undated), key=lambda provider: (-old[provider], provider))
    if stale:
        lines += ["| provider | offers | old | undated | newest |", "| --- | ---: | ---: | ---: | --- |"]
        lines += [f"| {name} | {total[name]} | {old[name]} | {undated[name]} | {newest.get(name, '—')} |" for name in stale]
    return "\n".join(lines), bool(stale)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=OFFERS)
    parser.add_argument("--days", type=int, default=180)
    parser.add_argument("--as-of", type=datetime.date.fromisoformat, default=datetime.date.today())
    args = parser.parse_args()
    text, stale = report(json.loads(args.file.read_text("utf-8"))["offers"], args.days, args.as_of)
    print(text)
    sys.exit(stale)


if __name__ == "__main__":
    main()
