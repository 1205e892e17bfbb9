#include "xuanka/catalog/reference.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "catalog/lints.hpp"
#include "catalog/reference_read.hpp"

namespace xuanka {
namespace catalog_json {
namespace {

using json::View;

template <class T>
bool holds(const std::vector<T>& list, const T& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

std::vector<const Gpu*> cards_of(const Architecture& architecture, const Catalog& catalog) {
  std::vector<const Gpu*> cards;
  for (const Gpu& gpu : catalog.gpus) {
    if (holds(architecture.covers, gpu.architecture)) cards.push_back(&gpu);
  }
  return cards;
}

void lint_text(const View& view, std::string_view key, std::string_view rule, std::string got,
               std::string want) {
  view.report(IssueCode::kLint, key,
              {{"rule", std::string(rule)}, {"got", std::move(got)}, {"want", std::move(want)}});
}

// "9.0" before "10.0": the shorter number first.
bool older(const std::string& a, const std::string& b) {
  const auto key = [](const std::string& text) { return std::pair(text.find('.'), text); };
  return key(a) < key(b);
}

void lint_cuda(const Placed<Architecture>& placed, const std::vector<const Gpu*>& cards) {
  std::optional<std::string> first, last;
  for (const Gpu* gpu : cards) {
    if (gpu->cuda_min && (!first || older(*gpu->cuda_min, *first))) first = gpu->cuda_min;
    if (gpu->cuda_last && (!last || older(*last, *gpu->cuda_last))) last = gpu->cuda_last;
  }
  const Architecture& entry = placed.entry;
  if (entry.cuda_first != first) {
    lint_text(placed.view, "cuda_first", "cuda_range", entry.cuda_first.value_or("none"),
              first.value_or("none"));
  }
  if (entry.cuda_last != last) {
    lint_text(placed.view, "cuda_last", "cuda_range", entry.cuda_last.value_or("none"),
              last.value_or("none"));
  }
}

// A format that the card calls native is one that a card of the architecture has a peak for.
void lint_formats(const Placed<Architecture>& placed, const std::vector<const Gpu*>& cards) {
  constexpr std::array<std::pair<std::string_view, PeakFormat>, 5> kFormats{
      {{"tf32", PeakFormat::kTf32},
       {"fp16", PeakFormat::kFp16Tensor},
       {"bf16", PeakFormat::kBf16Tensor},
       {"fp8", PeakFormat::kFp8Tensor},
       {"fp4", PeakFormat::kFp4Tensor}}};
  for (const auto& [name, word] : placed.entry.formats) {
    for (const auto& [format, peak] : kFormats) {
      if (format != name) continue;
      const bool has = std::any_of(cards.begin(), cards.end(), [wanted = peak](const Gpu* gpu) {
        return gpu->peak(wanted).has_value();
      });
      if (has == (word == "native")) continue;
      lint_text(placed.view, "formats", "native_format", name + " " + word,
                has ? "native" : "absent");
    }
  }
}

void lint_sources(const View& view, const std::vector<std::string>& given,
                  const ReferenceFile& file, const Catalog& catalog) {
  for (const std::string& id : given) {
    const bool own = std::any_of(file.sources.begin(), file.sources.end(),
                                 [&id](const auto& source) { return source.entry.id == id; });
    if (own || catalog.find_source(id) != nullptr) continue;
    view.report(IssueCode::kUnknownId, "sources", {{"kind", std::string("source")}, {"got", id}});
  }
}

void lint_architecture(const Placed<Architecture>& placed, const ReferenceFile& file,
                       const Catalog& catalog, std::string_view today) {
  const auto cards = cards_of(placed.entry, catalog);
  for (const std::string& name : placed.entry.covers) {
    const bool known = std::any_of(cards.begin(), cards.end(),
                                   [&name](const Gpu* gpu) { return gpu->architecture == name; });
    if (known) continue;
    placed.view.report(IssueCode::kUnknownId, "covers",
                       {{"kind", std::string("architecture")}, {"got", name}});
  }
  lint_cuda(placed, cards);
  lint_formats(placed, cards);
  lint_sources(placed.view, placed.entry.sources, file, catalog);
  const auto changes = placed.view.objects("frameworks");
  for (std::size_t i = 0; i < changes.size() && i < placed.entry.frameworks.size(); ++i) {
    const FrameworkChange& change = placed.entry.frameworks[i];
    lint_date(changes[i], "date", change.date.value_or(""), today);
    lint_sources(changes[i], change.sources, file, catalog);
  }
}

// What the offers say of the instances of a family.
void lint_family(const View& view, const ProviderNote& provider, const ProviderFamily& family,
                 const Catalog& catalog) {
  bool any = false;
  for (const std::string& id : family.gpus) {
    if (catalog.find_gpu(id) == nullptr) {
      view.report(IssueCode::kUnknownId, "gpus", {{"kind", std::string("gpu")}, {"got", id}});
    }
  }
  for (const Offer& offer : catalog.offers) {
    if (offer.provider != provider.provider || !offer.instance.starts_with(family.prefix)) continue;
    any = true;
    if (holds(family.gpus, offer.gpu)) continue;
    lint_text(view, "gpus", "family_gpu", offer.gpu + " in " + offer.instance, "listed");
  }
  if (!any) lint_text(view, "prefix", "family_offers", family.prefix, "instances of offers");
}

template <class T>
void lint_ids(const std::vector<Placed<T>>& entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (entries[i].entry.id != entries[j].entry.id) continue;
      entries[i].view.report(IssueCode::kDuplicateId, "id", {{"got", entries[i].entry.id}});
    }
  }
}

}  // namespace

void lint_reference(const ReferenceFile& file, const Catalog& catalog, std::string_view today) {
  lint_ids(file.architectures);
  lint_ids(file.providers);
  lint_ids(file.presets);
  lint_ids(file.sources);
  for (const auto& source : file.sources) lint_date(source.view, "date", source.entry.date, today);
  for (const auto& placed : file.architectures) lint_architecture(placed, file, catalog, today);
  for (const auto& placed : file.providers) {
    lint_sources(placed.view, placed.entry.sources, file, catalog);
    const auto families = placed.view.objects("families");
    for (std::size_t i = 0; i < families.size() && i < placed.entry.families.size(); ++i) {
      lint_family(families[i], placed.entry, placed.entry.families[i], catalog);
    }
  }
  for (const auto& placed : file.presets) {
    lint_sources(placed.view, placed.entry.sources, file, catalog);
  }
}

}  // namespace catalog_json

const Architecture* Reference::find_architecture(std::string_view gpu_architecture) const {
  for (const Architecture& entry : architectures) {
    if (std::find(entry.covers.begin(), entry.covers.end(), gpu_architecture) !=
        entry.covers.end()) {
      return &entry;
    }
  }
  return nullptr;
}

Result<Reference> load_reference(std::span<const assets::EmbeddedFile> files) {
  Reference out;
  std::vector<Issue> issues;
  const auto move = [](auto& from, auto& to) {
    for (auto& placed : from) to.push_back(std::move(placed.entry));
  };
  for (const auto& text : files) {
    auto parsed = json::parse(text.text, {}, text.name);
    issues.insert(issues.end(), parsed.issues.begin(), parsed.issues.end());
    if (!parsed.document) continue;
    const json::Value root = parsed.document->root();
    if (catalog_json::reference_kind_of(root) == DataKind::kUnknown) continue;
    json::Issues found;
    auto file = catalog_json::read_reference_file(root, found);
    move(file.architectures, out.architectures);
    move(file.providers, out.providers);
    move(file.presets, out.presets);
    move(file.sources, out.sources);
    for (Issue& issue : found.take()) issues.push_back(std::move(issue));
  }
  if (!issues.empty()) return tl::unexpected(std::move(issues));
  return out;
}

std::optional<FileCheck> check_reference(std::string_view text, const Catalog& catalog,
                                         std::string_view today) {
  auto parsed = json::parse(text);
  if (!parsed.document) return std::nullopt;
  const json::Value root = parsed.document->root();
  FileCheck check;
  check.kind = catalog_json::reference_kind_of(root);
  if (check.kind == DataKind::kUnknown) return std::nullopt;
  json::Issues issues;
  for (Issue& issue : parsed.issues) issues.add(std::move(issue));
  const auto file = catalog_json::read_reference_file(root, issues);
  check.entries = file.architectures.size() + file.providers.size() + file.presets.size();
  catalog_json::lint_reference(file, catalog, today);
  check.issues = issues.take();
  return check;
}

}  // namespace xuanka
