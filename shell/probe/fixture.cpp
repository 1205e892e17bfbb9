#include "shell/probe/fixture.hpp"

#include <map>

#include "json/json_view.hpp"

namespace xuanka::probe {
namespace {

struct Rates {
  std::map<std::string, double, std::less<>> tflops;  // by "fp16/fp32"
  double memory_gb_s = 0, pinned_gb_s = 0, pageable_gb_s = 0, peer_gb_s = 0, host_gb_s = 0,
         bus_gb_s = 0;
  double launch_seconds = 0;
  bool peer = false;
  std::map<std::string, std::string, std::less<>> fails;  // what -> why
};

// Work over rate. Repeats differ a little, as real ones do, in a fixed pattern.
class Fixture : public Device {
 public:
  Fixture(Rig rig, Rates rates) : rig_(std::move(rig)), rates_(std::move(rates)) {}

  Tried<Rig> rig() override {
    return try_what("rig").map([&] { return rig_; });
  }
  Tried<Timing> matmul(int, Format format, Shape s, const Effort& effort) override {
    const std::string key =
        std::string(format_name(format)) + "/" + std::string(accumulate_name(format));
    return timing("matmul." + key, 2 * s.m * s.n * s.k, tflops(key) * 1e12, effort);
  }
  Tried<Timing> memory(int, MemoryKind kind, double bytes, const Effort& effort) override {
    const bool copy = kind == MemoryKind::kCopy;
    return timing(copy ? "copy" : "triad", bytes * (copy ? 2 : 3), rates_.memory_gb_s * 1e9,
                  effort);
  }
  Tried<Timing> host_copy(int, bool, bool pinned, double bytes, const Effort& effort) override {
    return timing("host_copy", bytes, (pinned ? rates_.pinned_gb_s : rates_.pageable_gb_s) * 1e9,
                  effort);
  }
  bool peer_access(int, int) override { return rates_.peer; }
  Tried<Timing> pair_copy(int, int, bool peer, double bytes, const Effort& effort) override {
    return timing("pair_copy", bytes, (peer ? rates_.peer_gb_s : rates_.host_gb_s) * 1e9, effort);
  }
  Tried<Timing> all_reduce(double bytes, const Effort& effort) override {
    const auto n = static_cast<double>(rig_.cards.size());
    return timing("all_reduce", bytes * 2 * (n - 1) / n, rates_.bus_gb_s * 1e9, effort);
  }
  Tried<Timing> launch(int, const Effort& effort) override {
    return timing("launch", rates_.launch_seconds, 1, effort);
  }
  Tried<BlockTiming> block(int, const Block& b, const Effort& effort) override {
    const double tokens = b.batch * b.seq_len;
    const double weights = b.hidden * (b.heads + 2 * b.kv_heads) * b.head_dim +
                           b.heads * b.head_dim * b.hidden + (b.gated ? 3 : 2) * b.hidden * b.ffn;
    const double flops = tokens * (2 * weights + 4 * b.seq_len * b.heads * b.head_dim);
    const double rate = tflops("bf16/fp32") * 1e12;
    auto forward = timing("block", flops, rate, effort);
    if (!forward) return tl::unexpected(forward.error());
    return BlockTiming{*forward, *timing("block", 2 * flops, rate, effort)};
  }

 private:
  [[nodiscard]] double tflops(std::string_view key) const {
    const auto it = rates_.tflops.find(key);
    return it == rates_.tflops.end() ? 0 : it->second;
  }
  [[nodiscard]] tl::expected<void, std::string> try_what(std::string_view what) const {
    const auto it = rates_.fails.find(what);
    if (it != rates_.fails.end()) return tl::unexpected(it->second);
    return {};
  }
  [[nodiscard]] Tried<Timing> timing(std::string_view what, double work, double rate,
                                     const Effort& effort) const {
    if (auto tried = try_what(what); !tried) return tl::unexpected(tried.error());
    if (!(rate > 0)) return tl::unexpected(std::string("not_supported"));
    Timing out;
    for (int i = 0; i < effort.repeats; ++i)
      out.seconds.push_back(work / rate * (1 + 0.01 * (i % 3 - 1)));
    if (!rig_.cards.empty()) out.sm_clock_mhz = rig_.cards.front().sm_clock_mhz;
    return out;
  }

  Rig rig_;
  Rates rates_;
};

Card read_card(const json::View& view) {
  view.only({"name", "uuid", "compute_capability", "memory_gib", "free_gib", "multiprocessors",
             "sm_clock_mhz", "memory_clock_mhz", "power_limit_w", "pcie_gen", "pcie_width",
             "nvlinks", "other_processes"});
  constexpr double kGib = 1073741824.0;
  const auto whole = [&view](const char* key) -> std::optional<int> {
    const auto value = view.integer(key, {0, 1e6});
    return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
  };
  Card card;
  card.name = view.need_string("name").value_or("");
  card.uuid = view.string("uuid").value_or("");
  card.compute_capability = view.need_string("compute_capability").value_or("");
  card.memory_bytes = view.need_number("memory_gib", json::kPositive).value_or(0) * kGib;
  card.free_bytes =
      view.number("free_gib", json::kPositive).value_or(card.memory_bytes / kGib) * kGib;
  card.multiprocessors = whole("multiprocessors").value_or(0);
  card.sm_clock_mhz = view.number("sm_clock_mhz");
  card.memory_clock_mhz = view.number("memory_clock_mhz");
  card.power_limit_w = view.number("power_limit_w");
  card.pcie_gen = card.pcie_max_gen = whole("pcie_gen");
  card.pcie_width = card.pcie_max_width = whole("pcie_width");
  card.nvlinks = whole("nvlinks");
  card.other_processes = whole("other_processes");
  return card;
}

Rates read_rates(const json::View& root) {
  Rates rates;
  if (const auto table = root.need_object("tflops")) {
    for (const json::Value entry : table->value().children()) {
      rates.tflops[std::string(entry.key())] =
          table->need_number(entry.key(), json::kPositive).value_or(0);
    }
  }
  const auto rate = [&root](const char* key) {
    return root.number(key, json::kNonNegative).value_or(0);
  };
  rates.memory_gb_s = rate("memory_gb_s");
  rates.pinned_gb_s = rate("pinned_gb_s");
  rates.pageable_gb_s = rate("pageable_gb_s");
  rates.peer_gb_s = rate("peer_gb_s");
  rates.host_gb_s = rate("host_gb_s");
  rates.bus_gb_s = rate("bus_gb_s");
  rates.launch_seconds = rate("launch_seconds");
  rates.peer = root.boolean("peer").value_or(false);
  if (const auto fails = root.object("fails")) {
    for (const json::Value entry : fails->value().children()) {
      rates.fails[std::string(entry.key())] = std::string(entry.string());
    }
  }
  return rates;
}

}  // namespace

Result<std::unique_ptr<Device>> read_fixture(std::string_view text) {
  XUANKA_TRY(document, json::parse_strict(text));
  json::Issues issues;
  std::unique_ptr<Device> device;
  if (const auto root = json::object_at(document.root(), issues)) {
    root->only({"driver", "cuda_driver", "cuda_runtime", "cublas", "nccl", "cards", "tflops",
                "memory_gb_s", "pinned_gb_s", "pageable_gb_s", "peer_gb_s", "host_gb_s", "bus_gb_s",
                "launch_seconds", "peer", "fails"},
               true);
    Rig rig;
    rig.made_up = true;
    rig.driver = root->string("driver").value_or("");
    rig.cuda_driver = root->string("cuda_driver").value_or("");
    rig.cuda_runtime = root->string("cuda_runtime").value_or("");
    rig.cublas = root->string("cublas").value_or("");
    rig.nccl = root->string("nccl").value_or("");
    for (const json::View& card : root->objects("cards")) rig.cards.push_back(read_card(card));
    device = std::make_unique<Fixture>(std::move(rig), read_rates(*root));
  }
  if (!issues.empty()) return tl::unexpected(issues.take());
  return device;
}

}  // namespace xuanka::probe
