#!/usr/bin/env python3
"""The native window under Xvfb: photographed in both languages and themes, files taken over, HiDPI, no display."""
import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zlib

WINDOW = sys.argv.pop(1)
SOURCE = pathlib.Path(os.environ["XUANKA_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "tests/wizard"))
from hands import Hand  # noqa: E402
from journeys import Journeys  # noqa: E402
from panels import Panels  # noqa: E402
PICTURES = pathlib.Path(os.environ.get("XUANKA_BUILD_DIR", tempfile.gettempdir()), "screenshots")


def pixels(path):
    """Width, height and the rows of an RGB PNG without filters."""
    data, at, body = path.read_bytes(), 8, b""
    width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    while at < len(data):
        size, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        body += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += 12 + size
    raw, stride = zlib.decompress(body), 1 + 3 * width
    return width, height, [raw[y * stride + 1:(y + 1) * stride] for y in range(height)]


class Desktop(unittest.TestCase):
    """An X server of its own."""

    @classmethod
    def setUpClass(cls):
        read, write = os.pipe()
        cls.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "2000x1400x24", "-noreset"],
                                      pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as told:  # to its end: the server dies of a reader that leaves early
            cls.display = ":" + told.readline().strip()
        PICTURES.mkdir(parents=True, exist_ok=True)

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait()

    def environment(self, **more):
        return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "DISPLAY": self.display, **more}


class WindowHand(Hand):
    """Drives a window line by line."""

    def __init__(self, environment):
        self.window = subprocess.Popen([WINDOW, "--size", "1280x860", "--drive"], env=environment, stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True, encoding="utf-8")

    def close(self):
        self.window.communicate("")

    def ask(self, line):
        self.window.stdin.write(line + "\n")
        self.window.stdin.flush()
        answer = self.window.stdout.readline().rstrip("\n")
        if not answer or answer.startswith("! "):
            raise AssertionError(f"{line}: {answer or 'the window is gone'}")
        return answer

    def go(self, link):
        self.ask(f"go v=1&{link}")
        self.more = False
        return self

    def click(self, key):
        self.ask(f"click {key}")

    def type(self, text):
        self.ask(f"type {text}")

    def press(self, *keys):
        for key in keys:
            self.ask(f"press {key.replace('Control', 'Ctrl').replace('+a', '+A')}")

    def item(self, key):
        return json.loads(self.ask(f"item {key}"))

    def request(self):
        return json.loads(self.ask("request"))

    def link(self):
        return self.ask("link")

    def lang(self):
        return self.ask("lang")

    def rests(self):
        return self.ask("rest") == "yes"

    def sentence(self):
        answer = json.loads(self.ask("answer"))["answer"]
        return " ".join(part for part in (answer["headline"], answer["range"]) if part)

    def wait_sentence(self, accept):
        if not accept(said := self.sentence()):
            raise AssertionError(said)

    def shot(self, name):
        self.ask(f"picture {PICTURES / f'window-{name}.png'}")


class PanelsOfTheWindow(Panels, Journeys, Desktop):
    """The panel tests and the journeys of the page, in the window."""

    turned = 1

    def hand(self, link):
        if not hasattr(self, "driven"):
            self.driven = WindowHand(self.environment())
            self.addCleanup(self.driven.close)
        return self.driven.go(link)


class Window(Desktop):
    def run_window(self, *args, **env):
        return subprocess.run([WINDOW, *map(str, args)], env=self.environment(**env),
                              capture_output=True, text=True, timeout=120)

    def photograph(self, name, *args):
        path = PICTURES / f"window-{name}.png"
        done = self.run_window("--picture", path, *args)
        self.assertEqual(done.returncode, 0, done.stderr)
        return pixels(path)

    def test_draws_the_wizard_in_both_languages_and_themes(self):
        seen = {}
        for lang, theme in (("zh", "light"), ("en", "light"), ("en", "dark")):
            width, height, rows = self.photograph(f"{lang}-{theme}", "--size", "1000x700", "--link", f"v=1&lang={lang}&theme={theme}")
            self.assertEqual((width, height), (1000, 700))
            self.assertGreater(len(set(rows)), 300)  # hardly two rows of a page full of text are alike
            colours = {row[x:x + 3] for row in rows[::3] for x in range(0, len(row), 9)}
            self.assertGreater(len(colours), 50)
            seen[lang, theme] = rows
        self.assertNotEqual(seen["zh", "light"], seen["en", "light"])
        brightness = {key: sum(sum(row) for row in rows) / len(rows) / 3000 for key, rows in seen.items()}
        self.assertGreater(brightness["en", "light"], 150)
        self.assertLess(brightness["en", "dark"], 100)

    def test_the_same_link_gives_the_same_picture(self):
        first, second = (self.photograph("again", "--size", "600x500", "--link", "v=1&lang=en") for _ in range(2))
        self.assertEqual(first, second)

    def set_resources(self, text):
        """The X server's resources, as a desktop sets them for screens with fine pixels."""
        x11 = ctypes.CDLL("libX11.so.6")
        x11.XOpenDisplay.restype = x11.XDefaultRootWindow.restype = ctypes.c_ulong
        screen = ctypes.c_ulong(x11.XOpenDisplay(self.display.encode()))
        resource_manager, string = 23, 31  # X11/Xatom.h
        x11.XChangeProperty(screen, ctypes.c_ulong(x11.XDefaultRootWindow(screen)), ctypes.c_ulong(resource_manager),
                            ctypes.c_ulong(string), 8, 0, text.encode(), len(text))
        x11.XCloseDisplay(screen)

    def test_is_as_large_and_twice_as_fine_on_a_fine_screen(self):
        plain = self.photograph("plain", "--size", "600x500", "--link", "v=1&lang=en")
        self.set_resources("Xft.dpi:\t192\n")
        try:
            fine = self.photograph("fine", "--size", "600x500", "--link", "v=1&lang=en")
        finally:
            self.set_resources("")
        self.assertEqual((plain[:2], fine[:2]), ((600, 500), (1200, 1000)))
        # The same picture: every second pixel of it is near the plain one's, text edges aside.
        near = sum(abs(a - b) < 24 for one, two in zip(plain[2], fine[2][::2]) for x in range(0, 1800, 3)
                   for a, b in [(one[x], two[2 * x])])
        self.assertGreater(near / (600 * 500), 0.85)

    def test_takes_a_config_file_over(self):
        config = SOURCE / "tests/data/configs/llama-2-13b.json"
        plain = json.loads(self.run_window("--request").stdout)
        dropped = json.loads(self.run_window("--request", config).stdout)
        self.assertNotEqual(plain["workload"]["model"], dropped["workload"]["model"])
        self.assertEqual(dropped["workload"]["model"]["hf_config"]["hidden_size"], 5120)

    def in_a_folder(self, *args, programs=(), link="v=1&lang=en&view=yours", last="--request"):
        """Runs the window in an empty folder, with programs of ours first on PATH; gives the folder and what it printed."""
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        (folder / "bin").mkdir()
        for name, text in programs:
            (folder / "bin" / name).write_text("#!/bin/sh\n" + text)
            (folder / "bin" / name).chmod(0o755)
        path = f"{folder / 'bin'}:/usr/bin:/bin"
        done = subprocess.run([WINDOW, "--size", "1200x2600", "--link", link, *map(str, args), last], cwd=folder, capture_output=True, text=True,
                              timeout=120, env={"PATH": path, "LANG": "C.UTF-8", "DISPLAY": self.display})
        self.assertEqual(done.returncode, 0, done.stderr)
        return folder, json.loads(done.stdout)

    def test_opens_and_saves_files(self):
        config = SOURCE / "tests/data/configs/llama-2-13b.json"
        opened = [("zenity", f'echo "$@" > asked; case "$*" in *--save*) echo "$PWD/mine.json";; *) echo "{config}";; esac\n')]
        _, request = self.in_a_folder("--act", "click yours/import", programs=opened)
        self.assertEqual(request["workload"]["model"]["hf_config"]["hidden_size"], 5120)
        folder, _ = self.in_a_folder("--act", "click yours/export", programs=opened)
        self.assertIsInstance(json.loads((folder / "mine.json").read_text()), dict)
        self.assertIn("--filename=xuanka-overlay.json", (folder / "asked").read_text())
        # A dialog that is closed saves and opens nothing.
        closed, plain = self.in_a_folder("--act", "click yours/export", "--act", "click yours/import", programs=[("zenity", "exit 1\n")])
        self.assertEqual([path.name for path in closed.iterdir()], ["bin"])
        self.assertNotIn("hf_config", plain["workload"]["model"])

    @unittest.skipIf(shutil.which("zenity") or shutil.which("kdialog"), "the desktop has dialogs of its own")
    def test_opens_and_saves_without_a_desktop(self):
        config = SOURCE / "tests/data/configs/llama-2-13b.json"
        _, request = self.in_a_folder("--act", "click yours/import", "--act", f"type {config}", "--act", "press Enter")
        self.assertEqual(request["workload"]["model"]["hf_config"]["hidden_size"], 5120)
        folder, _ = self.in_a_folder("--act", "click yours/export", "--act", "click yours/export")
        self.assertEqual(sorted(path.name for path in folder.iterdir() if path.is_file()), ["xuanka-overlay-2.json", "xuanka-overlay.json"])

    @unittest.skipIf(shutil.which("zenity") or shutil.which("kdialog"), "the desktop has dialogs of its own")
    def test_the_clipboard_goes_both_ways(self):
        config = SOURCE / "tests/data/configs/llama-2-13b.json"
        acts = ["click yours/import", f"type {config}", "press Ctrl+A", "press Ctrl+X"]
        for paste, taken in (("press Ctrl+V", True), ("press End", False)):
            _, request = self.in_a_folder(*(word for act in [*acts, paste, "press Enter"] for word in ("--act", act)))
            self.assertEqual("hf_config" in request["workload"]["model"], taken)

    def test_measures_the_cards_of_the_machine(self):
        made_up = f'{os.environ["XUANKA_CLI"]} probe --json --fixture {SOURCE}/tests/data/probe/made_up_2x_rtx_4090.json'
        program = [("measure", f'[ "$*" = "probe --json --quick" ] && exec {made_up}\n')]
        _, request = self.in_a_folder("--probe", "measure", "--act", "click yours/probe", programs=program)
        measured = request["overrides"]["measured"]
        self.assertTrue(measured and all(card["made_up"] for card in measured), measured)
        for script in ("echo no driver >&2; exit 3\n", "echo nonsense\n", "kill -9 $$\n"):
            _, plain = self.in_a_folder("--probe", "measure", "--act", "click yours/probe", programs=[("measure", script)])
            self.assertNotIn("measured", plain.get("overrides", {}))

    def test_refuses_what_is_not_there(self):
        wrong = self.run_window("--request", "--act", "click nowhere")
        self.assertEqual((wrong.returncode, wrong.stdout), (2, ""))
        self.assertIn("nowhere", wrong.stderr)

    def test_says_what_is_missing(self):
        self.assertEqual(self.run_window("--request", DISPLAY=":999").returncode, 3)
        self.assertIn("xuanka-window: ", self.run_window("--request", DISPLAY=":999").stderr)
        self.assertEqual(self.run_window("--size", "big").returncode, 2)
        self.assertEqual(self.run_window("--picture", "/no/such/folder/a.png").returncode, 3)


if __name__ == "__main__":
    unittest.main(verbosity=2)
