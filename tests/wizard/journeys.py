"""Twelve people with a question each: what they fill in, and what the answer must say."""
from panels import Wizard

HOUR = 3600

# Name, link (without language), the verdicts that the report must give by (GPU, count), codes of notes that must be
# there, measured figures that the ranges must hold: (GPU, count, "memory" in GiB or "time" in hours, value).
ONE_4090 = "&g=rtx-4090-24gb&c=1"
JOURNEYS = [
    ("a student with a 24 GB card: LoRA on 7B, one sequence at a time",
     "k=lora&m=llama-2-7b&s=1304&mb=1&rc=none&lr=8&lt=qv" + ONE_4090,
     {("rtx-4090-24gb", 1): {"ok", "too_slow"}}, {}, [("rtx-4090-24gb", 1, "memory", 21.3 / 1.073741824)]),
    ("the same, two at a time",
     "k=lora&m=llama-2-7b&s=1304&mb=2&rc=none&lr=8&lt=qv" + ONE_4090,
     {("rtx-4090-24gb", 1): {"does_not_fit"}}, {}, [("rtx-4090-24gb", 1, "memory", 29.07 / 1.073741824)]),
    ("full tuning of 8B on one 4090 with plain AdamW, nothing offloaded",
     "k=finetune&m=llama-3-8b&mb=1&of=none" + ONE_4090,
     {("rtx-4090-24gb", 1): {"does_not_fit"}}, {}, []),
    ("a lab: 13B full on eight cards, replicated",
     "k=finetune&m=llama-2-13b&g=a800-sxm-80gb&c=8&z=0&tp=1&pp=1&of=none&mb=1",
     {("a800-sxm-80gb", 8): {"does_not_fit"}}, {}, []),
    ("the same with ZeRO-3",
     "k=finetune&m=llama-2-13b&g=a800-sxm-80gb&c=8&z=3&tp=1&pp=1&of=none",
     {("a800-sxm-80gb", 8): {"ok", "too_slow"}}, {}, []),
    ("58 hours on two 3090: how many for a day",
     "k=train&src=measured&mg=rtx-3090-24gb&mn=2&mh=58&mf=conv&g=rtx-3090-24gb&c=2,4,8",
     {("rtx-3090-24gb", 2): {"too_slow"}, ("rtx-3090-24gb", 4): {"too_slow"}, ("rtx-3090-24gb", 8): {"ok"}}, {},
     [("rtx-3090-24gb", 2, "time", 58)]),
    ("pretraining 1.1B on 10 billion tokens",
     "k=train&m=tinyllama-1.1b&t=1e10&e=1&g=a100-sxm-40gb&c=1,8",
     {("a100-sxm-40gb", 1): {"too_slow"}, ("a100-sxm-40gb", 8): {"ok"}}, {},
     [("a100-sxm-40gb", 8, "time", 1e10 / (24000 * 8) / HOUR)]),
    ("a V100 and bf16",
     "k=lora&m=llama-2-7b&pr=bf16&g=v100-sxm-32gb&c=1", {}, {("v100-sxm-32gb", 1): {"bf16_emulated", "no_flash_attention"}}, []),
    ("two or four 4090 without P2P",
     "k=finetune&src=size&p=1.7B&g=rtx-4090-24gb&c=2,4&tp=1&pp=1", {}, {("rtx-4090-24gb", 2): {"no_p2p"}, ("rtx-4090-24gb", 4): {"no_p2p"}}, []),
    ("70B QLoRA on two 24 GB cards, offloaded, 128 GB in the host",
     "k=qlora&m=llama-2-70b&t=1e7&g=rtx-3090-24gb&c=2&z=3&of=all&ha=128",
     {("rtx-3090-24gb", 2): {"host_short"}}, {("rtx-3090-24gb", 2): {"host_ram_short"}}, []),
    ("a new card and an old CUDA",
     "k=lora&m=llama-2-7b&g=rtx-5090-32gb&c=1&cu=12.4",
     {("rtx-5090-32gb", 1): {"unsupported"}}, {("rtx-5090-32gb", 1): {"cuda_too_old"}}, []),
    ("4090 or A100 for the money, at the guide's prices",
     "k=train&m=resnet50&ds=imagenet-1k&e=90&pr=fp16&pv=AIStudio&h=none&g=rtx-4090-24gb,a100-pcie-40gb&c=1", {}, {}, []),
]


class Journeys(Wizard):
    """Every journey filled in by hand, from a fresh form."""

    def test_by_hand(self):
        for number, (name, link, *_) in enumerate(JOURNEYS):
            # Every second one in Chinese; the other way round where the class says so.
            lang = ("en", "zh")[(number + self.turned) % 2]
            with self.subTest(name, lang=lang):
                hand = self.hand(f"lang={lang}&{link}")
                asked = hand.request()
                hand = self.hand(f"lang={lang}")
                hand.fill_in(link)
                self.assertEqual(hand.request(), asked)
                self.same_words(hand, lang)
