"""Joins the page's JavaScript modules into one classic script: one request, and it runs where modules do not load
(opened as a file, or in a frame without an origin).

Only what our own sources use is understood: named imports from './file.js', one default import of the program's
script, and `export` before a declaration. Comments on lines of their own and indentation are dropped.
"""
import re
import sys

IMPORT = re.compile(r"^import\s+(?:\{[^}]*\}|(\w+))\s+from\s+'\./([\w.]+)';\n", re.MULTILINE)
EXPORT = re.compile(r"^export (?=const|let|function|class|async)", re.MULTILINE)
DECLARED = re.compile(r"^(?:const|let|var|function|class|async function)\s+(\w+)", re.MULTILINE)


def ordered(folder, entry, done=None):
    """The entry's modules, each after those it imports."""
    done = {} if done is None else done
    text = (folder / entry).read_text(encoding="utf-8")
    for match in IMPORT.finditer(text):
        default, name = match.groups()
        if not default and name not in done:
            ordered(folder, name, done)
    done[entry] = text
    return done


def stripped(name, text):
    text = EXPORT.sub("", IMPORT.sub("", text))
    lines = []
    for line in text.split("\n"):
        if line.count("`") % 2:
            sys.exit(f"bundle.py: {name}: a template that spans lines would lose its indentation")
        line = line.strip()
        if line and not line.startswith("//"):
            lines.append(line)
    return "\n".join(lines)


def program_script(text):
    """The script that Emscripten wrote, as a constant."""
    text = text.replace("export default Module;", "").replace("import.meta.url", "scriptAddress").strip()
    if not text.startswith("var Module ="):
        sys.exit("bundle.py: the program's script does not begin as expected")
    if re.search(r"^\s*(import|export)\b(?!\()", text, re.MULTILINE):
        sys.exit("bundle.py: the program's script imports or exports something")
    return "const createModule =" + text[len("var Module =") :]


def bundle(folder, entry, program):
    parts = ["const scriptAddress = (document.currentScript && document.currentScript.src) || document.baseURI;"]
    parts.append(program_script(program))
    seen = {}
    for name, text in ordered(folder, entry).items():
        body = stripped(name, text)
        for match in DECLARED.finditer(EXPORT.sub("", IMPORT.sub("", text))):
            if seen.setdefault(match.group(1), name) != name:
                sys.exit(f"bundle.py: {match.group(1)} is declared in {seen[match.group(1)]} and in {name}")
        parts.append(body)
    return "(() => {\n'use strict';\n" + "\n".join(parts) + "\n})();\n"
