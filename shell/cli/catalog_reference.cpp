#include "shell/cli/catalog_reference.hpp"

#include <algorithm>
#include <array>

#include "json/json_document.hpp"
#include "json/json_text.hpp"
#include "shell/cli/request_flags.hpp"
#include "xuanka/base/embedded.hpp"

namespace xuanka::cli {
namespace {

constexpr std::size_t kCardWidth = 100, kCardIndent = 4;

std::string joined_list(const std::vector<std::string>& parts, std::string_view between = ", ") {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += between;
    out += part;
  }
  return out;
}

std::string cuda_range(const Architecture& entry) {
  if (!entry.cuda_first) return "—";
  return *entry.cuda_first + "–" + entry.cuda_last.value_or("");
}

std::string formats_of(const Shell& shell, const Architecture& entry) {
  std::vector<std::string> parts;
  for (const auto& [format, word] : entry.formats) {
    parts.push_back(format + " " + shell.say("cli.format." + word));
  }
  return joined_list(parts);
}

// "  Title   text", the text wrapped below itself.
std::string card_line(const Shell& shell, std::string_view id, const std::string& text) {
  if (text.empty()) return {};
  return "  " + bold(shell.say("cli.reference." + std::string(id)), shell.color) + "\n    " +
         wrap(text, kCardWidth - kCardIndent, kCardIndent) + "\n";
}

std::string change_text(const Shell& shell, const FrameworkChange& change) {
  std::string text = change.name;
  if (change.version) text += " " + *change.version;
  text += " (" + shell.say("cli.change." + change.change);
  if (change.date) text += ", " + *change.date;
  return text + "): " + change.note.in(shell.lang) + " [" + joined_list(change.sources) + "]";
}

const Source* source_named(const Shell& shell, const Reference& reference, const std::string& id) {
  for (const Source& source : reference.sources) {
    if (source.id == id) return &source;
  }
  return shell.api.knowledge().catalog.find_source(id);
}

std::string source_lines(const Shell& shell, const Reference& reference,
                         std::vector<std::string> ids) {
  std::string out;
  std::vector<std::string> seen;
  for (const std::string& id : ids) {
    const Source* source = source_named(shell, reference, id);
    if (source == nullptr || std::find(seen.begin(), seen.end(), id) != seen.end()) continue;
    seen.push_back(id);
    std::string text = "[" + id + "] " + source->title;
    if (!source->date.empty()) text += ", " + source->date;
    if (!source->address.empty()) text += " <" + source->address + ">";
    out += "    " + dim(wrap(text, kCardWidth - kCardIndent, kCardIndent + 2), shell.color) + "\n";
  }
  return out;
}

std::string provider_card(const Shell& shell, const Reference& reference,
                          const ProviderNote& entry) {
  std::string out = bold(entry.name, shell.color) + "\n";
  for (const ProviderFamily& family : entry.families) {
    out +=
        "    " +
        wrap(family.prefix + "*: " + joined_list(family.gpus) + ". " + family.note.in(shell.lang),
             kCardWidth - kCardIndent, kCardIndent + 2) +
        "\n";
  }
  out += card_line(shell, "slip", entry.slip.in(shell.lang));
  return out + source_lines(shell, reference, entry.sources) + "\n";
}

// What the program answers to the example's command.
std::string answer_of(const Shell& shell, const GuideExample& entry) {
  CLI::App app;
  RequestFlags flags;
  add_request_flags(app, shell, flags);
  try {
    app.parse(entry.flags, false);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  int status = kAnswered;
  const auto text = request_text(shell, flags, status);
  if (!text) return {};
  const auto view = shell.api.view_model(*text, shell.lang);
  return view ? view->answer.headline + " " + view->answer.why : std::string{};
}

std::string preset_card(const Shell& shell, const GuideExample& entry) {
  std::string out =
      bold(entry.title.in(shell.lang), shell.color) + "  " + dim(entry.id, shell.color) + "\n    " +
      wrap("xuanka rank " + entry.flags, kCardWidth - kCardIndent, kCardIndent + 2) + "\n    " +
      wrap(answer_of(shell, entry), kCardWidth - kCardIndent, kCardIndent) + "\n    " +
      wrap(entry.says.in(shell.lang), kCardWidth - kCardIndent, kCardIndent) + "\n\n";
  return out;
}

}  // namespace

bool is_reference(const std::string& what) {
  return what == "architectures" || what == "providers" || what == "presets";
}

std::string architecture_card(const Shell& shell, const Reference& reference,
                              const Architecture& entry) {
  std::string out = bold(entry.vendor + " " + joined_list(entry.covers, " / "), shell.color) +
                    "  " + dim(entry.id, shell.color) + "\n";
  out +=
      "    " + entry.stack + (entry.cuda_first ? " " + cuda_range(entry) : "") + " · " +
      formats_of(shell, entry) + " · FlashAttention " +
      (entry.flash_attention == "none" ? shell.say("cli.format.absent") : entry.flash_attention) +
      "\n";
  out += card_line(shell, "brings", entry.brings.in(shell.lang));
  out += card_line(shell, "switch_on", entry.switch_on.in(shell.lang));
  out += card_line(shell, "obsolescence", entry.obsolescence.in(shell.lang));
  std::vector<std::string> sources = entry.sources;
  bool first = true;
  for (const FrameworkChange& change : entry.frameworks) {
    const std::string text = change_text(shell, change);
    out += first ? card_line(shell, "software", text)
                 : "    " + wrap(text, kCardWidth - kCardIndent, kCardIndent) + "\n";
    first = false;
    sources.insert(sources.end(), change.sources.begin(), change.sources.end());
  }
  return out + source_lines(shell, reference, std::move(sources)) + "\n";
}

std::string gpu_card(const Shell& shell, const Reference& reference, const Gpu& gpu) {
  constexpr std::array<std::string_view, 4> kStatus{"current", "eol", "aftermarket", "announced"};
  std::vector<std::string> facts;
  if (gpu.compute_capability) facts.push_back("CC " + *gpu.compute_capability);
  if (!gpu.form_factor.empty()) facts.push_back(gpu.form_factor);
  if (gpu.tdp_w) facts.push_back(format_exact(*gpu.tdp_w) + " W");
  if (gpu.pcie) facts.push_back("PCIe " + gpu.pcie->gen + " x" + std::to_string(gpu.pcie->lanes));
  if (gpu.ecc) facts.push_back(*gpu.ecc ? "ECC" : shell.say("cli.gpu.no_ecc"));
  facts.push_back(
      shell.say("cli.status." + std::string(kStatus[static_cast<std::size_t>(gpu.status)])));
  std::string out =
      "\n    " + wrap(joined_list(facts, " · "), kCardWidth - kCardIndent, kCardIndent) + "\n";
  const auto row = [&out](const std::string& title, const std::string& text) {
    if (text.empty()) return;
    out += "    " + wrap(title + ": " + text, kCardWidth - kCardIndent, kCardIndent + 2) + "\n";
  };
  if (gpu.nvlink) {
    row("NVLink",
        gpu.nvlink->version + ", " + format_exact(gpu.nvlink->total.value() / 1e9) + " GB/s");
  }
  row("P2P", gpu.p2p);
  row(shell.say("cli.gpu.notes"), gpu.notes);
  const Architecture* entry = reference.find_architecture(gpu.architecture);
  return out + "\n" + (entry != nullptr ? architecture_card(shell, reference, *entry) : "");
}

Table reference_table(const Shell& shell, const Reference& reference, const std::string& what) {
  Table table;
  const auto column = [&shell](std::string_view id) {
    return Column{shell.say("cli.column." + std::string(id)), false};
  };
  if (what == "architectures") {
    table.columns = {{"id"},        column("architecture"), column("stack"),
                     {"CUDA"},      column("formats"),      {"FlashAttention"},
                     column("life")};
    for (const Architecture& entry : reference.architectures) {
      table.rows.push_back({{entry.id},
                            {joined_list(entry.covers)},
                            {entry.stack},
                            {cuda_range(entry)},
                            {formats_of(shell, entry)},
                            {entry.flash_attention},
                            {entry.obsolescence.in(shell.lang)}});
    }
  } else if (what == "providers") {
    table.columns = {column("provider"), column("instance"), {"GPU"}, column("what")};
    for (const ProviderNote& entry : reference.providers) {
      std::vector<std::string> prefixes, gpus, notes;
      for (const ProviderFamily& family : entry.families) {
        prefixes.push_back(family.prefix);
        gpus.insert(gpus.end(), family.gpus.begin(), family.gpus.end());
        notes.push_back(family.note.in(shell.lang));
      }
      table.rows.push_back(
          {{entry.name}, {joined_list(prefixes)}, {joined_list(gpus)}, {joined_list(notes, " ")}});
    }
  } else {
    table.columns = {{"id"}, column("name"), column("what"), column("command")};
    for (const GuideExample& entry : reference.presets) {
      table.rows.push_back({{entry.id},
                            {entry.title.in(shell.lang)},
                            {entry.says.in(shell.lang)},
                            {"xuanka rank " + entry.flags}});
    }
  }
  return table;
}

std::string reference_json(const std::string& what) {
  for (const auto& file : assets::reference_files()) {
    if (file.name != what + ".json") continue;
    const auto document = json::parse_strict(file.text);
    const auto list = document ? document->root().find(what) : std::nullopt;
    std::string out;
    if (list) json::append_text(*list, out);
    return out;
  }
  return "[]";
}

std::string reference_card(const Shell& shell, const Reference& reference, const std::string& what,
                           std::size_t index) {
  if (what == "architectures") {
    return architecture_card(shell, reference, reference.architectures[index]);
  }
  if (what == "providers") return provider_card(shell, reference, reference.providers[index]);
  return preset_card(shell, reference.presets[index]);
}

}  // namespace xuanka::cli
