// xuanka probe: measures the local cards, shows what was found, and gives it to the estimates.
#include "shell/probe/probe.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "json/json_view.hpp"
#include "shell/cli/shell.hpp"
#include "shell/cli/table.hpp"
#include "shell/probe/fixture.hpp"
#include "shell/probe/verify.hpp"
#ifdef XUANKA_HAS_PROBE
#include "shell/probe/cuda/cuda_device.hpp"
#endif

namespace xuanka::cli {
namespace {

struct ProbeOptions {
  bool json = false, quick = false, overlay = false;
  double time_limit = 300;
  std::string fixture, from, verify, gpu;
};

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[16];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d", &parts)};
}

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A word of device.hpp in the user's language; a driver's own text as it is.
std::string why_text(const Shell& shell, const std::string& why) {
  const std::string id = "cli.probe.why." + why;
  return shell.api.messages().has(shell.lang, id) ? shell.say(id) : why;
}

std::unique_ptr<probe::Device> open_device(const Shell& shell, const ProbeOptions& options,
                                           int& status) {
  status = kBadUsage;
  if (options.fixture.empty()) {
#ifdef XUANKA_HAS_PROBE
    return probe::make_cuda_device();
#else
    shell.complain(shell.say("cli.probe.no_cuda"));
    return nullptr;
#endif
  }
  auto text = read_file(options.fixture);
  if (!text) {
    status = kCannotReadOrWrite;
    shell.complain(text.error());
    return nullptr;
  }
  auto device = probe::read_fixture(*text);
  if (!device) {
    shell.complain(device.error(), options.fixture);
    return nullptr;
  }
  return *std::move(device);
}

probe::Options probe_options(const ProbeOptions& options) {
  probe::Options how;
  how.quick = options.quick;
  how.time_limit = options.time_limit;
  how.date = today();
  how.app = XUANKA_VERSION;
  how.now = steady_seconds;
  how.stop = [] { return false; };
  const bool shown = isatty(STDERR_FILENO) != 0;
  how.progress = [shown](int done, int all, std::string_view what) {
    if (!shown) return;
    std::fprintf(stderr, "\r[%d/%d] %.*s\x1b[K", done + 1, all, static_cast<int>(what.size()),
                 what.data());
    if (done + 1 >= all) std::fputs("\r\x1b[K", stderr);
  };
  return how;
}

std::string number_text(json::Value object, std::string_view key, int digits = 3) {
  const auto value = object.find(key);
  return value && value->is_number() ? format_number(value->number(), digits) : "—";
}

std::string string_of(json::Value object, std::string_view key) {
  const auto value = object.find(key);
  return value ? std::string(value->string()) : std::string();
}

// The fastest product of each format.
std::vector<std::pair<std::string, double>> best_products(json::Value card) {
  std::vector<std::pair<std::string, double>> best;
  const auto rows = card.find("matmul");
  if (!rows) return best;
  for (const json::Value row : rows->children()) {
    const std::string name = string_of(row, "format") + "/" + string_of(row, "accumulate");
    const double rate = row.find("tflops") ? row.find("tflops")->number() : 0;
    if (best.empty() || best.back().first != name) best.emplace_back(name, 0);
    best.back().second = std::max(best.back().second, rate);
  }
  return best;
}

void add_rows(Table& table, json::Value list, const std::string& prefix,
              std::initializer_list<const char*> names, const char* rate) {
  for (const json::Value row : list.children()) {
    std::string name = prefix;
    for (const char* key : names) {
      const auto value = row.find(key);
      if (!value) continue;
      if (value->is_bool()) name += value->boolean() ? " pinned" : " pageable";
      if (value->is_string()) name += " " + std::string(value->string());
      if (value->is_number()) name += " " + format_number(value->number(), 3);
    }
    table.rows.push_back({{name}, {number_text(row, rate)}, {"GB/s"}});
  }
}

std::string skipped_lines(const Shell& shell, json::Value object) {
  std::string out;
  const auto list = object.find("skipped");
  if (!list) return out;
  for (const json::Value entry : list->children()) {
    out += "! " + string_of(entry, "what") + ": " + why_text(shell, string_of(entry, "why")) + "\n";
  }
  return out;
}

std::string card_text(const Shell& shell, json::Value card) {
  const Args facts{{"index", number_text(card, "index")},
                   {"name", string_of(card, "name")},
                   {"memory", card.find("memory_bytes") ? card.find("memory_bytes")->number() : 0},
                   {"capability", string_of(card, "compute_capability")},
                   {"clock", number_text(card, "sm_clock_mhz", 4)},
                   {"power", number_text(card, "power_limit_w", 4)}};
  std::string out = bold(shell.say("cli.probe.card", facts), shell.color) + "\n";
  if (const auto others = card.find("other_processes"); others && others->number() > 0) {
    out += "! " + shell.say("cli.probe.shared", {{"n", others->number()}}) + "\n";
  }
  Table table;
  table.columns = {{shell.say("cli.column.what")}, {shell.say("cli.probe.rate"), true}, {""}};
  for (const auto& [name, rate] : best_products(card)) {
    table.rows.push_back({{"matmul " + name}, {format_number(rate, 3)}, {"TFLOPS"}});
  }
  if (const auto list = card.find("memory"))
    add_rows(table, *list, shell.say("cli.probe.memory"), {"kind"}, "gb_s");
  if (const auto list = card.find("host_copies")) {
    add_rows(table, *list, shell.say("cli.probe.host"), {"direction", "pinned"}, "gb_s");
  }
  if (const auto launch = card.find("launch_seconds"); launch && launch->is_number()) {
    table.rows.push_back(
        {{shell.say("cli.probe.launch")}, {format_number(launch->number() * 1e6, 3)}, {"µs"}});
  }
  if (const auto block = card.find("block"); block && block->is_object()) {
    const double seconds =
        block->find("forward_seconds")->number() + block->find("backward_seconds")->number();
    table.rows.push_back(
        {{shell.say("cli.probe.block")}, {format_number(seconds * 1e3, 3)}, {"ms"}});
  }
  return out + render(table, TableFormat::kText, shell.color) + skipped_lines(shell, card) + "\n";
}

std::string people_text(const Shell& shell, json::Value report,
                        const std::vector<MeasuredGpu>& measured) {
  std::string out;
  const auto made_up = report.find("made_up");
  if (made_up && made_up->boolean()) out += "! " + shell.say("cli.probe.made_up") + "\n\n";
  if (const auto cards = report.find("gpus")) {
    for (const json::Value card : cards->children()) out += card_text(shell, card);
  }
  Table links;
  links.columns = {{shell.say("cli.probe.link")}, {shell.say("cli.probe.rate"), true}, {""}};
  if (const auto list = report.find("links")) add_rows(links, *list, "GPU", {"from", "to"}, "gb_s");
  if (const auto list = report.find("all_reduce"))
    add_rows(links, *list, "all-reduce, bytes", {"bytes"}, "bus_gb_s");
  if (!links.rows.empty()) out += render(links, TableFormat::kText, shell.color) + "\n";
  out += skipped_lines(shell, report);
  for (const MeasuredGpu& one : measured) {
    Args args{{"gpu", one.gpu}};
    if (one.matmul_peak) args.push_back({"matmul", *one.matmul_peak});
    if (one.bandwidth_reached) args.push_back({"bandwidth", *one.bandwidth_reached});
    if (one.link_reached) args.push_back({"link", *one.link_reached});
    out += shell.say("cli.probe.reached", args) + "\n";
  }
  if (const auto verify = report.find("verify"); verify && verify->is_object()) {
    const auto ratio = verify->find("ratio");
    if (ratio && ratio->is_number()) {
      Args args{{"measured", verify->find("measured_seconds")->number()},
                {"estimated", verify->find("estimated_seconds")->number()},
                {"ratio", ratio->number()}};
      if (const auto here = verify->find("ratio_measured_here"); here && here->is_number()) {
        args.push_back({"here", here->number()});
      }
      out += shell.say("cli.probe.verified", args) + "\n";
    } else {
      out += "! " + shell.say("cli.probe.not_verified") + "\n";
    }
  }
  return out;
}

// The report, measured or read; empty after a complaint.
std::string get_report(const Shell& shell, const ProbeOptions& options, int& status) {
  if (!options.from.empty()) {
    auto text = read_file(options.from);
    status = kCannotReadOrWrite;
    if (!text) shell.complain(text.error());
    while (text && !text->empty() && text->back() == '\n') text->pop_back();
    return text ? *std::move(text) : std::string();
  }
  std::string request;
  std::optional<probe::Block> block;
  if (!options.verify.empty()) {
    auto text = read_file(options.verify);
    status = kCannotReadOrWrite;
    if (!text) return shell.complain(text.error()), std::string();
    auto wanted = probe::block_of(shell.api, *text);
    status = kBadUsage;
    if (!wanted) return shell.complain(wanted.error(), options.verify), std::string();
    block = *wanted;
  }
  const auto device = open_device(shell, options, status);
  if (!device) return {};
  auto report = probe::run(*device, probe_options(options));
  status = kCannotReadOrWrite;
  if (!report) return shell.complain(why_text(shell, report.error())), std::string();
  if (!block) return *std::move(report);
  const auto measured = read_probe(shell.api.knowledge(), *report, options.gpu);
  const bool known = measured && !measured->empty();
  const std::string gpu = known ? measured->front().gpu : options.gpu;
  report->pop_back();
  return *report + ",\"verify\":" +
         probe::verify_json(
             *block, gpu, probe::expected_seconds(shell.api, *block, gpu, nullptr),
             known ? probe::expected_seconds(shell.api, *block, gpu, &measured->front())
                   : std::nullopt,
             device->block(0, *block, probe::Effort{})) +
         "}";
}

int run_probe(Shell& shell, const ProbeOptions& options) {
  int status = kAnswered;
  const std::string report = get_report(shell, options, status);
  if (report.empty()) return status;
  const auto measured = read_probe(shell.api.knowledge(), report, options.gpu);
  if (options.overlay) {
    if (!measured) return shell.complain(measured.error(), options.from), kBadUsage;
    shell.out.print("{\"measured\":" + measured_json(*measured) + "}\n");
    return kAnswered;
  }
  if (options.json) {
    shell.out.print(report + "\n");
    return kAnswered;
  }
  const auto parsed = json::parse_strict(report);
  if (!parsed) return shell.complain(parsed.error(), options.from), kBadUsage;
  // Of a card that is not in the catalog the rates are shown all the same.
  shell.out.print(
      people_text(shell, parsed->root(), measured.value_or(std::vector<MeasuredGpu>{})));
  if (measured) return kAnswered;
  shell.complain(measured.error(), options.from);
  return kBadUsage;
}

}  // namespace

void add_probe(CLI::App& app, Shell& shell) {
  auto options = std::make_shared<ProbeOptions>();
  CLI::App* command = add_command(app, shell, "probe");
  command->add_flag("--json", options->json, shell.say("cli.flag.json"));
  command->add_flag("--quick", options->quick, shell.say("cli.flag.quick"));
  command->add_option("--time-limit", options->time_limit, shell.say("cli.flag.time-limit"))
      ->type_name("")
      ->check(CLI::Range(1.0, 86400.0).description(""));
  command->add_option("--verify", options->verify, shell.say("cli.flag.verify"))->type_name("");
  command->add_flag("--overlay", options->overlay, shell.say("cli.flag.probe-overlay"));
  command->add_option("--from", options->from, shell.say("cli.flag.from"))->type_name("");
  command->add_option("--gpu", options->gpu, shell.say("cli.flag.probe-gpu"))->type_name("");
  command->add_option("--fixture", options->fixture, shell.say("cli.flag.fixture"))->type_name("");
  command->callback(
      [&shell, options] { shell.run = [options](Shell& s) { return run_probe(s, *options); }; });
}

}  // namespace xuanka::cli
