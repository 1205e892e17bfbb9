"""Hands for the wizard: whatever takes clicks, keys and text, in a browser or in the native window, fills in the same
inputs by the same keys of its items."""

# Inputs by the key they have in links. Everything else is a number or a short text.
CHOICES = {"rc", "lt", "z", "of", "pr", "mf"}
MODEL = {"src", "m", "ds", "mg", "p", "s", "mb", "rc", "lt", "lr", "mn", "mh", "mf", "t", "e", "pr"}
MORE = {"rc", "lt", "lr", "z", "of", "tp", "pp", "ha"}


def inputs_of(link):
    return dict(pair.split("=", 1) for pair in link.split("&"))


class Hand:
    """One fresh wizard. `click`, `press` and `type` are what a hand can do; the rest follows."""

    more = False

    def number(self, key, text):
        self.click(key)
        self.press("Control+a")
        self.type(text)
        self.press("Enter")

    def choose(self, key, value, search=""):
        self.click(key)
        if search:
            self.search(search)
        self.click(value)

    def search(self, text):
        self.type(text)

    def step(self, name):
        self.click(f"step-{name}")

    def fill_in(self, link):
        """Fills in what a link holds, step by step, from a fresh form."""
        inputs = inputs_of(link)
        self.step("job")
        self.click(f"kind-{inputs.pop('k')}")
        for number, (step, there) in enumerate((("model", True), ("constraints", False)), 1):
            wanted = {key: value for key, value in inputs.items() if (key in MODEL) == there}
            if not wanted:
                continue
            self.step(step)
            for key, value in wanted.items():
                self.set(f"wizard/{number}/", key, value)

    def set(self, place, key, value):
        if key in MORE and not self.more:
            self.click(f"{place}more")
            self.more = True
        if key == "src":
            self.click(f"src2-{value}")
        elif key == "m":
            if self.request()["workload"]["model"] != {"id": value}:
                self.choose("model", value, value)
        elif key == "ds":
            if self.request()["workload"]["data"].get("dataset") != value:
                self.choose("dataset", value, value)
        elif key == "mg":
            if self.request()["workload"]["model"]["measured"]["gpu"] != value:
                self.choose("timed-gpu", value, value)
        elif key == "g":
            for gpu in value.split(","):
                self.choose(f"{place}gpus", gpu, gpu)
        elif key == "c":
            # 1, 2, 4 and 8 are on; the first that is wanted stays on while others go.
            for count in {"1", "2", "4", "8"} - set(value.split(",")):
                self.click(f"{place}c/{count}")
        elif key == "pv":
            self.choose("providers", value, value)
        elif key == "h" and value == "none":
            self.click("deadline-none")
        elif key in CHOICES:
            self.choose(f"{place}{key}", value)
        else:
            self.number(f"{place}{key}" if key == "cu" else f"{place}{key}/text", value)
