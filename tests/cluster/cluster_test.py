#!/usr/bin/env python3
"""Batch on real Spark executors (local-cluster: separate JVMs under a real master) and on Dask, against the single process."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

CLI = os.environ["XUANKA_CLI"]
SOURCE = pathlib.Path(os.environ["XUANKA_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "shell/batch"))
import spark_sweep  # noqa: E402

SMALL = {"version": 1, "workload": {"kind": "lora", "model": {"id": "llama-2-7b"}, "data": {"tokens": 5e7}},
         "hardware": {"gpus": ["rtx-4090-24gb"], "counts": [1]}}
SWEEP = {**SMALL, "id": "sweep", "sweep": {"workload.seq_len": [512, 1024, 2048],
                                           "workload.data.tokens": {"from": 1e6, "to": 4e8, "step": 1e6}}}
LINES = [json.dumps(line) for line in [{**SMALL, "id": 1}, SWEEP, {"version": 1, "id": "bad"}]] + ["{"]


def single(lines):
    done = subprocess.run([CLI, "batch"], input="".join(line + "\n" for line in lines), text=True, stdout=subprocess.PIPE, check=True)
    return done.stdout.splitlines()


def executors():
    """Process ids of the executors that Spark has started."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if b"CoarseGrainedExecutorBackend" in (folder / "cmdline").read_bytes() and \
                    f"xuanka-test-{os.getpid()}".encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            pass
    return found


class Spark(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from pyspark.sql import SparkSession
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        cls.folder = tempfile.TemporaryDirectory()
        os.environ["SPARK_WORKER_DIR"] = os.environ["SPARK_LOG_DIR"] = cls.folder.name
        cls.spark = (SparkSession.builder.master("local-cluster[2,1,1024]").appName("xuanka").config("spark.ui.enabled", "false")
                     .config("spark.executor.memory", "512m").config("spark.log.level", "ERROR")
                     .config("spark.executor.extraJavaOptions", f"-Dxuanka=xuanka-test-{os.getpid()}")
                     .config("spark.sql.shuffle.partitions", "2").config("spark.driver.memory", "512m").config("spark.ui.showConsoleProgress", "false").getOrCreate())
        cls.spark.sparkContext.addPyFile(str(SOURCE / "shell/batch/spark_sweep.py"))  # what a program of one's own imports

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()
        cls.folder.cleanup()

    def test_pipe_gives_what_the_single_process_gives(self):
        parts = list(spark_sweep.pieces(CLI, LINES, 100))
        self.assertEqual(len(parts), 1 + 12 + 2)
        got = spark_sweep.reports_rdd(self.spark.sparkContext.parallelize(parts, 5), CLI).collect()
        self.assertEqual(got, single(LINES))

    def test_map_in_pandas_gives_what_the_single_process_gives(self):
        requests = [json.dumps({**SMALL, "id": i, "workload": {**SMALL["workload"], "seq_len": 256 + i}}) for i in range(200)]
        frame = self.spark.createDataFrame(list(enumerate(requests)), "number BIGINT, request STRING").repartition(4)
        rows = sorted(spark_sweep.reports_frame(frame, CLI).collect())
        self.assertEqual([row.report for row in rows], single(requests))

    def test_a_killed_worker_loses_nothing(self):
        many = [json.dumps({**SWEEP, "id": i}) for i in range(30)]
        self.assertTrue(executors())
        killed = []

        def kill():
            time.sleep(1.0)
            for process in executors()[:1]:
                os.kill(process, signal.SIGKILL)
                killed.append(process)

        killer = threading.Thread(target=kill)
        killer.start()
        got = spark_sweep.reports_rdd(self.spark.sparkContext.parallelize(many, 10), CLI).collect()
        killer.join()
        self.assertTrue(killed)
        self.assertNotIn(killed[0], executors())
        self.assertEqual(got, single(many))


class Script(unittest.TestCase):
    def test_writes_parquet_with_the_same_reports(self):
        import pyarrow.parquet
        with tempfile.TemporaryDirectory() as folder:
            requests, out = pathlib.Path(folder, "requests.jsonl"), pathlib.Path(folder, "out")
            requests.write_text("\n".join(LINES) + "\n")
            done = subprocess.run([sys.executable, str(SOURCE / "shell/batch/spark_sweep.py"), "--cli", CLI, "--requests", str(requests),
                                   "--out", str(out), "--split", "500"], text=True, capture_output=True,
                                  env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_SUBMIT_ARGS": "--master local[2] pyspark-shell"})
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            self.assertIn("1203 reports", done.stderr)
            table = pyarrow.parquet.read_table(out).to_pylist()
        expected = single(LINES)
        self.assertEqual(sorted(row["report"] for row in table), sorted(expected))
        swept = sorted((row for row in table if row["id"] == "sweep"), key=lambda row: row["sweep_index"])
        self.assertEqual([row["sweep_index"] for row in swept], list(range(1200)))
        body = json.loads(expected[1])
        self.assertEqual(swept[0]["seconds"], body["candidates"][0]["time"]["seconds"])
        self.assertEqual(swept[0]["cost"], body["candidates"][0]["cost"]["amount"])


class Dask(unittest.TestCase):
    def test_the_documented_example(self):
        text = (SOURCE / "shell/batch/README.md").read_text()
        code = re.search(r"```python\n(import subprocess\nimport dask.*?)```", text, re.DOTALL)[1]
        with tempfile.TemporaryDirectory() as folder:
            requests = [json.dumps({**SMALL, "id": i}) for i in range(60)] + [json.dumps(SWEEP)]
            for number, chunk in enumerate((requests[:30], requests[30:])):
                pathlib.Path(folder, f"requests-{number}.jsonl").write_text("".join(line + "\n" for line in chunk))
            script = pathlib.Path(folder, "example.py")
            script.write_text("if __name__ == '__main__':\n" + "".join("    " + line + "\n" for line in code.splitlines()))
            os.symlink(CLI, pathlib.Path(folder, "xuanka"))
            subprocess.run([sys.executable, str(script)], cwd=folder, check=True, env={**os.environ, "PATH": folder + ":" + os.environ["PATH"]})
            got = [line for file in sorted(pathlib.Path(folder).glob("reports-*.jsonl")) for line in file.read_text().splitlines()]
        self.assertEqual(got, single(requests))


if __name__ == "__main__":
    unittest.main(verbosity=2)
