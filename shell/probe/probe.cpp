#include "shell/probe/probe.hpp"

#include <algorithm>
#include <array>

#include "api/json_writer.hpp"
#include "xuanka/api/probe.hpp"

namespace xuanka::probe {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Format::kCount_)> kFormats{
    "fp32", "tf32", "fp16", "fp16", "bf16", "int8", "fp8"};
constexpr std::array<std::string_view, static_cast<std::size_t>(Format::kCount_)> kAccumulate{
    "fp32", "fp32", "fp32", "fp16", "fp32", "int32", "fp32"};

// From products that are bound by launching to those that fill any card; the oblong ones are a 7B
// model's.
constexpr std::array<Shape, 7> kShapes{{{256, 256, 256},
                                        {1024, 1024, 1024},
                                        {2048, 2048, 2048},
                                        {4096, 4096, 4096},
                                        {4096, 11008, 4096},
                                        {8192, 8192, 8192},
                                        {16384, 4096, 4096}}};
constexpr std::array<Shape, 3> kQuickShapes{
    {{1024, 1024, 1024}, {4096, 4096, 4096}, {8192, 8192, 8192}}};
constexpr double kMib = 1048576.0;

class Run {
 public:
  Run(Device& device, const Options& options, Rig rig)
      : device_(device), options_(options), rig_(std::move(rig)), begin_(options.now()) {
    if (options.quick) effort_ = {5, 0.1, 1e-3};
    all_ = static_cast<int>(rig_.cards.size()) * of_card() + of_links();
  }

  std::string report() {
    std::string cards;
    for (std::size_t i = 0; i < rig_.cards.size(); ++i)
      cards += (i > 0 ? "," : "") + card(static_cast<int>(i));
    const std::string links = pairs();
    const std::string sums = all_reduces();
    JsonWriter out;
    out.begin_object()
        .field("xuanka_probe", kProbeVersion)
        .field("app", std::string_view(options_.app))
        .field("date", std::string_view(options_.date))
        .field("made_up", rig_.made_up)
        .field("quick", options_.quick)
        .field("complete", complete_)
        .field("seconds", options_.now() - begin_);
    write_system(out);
    out.key("gpus").raw("[" + cards + "]");
    out.key("links").raw("[" + links + "]");
    out.key("all_reduce").raw("[" + sums + "]");
    write_skipped(out, skipped_);
    return out.end_object().take();
  }

 private:
  struct Skipped {
    std::string what, why;
  };

  [[nodiscard]] int shapes() const {
    return static_cast<int>(options_.quick ? kQuickShapes.size() : kShapes.size());
  }
  [[nodiscard]] int of_card() const {
    return static_cast<int>(Format::kCount_) * shapes() + 2 + 4 + 1 + 1;
  }
  [[nodiscard]] int of_links() const {
    const int n = static_cast<int>(rig_.cards.size());
    return n > 1 ? 2 * n * (n - 1) + sizes() : 0;
  }
  [[nodiscard]] int sizes() const { return options_.quick ? 1 : 3; }

  // Asks for one measurement; what fails or has no time left is skipped with its reason.
  template <class Ask>
  auto measure(const std::string& what, std::vector<Skipped>& skipped, const Ask& ask)
      -> decltype(ask()) {
    options_.progress(done_++, all_, what);
    const char* why = options_.stop()                                 ? "stopped"
                      : options_.now() - begin_ > options_.time_limit ? "time_limit"
                                                                      : nullptr;
    if (why != nullptr) {
      complete_ = false;
      if (skipped.empty() || skipped.back().why != why) skipped.push_back({what, why});
      return tl::unexpected(std::string(why));
    }
    auto got = ask();
    if (!got) skipped.push_back({what, got.error()});
    return got;
  }

  static void write_seconds(JsonWriter& out, const Timing& timing) {
    const auto [low, high] = std::minmax_element(timing.seconds.begin(), timing.seconds.end());
    out.field("seconds", median(timing.seconds)).field("low", *low).field("high", *high);
    out.field("repeats", static_cast<int>(timing.seconds.size()));
  }
  static void write_state(JsonWriter& out, const Timing& timing) {
    if (timing.sm_clock_mhz) out.field("sm_clock_mhz", *timing.sm_clock_mhz);
    if (timing.power_w) out.field("power_w", *timing.power_w);
  }
  static void write_skipped(JsonWriter& out, const std::vector<Skipped>& skipped) {
    out.key("skipped").begin_array();
    for (const Skipped& entry : skipped) {
      out.begin_object().field("what", std::string_view(entry.what));
      out.field("why", std::string_view(entry.why)).end_object();
    }
    out.end_array();
  }

  void write_system(JsonWriter& out) const {
    const auto text = [](const std::string& value) {
      return value.empty() ? std::nullopt : std::optional(value);
    };
    out.key("system").begin_object();
    out.text_or_null("driver", text(rig_.driver))
        .text_or_null("cuda_driver", text(rig_.cuda_driver));
    out.text_or_null("cuda_runtime", text(rig_.cuda_runtime))
        .text_or_null("cublas", text(rig_.cublas));
    out.text_or_null("nccl", text(rig_.nccl)).end_object();
  }

  void write_facts(JsonWriter& out, int index) const {
    const Card& card = rig_.cards[static_cast<std::size_t>(index)];
    const auto number = [](const auto& value) {
      return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
    };
    out.field("index", index)
        .field("name", std::string_view(card.name))
        .field("uuid", std::string_view(card.uuid));
    out.field("compute_capability", std::string_view(card.compute_capability));
    out.field("memory_bytes", card.memory_bytes).field("free_bytes", card.free_bytes);
    out.field("multiprocessors", card.multiprocessors);
    out.field("sm_clock_mhz", card.sm_clock_mhz).field("memory_clock_mhz", card.memory_clock_mhz);
    out.field("power_limit_w", card.power_limit_w);
    out.key("pcie").begin_object();
    out.field("gen", number(card.pcie_gen)).field("width", number(card.pcie_width));
    out.field("max_gen", number(card.pcie_max_gen))
        .field("max_width", number(card.pcie_max_width))
        .end_object();
    out.field("nvlinks", number(card.nvlinks))
        .field("other_processes", number(card.other_processes));
  }

  std::string card(int index) {
    std::vector<Skipped> skipped;
    JsonWriter out;
    out.begin_object();
    write_facts(out, index);
    products(out, index, skipped);
    copies(out, index, skipped);
    const std::string name = "gpu " + std::to_string(index) + ": ";
    const auto launch =
        measure(name + "launch", skipped, [&] { return device_.launch(index, effort_); });
    out.field("launch_seconds", launch ? std::optional(median(launch->seconds)) : std::nullopt);
    block(out, index, skipped);
    write_skipped(out, skipped);
    return out.end_object().take();
  }

  void products(JsonWriter& out, int index, std::vector<Skipped>& skipped) {
    out.key("matmul").begin_array();
    for (int f = 0; f < static_cast<int>(Format::kCount_); ++f) {
      const auto format = static_cast<Format>(f);
      bool supported = true;
      for (int s = 0; s < shapes(); ++s) {
        const auto at = static_cast<std::size_t>(s);
        const Shape shape = options_.quick ? kQuickShapes[at] : kShapes[at];
        if (!supported) {  // one word for all shapes
          ++done_;
          continue;
        }
        const std::string what = "gpu " + std::to_string(index) + ": matmul " +
                                 std::string(format_name(format)) + "/" +
                                 std::string(accumulate_name(format));
        const auto timing =
            measure(what, skipped, [&] { return device_.matmul(index, format, shape, effort_); });
        supported = timing || timing.error() != "not_supported";
        if (!timing) continue;
        out.begin_object()
            .field("format", format_name(format))
            .field("accumulate", accumulate_name(format));
        out.field("m", shape.m).field("n", shape.n).field("k", shape.k);
        write_seconds(out, *timing);
        out.field("tflops", 2 * shape.m * shape.n * shape.k / median(timing->seconds) / 1e12);
        write_state(out, *timing);
        out.end_object();
      }
    }
    out.end_array();
  }

  // Large against every cache, small against what is free.
  [[nodiscard]] double copy_bytes(int index, double most) const {
    return std::min(most, rig_.cards[static_cast<std::size_t>(index)].free_bytes / 8);
  }

  void copies(JsonWriter& out, int index, std::vector<Skipped>& skipped) {
    const std::string name = "gpu " + std::to_string(index) + ": ";
    out.key("memory").begin_array();
    const double bytes = copy_bytes(index, 512 * kMib);
    for (const MemoryKind kind : {MemoryKind::kCopy, MemoryKind::kTriad}) {
      const bool copy = kind == MemoryKind::kCopy;
      const auto timing = measure(name + (copy ? "copy" : "triad"), skipped,
                                  [&] { return device_.memory(index, kind, bytes, effort_); });
      if (!timing) continue;
      out.begin_object().field("kind", copy ? "copy" : "triad").field("bytes", bytes);
      write_seconds(out, *timing);
      out.field("gb_s", bytes * (copy ? 2 : 3) / median(timing->seconds) / 1e9).end_object();
    }
    out.end_array();
    out.key("host_copies").begin_array();
    const double host_bytes = copy_bytes(index, 256 * kMib);
    for (const bool pinned : {true, false}) {
      for (const bool to_device : {true, false}) {
        const auto timing = measure(
            name + (to_device ? "host to device" : "device to host"), skipped,
            [&] { return device_.host_copy(index, to_device, pinned, host_bytes, effort_); });
        if (!timing) continue;
        out.begin_object()
            .field("direction", to_device ? "to_device" : "to_host")
            .field("pinned", pinned);
        out.field("bytes", host_bytes);
        write_seconds(out, *timing);
        out.field("gb_s", host_bytes / median(timing->seconds) / 1e9).end_object();
      }
    }
    out.end_array();
  }

  void block(JsonWriter& out, int index, std::vector<Skipped>& skipped) {
    const Block block;
    const auto timing = measure("gpu " + std::to_string(index) + ": transformer block", skipped,
                                [&] { return device_.block(index, block, effort_); });
    out.key("block");
    if (!timing) {
      out.null();
      return;
    }
    out.begin_object()
        .field("hidden", block.hidden)
        .field("heads", block.heads)
        .field("kv_heads", block.kv_heads);
    out.field("head_dim", block.head_dim).field("ffn", block.ffn).field("gated", block.gated);
    out.field("batch", block.batch).field("seq_len", block.seq_len);
    out.field("forward_seconds", median(timing->forward.seconds));
    out.field("backward_seconds", median(timing->backward.seconds)).end_object();
  }

  std::string pairs() {
    JsonWriter out;
    out.begin_array();
    const int n = static_cast<int>(rig_.cards.size());
    for (int from = 0; from < n; ++from) {
      for (int to = 0; to < n; ++to) {
        if (from == to) continue;
        const bool peer = device_.peer_access(from, to);
        const double bytes = copy_bytes(from, 256 * kMib);
        const std::string what = "gpu " + std::to_string(from) + " to gpu " + std::to_string(to);
        const auto rate = [&](bool direct) -> std::optional<double> {
          if (direct && !peer) return ++done_, std::nullopt;
          const auto timing = measure(
              what, skipped_, [&] { return device_.pair_copy(from, to, direct, bytes, effort_); });
          return timing ? std::optional(bytes / median(timing->seconds) / 1e9) : std::nullopt;
        };
        const auto direct = rate(true);
        const auto staged = rate(false);
        out.begin_object()
            .field("from", from)
            .field("to", to)
            .field("p2p", peer)
            .field("bytes", bytes);
        out.field("p2p_gb_s", direct)
            .field("host_gb_s", staged)
            .field("gb_s", direct ? direct : staged)
            .end_object();
      }
    }
    std::string text = out.end_array().take();
    return text.substr(1, text.size() - 2);
  }

  std::string all_reduces() {
    const auto n = static_cast<double>(rig_.cards.size());
    if (n < 2) return {};
    JsonWriter out;
    out.begin_array();
    for (int i = 0; i < sizes(); ++i) {
      const double bytes = (i == 0 ? 256 : i == 1 ? 16 : 1) * kMib;
      const auto timing =
          measure("all-reduce", skipped_, [&] { return device_.all_reduce(bytes, effort_); });
      if (!timing) continue;
      out.begin_object().field("gpus", n).field("bytes", bytes);
      write_seconds(out, *timing);
      // Bus bandwidth: what each card sends, 2 (n - 1) / n of the buffer.
      out.field("bus_gb_s", bytes * 2 * (n - 1) / n / median(timing->seconds) / 1e9).end_object();
    }
    std::string text = out.end_array().take();
    return text.substr(1, text.size() - 2);
  }

  Device& device_;
  const Options& options_;
  Rig rig_;
  double begin_;
  Effort effort_;
  int done_ = 0, all_ = 0;
  bool complete_ = true;
  std::vector<Skipped> skipped_;
};

}  // namespace

std::string_view format_name(Format format) { return kFormats[static_cast<std::size_t>(format)]; }
std::string_view accumulate_name(Format format) {
  return kAccumulate[static_cast<std::size_t>(format)];
}

double median(std::vector<double> seconds) {
  if (seconds.empty()) return 0;
  std::sort(seconds.begin(), seconds.end());
  const std::size_t half = seconds.size() / 2;
  return seconds.size() % 2 == 1 ? seconds[half] : (seconds[half - 1] + seconds[half]) / 2;
}

Tried<std::string> run(Device& device, const Options& options) {
  auto rig = device.rig();
  if (!rig) return tl::unexpected(rig.error());
  if (rig->cards.empty()) return tl::unexpected(std::string("no_gpu"));
  return Run(device, options, *std::move(rig)).report();
}

}  // namespace xuanka::probe
