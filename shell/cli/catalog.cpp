// xuanka catalog: what ships, as a table, CSV, Markdown or JSON.
#include <algorithm>
#include <cctype>

#include "shell/cli/shell.hpp"

namespace xuanka::cli {
namespace {

struct CatalogOptions {
  std::string what, filter;
  bool json = false;
  TableFormat format = TableFormat::kText;
};

std::string number(std::optional<double> value) {
  return value ? format_exact(*value) : std::string("—");
}

std::string peak(const Gpu& gpu, PeakFormat format) {
  return number(gpu.tflops[static_cast<std::size_t>(format)]);
}

Table gpu_table(const Shell& shell, const Catalog& catalog) {
  Table table;
  table.columns = {{"id"},
                   {shell.say("cli.column.name")},
                   {shell.say("cli.column.architecture")},
                   {"GB", true},
                   {"GB/s", true},
                   {"fp32", true},
                   {"tf32", true},
                   {"fp16", true},
                   {"bf16", true},
                   {"fp8", true},
                   {"W", true},
                   {"CUDA"},
                   {shell.say("cli.column.launch")}};
  for (const Gpu& gpu : catalog.gpus) {
    std::string cuda = gpu.cuda_min.value_or("—");
    if (gpu.cuda_last) cuda += "–" + *gpu.cuda_last;
    table.rows.push_back({{gpu.id},
                          {gpu.name},
                          {gpu.architecture},
                          {format_exact(gpu.memory_gb)},
                          {format_exact(gpu.bandwidth.value() / 1e9)},
                          {peak(gpu, PeakFormat::kFp32)},
                          {peak(gpu, PeakFormat::kTf32)},
                          {peak(gpu, PeakFormat::kFp16Tensor)},
                          {peak(gpu, PeakFormat::kBf16Tensor)},
                          {peak(gpu, PeakFormat::kFp8Tensor)},
                          {number(gpu.tdp_w)},
                          {cuda},
                          {gpu.launch}});
  }
  return table;
}

Table model_table(const Shell& shell, const Catalog& catalog) {
  Table table;
  table.columns = {{"id"},
                   {shell.say("cli.column.name")},
                   {shell.say("cli.column.group")},
                   {shell.say("cli.column.params"), true}};
  for (const ModelPreset& model : catalog.models) {
    std::optional<double> params = model.expected_params;
    if (!params && model.vision) params = model.vision->params;
    const bool zh = shell.lang == Lang::kZh && !model.name_zh.empty();
    table.rows.push_back({{model.id},
                          {zh ? model.name_zh : model.name},
                          {shell.api.messages().word(shell.lang, model.group)},
                          {params ? format_si(*params) : "—"}});
  }
  return table;
}

Table offer_table(const Shell& shell, const Catalog& catalog) {
  Table table;
  table.columns = {{"id"},
                   {shell.say("cli.column.provider")},
                   {shell.say("cli.column.region")},
                   {"GPU"},
                   {shell.say("cli.column.count"), true},
                   {shell.say("cli.column.price"), true},
                   {shell.say("cli.column.per_gpu"), true},
                   {shell.say("cli.column.billing")},
                   {shell.say("cli.column.cores"), true},
                   {shell.say("cli.column.ram"), true},
                   {shell.say("cli.column.date")}};
  for (const Offer& offer : catalog.offers) {
    table.rows.push_back({{offer.id},
                          {offer.provider},
                          {offer.region},
                          {offer.gpu},
                          {std::to_string(offer.gpu_count)},
                          {format_price(offer.price_per_hour)},
                          {format_price(offer.price_per_hour / offer.gpu_count)},
                          {shell.api.messages().word(shell.lang, name_of(offer.billing))},
                          {number(offer.vcpus)},
                          {number(offer.ram_gb)},
                          {offer.as_of.value_or(shell.say("cli.undated"))}});
  }
  return table;
}

Table dataset_table(const Shell& shell, const Catalog& catalog) {
  Table table;
  table.columns = {{"id"},
                   {shell.say("cli.column.name")},
                   {shell.say("cli.column.samples"), true},
                   {shell.say("cli.column.tokens"), true},
                   {"GB", true},
                   {shell.say("cli.column.epochs"), true}};
  for (const Dataset& dataset : catalog.datasets) {
    const bool zh = shell.lang == Lang::kZh && !dataset.name_zh.empty();
    table.rows.push_back({{dataset.id},
                          {zh ? dataset.name_zh : dataset.name},
                          {number(dataset.samples)},
                          {dataset.tokens ? format_si(*dataset.tokens) : "—"},
                          {number(dataset.disk_gb)},
                          {format_exact(dataset.usual_epochs)}});
  }
  return table;
}

Table summary_table(const Shell& shell, const Catalog& catalog) {
  Table table;
  table.columns = {{shell.say("cli.column.what")}, {shell.say("cli.column.entries"), true}};
  const auto row = [&table](const char* what, std::size_t entries) {
    table.rows.push_back({{what}, {std::to_string(entries)}});
  };
  row("gpus", catalog.gpus.size());
  row("models", catalog.models.size());
  row("offers", catalog.offers.size());
  row("datasets", catalog.datasets.size());
  return table;
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return text;
}

// Keeps the rows that hold every word of the filter, in any column.
void keep_matching(Table& table, const std::string& filter) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : lower(filter) + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  const auto misses = [&words](const std::vector<Cell>& row) {
    std::string all;
    for (const Cell& cell : row) all += lower(cell.text) + "\n";
    return std::any_of(words.begin(), words.end(), [&all](const std::string& wanted) {
      return all.find(wanted) == std::string::npos;
    });
  };
  table.rows.erase(std::remove_if(table.rows.begin(), table.rows.end(), misses), table.rows.end());
}

int run_catalog(Shell& shell, const CatalogOptions& options) {
  const Catalog& catalog = shell.api.knowledge().catalog;
  if (options.json || options.format == TableFormat::kJson) {
    shell.out.print(shell.api.catalog(options.what.empty() ? "gpus" : options.what) + "\n");
    return kAnswered;
  }
  Table table = options.what.empty()       ? summary_table(shell, catalog)
                : options.what == "gpus"   ? gpu_table(shell, catalog)
                : options.what == "models" ? model_table(shell, catalog)
                : options.what == "offers" ? offer_table(shell, catalog)
                                           : dataset_table(shell, catalog);
  keep_matching(table, options.filter);
  shell.out.print(render(table, options.format, shell.color));
  if (options.what.empty() && options.format == TableFormat::kText) {
    shell.out.print(shell.say("cli.catalog.version", {{"version", catalog.data_version}}) + "\n");
  }
  return table.rows.empty() ? kNothingQualifies : kAnswered;
}

}  // namespace

void add_catalog(CLI::App& app, Shell& shell) {
  auto options = std::make_shared<CatalogOptions>();
  CLI::App* command = add_command(app, shell, "catalog");
  command->add_option("WHAT", options->what, shell.say("cli.catalog.what"))
      ->type_name("")
      ->check(CLI::IsMember({"gpus", "models", "offers", "datasets"}).description(""));
  command->add_option("--filter", options->filter, shell.say("cli.flag.filter"))->type_name("");
  command->add_flag("--json", options->json, shell.say("cli.flag.json"));
  add_format_flag(*command, shell, options->format);
  command->callback(
      [&shell, options] { shell.run = [options](Shell& s) { return run_catalog(s, *options); }; });
}

}  // namespace xuanka::cli
