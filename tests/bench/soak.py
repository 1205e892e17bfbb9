#!/usr/bin/env python3
"""Soak of `xuanka batch`: one line that stands for millions of requests. Prints the rate and the memory, fails unless it stays flat.

    soak.py CLI [REQUESTS] [JOBS]
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

# A small request: one card, one count, a timed job or a model known by its figures, nothing left to search for.
TIMED = {"version": 1, "workload": {"model": {"measured": {"gpu": "rtx-3090-24gb", "count": 2, "hours": 58, "memory_gb": 20,
                                                           "family": "conv"}}},
         "hardware": {"gpus": ["a100-pcie-40gb"], "counts": [1]}}
TUNED = {"version": 1, "workload": {"kind": "lora", "model": {"id": "llama-2-7b"}, "data": {"tokens": 5e7}},
         "hardware": {"gpus": ["rtx-4090-24gb"], "counts": [1]}}


def memory_kb(pid):
    return int(pathlib.Path(f"/proc/{pid}/status").read_text().split("VmRSS:")[1].split()[0])


def soak(cli, name, request, path, count, jobs):
    line = json.dumps({**request, "sweep": {path: {"from": 1, "to": count, "step": 1}}}) + "\n"
    read, write = os.pipe()
    begin = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen([cli, "batch", "--jobs", str(jobs), "--strict"], stdin=read, stdout=nowhere)
    os.close(read)
    os.write(write, line.encode())
    os.close(write)
    seen = []
    while process.poll() is None:
        try:
            seen.append(memory_kb(process.pid))
        except (OSError, IndexError):
            break  # it has just ended
        time.sleep(min(1.0, max(0.01, len(seen) / 200)))
    status = process.wait()
    seconds = time.monotonic() - begin
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    half = len(seen) // 2
    early, late = max(seen[len(seen) // 10:half] or seen), max(seen[half:])
    print(f"{name}: {count:,} swept requests, {jobs} jobs, {seconds:.1f} s, {count / seconds:,.0f}/s, {count / cpu:,.0f} per "
          f"second of one core; memory {early / 1024:.1f} MiB in the first half, {late / 1024:.1f} MiB in the second", flush=True)
    if status != 0:
        sys.exit(f"{name}: ended with status {status}")
    if late > early * 1.1 + 4096:
        sys.exit(f"{name}: memory grew")


def main():
    cli = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    jobs = int(sys.argv[3]) if len(sys.argv) > 3 else len(os.sched_getaffinity(0))
    few = max(1, count // 20)
    soak(cli, "a timed job", TIMED, "workload.model.measured.hours", count, jobs)
    soak(cli, "a timed job", TIMED, "workload.model.measured.hours", few, 1)
    soak(cli, "a language model", TUNED, "workload.data.tokens", few, 1)


if __name__ == "__main__":
    main()
