#!/usr/bin/env python3
"""Brings hourly offers up to date from the rows of the gpuhunt library (github.com/dstackai/gpuhunt), which collects the
prices of clouds: `pip install gpuhunt`, then

    refresh_offers.py                       fetches the rows, rewrites assets/catalog/offers.json and sources.json
    refresh_offers.py --rows rows.json      takes rows that were fetched before: a list of gpuhunt's CatalogItem as JSON
    refresh_offers.py --catalog FOLDER --as-of 2026-11-30 --dry-run

An offer is replaced by the row of the same provider, region, instance and billing; other offers stay. Of a provider that
the catalogue does not have yet, the cheapest region is taken, of others the regions that it follows. A card of which several
form factors exist is taken only where the instance's name or an offer of the same instance says which; the others
are listed, never guessed.
"""
import argparse
import dataclasses
import datetime
import json
import pathlib
import re
import sys

import format_catalog

CATALOG = pathlib.Path(__file__).resolve().parents[1] / "catalog"
PROVIDERS = {
    "aws": "AWS", "azure": "Azure", "gcp": "Google Cloud", "lambdalabs": "Lambda", "nebius": "Nebius", "oci": "Oracle Cloud", "runpod": "RunPod",
    "verda": "Verda", "vastai": "Vast.ai", "vultr": "Vultr", "digitalocean": "DigitalOcean", "jarvislabs": "JarvisLabs",
}
MARKETS = {"Vast.ai"}  # lowest listings, not a provider's own price
NEEDED = ("provider", "instance_name", "location", "price", "cpu", "memory", "gpu_count", "gpu_name", "gpu_memory", "spot")
FORMS = ("sxm", "pcie", "nvl")
SOURCE = {
    "id": "gpuhunt", "title": "gpuhunt: prices of cloud GPUs", "publisher": "dstack", "address": "github.com/dstackai/gpuhunt",
    "says": "Hourly on-demand and spot prices, cores and memory of cloud instances, collected from the providers' interfaces.",
}


@dataclasses.dataclass
class Outcome:
    offers: list
    replaced: int = 0
    added: int = 0
    unmatched: dict = dataclasses.field(default_factory=dict)  # (provider, card, instance) -> why


def plain(name):
    """A card's name without what sources write differently."""
    return re.sub(r"nvidia|geforce|tesla|[^a-z0-9]", "", name.lower())


def cards_by_name(gpus):
    """Plain name without memory and form factor -> [(id, form, GB)]."""
    out = {}
    for gpu in gpus:
        parts = gpu["id"].split("-")
        form = next((part for part in parts if part.startswith(FORMS)), "")
        stem = plain("".join(part for part in parts[:-1] if part != form))
        names = {stem, stem.removeprefix("rtx")} | {re.sub(r"(sxm\d?|pcie|nvl)?(\d+gb)?$", "", plain(name)) for name in [gpu["name"], *gpu.get("aliases", [])]}
        for name in names:
            out.setdefault(name, []).append((gpu["id"], form[:4], gpu["memory_gb"]))
    return out


def card_of(row, cards, known):
    """(id, None) or (None, why not)."""
    name = plain(row["gpu_name"] or "")
    said = row["instance_name"].lower()
    form = next((one for one in FORMS if one in said or name.endswith(one)), "")
    stem = re.sub(r"(sxm\d?|pcie|nvl)$", "", name)
    fitting = [card for card in cards.get(stem, []) if row["gpu_memory"] and abs(card[2] - row["gpu_memory"]) <= 0.03 * card[2]]
    if form and any(card[1].startswith(form) for card in fitting):
        fitting = [card for card in fitting if card[1].startswith(form)]
    if len({card[0] for card in fitting}) == 1:
        return fitting[0][0], None
    before = known.get((PROVIDERS.get(row["provider"], row["provider"]), row["instance_name"]))
    if before in {card[0] for card in fitting}:
        return before, None
    return None, "several form factors" if fitting else "not in the catalogue"


def offer_of(row, gpu, as_of):
    provider = PROVIDERS.get(row["provider"], row["provider"])
    billing = "spot" if row["spot"] else "marketplace" if provider in MARKETS else "on-demand"
    slug = re.sub(r"[^a-z0-9]+", "-", f"{provider} {row['instance_name']} {row['location']} {billing} {as_of}".lower()).strip("-")
    offer = {
        "id": slug, "provider": provider, "region": row["location"], "instance": row["instance_name"], "gpu": gpu, "gpu_count": row["gpu_count"],
        "vcpus": row["cpu"] or None, "ram_gb": row["memory"] or None, "price_per_hour": {"amount": round(row["price"], 6), "currency": "USD"},
        "price_per_gpu_hour": {"amount": round(row["price"] / row["gpu_count"], 6), "currency": "USD"}, "billing": billing, "as_of": as_of,
        "sources": [SOURCE["id"]], "per_gpu": False,
    }
    if row.get("disk_size"):
        offer["disk"] = f"{row['disk_size']:g} GB"
    return offer


def key_of(offer):
    return offer["provider"], offer["region"], offer["instance"], offer["billing"]


def wanted_regions(offers, fresh):
    """Provider -> regions to keep: those followed, else the one with the lowest total."""
    out = {}
    for offer in offers:
        out.setdefault(offer["provider"], set()).add(offer["region"])
    new = {}
    for offer in fresh:
        if offer["provider"] not in out:
            prices = new.setdefault(offer["provider"], {}).setdefault(offer["region"], [])
            prices.append(offer["price_per_gpu_hour"]["amount"])
    for provider, regions in new.items():
        out[provider] = {min(regions, key=lambda region: (sum(regions[region]) / len(regions[region]), region))}
    return out


def refresh(rows, offers, gpus, as_of):
    cards = cards_by_name(gpus)
    known = {(offer["provider"], offer["instance"]): offer["gpu"] for offer in offers}
    outcome = Outcome([])
    fresh = {}
    for row in rows:
        if not row["gpu_count"] or not row["price"] or row["price"] <= 0:
            continue
        gpu, why = card_of(row, cards, known)
        if gpu is None:
            outcome.unmatched[(row["provider"], row["gpu_name"], row["instance_name"])] = why
            continue
        offer = offer_of(row, gpu, as_of)
        before = fresh.get(key_of(offer))
        if before is None or offer["price_per_hour"]["amount"] < before["price_per_hour"]["amount"]:
            fresh[key_of(offer)] = offer
    regions = wanted_regions(offers, fresh.values())
    fresh = {key: offer for key, offer in fresh.items() if offer["region"] in regions[offer["provider"]]}
    old = {key_of(offer) for offer in offers}
    outcome.replaced = len(old & set(fresh))
    outcome.added = len(fresh) - outcome.replaced
    outcome.offers = [offer for offer in offers if key_of(offer) not in fresh] + list(fresh.values())
    outcome.offers.sort(key=lambda offer: (offer["provider"], offer["id"]))
    return outcome


def fetched_rows():
    try:
        import gpuhunt
    except ImportError:
        sys.exit("refresh_offers.py: install gpuhunt (pip install gpuhunt), or give rows with --rows")
    return [json.loads(json.dumps(dataclasses.asdict(item), default=str)) for item in gpuhunt.query(min_gpu_count=1)]


def read_rows(path):
    data = json.loads(path.read_text("utf-8")) if path else fetched_rows()
    rows = data["rows"] if isinstance(data, dict) else data
    for row in rows:
        lacking = [key for key in NEEDED if key not in row]
        if lacking:
            sys.exit(f"refresh_offers.py: a row without {', '.join(lacking)}: not gpuhunt's format any more?\n{row}")
    return rows


def write(path, data):
    path.write_text(format_catalog.formatted(data), "utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=pathlib.Path)
    parser.add_argument("--catalog", type=pathlib.Path, default=CATALOG)
    parser.add_argument("--as-of", type=datetime.date.fromisoformat, default=datetime.date.today())
    parser.add_argument("--dry-run", action="store_true")
    args = parser.parse_args()
    files = {name: json.loads((args.catalog / f"{name}.json").read_text("utf-8")) for name in ("offers", "gpus", "sources")}
    outcome = refresh(read_rows(args.rows), files["offers"]["offers"], files["gpus"]["gpus"], args.as_of.isoformat())
    print(f"{outcome.replaced} offers replaced, {outcome.added} added, {len(outcome.offers)} in all")
    for (provider, card, instance), why in sorted(outcome.unmatched.items(), key=str):
        print(f"left out: {provider} {instance} ({card}): {why}")
    if args.dry_run or outcome.replaced + outcome.added == 0:
        return
    files["offers"]["offers"] = outcome.offers
    sources = [entry for entry in files["sources"]["sources"] if entry["id"] != SOURCE["id"]]
    files["sources"]["sources"] = [*sources, {**SOURCE, "date": args.as_of.isoformat()}]
    for name in ("offers", "sources"):
        files[name]["data_date"] = max(files[name]["data_date"], args.as_of.isoformat())
        write(args.catalog / f"{name}.json", files[name])


if __name__ == "__main__":
    main()
