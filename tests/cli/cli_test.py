#!/usr/bin/env python3
"""Drives the real command line: answers, tables, languages, bad input, full disks, closed pipes."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unicodedata
import unittest

CLI = os.environ["XUANKA_CLI"]
SOURCE = pathlib.Path(os.environ["XUANKA_SOURCE_DIR"])
LORA = ["--model", "llama-2-7b", "--kind", "lora", "--data", "5e7", "--seq-len", "2048", "--gpu", "rtx-4090-24gb",
        "--count", "1,2", "--provider", "AIStudio"]
REQUEST = {"version": 1, "workload": {"kind": "lora", "model": {"id": "llama-2-7b"}, "data": {"tokens": 5e7},
                                      "seq_len": 2048}, "hardware": {"gpus": ["rtx-4090-24gb"], "counts": [1, 2]},
           "decision": {"offers": {"providers": ["AIStudio"]}}}


def run(*args, stdin="", env=None, **more):
    clean = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **(env or {})}
    more.setdefault("stdout", subprocess.PIPE)
    more.setdefault("stderr", subprocess.PIPE)
    return subprocess.run([CLI, *args], input=stdin, text=True, encoding="utf-8", env=clean, timeout=120, **more)


def width(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


class Rank(unittest.TestCase):
    def test_flags_make_the_same_request_as_json(self):
        flags = run("rank", *LORA, "--json")
        file = run("rank", "-", "--json", stdin=json.dumps(REQUEST))
        self.assertEqual(flags.returncode, 0, flags.stderr)
        self.assertEqual(json.loads(flags.stdout), json.loads(file.stdout))
        shown = run("rank", *LORA, "--show-request")
        self.assertEqual(json.loads(shown.stdout), REQUEST)
        self.assertEqual(run("rank", stdin=shown.stdout).stdout, run("rank", *LORA).stdout)

    def test_json_is_one_line_of_the_contract(self):
        report = run("rank", *LORA, "--json")
        self.assertEqual(report.stdout.count("\n"), 1)
        body = json.loads(report.stdout)
        self.assertTrue(body["ok"])
        self.assertEqual([c["count"] for c in sorted(body["candidates"], key=lambda c: c["count"])], [1, 2])
        self.assertEqual(body["recommended"], 0)

    def test_table_shows_the_reports_numbers_in_both_languages(self):
        best = json.loads(run("rank", *LORA, "--json").stdout)["candidates"][0]
        for lang, words in (("en", ("recommended", "hours", "GiB/GPU", "fits")),
                            ("zh", ("推荐", "小时", "GiB/卡", "放得下"))):
            out = run("rank", *LORA, "--lang", lang).stdout
            for word in words:
                self.assertIn(word, out)
            label = f"{best['count']} × RTX 4090"
            row = next(line for line in out.splitlines() if line.startswith(label) and "11.5" in line)
            self.assertIn(f"{best['memory']['per_gpu_bytes'] / 2**30:.1f}"[:4], row)
            self.assertNotIn("\x1b", out)

    def test_columns_line_up_by_display_width(self):
        out = run("rank", *LORA, "--lang", "zh").stdout.splitlines()
        head = next(i for i, line in enumerate(out) if line.startswith("方案"))
        title_end = width(out[head][:out[head].index("MFU") + 3])
        for line in out[head + 1:head + 3]:
            self.assertEqual(width(line[:line.index("%") + 1]), title_end, line)

    def test_nothing_fits_is_status_1(self):
        misfit = run("rank", "--model", "llama-2-70b", "--kind", "finetune", "--gpu", "rtx-4090-24gb", "--count", "1",
                     "--offload", "none")
        self.assertEqual(misfit.returncode, 1)
        self.assertIn("Nothing qualifies", misfit.stdout)
        as_json = run("rank", "--model", "llama-2-70b", "--kind", "finetune", "--gpu", "rtx-4090-24gb", "--count", "1",
                      "--offload", "none", "--json")
        self.assertEqual(as_json.returncode, 1)
        self.assertIsNone(json.loads(as_json.stdout)["recommended"])

    def test_number_suffixes_and_samples(self):
        shown = json.loads(run("rank", "--model", "resnet-50", "--data", "1.2M", "--show-request").stdout)
        self.assertEqual(shown["workload"]["data"], {"samples": 1.2e6})
        shown = json.loads(run("rank", "--model", "llama-2-7b", "--data", "1.4B", "--deadline", "none", "--budget", "500",
                               "--currency", "USD", "--gpu", "t4-16gb", "--price", "0.3", "--set",
                               "workload.compile=true", "--show-request").stdout)
        self.assertEqual(shown["workload"], {"model": {"id": "llama-2-7b"}, "data": {"tokens": 1.4e9}, "compile": True})
        self.assertEqual(shown["decision"], {"deadline_hours": None, "currency": "USD",
                                             "budget": {"amount": 500, "currency": "USD"}})
        self.assertEqual(shown["overrides"]["offers"][0]["price_per_hour"], {"amount": 0.3, "currency": "USD"})

    def test_own_price_is_used(self):
        out = run("rank", *LORA, "--price", "1", "--json")
        self.assertEqual(json.loads(out.stdout)["candidates"][0]["cost"]["offer"], "own-rtx-4090-24gb")

    def test_config_file(self):
        config = SOURCE / "tests/data/configs/llama-2-7b.json"
        out = run("rank", "--config", str(config), "--data", "1e8", "--gpu", "a100-sxm-80gb", "--json")
        self.assertEqual(json.loads(out.stdout)["model"]["params"], 6738415616)

    def test_csv_and_markdown(self):
        csv = run("rank", *LORA, "--format", "csv").stdout
        self.assertEqual(len(csv.split("\n")), 4)
        markdown = run("rank", *LORA, "--format", "markdown").stdout.splitlines()
        self.assertTrue(all(line.count("|") == markdown[0].count("|") for line in markdown))

    def test_top_and_all(self):
        args = ["rank", "--model", "llama-2-7b", "--kind", "lora", "--data", "1e7"]
        some, every = run(*args, "--top", "3").stdout, run(*args, "--all").stdout
        self.assertIn("more plans", some)
        self.assertNotIn("more plans", every)
        self.assertGreater(len(every.splitlines()), 50)


class BadInput(unittest.TestCase):
    def refused(self, *args, status=2, stdin="", says=()):
        out = run(*args, stdin=stdin)
        self.assertEqual(out.returncode, status, out.stderr)
        self.assertTrue(out.stderr.startswith("xuanka: "), out.stderr)
        for text in says if isinstance(says, tuple) else (says,):
            self.assertIn(text, out.stderr)
        return out

    def test_usage(self):
        self.refused(says="see xuanka --help")
        self.refused("rnak", says="did you mean rank?")
        self.refused("rank", "--modle", "x", says="did you mean --model?")
        self.refused("rank", "--data", "many", "--model", "llama-2-7b", says='--data: must be a number, is "many"')
        self.refused("rank", "--count", "two", "--model", "llama-2-7b", says="--count: must be a number")
        self.refused("rank", "request.json", "--model", "llama-2-7b", says="not both")
        self.refused("rank", "--lang", "fr")
        self.refused("rank", "--format", "pdf", says="pdf")
        self.refused("catalog", "cards", says="cards")
        self.refused("check", says="FILE")
        self.refused("rank", "--model", "llama-2-7b", "--price", "2", says="--gpu")
        self.refused("rank", "--model", "llama-2-7b", "--set", "workload", says="path=value")
        self.refused("rank", "--model", "llama-2-7b", "--gpu", "t4-16gb", "--price", "0", says="--price: must be more than zero")
        self.refused("rank", "--model", "llama-2-7b", "--top", "0", says='--top: "0" is not possible')
        self.refused("catalog", "--limit", "-1", says='--limit: "-1" is not possible')
        self.refused("probe", says="CUDA")

    def test_usage_is_worded_in_chinese(self):
        for line, says in ((("rank", "--count"), "--count 后面要有值"), (("rank", "--format", "pdf"), ("pdf", "可选 csv, json, markdown, table")),
                           (("rank", "--top", "many"), "--top：不能是“many”"), (("check",), "缺少 FILE"), (("rank", "--modle", "x"), "是不是 --model"),
                           (("catalog", "cards"), "可选 gpus, models, offers, datasets")):
            answer = run("--lang", "zh", *line)
            self.assertEqual(answer.returncode, 2, line)
            for part in (says,) if isinstance(says, str) else says:
                self.assertIn(part, answer.stderr, line)
            for word in ("required", "convert", "FAILED", "not in"):
                self.assertNotIn(word, answer.stderr, line)

    def test_requests_name_the_flag_and_the_nearest(self):
        self.refused("rank", "--model", "lama-2-7b", says=("--model", "llama-2-7b"))
        self.refused("rank", "--model", "llama-2-7b", "--gpu", "rtx4091", says=("--gpu", "rtx-4090-24gb"))
        self.refused("rank", "--model", "llama-2-7b", "--seq-len", "-3", says=("--seq-len", "-3"))
        zh = run("rank", "--model", "llama-2-7b", "--seq-len", "-3", "--lang", "zh")
        self.assertEqual(zh.returncode, 2)
        self.assertIn("（现在是 -3）", zh.stderr)

    def test_hostile_requests(self):
        for text in ("", "{", "[]", "null", '{"version":1}', '{"version":99}', "{" * 10000, '{"a":"' + "x" * 1000000 + '"}',
                     '{"version":1,"version":1}', '{"version":1,"workload":{"model":{"id":"llama-2-7b"},"seq_len":1e999}}',
                     "\x00\x01", "NaN", "[" * 10000 + "]" * 10000):
            out = run("rank", "-", stdin=text)
            self.assertEqual(out.returncode, 2, text[:40])
            self.assertEqual(out.stdout, "")
            as_json = run("rank", "-", "--json", stdin=text)
            self.assertEqual(as_json.returncode, 2)
            body = json.loads(as_json.stdout)
            self.assertFalse(body["ok"])
            self.assertTrue(body["issues"][0]["message"])

    def test_files(self):
        self.refused("rank", "/no/such/file.json", status=3, says=("/no/such/file.json", "No such file"))
        self.refused("rank", "/", status=3)
        self.refused("rank", "--config", "/no/such/config.json", status=3)
        self.refused("check", "/no/such/file.json", status=3)
        self.refused("validate", "/no/such/file.json", status=3)
        if os.getuid() != 0:
            with tempfile.NamedTemporaryFile() as file:
                os.chmod(file.name, 0)
                self.refused("rank", file.name, status=3, says="Permission denied")


class Streams(unittest.TestCase):
    def test_full_disk_is_status_3_with_the_reason(self):
        for args in (["rank", *LORA], ["rank", *LORA, "--json"], ["catalog", "gpus"], ["explain", *LORA], ["--help"],
                     ["batch"]):
            with open("/dev/full", "w") as full:
                out = run(*args, stdin=json.dumps(REQUEST) + "\n", stdout=full)
            self.assertEqual(out.returncode, 3, args)
            self.assertIn("No space left on device", out.stderr)

    def test_closed_pipe_ends_quietly(self):
        line = json.dumps(REQUEST) + "\n"
        with tempfile.TemporaryFile("w+") as requests:
            requests.write(line * 50)
            requests.seek(0)
            process = subprocess.Popen([CLI, "batch"], stdin=requests, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertTrue(json.loads(process.stdout.readline())["ok"])
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b"")
            process.stderr.close()
            self.assertEqual(process.wait(60), 0)

    def test_colour_only_when_asked(self):
        self.assertNotIn("\x1b", run("rank", *LORA).stdout)
        self.assertIn("\x1b[32m", run("rank", *LORA, "--color", "always").stdout)
        self.assertNotIn("\x1b", run("rank", *LORA, "--color", "never").stdout)

    def test_colour_on_a_terminal_unless_no_color(self):
        import pty
        for env, expected in (({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False),
                              ({"TERM": "dumb"}, False)):
            lead, follow = pty.openpty()
            run("rank", *LORA, env=env, stdout=follow)
            os.close(follow)
            shown = b""
            try:
                while chunk := os.read(lead, 65536):
                    shown += chunk
            except OSError:
                pass  # the other side is closed
            os.close(lead)
            self.assertEqual(b"\x1b[" in shown, expected, env)


class Languages(unittest.TestCase):
    def test_default_follows_the_environment(self):
        for env, chinese in (({"LANG": "zh_CN.UTF-8"}, True), ({"LANG": "en_US.UTF-8"}, False), ({"LANG": "fr_FR"}, False),
                             ({"LANG": "en_US.UTF-8", "LC_ALL": "zh_CN.UTF-8"}, True), ({"LANG": ""}, False)):
            self.assertEqual("推荐" in run("rank", *LORA, env=env).stdout, chinese, env)

    def test_help_is_worded_in_both(self):
        commands = ["rank", "batch", "catalog", "check", "explain", "validate", "probe"]
        for args in [[], *([c] for c in commands)]:
            for lang in ("en", "zh"):
                out = run(*args, "--help", "--lang", lang)
                self.assertEqual(out.returncode, 0, out.stderr)
                self.assertNotRegex(out.stdout, r"\bcli\.[a-z]")
                self.assertEqual(bool(re.search("[\u4e00-\u9fff]", out.stdout)), lang == "zh", args)
                if args != ["probe"]:
                    self.assertIn("xuanka " + (args[0] if args else "rank"), out.stdout)

    def test_version(self):
        self.assertRegex(run("--version").stdout, r"^xuanka \d+\.\d+\.\d+, data \d{4}-\d\d-\d\d\+[0-9a-f]{8}\n$")


class Batch(unittest.TestCase):
    def test_one_line_each_in_order_and_bad_lines_too(self):
        lines = [json.dumps({**REQUEST, "id": "first"}), "{oops", "", json.dumps({**REQUEST, "id": "last"})]
        out = run("batch", stdin="\n".join(lines))
        self.assertEqual(out.returncode, 0, out.stderr)
        reports = [json.loads(line) for line in out.stdout.splitlines()]
        self.assertEqual([r["ok"] for r in reports], [True, False, False, True])
        self.assertEqual((reports[0]["id"], reports[3]["id"]), ("first", "last"))

    def test_same_bytes_as_rank(self):
        text = json.dumps(REQUEST)
        self.assertEqual(run("batch", stdin=text + "\r\n").stdout, run("rank", "-", "--json", stdin=text).stdout)

    def test_empty_input_gives_nothing(self):
        out = run("batch")
        self.assertEqual((out.returncode, out.stdout), (0, ""))

    def test_an_endless_line_is_refused_within_bounded_memory(self):
        limit = 400 << 20

        def bound():
            import resource
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        with tempfile.TemporaryFile("w+") as requests:
            for _ in range(600):
                requests.write("x" * (1 << 20))
            requests.write("\n" + json.dumps(REQUEST) + "\n")
            requests.seek(0)
            out = subprocess.run([CLI, "batch"], stdin=requests, capture_output=True, text=True, timeout=120,
                                 preexec_fn=None if "asan" in CLI else bound)
        reports = [json.loads(line) for line in out.stdout.splitlines()]
        self.assertEqual([r["ok"] for r in reports], [False, True], out.stderr)
        self.assertEqual(reports[0]["issues"][0]["code"], "too_large")

    def test_answers_before_the_input_ends(self):
        process = subprocess.Popen([CLI, "batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        process.stdin.write(json.dumps(REQUEST) + "\n")
        process.stdin.flush()
        self.assertTrue(json.loads(process.stdout.readline())["ok"])
        process.stdin.close()
        self.assertEqual(process.wait(60), 0)
        process.stdout.close()


class Catalog(unittest.TestCase):
    def test_every_list_as_table_and_json(self):
        for what in ("gpus", "models", "offers", "datasets"):
            entries = json.loads(run("catalog", what, "--json").stdout)
            table = run("catalog", what).stdout.splitlines()
            self.assertEqual(len(table), len(entries) + 1, what)
            ids = {line.split()[0] for line in table[1:]}
            self.assertEqual(ids, {entry["id"] for entry in entries})

    def test_filter_and_formats(self):
        rows = run("catalog", "offers", "--filter", "aistudio 4090", "--format", "csv").stdout.strip().split("\n")
        self.assertEqual(len(rows), 5)
        self.assertEqual(run("catalog", "gpus", "--filter", "no such card").returncode, 1)
        self.assertIn("| --- |", run("catalog", "models", "--format", "markdown").stdout)

    def test_summary(self):
        gpus = json.loads((SOURCE / "assets/catalog/gpus.json").read_text(encoding="utf-8"))["gpus"]
        self.assertRegex(run("catalog").stdout, rf"gpus +{len(gpus)}\n")


class Names(unittest.TestCase):
    def test_a_card_as_people_write_it(self):
        for name in ("rtx-4090", "RTX4090", "GeForce RTX 4090", "RTX-4090-24GB", "nvidia rtx 4090"):
            out = run("rank", "--model", "llama-2-7b", "--kind", "lora", "--data", "50M", "--gpu", name, "--count", "1", "--json")
            self.assertEqual(out.returncode, 0, name + out.stderr)
            self.assertEqual(json.loads(out.stdout)["candidates"][0]["gpu"], "rtx-4090-24gb")

    def test_what_a_terminal_obeys_is_not_printed(self):
        config = {"_name_or_path": "\x1b[2Jevil\r\nforged", "model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008,
                  "num_hidden_layers": 32, "num_attention_heads": 32, "vocab_size": 32000}
        request = {"version": 1, "workload": {"model": {"hf_config": config}}, "hardware": {"gpus": ["a100-sxm-80gb"], "counts": [1]}}
        out = run("rank", "-", stdin=json.dumps(request))
        self.assertIn("evil", out.stdout)
        self.assertNotRegex(out.stdout, r"[\x1b\r]")
        self.assertNotRegex(out.stdout, r"(?m)^forged")


class Check(unittest.TestCase):
    def test_shipped_files_are_good(self):
        files = sorted(str(f) for f in (SOURCE / "assets/catalog").glob("*.json") if f.name != "efficiency.json")
        out = run("check", *files)
        self.assertEqual(out.returncode, 0, out.stdout + out.stderr)
        self.assertEqual(len(out.stdout.splitlines()), len(files))

    def test_faults_have_file_line_and_reason(self):
        with tempfile.TemporaryDirectory() as folder:
            bad = pathlib.Path(folder) / "bad.json"
            bad.write_text('{"offers": [\n {"id": "x", "gpu": "rtx-4090-24gb", "gpu_count": 1,\n'
                           '  "price_per_hour": {"amount": -1, "currency": "CNY"}}]}')
            out = run("check", str(bad))
            self.assertEqual(out.returncode, 1, out.stderr)
            self.assertRegex(out.stdout, rf"{re.escape(str(bad))}:3:\d+: .*amount: must be")

    def test_files_refer_to_each_other(self):
        """A new card, its source and its offer, before any of them ships."""
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for name, change in (("gpus", {"id": "new-card-24gb", "name": "New Card", "aliases": []}),
                                 ("sources", {"id": "new-sheet"}), ("offers", {"id": "new-offer", "gpu": "new-card-24gb"})):
                shipped = json.loads((SOURCE / f"assets/catalog/{name}.json").read_text(encoding="utf-8"))
                like = "rtx-4090-24gb" if name == "gpus" else "aistudio-rtx4090-24gb-x1"
                entry = next((e for e in shipped[name] if e["id"] == like), shipped[name][0]) | change
                if name == "gpus":
                    entry["sources"] = {field: ["new-sheet"] for field in entry["sources"]}
                files.append(pathlib.Path(folder) / f"{name}.json")
                files[-1].write_text(json.dumps({**shipped, name: [entry]}), encoding="utf-8")
            together = run("check", *map(str, files))
            self.assertEqual(together.returncode, 0, together.stdout)
            alone = run("check", str(files[0]))
            self.assertEqual(alone.returncode, 1)
            self.assertIn("new-sheet", alone.stdout)

    def test_standard_input(self):
        out = run("check", "-", stdin="{")
        self.assertEqual(out.returncode, 1)
        self.assertRegex(out.stdout, r"^-:1:\d+: ")


class Explain(unittest.TestCase):
    def test_every_formula_with_numbers_and_source(self):
        out = run("explain", *LORA)
        self.assertEqual(out.returncode, 0, out.stderr)
        for text in ("6,738,415,616", "2 · N_x", "165.2 TFLOP/s", "source:", "MFU", "Memory: weights"):
            self.assertIn(text, out.stdout)
        zh = run("explain", *LORA, "--lang", "zh").stdout
        self.assertIn("出处：", zh)
        self.assertIn("显存：权重", zh)

    def test_json(self):
        body = json.loads(run("explain", *LORA, "--json").stdout)
        self.assertTrue(body["ok"])
        self.assertTrue({"params", "flops_frozen", "peak", "step", "memory.sum", "cost"} <= {s["id"] for s in body["steps"]})


if __name__ == "__main__":
    unittest.main(verbosity=1)
