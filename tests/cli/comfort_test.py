#!/usr/bin/env python3
"""Manual page, completions in a real bash, charts, formats, the wizard of questions."""
import csv
import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

CLI = os.environ["XUANKA_CLI"]
ENV = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
LORA = ["--model", "llama-2-7b", "--kind", "lora", "--data", "50M", "--gpu", "rtx-4090-24gb,t4-16gb"]


def run(*args, stdin="", env=None):
    return subprocess.run([CLI, *args], input=stdin, text=True, encoding="utf-8", env={**ENV, **(env or {})}, capture_output=True, timeout=120)


def complete(*words):
    return run("complete", "--", *words).stdout.split()


class Mistakes(unittest.TestCase):
    """What one types by mistake is told in words that help."""

    def told(self, *args):
        done = run(*args)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        return done.stderr

    def test_nothing_to_read(self):
        for args in (["rank"], ["explain"], ["rank", "--config", ""]):
            self.assertIn("--model", self.told(*args))

    def test_two_forms_of_output(self):
        self.assertIn("--json", self.told("rank", *LORA, "--json", "--format", "csv"))

    def test_a_condition_without_a_number(self):
        self.assertIn("GB>=24", self.told("catalog", "gpus", "--where", "GB>=foo"))
        self.assertEqual(run("catalog", "gpus", "--where", "architecture>=Volta").returncode, 0)

    def test_a_currency_in_small_letters(self):
        self.assertEqual(run("rank", *LORA, "--currency", "usd").stdout, run("rank", *LORA, "--currency", "USD").stdout)


class Completions(unittest.TestCase):
    def test_words_of_every_kind(self):
        self.assertIn("rank", complete(""))
        self.assertNotIn("complete", complete(""))
        self.assertEqual(complete("ca"), ["catalog"])
        self.assertEqual(complete("rank", "--seq"), ["--seq-len"])
        self.assertIn("--lang", complete("batch", "--"))
        self.assertEqual(complete("rank", "--gpu", "t4"), ["t4-16gb"])
        self.assertEqual(complete("rank", "--gpu", "t4-16gb,l4-"), ["t4-16gb,l4-24gb"])
        self.assertEqual(complete("rank", "--kind", "q"), ["qlora"])
        self.assertEqual(complete("rank", "--format", ""), ["table", "csv", "markdown", "json"])
        self.assertEqual(complete("catalog", "m"), ["models"])
        self.assertEqual(complete("rank", "--seq-len", ""), [])
        catalog = json.loads(run("catalog", "models", "--json").stdout)
        self.assertEqual(complete("rank", "--model", ""), [model["id"] for model in catalog])

    def test_in_a_real_bash(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(CLI, pathlib.Path(folder, "xuanka"))
            pathlib.Path(folder, "request-of-mine.json").write_text("{}")
            script = """source <(xuanka completions bash)
                ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _xuanka; echo "${COMPREPLY[*]}"; }
                complete -p xuanka; ask xuanka ra; ask xuanka rank --gpu v100-p; ask xuanka rank request-of; ask xuanka rank --nonsense"""
            done = subprocess.run(["bash", "-c", script], cwd=folder, env={**ENV, "PATH": folder + ":" + ENV["PATH"]}, text=True,
                                  capture_output=True)
        self.assertEqual(done.stderr, "")
        lines = done.stdout.splitlines()
        self.assertIn("_xuanka xuanka", lines[0])
        self.assertEqual(lines[1:], ["rank", "v100-pcie-16gb v100-pcie-32gb", "request-of-mine.json", ""])

    def test_scripts_parse(self):
        for shell in ("bash", "zsh", "fish"):
            script = run("completions", shell)
            self.assertEqual(script.returncode, 0)
            self.assertIn("complete -- ", script.stdout)
            if shutil.which(shell):
                self.assertEqual(subprocess.run([shell, "-n"], input=script.stdout, text=True).returncode, 0, shell)
        self.assertEqual(run("completions", "tcsh").returncode, 2)


class Manual(unittest.TestCase):
    def test_names_every_command_and_flag_in_both_languages(self):
        for lang in ("en", "zh"):
            page = run("man", "--lang", lang).stdout
            for words in ("xuanka rank", "xuanka batch", "\\-\\-resume", "\\-\\-overlay", "NO_COLOR"):
                self.assertIn(words, page)
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-K", "utf8"], input=run("man").stdout, text=True, capture_output=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("which GPU, and how many", " ".join(done.stdout.split()))


class Formats(unittest.TestCase):
    def test_are_the_same_answer(self):
        rows = list(csv.reader(io.StringIO(run("rank", *LORA, "--format", "csv").stdout)))
        report = json.loads(run("rank", *LORA, "--format", "json").stdout)
        self.assertEqual(run("rank", *LORA, "--format", "json").stdout, run("rank", *LORA, "--json").stdout)
        self.assertEqual(len(rows), 1 + len(report["candidates"]))
        self.assertEqual(run("catalog", "gpus", "--format", "json").stdout, run("catalog", "gpus", "--json").stdout)

    def test_plot_bars_grow_with_what_they_show(self):
        out = run("rank", *LORA, "--plot").stdout
        chart = out.split("\n\n")[3].splitlines()
        self.assertEqual(len(chart), 9)
        report = json.loads(run("rank", *LORA, "--json").stdout)
        drawn = [(line.count("█"), c) for line, c in zip(chart[1:], report["candidates"])]
        cheapest, dearest = chart[1], max(chart[1:], key=lambda line: line.count("█"))
        self.assertLess(cheapest.count("█"), dearest.count("█"))
        self.assertTrue(all(count > 0 or c["time"]["seconds"] is None or count == 0 for count, c in drawn))
        self.assertNotIn("█", run("rank", *LORA).stdout)
        self.assertNotIn("\x1b", run("rank", *LORA, "--plot", env={"NO_COLOR": "1"}).stdout)


class Ask(unittest.TestCase):
    def test_gives_the_answer_of_rank_and_the_command(self):
        done = run("ask", stdin="lora\nllama-2-7b\n50M\n\n\nrtx-4090-24gb,t4-16gb\n1,2\n")
        command = next(line for line in done.stderr.splitlines() if line.startswith("xuanka rank"))
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout, run(*command.split()[1:]).stdout)

    def test_helps_with_what_it_does_not_know(self):
        done = run("ask", stdin="lroa\nlora\nllama-2-7\n?llama-3.2\nllama-3.2-1b\nmany\n1M\n48\n100\nrtx4090\n\n1\n")
        for words in ("did you mean lora", "did you mean llama-2-7b", "llama-3.2-3b", 'is "many"', "rtx-4090-24gb"):
            self.assertIn(words, done.stderr)
        self.assertIn("--deadline 48 --budget 100 --count 1", done.stderr)

    def test_serving_and_the_end_of_the_input(self):
        done = run("ask", stdin="inference\nllama-2-7b\n4\n\nl4-24gb\n1")
        self.assertIn("--concurrency 4", done.stderr)
        self.assertEqual(run("ask", stdin="lora\n").returncode, 2)
        self.assertIn("任务", run("ask", "--lang", "zh").stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
