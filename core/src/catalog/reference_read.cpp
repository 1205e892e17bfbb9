#include "catalog/reference_read.hpp"

#include <array>

#include "catalog/dates.hpp"
#include "catalog/entry_fields.hpp"
#include "json/json_text.hpp"

namespace xuanka::catalog_json {
namespace {

using json::View;

constexpr std::array<DataKind, 3> kKinds{DataKind::kArchitectures, DataKind::kProviders,
                                         DataKind::kPresets};

Bilingual both(const View& view, std::string_view key) {
  const auto texts = view.need_object(key);
  if (!texts) return {};
  texts->only({"en", "zh"});
  return {needed_text(*texts, "en"), needed_text(*texts, "zh")};
}

std::string one_of(const View& view, std::string_view key, std::string_view allowed) {
  const std::string got = needed_text(view, key);
  const std::string padded = ", " + std::string(allowed) + ",";
  if (!got.empty() && padded.find(", " + got + ",") == std::string::npos) {
    view.report(IssueCode::kUnknownValue, key, {{"got", got}, {"allowed", std::string(allowed)}});
  }
  return got;
}

std::optional<std::string> optional_text(const View& view, std::string_view key) {
  const auto text = view.string(key);
  return text ? std::optional(std::string(*text)) : std::nullopt;
}

FrameworkChange read_change(const View& view) {
  view.only({"name", "version", "change", "date", "note", "sources"});
  FrameworkChange out;
  out.name = needed_text(view, "name");
  out.change = one_of(view, "change", "added, dropped, needs, recommended, planned");
  out.version = optional_text(view, "version");
  out.date = date_at(view, "date");
  out.note = both(view, "note");
  out.sources = needed_sources(view);
  return out;
}

Architecture read_architecture(const View& view) {
  view.only({"id", "covers", "vendor", "stack", "cuda_first", "cuda_last", "formats",
             "flash_attention", "brings", "switch_on", "frameworks", "obsolescence", "sources"});
  Architecture out;
  out.id = needed_text(view, "id");
  out.covers = view.strings("covers");
  if (out.covers.empty()) view.report(IssueCode::kMissing, "covers");
  out.vendor = needed_text(view, "vendor");
  out.stack = needed_text(view, "stack");
  out.cuda_first = optional_text(view, "cuda_first");
  out.cuda_last = optional_text(view, "cuda_last");
  if (const auto formats = view.need_object("formats")) {
    formats->only({"tf32", "fp16", "bf16", "fp8", "fp4"});
    for (const json::Value format : formats->value().children()) {
      out.formats.emplace_back(format.key(),
                               one_of(*formats, format.key(), "native, vector, emulated, absent"));
    }
  }
  out.flash_attention = one_of(view, "flash_attention", "none, 1, 2, 3");
  out.brings = both(view, "brings");
  out.switch_on = both(view, "switch_on");
  out.obsolescence = both(view, "obsolescence");
  for (const View& change : view.objects("frameworks")) {
    out.frameworks.push_back(read_change(change));
  }
  out.sources = needed_sources(view);
  return out;
}

ProviderNote read_provider(const View& view) {
  view.only({"id", "name", "provider", "families", "slip", "sources"});
  ProviderNote out;
  out.id = needed_text(view, "id");
  out.name = needed_text(view, "name");
  out.provider = needed_text(view, "provider");
  for (const View& entry : view.objects("families")) {
    entry.only({"prefix", "gpus", "note"});
    out.families.push_back(
        {needed_text(entry, "prefix"), entry.strings("gpus"), both(entry, "note")});
  }
  out.slip = both(view, "slip");
  out.sources = needed_sources(view);
  return out;
}

GuideExample read_preset(const View& view) {
  view.only({"id", "title", "flags", "request", "says", "sources"});
  GuideExample out;
  out.id = needed_text(view, "id");
  out.flags = needed_text(view, "flags");
  if (const auto request = view.need_object("request")) {
    json::append_text(request->value(), out.request);
  }
  out.title = both(view, "title");
  out.says = both(view, "says");
  out.sources = needed_sources(view);
  return out;
}

template <class T, class Read>
void read_all(const View& file, std::string_view key, std::vector<Placed<T>>& out, Read read) {
  for (const View& view : file.objects(key)) {
    const std::size_t before = view.issues().size();
    T entry = read(view);
    if (view.issues().size() == before) out.push_back({std::move(entry), view});
  }
}

}  // namespace

DataKind reference_kind_of(json::Value root) {
  const auto kind = root.is_object() ? root.find("kind") : std::nullopt;
  for (const DataKind known : kKinds) {
    if (kind && kind->is_string() && kind->string() == data_kind_name(known)) return known;
  }
  return DataKind::kUnknown;
}

ReferenceFile read_reference_file(json::Value root, json::Issues& issues) {
  ReferenceFile out;
  out.kind = reference_kind_of(root);
  const View file(root, issues);
  file.only({"kind", "schema", "data_date", "license", "sources", data_kind_name(out.kind)});
  if (const auto schema = file.need_integer("schema"); schema && *schema != 1) {
    file.report(IssueCode::kUnsupportedVersion, "schema", {{"got", *schema}, {"supported", 1.0}});
  }
  (void)date_at(file, "data_date");
  (void)file.need_string("license");
  if (!file.has(data_kind_name(out.kind))) {
    file.report(IssueCode::kMissing, data_kind_name(out.kind));
  }
  read_all(file, "sources", out.sources,
           [](const View& view) { return read_source(view).value_or(Source{}); });
  if (out.kind == DataKind::kArchitectures) {
    read_all(file, "architectures", out.architectures, read_architecture);
  } else if (out.kind == DataKind::kProviders) {
    read_all(file, "providers", out.providers, read_provider);
  } else if (out.kind == DataKind::kPresets) {
    read_all(file, "presets", out.presets, read_preset);
  }
  return out;
}

}  // namespace xuanka::catalog_json
