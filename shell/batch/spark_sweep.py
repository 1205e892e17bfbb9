#!/usr/bin/env python3
"""Answers requests of xuanka on every core of a Spark cluster and writes the reports as Parquet.

    spark-submit --files build/xuanka shell/batch/spark_sweep.py --cli ./xuanka --requests requests.jsonl --out reports.parquet

The executors need the command line (--files sends it along) and nothing else; the lines of the file may be sweeps. In a
program of your own `reports_rdd` and `reports_frame` are the two ways to call it.
"""
import argparse
import json
import os
import shlex
import stat
import subprocess
import sys

COLUMNS = """id STRING, ok BOOLEAN, sweep_index BIGINT, sweep_values STRING, gpu STRING, gpu_count INT, verdict STRING,
    fits BOOLEAN, memory_bytes DOUBLE, seconds DOUBLE, cost DOUBLE, currency STRING, report STRING"""


def executable(cli):
    """The path of the command line on this machine; a file sent by --files has lost the right to be run."""
    if os.path.isfile(cli) and not os.access(cli, os.X_OK):
        os.chmod(cli, os.stat(cli).st_mode | stat.S_IXUSR)
    return cli


def answers(cli, requests):
    """The reports of an iterable of requests (lines of text), as they come; both sides are streams."""
    import threading
    process = subprocess.Popen([executable(cli), "batch", "--jobs", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def feed():
        try:
            for request in requests:
                process.stdin.write(request.encode() + b"\n")
            process.stdin.close()
        except BrokenPipeError:
            pass  # its exit status says why it left

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    for line in process.stdout:
        yield line.decode().rstrip("\n")
    feeder.join()
    if process.wait() != 0:
        raise RuntimeError(f"{cli} batch ended with status {process.returncode}")


def pieces(cli, lines, split):
    """The lines, each sweep of more than `split` requests cut into several lines of so many."""
    counts = subprocess.run([executable(cli), "batch", "--count"], input="".join(line + "\n" for line in lines), text=True,
                            stdout=subprocess.PIPE, check=True).stdout.split()
    for line, count in zip(lines, map(int, counts)):
        if count <= split:
            yield line
            continue
        request = json.loads(line)
        begin, whole = request.get("sweep_part", [0, count])
        for first in range(begin, begin + whole, split):
            yield json.dumps({**request, "sweep_part": [first, min(split, begin + whole - first)]}, ensure_ascii=False)


def reports_rdd(lines, cli):
    """An RDD of requests -> an RDD of reports, in the same order, through RDD.pipe. Sweeps are welcome."""
    command = f"chmod u+x {shlex.quote(cli)} 2>/dev/null; exec {shlex.quote(cli)} batch --jobs 1"
    return lines.pipe("sh -c " + shlex.quote(command), checkCode=True)


def reports_frame(frame, cli, column="request"):
    """A DataFrame with one request (no sweep) a row in `column` -> the same with a column `report`, through mapInPandas."""
    def answer(batches):
        for batch in batches:
            batch = batch.assign(report=list(answers(cli, batch[column])))
            yield batch
    return frame.mapInPandas(answer, frame.schema.simpleString()[len("struct<"):-1] + ",report:string")


def row(report):
    """The columns of one report: its identity, the best plan, and the whole text."""
    body = json.loads(report)
    best = next(iter(body.get("candidates") or []), {})
    memory, time, cost = (best.get(key) or {} for key in ("memory", "time", "cost"))
    sweep = body.get("sweep") or {}
    number = lambda value: None if value is None else float(value)
    return (None if body.get("id") is None else str(body["id"]), body["ok"], sweep.get("index"),
            json.dumps(sweep["values"], ensure_ascii=False) if sweep else None, best.get("gpu"), best.get("count"),
            best.get("verdict"), memory.get("fits"), number(memory.get("per_gpu_bytes")), number(time.get("seconds")),
            number(cost.get("amount")), cost.get("currency"), report)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cli", default="xuanka", help="the command line, as the executors find it")
    parser.add_argument("--driver-cli", help="the same on the driver (default: --cli)")
    parser.add_argument("--requests", required=True, help="file of requests, one a line")
    parser.add_argument("--out", required=True, help="folder of Parquet files to write")
    parser.add_argument("--split", type=int, default=10000, help="requests of a sweep computed in one go (default 10000)")
    parser.add_argument("--slices", type=int, help="tasks (default: four for each core of the cluster)")
    args = parser.parse_args(arguments)

    from pyspark.sql import SparkSession
    spark = SparkSession.builder.appName("xuanka").getOrCreate()
    try:
        with open(args.requests, encoding="utf-8") as file:
            lines = [line.rstrip("\r\n") for line in file]
        parts = list(pieces(args.driver_cli or args.cli, lines, args.split))
        slices = args.slices or min(len(parts), 4 * spark.sparkContext.defaultParallelism) or 1
        reports = reports_rdd(spark.sparkContext.parallelize(parts, slices), args.cli)
        spark.createDataFrame(reports.map(row), COLUMNS).write.mode("overwrite").parquet(args.out)
        print(f"{spark.read.parquet(args.out).count()} reports in {args.out}", file=sys.stderr)
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
