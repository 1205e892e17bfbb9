"""Ledgers worked out by hand: rent, spot, reservations, own cards new and used, break-even.

Each case is a change of BASE and what the report must say, by path into the best candidate ("cost.amount"), as
"result = arithmetic". The test evaluates the arithmetic by itself and asks the program for the result.

The card of all cases: 100 TFLOPS in bf16, 24 GB, 1000 GB/s, 350 W. The catalogue's host share is 150 W a card, so
that a card at work draws 0.5 kW before cooling. The job is one that was timed on the same cards: its hours are given.
"""

CARD = {"id": "card", "memory_gb": 24, "bandwidth_gb_s": 1000, "tdp_w": 350,
        "tflops": {"fp32": 50, "tf32": 50, "fp16_tensor": 100, "bf16_tensor": 100}}


def money(amount, currency="CNY"):
    return {"amount": amount, "currency": currency}


def offer(count, price, **more):
    currency = more.pop("currency", "CNY")
    name = more.pop("id", f"x{count}")
    return {"id": name, "gpu": "card", "gpu_count": count, "price_per_hour": money(price, currency), **more}


def timed(hours, count=1):
    return {"model": {"measured": {"gpu": "card", "count": count, "hours": hours}}}


def rent(name, hours, offers, expect, count=1, billing=("on-demand",), **decision):
    return {"name": name, "expect": expect, "request": {
        "workload": timed(hours, count), "hardware": {"gpus": ["card"], "counts": [count]},
        "decision": {"deadline_hours": None, "offers": {"billing": list(billing)}, **decision},
        "overrides": {"gpus": [CARD], "offers": offers}}}


def own(name, expect, count=1, hours=10, card=10000, offers=(), acquire="buy", tariff=0.5, fx=None, gpus_per_node=None,
        price=None, **terms):
    condition = "second-hand" if acquire == "used" else "new"
    terms = {"hours_per_month": 200, "years": 2.5, "pue": 1.2, "residual": 0.2, "machine_price": money(2000), **terms}
    hardware = {"gpus": ["card"], "counts": [count]}
    if gpus_per_node:
        hardware["gpus_per_node"] = gpus_per_node
    overrides = {"gpus": [CARD], "offers": list(offers), "electricity_per_kwh": money(tariff),
                 "prices": [{"gpu": "card", "condition": condition, "price": price or money(card)}]}
    if fx:
        overrides["fx"] = {"USD_CNY": fx}
    return {"name": name, "expect": expect, "request": {
        "workload": timed(hours, count), "hardware": hardware, "overrides": overrides,
        "decision": {"deadline_hours": None, "acquire": acquire, "own": terms}}}


RENT = [
    rent("one card by the hour", 10, [offer(1, 2)],
         {"cost.amount": "20 = 10 * 2", "cost.billed_hours": "10 = 10", "cost.billed_gpus": "1 = 1"}),
    rent("whole instance: 3 used, 8 paid for", 10, [offer(8, 16)],
         {"cost.amount": "160 = 10 * 16", "cost.billed_gpus": "8 = 8", "price.per_hour.amount": "16 = 16"}, count=3),
    rent("a 4-card instance twice for 5 cards", 6, [offer(4, 10)],
         {"cost.amount": "120 = 6 * 2 * 10", "cost.billed_gpus": "8 = 2 * 4", "nodes": "2 = 2"}, count=5),
    rent("two instances of 2 are cheaper than one of 4", 5, [offer(2, 4), offer(4, 9)],
         {"cost.amount": "40 = 5 * 2 * 4", "cost.billed_gpus": "4 = 2 * 2"}, count=4, deadline_hours=None),
    rent("a single-card rate serves three", 10, [offer(1, 2, per_gpu=True)],
         {"cost.amount": "60 = 10 * 3 * 2", "cost.billed_gpus": "3 = 3", "nodes": "1 = 1"}, count=3),
    rent("a rate quoted for 4 cards is divided first", 10, [offer(4, 8, per_gpu=True)],
         {"cost.amount": "60 = 10 * 3 * 8 / 4"}, count=3),
    rent("dollars at one's own rate", 10, [offer(1, 2, currency="USD")],
         {"cost.amount": "140 = 10 * 2 * 7"}),
    rent("yuan shown in dollars", 10, [offer(1, 7)],
         {"cost.amount": "10 = 10 * 7 / 7"}, currency="USD"),
    rent("three hours at least", 0.5, [offer(1, 2, min_hours=3)],
         {"cost.amount": "6 = 3 * 2", "cost.billed_hours": "3 = max(0.5, 3)"}),
    rent("a minimum that the job passes", 5, [offer(1, 2, min_hours=3)],
         {"cost.amount": "10 = 5 * 2"}),
    rent("the dearer hour without a minimum wins for a short job", 1, [offer(1, 2, min_hours=10), offer(1, 3, id="dear")],
         {"cost.amount": "3 = min(10 * 2, 1 * 3)"}),
    rent("a month is paid whole", 10, [offer(1, 2, billing="monthly")],
         {"cost.amount": "1460 = 730 * 2", "cost.billed_hours": "730 = ceil(10 / 730) * 730"}, billing=["monthly"]),
    rent("two months for 731 hours", 731, [offer(1, 2, billing="monthly")],
         {"cost.amount": "2920 = 2 * 730 * 2"}, billing=["monthly"]),
    rent("a reserved year is paid whole", 1000, [offer(1, 1, billing="reserved-1y")],
         {"cost.amount": "8760 = 8760 * 1"}, billing=["reserved-1y"]),
    rent("three reserved years", 1000, [offer(1, 0.5, billing="reserved-3y")],
         {"cost.amount": "13140 = 3 * 8760 * 0.5"}, billing=["reserved-3y"]),
    rent("by the hour beats a cheaper month for a short job", 100, [offer(1, 1, billing="monthly", id="month"), offer(1, 3)],
         {"cost.amount": "300 = min(730 * 1, 100 * 3)"}, billing=["on-demand", "monthly"]),
    rent("a month beats the hour for a long job", 700, [offer(1, 1, billing="monthly", id="month"), offer(1, 3)],
         {"cost.amount": "730 = min(730 * 1, 700 * 3)"}, billing=["on-demand", "monthly"]),
    rent("value of a rented card", 10, [offer(1, 2)],
         {"value.flops_per_money": "1.8e17 = 100e12 * 3600 / 2", "value.gb_per_money": "12 = 24 / 2",
          "value.gb_s_per_money": "500 = 1000 / 2", "value.flops_per_watt": "285714285714.2857 = 100e12 / 350"}),
    rent("value counts one card of the instance", 10, [offer(8, 16)],
         {"value.flops_per_money": "1.8e17 = 100e12 * 3600 / (16 / 8)", "value.gb_per_money": "12 = 24 / 2"}, count=3),
]
for case in RENT:
    case["request"]["overrides"]["fx"] = {"USD_CNY": 7}

SPOT = [
    # 4 a day, hourly checkpoints: each loses half an hour, 4/24 * 1/2 = 1/12 of every hour
    rent("spot pays for lost work", 11, [offer(1, 2, billing="spot")],
         {"cost.billed_hours": "12 = 11 / (1 - 4 / 24 * 0.5)", "cost.amount": "24 = 12 * 2"},
         billing=["spot"], spot={"interruptions_per_day": 4, "checkpoint_minutes": 60}),
    rent("spot without checkpoints", 11, [offer(1, 2, billing="spot")],
         {"cost.billed_hours_without_checkpoints": "31.528206 = (e ** (4 / 24 * 11) - 1) / (4 / 24)"},
         billing=["spot"], spot={"interruptions_per_day": 4, "checkpoint_minutes": 60}),
    rent("spot without interruptions", 11, [offer(1, 2, billing="spot")],
         {"cost.amount": "22 = 11 * 2", "cost.billed_hours_without_checkpoints": "11 = 11"},
         billing=["spot"], spot={"interruptions_per_day": 0, "checkpoint_minutes": 60}),
    rent("frequent checkpoints lose little", 23, [offer(1, 1, billing="spot")],
         {"cost.amount": "24 = 23 / (1 - 2 / 24 * 0.5)"},
         billing=["spot"], spot={"interruptions_per_day": 2, "checkpoint_minutes": 60}),
    rent("a whole instance on spot", 11, [offer(8, 8, billing="spot")],
         {"cost.amount": "96 = 12 * 8", "cost.billed_gpus": "8 = 8"}, count=3,
         billing=["spot"], spot={"interruptions_per_day": 4, "checkpoint_minutes": 60}),
    rent("on-demand beats spot that loses half", 10, [offer(1, 1.5, billing="spot", id="spot"), offer(1, 2)],
         {"cost.amount": "20 = min(10 * 2, 10 / (1 - 24 / 24 * 0.5) * 1.5)"},
         billing=["spot", "on-demand"], spot={"interruptions_per_day": 24, "checkpoint_minutes": 60}),
]

OWN = [
    own("new card, five sixths of the price lost over the years",
        {"ledger.hours": "6000 = 200 * 12 * 2.5", "ledger.buy.capital": "12000 = 10000 + 2000",
         "ledger.buy.resale": "2400 = 12000 * 0.2", "ledger.buy.power_kw": "0.6 = (350 + 150) / 1000 * 1.2",
         "ledger.buy.electricity": "1800 = 0.6 * 6000 * 0.5", "ledger.buy.total": "11400 = 12000 - 2400 + 1800",
         "ledger.buy.hourly": "1.9 = 11400 / 6000", "cost.amount": "19 = 10 * 1.9"}),
    own("one year, nothing kept", {"ledger.hours": "2400 = 200 * 12", "ledger.buy.total": "12720 = 12000 + 0.6 * 2400 * 0.5"},
        years=1, residual=0),
    own("five years", {"ledger.buy.total": "13200 = 12000 * 0.8 + 0.6 * 200 * 12 * 5 * 0.5"}, years=5),
    own("utilisation instead of hours", {"ledger.hours": "10950 = 0.5 * 730 * 12 * 2.5"}, hours_per_month=None, utilisation=0.5),
    own("PUE 2 doubles the electricity", {"ledger.buy.electricity": "3000 = 0.5 * 2 * 6000 * 0.5"}, pue=2),
    own("electricity at 1.2", {"ledger.buy.electricity": "4320 = 0.6 * 6000 * 1.2"}, tariff=1.2),
    own("four cards in one machine",
        {"ledger.buy.cards": "40000 = 4 * 10000", "ledger.buy.machines": "2000 = 2000",
         "ledger.buy.electricity": "7200 = 4 * 1800", "ledger.buy.total": "40800 = 42000 * 0.8 + 7200"}, count=4),
    own("four cards in two machines",
        {"ledger.buy.machines": "4000 = 2 * 2000", "ledger.buy.total": "42400 = 44000 * 0.8 + 7200"}, count=4, gpus_per_node=2),
    own("hosting by the month", {"ledger.buy.hosting": "3000 = 100 * 12 * 2.5", "ledger.buy.total": "14400 = 11400 + 3000"},
        hosting_per_month=money(100)),
    own("hosting of two machines", {"ledger.buy.hosting": "6000 = 2 * 100 * 12 * 2.5"}, count=4, gpus_per_node=2,
        hosting_per_month=money(100)),
    own("money tied up", {"ledger.buy.finance": "1800 = 12000 * (1 + 0.2) / 2 * 0.1 * 2.5",
                          "ledger.buy.total": "13200 = 11400 + 1800"}, finance_rate=0.1),
    own("a price in dollars", {"ledger.buy.card": "7000 = 1000 * 7", "ledger.buy.capital": "9000 = 7000 + 2000"},
        price=money(1000, "USD"), fx=7),
    own("second-hand: 5 % of the cards fail a year",
        {"ledger.buy.card": "4000 = 4000", "ledger.buy.upkeep": "500 = 4000 * 0.05 * 2.5",
         "ledger.buy.total": "7100 = (4000 + 2000) * 0.8 + 500 + 1800"}, card=4000, acquire="used"),
    own("second-hand with one's own failure rate", {"ledger.buy.upkeep": "2000 = 4000 * 0.2 * 2.5"},
        card=4000, acquire="used", failure_rate=0.2),
    own("second-hand sold for nothing at the end", {"ledger.buy.total": "8300 = 6000 + 500 + 1800"},
        card=4000, acquire="used", residual=0),
    own("new cards under warranty have no failure allowance", {"ledger.buy.upkeep": "0 = 0"}),
    own("a failure rate for new cards", {"ledger.buy.upkeep": "1000 = 10000 * 0.04 * 2.5"}, failure_rate=0.04),
    own("money for a card", {"value.flops_per_money": "1e10 = 100e12 / 10000", "value.gb_per_money": "0.0024 = 24 / 10000",
                             "value.gb_s_per_money": "0.1 = 1000 / 10000"}),
    own("year by year the same share is lost: 1/4 left after 2",
        {"ledger.by_years.0.buy": "6720 = 12000 * (1 - 0.5) + 0.6 * 2400 * 0.5",
         "ledger.by_years.1.buy": "10440 = 12000 * (1 - 0.25) + 0.6 * 4800 * 0.5",
         "ledger.by_years.3.buy": "14130 = 12000 * (1 - 0.0625) + 0.6 * 9600 * 0.5",
         "ledger.by_years.3.rent": "19200 = 9600 * 2"},
        years=2, residual=0.25, offers=[offer(1, 2)]),
]

BREAK_EVEN = [
    own("break-even by the formula",
        {"ledger.rent.total": "12000 = 6000 * 2", "ledger.break_even_hours": "5647.0588 = (12000 - 2400) / (2 - 0.3)",
         "ledger.break_even_utilisation": "0.25768007 = 9600 / 1.7 / (2.5 * 8766)"}, offers=[offer(1, 2)]),
    own("break-even with finance, hosting and failures",
        {"ledger.break_even_hours": "9058.8235 = (9600 + 1800 + 3000 + 1000) / 1.7"}, offers=[offer(1, 2)], finance_rate=0.1,
        hosting_per_month=money(100), failure_rate=0.04),
    own("break-even of a used card", {"ledger.break_even_hours": "3117.6471 = (6000 * 0.8 + 500) / 1.7"}, card=4000,
        acquire="used", offers=[offer(1, 2)]),
    own("rent below the electricity: never", {"ledger.break_even_hours": "None = None"}, offers=[offer(1, 0.25)]),
    own("above all hours of the years: utilisation over 1",
        {"ledger.break_even_utilisation": "1.0951403 = 9600 / (0.7 - 0.3) / (2.5 * 8766)"}, offers=[offer(1, 0.7)]),
    own("whole instances in the ledger too",
        {"ledger.rent.hourly": "16 = 16", "ledger.rent.total": "96000 = 6000 * 16"}, count=3, offers=[offer(8, 16)]),
    own("the month is paid whether used or not",
        {"ledger.rent.billed_hours": "21900 = 2.5 * 12 * 730", "ledger.rent.total": "10950 = 2.5 * 12 * 730 * 0.5",
         "ledger.break_even_hours": "None = None"}, offers=[offer(1, 0.5, billing="monthly")], billing=["monthly"]),
    own("three reserved years for two and a half",
        {"ledger.rent.billed_hours": "26280 = 3 * 8760"}, offers=[offer(1, 0.5, billing="reserved-3y")], billing=["reserved-3y"]),
    own("spot hours are more than hours of use",
        {"ledger.rent.billed_hours": "6260.8696 = 6000 / (1 - 2 / 24 * 0.5)", "ledger.rent.total": "6260.8696 = 6000 / (1 - 1 / 24)",
         "ledger.break_even_hours": "12912.281 = 9600 / (1 / (1 - 1 / 24) - 0.3)"},
        offers=[offer(1, 1, billing="spot")], billing=["spot"],
        spot={"interruptions_per_day": 2, "checkpoint_minutes": 60}),
]
for case in BREAK_EVEN:
    own_terms = case["request"]["decision"]["own"]
    for key in ("billing", "spot"):
        if key in own_terms:
            value = own_terms.pop(key)
            case["request"]["decision"].update({"offers": {"billing": value}} if key == "billing" else {"spot": value})

# ResNet-50 stands for work whose FLOPs are known: 24,535,105,536 a sample. At 40 % of 100 TFLOPS a card does
# 0.4 * 1e14 / 24535105536 samples a second.
SAMPLE = 24535105536


def resnet(name, expect, count=1, samples=1e6, host=None, acquire="rent", **decision):
    return {"name": name, "expect": expect, "request": {
        "workload": {"model": {"id": "resnet50"}, "data": {"samples": samples}, "precision": "bf16"},
        "hardware": {"gpus": ["card"], "counts": [count]}, "host": host or {},
        "decision": {"deadline_hours": None, "acquire": acquire, **decision},
        "overrides": {"gpus": [CARD], "offers": [offer(1, 2)], "efficiency": 0.4,
                      "prices": [{"gpu": "card", "price": money(10000)}], "electricity_per_kwh": money(0.5)}}}


WORK = [
    resnet("an effective PFLOP-hour: rent over 40 % of the peak",
           {"value.effective_pflop_hour": "50 = 2 / (100e12 * 0.4 / 1e15)",
            "value.effective_flops_per_money": "7.2e16 = 100e12 * 0.4 * 3600 / 2",
            "value.units_per_money": f"2934570.7 = 0.4 * 1e14 / {SAMPLE} * 3600 / 2"}),
    resnet("a finished run", {"cost.amount": f"0.3407653 = 1e6 * {SAMPLE} / (0.4 * 1e14) / 3600 * 2"}),
    resnet("an effective PFLOP-hour of an own card",
           {"value.effective_pflop_hour": "47.5 = 1.9 / (100e12 * 0.4 / 1e15)"}, acquire="buy",
           own={"hours_per_month": 200, "years": 2.5, "pue": 1.2, "residual": 0.2, "machine_price": money(2000)}),
    resnet("reading, copying and keeping the data",
           {"data.read_bytes_per_second": f"163031706 = 100e9 / (1e6 * {SAMPLE} / (0.4 * 1e14))",
            "data.transfer_seconds": "8000 = 100e9 * 8 / 100e6", "data.transfer_cost": "50 = 100 * 0.5",
            "data.checkpoint_bytes": "357798448 = 25557032 * (2 + 12)",
            "data.checkpoint_seconds": "1.7889922 = 357798448 / 200e6"},
           host={"dataset_gb": 100, "disk_mb_s": 200, "transfer_per_gb": money(0.5)}),
    resnet("storage for the time of the job",
           {"data.storage_cost": f"0.023423603 = (100 + 0.357798448) * 1 * 1e6 * {SAMPLE} / (0.4 * 1e14) / 3600 / 730"},
           host={"dataset_gb": 100, "storage_per_gb_month": money(1)}),
]

CASES = RENT + SPOT + OWN + BREAK_EVEN + WORK
