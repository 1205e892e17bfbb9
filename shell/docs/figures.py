"""Everything that the pages say in numbers: asked of the program and the catalog while the pages are built."""
import functools
import html
import itertools
import json
import os
import pathlib
import shlex
import subprocess

SOURCE = pathlib.Path(os.environ.get("XUANKA_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
CLI = os.environ.get("XUANKA_CLI", str(SOURCE / "build" / "xuanka"))
GIB = 2**30


@functools.cache
def ask(command):
    """Standard output of `xuanka COMMAND`; exit 1 says that nothing qualifies, which is an answer too."""
    done = subprocess.run([CLI, *shlex.split(command)], capture_output=True, text=True, encoding="utf-8", cwd=SOURCE, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        raise SystemExit(f"xuanka {command}\n{done.stderr}")
    return done.stdout


def rank(flags):
    """The report to `xuanka rank FLAGS`."""
    return json.loads(ask(f"rank {flags} --json"))


def best(flags):
    """Its recommended candidate."""
    report = rank(flags)
    if report["recommended"] is None:
        raise SystemExit(f"nothing qualifies: xuanka rank {flags}")
    return report["candidates"][report["recommended"]]


def first(flags):
    """Its first candidate, recommended or not."""
    return rank(flags)["candidates"][0]


@functools.cache
def catalog(what):
    member = {"purchase": "prices"}.get(what, what)
    return json.loads((SOURCE / "assets" / "catalog" / f"{what}.json").read_text("utf-8"))[member]


@functools.cache
def reference(what):
    """architectures, providers or presets."""
    return json.loads((SOURCE / "assets" / "reference" / f"{what}.json").read_text("utf-8"))[what]


def reference_source(name):
    """A source of the architectures or of the catalog, in words."""
    data = json.loads((SOURCE / "assets" / "reference" / "architectures.json").read_text("utf-8"))
    for entry in data["sources"]:
        if entry["id"] == name:
            return ", ".join(part for part in (entry["title"], entry.get("date"), entry["address"]) if part)
    return source(name)


def gpu(name):
    return next(entry for entry in catalog("gpus") if entry["id"] == name)


def offer(name):
    return next(entry for entry in catalog("offers") if entry["id"] == name)


def source(name):
    """A source as a reference: its title, who published it, where, when."""
    entry = next(entry for entry in catalog("sources") if entry["id"] == name)
    return ", ".join(entry[key] for key in ("title", "publisher", "address", "date") if entry.get(key))


def n(value, digits=3):
    """A number with so many digits that count, thousands grouped."""
    if value == 0:
        return "0"
    text = f"{float(f'{value:.{digits}g}'):,.10f}"
    return text.rstrip("0").rstrip(".")


def gib(value, digits=3):
    return f"{n(value / GIB, digits)} GiB"


@functools.cache
def validation():
    return json.loads(ask("validate --json"))["summary"]


# What the texts call the groups of cases.
GROUPS = {
    "en": {"by_kind": {"throughput": "throughput", "train_time": "training time", "step_time": "time of a step", "time": "hours of users' jobs", "memory": "memory", "memory+time": "memory and time",
                       "inference": "inference", "matmul": "matrix products", "allreduce": "all-reduce between cards"},
           "by_family": {"decoder": "decoders (GPT, Llama)", "encoder": "encoders (BERT)", "conv": "convolutions", "depthwise": "depth-wise convolutions", "detector": "detection", "vit": "vision transformers",
                         "lora": "LoRA and QLoRA", "moe": "mixtures of experts", "inference": "inference", "attention": "attention-heavy vision"},
           "head": "| | cases | median error | 90th percentile | inside the stated range | range, high / low |"},
    "zh": {"by_kind": {"throughput": "吞吐", "train_time": "训练时间", "step_time": "单步时间", "time": "用户任务的小时数", "memory": "显存", "memory+time": "显存和时间",
                       "inference": "推理", "matmul": "矩阵乘", "allreduce": "卡间 all-reduce"},
           "by_family": {"decoder": "解码器（GPT、Llama）", "encoder": "编码器（BERT）", "conv": "卷积", "depthwise": "深度可分离卷积", "detector": "检测", "vit": "视觉 Transformer",
                         "lora": "LoRA 和 QLoRA", "moe": "混合专家", "inference": "推理", "attention": "注意力为主的视觉模型"},
           "head": "| | 例数 | 误差中位数 | 90 分位 | 落在给出范围内 | 范围 上/下 |"},
}


def accuracy_table(lang, group):
    """Markdown table of `xuanka validate`'s summary; groups without a name of ours keep the program's."""
    names = GROUPS[lang][group]
    rows = [GROUPS[lang]["head"], "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for key, value in validation()[group].items():
        if value["count"]:
            name = names.get(key.removeprefix("time "), key.removeprefix("time ")) if group == "by_family" else names.get(key, key)
            rows.append(f"| {name} | {value['count']} | {value['median_error']:.0%} | {value['p90_error']:.0%} "
                        f"| {value['inside_share']:.0%} | {value['median_high_over_low']:.2f} |")
    return "\n".join(rows)


def unseen_table(head):
    """How fits that had not seen a source did on it, as assets/catalog/efficiency.json has it."""
    rows = [head, "| --- | ---: | ---: | ---: |"]
    for group in json.loads((SOURCE / "assets" / "catalog" / "efficiency.json").read_text("utf-8"))["unseen"]:
        rows.append(f"| {group['name']} | {group['cases']} | {group['median']:.1%} | {group['p90']:.0%} |")
    return "\n".join(rows)


def bounds_table(head):
    rows = [head, "| --- | ---: | ---: | ---: |"]
    for bound in validation()["bounds"]:
        rows.append(f"| {bound['name']} | {bound['value']:.3f} | {'≥' if bound['at_least'] else '≤'} {bound['limit']:.2f} | {bound['cases']} |")
    return "\n".join(rows)


def console(command, lines=None):
    """The command and what it prints, as a block; the first `lines` lines of it."""
    out = ask(command.removeprefix("xuanka ")).rstrip("\n").split("\n")
    shown = out if lines is None else [*out[:lines], *(["..."] if len(out) > lines else [])]
    return "```console\n$ " + command + "\n" + "\n".join(shown) + "\n```"


@functools.cache
def refusal():
    """The answer to a request without a model."""
    done = subprocess.run([CLI, "batch"], input='{"version":1,"workload":{}}\n', capture_output=True, text=True, encoding="utf-8", check=False)
    return done.stdout.strip()


@functools.cache
def js_size():
    """Kilobytes that a browser loads for the JavaScript module."""
    files = [path for path in pathlib.Path(os.environ["XUANKA_JS_DIR"]).iterdir() if path.suffix in (".js", ".wasm")]
    return round(sum(len(subprocess.run(["brotli", "-q", "11", "-c", path], capture_output=True, check=True).stdout) for path in files) / 1000)


def request_text(flags):
    return ask(f"rank {flags} --show-request").strip()


def calculator(flags, lang, root, view="answer", height=None):
    """The answer to `flags` in words, and a live calculator set to the same request. `root`: the site, from the page."""
    # The headline, then a paragraph that the program has wrapped; marks follow.
    head, *rest = ask(f"rank {flags} --lang {lang}").split("\n\n")[0].split("\n")
    said = list(itertools.takewhile(lambda line: line[:1] not in "✓✗·!→", rest))
    paragraph = html.escape({"en": " ", "zh": ""}[lang].join(said))
    link = {"en": "Open the calculator", "zh": "打开计算器"}[lang]
    size = f' height="{height}"' if height else ""
    return (f'<div class="xk-answer"><p><strong>{html.escape(head)}</strong></p><p>{paragraph}</p>'
            f"<p><code>xuanka rank {html.escape(flags)}</code></p></div>\n"
            f'<xuanka-calculator lang="{lang}" view="{view}"{size} request="{html.escape(request_text(flags))}">'
            f'<a href="{root}">{link}</a></xuanka-calculator>\n')


LANGUAGES = {"html": "html", "yml": "yaml", "py": "python", "rst": "rst", "jsx": "jsx", "js": "js"}
TITLES = {"mkdocs.yml": "mkdocs.yml", "sphinx.py": "conf.py", "vitepress.js": ".vitepress/config.js", "nginx.conf": "nginx.conf", "apache.conf": ".htaccess"}


def snippet(name, lang):
    """A file of snippets/ as a block. The tests build their sites from the same files."""
    text = (pathlib.Path(__file__).resolve().parent / "snippets" / name).read_text("utf-8").replace('lang="en"', f'lang="{lang}"')
    ending = name.rsplit(".", 1)[1]
    kind = name.split(".")[0] if ending == "conf" else LANGUAGES[ending]
    title = f' title="{TITLES[name]}"' if name in TITLES else ""
    return f"```{kind}{title}\n{text}```"
