// xuanka catalog: what ships, as a table, CSV, Markdown or JSON.
#include <algorithm>
#include <array>
#include <numeric>

#include "json/json_document.hpp"
#include "json/json_text.hpp"
#include "shell/cli/catalog_reference.hpp"
#include "shell/cli/catalog_select.hpp"
#include "shell/cli/shell.hpp"

namespace xuanka::cli {
namespace {

struct CatalogOptions {
  std::string what, filter, sort;
  std::vector<std::string> where;
  std::size_t limit = 0;
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

Table purchase_table(const Shell& shell, const Catalog& catalog) {
  Table table;
  table.columns = {{"GPU"},
                   {shell.say("cli.column.condition")},
                   {shell.say("cli.column.amount"), true},
                   {shell.say("cli.column.date")},
                   {shell.say("cli.column.market")}};
  constexpr std::array<std::string_view, 3> kConditions{"new", "second-hand", "unspecified"};
  for (const PurchasePrice& price : catalog.purchase_prices) {
    const auto condition = kConditions[static_cast<std::size_t>(price.condition)];
    table.rows.push_back({{price.gpu},
                          {shell.api.messages().word(shell.lang, condition)},
                          {format_price(price.price)},
                          {price.date.value_or(shell.say("cli.undated"))},
                          {price.market}});
  }
  return table;
}

Table source_table(const Shell& shell, const Catalog& catalog) {
  Table table;
  table.columns = {
      {"id"}, {shell.say("cli.column.name")}, {shell.say("cli.column.date")}, {"address"}};
  for (const Source& source : catalog.sources) {
    table.rows.push_back({{source.id}, {source.title}, {source.date}, {source.address}});
  }
  return table;
}

Table summary_table(const Shell& shell, const Catalog& catalog, const Reference& reference) {
  Table table;
  table.columns = {{shell.say("cli.column.what")}, {shell.say("cli.column.entries"), true}};
  const auto row = [&table](const char* what, std::size_t entries) {
    table.rows.push_back({{what}, {std::to_string(entries)}});
  };
  row("gpus", catalog.gpus.size());
  row("models", catalog.models.size());
  row("offers", catalog.offers.size());
  row("datasets", catalog.datasets.size());
  row("purchase", catalog.purchase_prices.size());
  row("sources", catalog.sources.size());
  row("architectures", reference.architectures.size());
  row("providers", reference.providers.size());
  row("presets", reference.presets.size());
  return table;
}

const Column* find_column(const Table& table, std::string_view name, std::size_t& index) {
  for (index = 0; index < table.columns.size(); ++index) {
    if (lower_case(table.columns[index].title) == lower_case(std::string(name))) {
      return &table.columns[index];
    }
  }
  return nullptr;
}

bool complain_about_column(const Shell& shell, const Table& table, const std::string& got) {
  std::string names;
  for (const Column& column : table.columns) names += (names.empty() ? "" : ", ") + column.title;
  shell.complain(shell.say("cli.catalog.column", {{"got", got}, {"allowed", names}}));
  return false;
}

// Filter, conditions, order and limit; false after a complaint about a column.
bool select(const Shell& shell, const CatalogOptions& options, Table& table,
            std::vector<std::size_t>& kept) {
  std::erase_if(kept, [&](std::size_t row) { return !matches(table.rows[row], options.filter); });
  for (const std::string& text : options.where) {
    const Condition condition = read_condition(text);
    std::size_t index = 0;
    if (condition.op.empty() || find_column(table, condition.column, index) == nullptr) {
      return complain_about_column(shell, table, text);
    }
    if (wants_number(condition, table.rows, index)) {
      shell.complain(
          shell.say("cli.catalog.number", {{"got", text}, {"column", condition.column}}));
      return false;
    }
    std::erase_if(kept,
                  [&](std::size_t row) { return !holds(condition, table.rows[row][index].text); });
  }
  if (!options.sort.empty()) {
    const bool down = options.sort.front() == '-';
    std::size_t index = 0;
    if (find_column(table, std::string_view(options.sort).substr(down ? 1 : 0), index) == nullptr) {
      return complain_about_column(shell, table, options.sort);
    }
    std::stable_sort(kept.begin(), kept.end(), [&](std::size_t a, std::size_t b) {
      return down ? before(table.rows[b][index].text, table.rows[a][index].text)
                  : before(table.rows[a][index].text, table.rows[b][index].text);
    });
  }
  if (options.limit > 0 && kept.size() > options.limit) kept.resize(options.limit);
  return true;
}

// The elements of a JSON array that were kept.
std::string selected_json(const std::string& all, const std::vector<std::size_t>& kept) {
  const auto document = json::parse_strict(all);
  if (!document) return all;
  std::vector<std::string> elements;
  for (const json::Value element : document->root().children()) {
    json::append_text(element, elements.emplace_back());
  }
  std::string out;
  for (const std::size_t index : kept) {
    out += (out.empty() ? "[" : ",") + (index < elements.size() ? elements[index] : "null");
  }
  return out.empty() ? "[]" : out + "]";
}

Table table_of(const Shell& shell, const std::string& what, const Reference& reference) {
  const Catalog& catalog = shell.api.knowledge().catalog;
  if (what.empty()) return summary_table(shell, catalog, reference);
  if (what == "gpus") return gpu_table(shell, catalog);
  if (what == "models") return model_table(shell, catalog);
  if (what == "offers") return offer_table(shell, catalog);
  if (what == "datasets") return dataset_table(shell, catalog);
  if (what == "purchase") return purchase_table(shell, catalog);
  if (what == "sources") return source_table(shell, catalog);
  return reference_table(shell, reference, what);
}

int run_catalog(Shell& shell, const CatalogOptions& options) {
  const auto reference = load_reference(assets::reference_files());
  if (!reference) {
    shell.complain(reference.error());
    return kCannotReadOrWrite;
  }
  Table table = table_of(shell, options.what, *reference);
  std::vector<std::size_t> kept(table.rows.size());
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  if (!select(shell, options, table, kept)) return kBadUsage;
  if (options.json || options.format == TableFormat::kJson) {
    const bool all = options.what.empty();
    const std::string text = is_reference(options.what)
                                 ? reference_json(options.what)
                                 : shell.api.catalog(all ? "gpus" : options.what);
    shell.out.print((all ? text : selected_json(text, kept)) + "\n");
    return all || !kept.empty() ? kAnswered : kNothingQualifies;
  }
  if (is_reference(options.what) && options.format == TableFormat::kText) {
    for (const std::size_t index : kept) {
      shell.out.print(reference_card(shell, *reference, options.what, index));
    }
    return kept.empty() ? kNothingQualifies : kAnswered;
  }
  std::vector<std::vector<Cell>> rows;
  for (const std::size_t index : kept) rows.push_back(std::move(table.rows[index]));
  table.rows = std::move(rows);
  shell.out.print(render(table, options.format, shell.color));
  if (options.what == "gpus" && kept.size() == 1 && options.format == TableFormat::kText) {
    const Gpu& gpu = shell.api.knowledge().catalog.gpus[kept.front()];
    shell.out.print(gpu_card(shell, *reference, gpu));
  }
  if (options.what.empty() && options.format == TableFormat::kText) {
    const std::string& version = shell.api.knowledge().catalog.data_version;
    shell.out.print(shell.say("cli.catalog.version", {{"version", version}}) + "\n");
  }
  return table.rows.empty() ? kNothingQualifies : kAnswered;
}

}  // namespace

void add_catalog(CLI::App& app, Shell& shell) {
  auto options = std::make_shared<CatalogOptions>();
  CLI::App* command = add_command(app, shell, "catalog");
  command->add_option("WHAT", options->what, shell.say("cli.catalog.what"))
      ->type_name("")
      ->check(CLI::IsMember({"gpus", "models", "offers", "datasets", "purchase", "sources",
                             "architectures", "providers", "presets"})
                  .description(""));
  command->add_option("--filter", options->filter, shell.say("cli.flag.filter"))->type_name("");
  command->add_option("--where", options->where, shell.say("cli.flag.where"))
      ->type_name("")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--sort", options->sort, shell.say("cli.flag.sort"))->type_name("");
  command->add_option("--limit", options->limit, shell.say("cli.flag.limit"))
      ->type_name("")
      ->check(CLI::Range(1U, 100000U).description(""));
  command->add_flag("--json", options->json, shell.say("cli.flag.json"));
  add_format_flag(*command, shell, options->format);
  command->callback(
      [&shell, options] { shell.run = [options](Shell& s) { return run_catalog(s, *options); }; });
}

}  // namespace xuanka::cli
