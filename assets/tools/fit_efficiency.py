#!/usr/bin/env python3
"""Fits assets/catalog/efficiency.json to the measured cases, and says how well it predicts the rest.

  assets/tools/fit_efficiency.py --server build/tests/tools/xuanka_fit_server
        fits on all shipped cases, sets the ranges by leaving one source out at a time and by cases that no
        constant is fitted to (tests/data/elsewhere.json), writes the file
  ... --check     compares with the file instead of writing it (exit 1 when a number differs by more than 0.2 %:
                  the last of its digits depends on the linear algebra of the machine)
  ... --priors    writes the priors: no measurement used
  ... --no-cross  skips leaving out (ranges stay as they are)

The C++ model is the only model: the server answers with ln(measured / predicted) of every case for given
constants. Constants move in their logarithm, from a prior (efficiency_spec.py) that pulls with its stated
spread; residuals are weighed so that a source counts with the square root of its size, and large ones count
less (soft L1). It starts from the priors, not from the file: same measurements, same result. --check --no-cross
takes some seconds, leaving out some minutes. Needs Python 3.9 and numpy.
"""
import argparse
import collections
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from efficiency_spec import constants  # noqa: E402
from memory_spec import memory_cases  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = ROOT / "assets/catalog/efficiency.json"
MEASUREMENTS = ROOT / "assets/measurements"
STRANGERS = ROOT / "tests/data/elsewhere.json"  # no constant is fitted to them: they only widen the ranges
SOFT = 0.15  # ln; residuals beyond it count linearly
NOISE = 0.10  # ln; spread of one source's figures around a perfect model


def significant(value, digits=4):
    return float(f"%.{digits}g" % value)


def source_of(case):
    """What is left out together: a repository, and for the Megatron sets a model shape."""
    return case["group"]


def set_of(case):
    return case["id"].rsplit("-", 1)[0] if case["kind"] == "step_time" else source_of(case)


def weight_of(case, count):
    """A source counts with the square root of its size; each of the two Megatron sets as 60 cases would."""
    n = count[set_of(case)]
    return 60 / n if case["kind"] == "step_time" else n ** -0.5


def kind_of(case):
    if case["kind"] == "step_time":
        return "megatron"
    if case["family"] in ("matmul", "memory peak", "memory part"):
        return {"matmul": "matrix products"}.get(case["family"], case["family"])
    if case["family"] in ("decoder", "moe", "lora"):
        return "decoders"
    return "inference" if case["family"] == "inference" else "encoders and vision"


def link_of(case):
    if case["count"] <= 1:
        return "one"
    if case["count"] > case["node"]:
        return "network"
    return "nvswitch" if case["link"] == 1 else "pcie"


def is_peak(case):
    return case["family"].startswith("memory ")


class Server:
    def __init__(self, program, efficiency, files):
        self.process = subprocess.Popen([str(program), str(efficiency)] + [str(f) for f in files],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.cases = json.loads(self.process.stdout.readline())

    def ask(self, values, plan=False, memory=False):
        words = " ".join(f"{name}={value!r}" for name, value in values.items())
        self.process.stdin.write(("memory " if memory else "plan " if plan else "") + words + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("the server stopped")
        numbers = [float(x) for x in line.split()]
        return [x if math.isfinite(x) else math.nan for x in numbers]  # no answer: no amount of work


class Fit:
    """Levenberg-Marquardt on the log of the constants, with priors and soft-L1 residuals."""

    def __init__(self, server, spec, rows, memory=False, fixed=None):
        import numpy
        self.np = numpy
        self.server = server
        self.memory = memory
        rows = [i for i in rows if is_peak(server.cases[i]) == memory]
        self.spec = [item for item in spec
                     if item.fit and item.spread > 1 and item.name.startswith("memory_") == memory]
        self.fixed = fixed or {}  # constants of the other kind: plans that are left open depend on both
        self.prior = numpy.log([item.prior for item in self.spec])
        self.pull = 1 / numpy.log([item.spread for item in self.spec])
        self.bounds = [(math.log(max(item.low, 1e-12)), math.log(item.high)) for item in self.spec]
        self.rows = rows
        count = collections.Counter(set_of(server.cases[i]) for i in rows)
        self.weight = numpy.array([weight_of(server.cases[i], count) for i in rows]) / NOISE ** 2

    def values(self, x):
        return {item.name: float(self.np.exp(v)) for item, v in zip(self.spec, x)}

    def ask(self, x, plan=False):
        return self.server.ask({**self.values(x), **self.fixed}, plan, self.memory)

    def residuals(self, x, plan=False):
        out = self.ask(x, plan)
        r = self.np.array([out[i] for i in self.rows])
        return self.np.where(self.np.isfinite(r), r, 0.0)

    def cost(self, x, r):
        soft = 2 * SOFT ** 2 * (self.np.sqrt(1 + (r / SOFT) ** 2) - 1)
        return float((self.weight * soft).sum() + (((x - self.prior) * self.pull) ** 2).sum())

    def clip(self, x):
        return self.np.array([min(max(v, low), high) for v, (low, high) in zip(x, self.bounds)])

    def run(self, start=None, rounds=8, steps=8):
        np = self.np
        x = self.clip(np.array(start if start is not None else self.prior))
        damping = 1e-2
        for _ in range(rounds):
            r = self.residuals(x, plan=True)
            cost = self.cost(x, r)
            begun = cost
            for _ in range(steps):
                jacobian = np.empty((len(r), len(x)))
                for k in range(len(x)):
                    moved = x.copy()
                    moved[k] += 0.01
                    jacobian[:, k] = (self.residuals(moved) - r) / 0.01
                w = self.weight / np.sqrt(1 + (r / SOFT) ** 2)
                normal = jacobian.T @ (jacobian * w[:, None]) + np.diag(self.pull ** 2)
                slope = jacobian.T @ (w * r) + self.pull ** 2 * (x - self.prior)
                # a constant at its bound that wants to go beyond stays where it is
                free = np.array([not ((v <= low + 1e-9 and g > 0) or (v >= high - 1e-9 and g < 0))
                                 for v, (low, high), g in zip(x, self.bounds, slope)])
                better = False
                for _ in range(6):
                    step = np.zeros(len(x))
                    inner = normal[np.ix_(free, free)]
                    step[free] = np.linalg.solve(inner + damping * np.diag(np.diag(inner)), -slope[free])
                    tried = self.clip(x + np.clip(step, -0.4, 0.4))
                    r_tried = self.residuals(tried)
                    if self.cost(tried, r_tried) < cost:
                        better = True
                        break
                    damping *= 5
                if not better:
                    break
                gain = cost - self.cost(tried, r_tried)
                x, r, cost = tried, r_tried, cost - gain
                damping = max(damping / 5, 1e-4)
                if gain < 2e-4 * cost:
                    break
            if begun - cost < 2e-3 * cost:
                break
        return x


def error(r):
    return abs(math.exp(-r) - 1)


def halves(cases):
    """Every second (hidden, layers, heads) shape of the Megatron sets, in a fixed order."""
    shapes = sorted({c["group"] for c in cases if c["kind"] == "step_time"})
    return set(shapes[0::2]), set(shapes[1::2])


def leave_out(server, spec, start, fixed, memory=False):
    """ln(measured / predicted) of every case by a fit that has not seen its source."""
    cases = server.cases
    out = [math.nan] * len(cases)
    folds = collections.defaultdict(list)
    first, _ = halves(cases)
    for i, case in enumerate(cases):
        if is_peak(case) != memory:
            continue
        if case["kind"] == "step_time":
            folds["megatron first half" if case["group"] in first else "megatron second half"].append(i)
        else:
            folds[source_of(case)].append(i)
    for name, hidden in sorted(folds.items()):
        seen = set(hidden)
        rows = [i for i in range(len(cases)) if i not in seen]
        fit = Fit(server, spec, rows, memory, fixed)
        r = fit.ask(fit.run(start, rounds=1, steps=3), plan=True)
        for i in hidden:
            out[i] = r[i]
        print(f"  left out {name:44s} {len(hidden):4d} cases, median error "
              f"{statistics.median([error(r[i]) for i in hidden if not math.isnan(r[i])] or [math.nan]):.3f}",
              flush=True)
    return out


def summary(cases, residuals, title):
    print(title)
    unseen = []
    groups = collections.defaultdict(list)
    for case, r in zip(cases, residuals):
        if math.isnan(r):
            continue
        name = kind_of(case)
        if name == "megatron":
            name += " multi node" if "multi" in case["id"] else " single node"
        groups[name].append(r)
        groups["  " + case["family"]].append(r)
    for name, rs in sorted(groups.items()):
        errors = sorted(error(r) for r in rs)
        if not name.startswith("  "):
            unseen.append({"name": name, "cases": len(rs), "median": significant(statistics.median(errors), 3),
                           "mean": significant(sum(errors) / len(errors), 3),
                           "p90": significant(errors[int(0.9 * (len(errors) - 1))], 3)})
        print(f"  {name:28s} {len(rs):4d} cases  median {statistics.median(errors):.3f}  "
              f"mean {sum(errors) / len(errors):.3f}  p90 {errors[int(0.9 * (len(errors) - 1))]:.3f}  "
              f"bias {statistics.median(rs):+.3f}")
    return unseen


def weighted_quantile(pairs, q):
    pairs = sorted(pairs)
    total = sum(w for _, w in pairs)
    run = 0
    for value, w in pairs:
        run += w
        if run >= q * total:
            return value
    return pairs[-1][0]


def band(key, members, cases, parent):
    count = collections.Counter("megatron" if cases[i]["kind"] == "step_time" else source_of(cases[i])
                                for i, _ in members)
    pairs = [(r, count["megatron" if cases[i]["kind"] == "step_time" else source_of(cases[i])] ** -0.5)
             for i, r in members]
    low, high = weighted_quantile(pairs, 0.09), weighted_quantile(pairs, 0.91)
    if parent:  # few sources say little: move towards the wider group
        trust = len(count) / (len(count) + 2)
        low = trust * low + (1 - trust) * parent[0]
        high = trust * high + (1 - trust) * parent[1]
    low, high = min(low, -0.04), max(high, 0.04)
    ids = sorted((abs(r), cases[i]["id"]) for i, r in members if not cases[i].get("stranger"))
    nearest = [name for _, name in ids[:: max(1, len(ids) // 3)]][:3]
    return (low, high), {"key": key, "low": significant(math.exp(low), 3),
                         "high": significant(math.exp(high), 3), "cases": len(ids),
                         "nearest": nearest}


def not_time(case):
    return case["family"] == "matmul" or is_peak(case)


def make_bands(cases, residuals):
    known = [(i, r) for i, r in enumerate(residuals) if not math.isnan(r) and not not_time(cases[i])]
    whole, entry = band("all", known, cases, None)
    out = [entry]
    families = collections.defaultdict(list)
    places = collections.defaultdict(list)
    classes = collections.Counter()
    for i, r in known:
        families[cases[i]["family"]].append((i, r))
        places[cases[i]["family"] + "/" + link_of(cases[i])].append((i, r))
        classes[cases[i]["class"]] += 1
    ranges = {}
    for key, members in sorted(families.items()):
        ranges[key], entry = band(key, members, cases, whole)
        out.append(entry)
    for key, members in sorted(places.items()):
        _, entry = band(key, members, cases, ranges[key.split("/")[0]])
        out.append(entry)
    for name, n in sorted(classes.items()):
        out.append({"key": "class/" + name, "low": 1.0, "high": 1.0, "cases": n, "nearest": []})
    return out


def coverage(cases, residuals, bands):
    table = {b["key"]: b for b in bands}
    inside, widths = [], []
    for case, r in zip(cases, residuals):
        if math.isnan(r) or not_time(case):
            continue
        key = case["family"] + "/" + link_of(case)
        b = table.get(key) or table.get(case["family"]) or table["all"]
        inside.append(math.log(b["low"]) <= r <= math.log(b["high"]))
        widths.append(b["high"] / b["low"])
    print(f"  inside the range: {sum(inside) / len(inside):.3f}, median high / low {statistics.median(widths):.2f}")


def evidence_of(fit, x):
    """Sources that a constant moves, and its range by the curvature of the fit."""
    np = fit.np
    r = fit.residuals(x)
    out = {}
    jacobian = np.empty((len(r), len(x)))
    for k in range(len(x)):
        moved = x.copy()
        moved[k] += 0.01
        jacobian[:, k] = (fit.residuals(moved) - r) / 0.01
    normal = jacobian.T @ (jacobian * fit.weight[:, None]) + np.diag(fit.pull ** 2)
    spread = np.sqrt(np.diag(np.linalg.inv(normal)))
    for k, item in enumerate(fit.spec):
        share = collections.Counter()
        for row, i in enumerate(fit.rows):
            name = source_of(fit.server.cases[i])
            if name.startswith("megatron "):
                name = "megatron_a100"
            share[name] += abs(float(jacobian[row, k])) * float(fit.weight[row])
        sources = [name for name, s in sorted(share.items(), key=lambda p: (-p[1], p[0])) if s > 1.0][:8]
        value = math.exp(float(x[k]))
        factor = math.exp(float(spread[k]))
        out[item.name] = {"cases": sources, "range": (value / factor, min(value * factor, item.high))}
    return out


def document(values, evidence, bands, unseen, spec):
    table = {}
    for item in spec:
        value = significant(values[item.name])
        low, high = evidence.get(item.name, {}).get("range", (value, value))
        cases = evidence.get(item.name, {}).get("cases", memory_cases().get(item.name, []))
        table[item.name] = {
            "value": value, "low": min(value, significant(low)), "high": max(value, significant(high)),
            "unit": item.unit, "cases": cases, "note": item.note}
    return {"_generated": "by assets/tools/fit_efficiency.py; do not edit", "model_version": 1,
            "bands": bands, "unseen": unseen, "constants": table}


def fit_both(server, spec):
    """The constants of time and those of memory, by turns until neither moves the other."""
    everything = list(range(len(server.cases)))
    fit, peaks = Fit(server, spec, everything), Fit(server, spec, everything, memory=True)
    x, y = None, None
    before = None
    for _ in range(6):
        y = peaks.run()
        fit.fixed = {name: significant(value) for name, value in peaks.values(y).items()}
        x = fit.run()
        peaks.fixed = {name: significant(value) for name, value in fit.values(x).items()}
        if (fit.fixed, peaks.fixed) == before:
            break
        before = fit.fixed, peaks.fixed
    return fit, x, peaks, y


def differences(made, kept, path=""):
    """Where two documents differ by more than rounding."""
    if isinstance(made, dict) and isinstance(kept, dict) and made.keys() == kept.keys():
        return [d for key in made for d in differences(made[key], kept[key], f"{path}.{key}")]
    if isinstance(made, list) and isinstance(kept, list) and len(made) == len(kept):
        return [d for i in range(len(made)) for d in differences(made[i], kept[i], f"{path}[{i}]")]
    number = isinstance(made, (int, float)) and isinstance(kept, (int, float))
    same = abs(made - kept) <= 2e-3 * abs(kept) if number else made == kept
    return [] if same else [f"  {path[1:]}: {made} instead of {kept}"]


def merged(times, peaks):
    return [b if math.isnan(a) else a for a, b in zip(times, peaks)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", type=pathlib.Path)
    parser.add_argument("--files", type=pathlib.Path, nargs="*")
    parser.add_argument("--priors", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--no-cross", action="store_true")
    args = parser.parse_args()
    spec = constants()
    old = json.loads(TARGET.read_text()) if TARGET.exists() else {"bands": []}
    prior = {item.name: item.prior for item in spec}
    if args.priors:
        bands = [{"key": "all", "low": 0.75, "high": 1.35, "cases": 0, "nearest": []}]
        TARGET.write_text(json.dumps(document(prior, {}, bands, [], spec), indent=1) + "\n")
        return
    files = args.files or sorted(MEASUREMENTS.glob("*.json"))
    with tempfile.NamedTemporaryFile("w", suffix=".json") as start:
        json.dump(document(prior, {}, [], [], spec), start)
        start.flush()
        server = Server(args.server, start.name, files)
    fit, x, peaks, y = fit_both(server, spec)
    values = {**prior, **fit.values(x), **peaks.values(y)}
    residuals = merged(fit.ask(x, plan=True), peaks.ask(y))
    summary(server.cases, residuals, "fitted on all sources:")
    bands, unseen = old["bands"], old.get("unseen", [])
    if not args.no_cross:
        hidden = merged(leave_out(server, spec, x, fit.fixed), leave_out(server, spec, y, peaks.fixed, memory=True))
        unseen = summary(server.cases, hidden, "each source predicted by a fit that has not seen it:")
        with tempfile.NamedTemporaryFile("w", suffix=".json") as start:
            json.dump(document(values, {}, [], [], spec), start)
            start.flush()
            others = Server(args.server, start.name, [STRANGERS])
        strangers = [{**case, "stranger": True} for case in others.cases]
        apart = merged(others.ask({}, plan=True), others.ask({}, memory=True))
        summary(strangers, apart, "cases that no constant is fitted to:")
        cases, every = server.cases + strangers, hidden + apart
        bands = make_bands(cases, every)
        coverage(server.cases, hidden, bands)
        coverage(strangers, apart, bands)
    evidence = {**evidence_of(fit, x), **evidence_of(peaks, y)}
    made = document(values, evidence, bands, unseen, spec)
    if args.check:
        faults = differences(made, json.loads(TARGET.read_text()))
        sys.exit("\n".join(["efficiency.json is not what the fit gives:"] + faults) if faults else 0)
    TARGET.write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main()
