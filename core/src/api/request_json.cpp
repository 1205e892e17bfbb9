// The door for requests: JSON text -> Request, every problem at once.
#include <algorithm>
#include <utility>

#include "api/request_reader.hpp"
#include "catalog/lookup.hpp"
#include "json/json_text.hpp"
#include "xuanka/base/date.hpp"
#include "xuanka/base/nearest.hpp"
#include "xuanka/base/sort.hpp"

namespace xuanka {
namespace request_json {

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [lower](char x, char y) {
           return lower(x) == lower(y);
         });
}

const Gpu* Reader::find_gpu(std::string_view name) const {
  for (const Gpu& gpu : request.overrides.gpus) {
    if (gpu.id == name) return &gpu;
  }
  for (const Gpu& gpu : catalog.gpus) {
    if (gpu.id == name) return &gpu;
  }
  // As people write it. "RTX 4090" may name a card of two memory sizes: nobody else's counts.
  const std::string wanted = folded(name);
  if (wanted.empty()) return nullptr;
  const Gpu* found = nullptr;
  for (const Gpu& gpu : catalog.gpus) {
    const auto names = folded_names(gpu);
    if (std::find(names.begin(), names.end(), wanted) == names.end()) continue;
    if (found != nullptr) return nullptr;
    found = &gpu;
  }
  return found;
}

FxTable Reader::rates() const {
  FxTable table = catalog.fx;
  for (const FxRate& rate : request.overrides.fx) table.set(rate);
  return table;
}

void Reader::unknown_id(json::Value where, std::string_view kind,
                        std::vector<std::string_view> known) {
  if (!issues.takes(IssueCode::kUnknownId)) return;
  const std::string_view got = where.string();
  Args args{{"kind", std::string(kind)}, {"got", clip(got)}};
  const auto near = nearest_ids(got, known, 1);
  if (!near.empty()) args.push_back({"nearest", std::string(near.front())});
  issues.add(IssueCode::kUnknownId, where, std::move(args));
}

void Reader::refuse(json::Issues& problems) {
  for (Issue& issue : problems.take()) {
    issue.line = issue.column = 0;
    request.notes.push_back(
        {NoteCode::kEntryRefused,
         Severity::kError,
         {{"path", issue.path}, {"issue", std::string(issue_code_name(issue.code))}}});
    request.refused.push_back(std::move(issue));
  }
}

namespace {

constexpr double kVersion = 1;

void read_version(Reader& reader, const json::View& root) {
  const auto version = root.get("version");
  if (!version) {
    root.report(IssueCode::kMissing, "version");
  } else if (!version->is_number()) {
    (void)root.number("version");  // reports the type
  } else if (version->number() != kVersion) {
    reader.issues.add(IssueCode::kUnsupportedVersion, *version,
                      {{"got", version->number()}, {"supported", kVersion}});
  }
}

// The id may be a text or a number; it comes back as it went in.
void read_id(Reader& reader, const json::View& root) {
  const auto id = root.get("id");
  if (!id) return;
  if (!id->is_string() && !id->is_number()) {
    (void)root.string("id");  // reports the type
    return;
  }
  reader.request.has_id = true;
  reader.request.id_is_number = id->is_number();
  reader.request.id = id->is_string() ? std::string(id->string()) : std::string{};
  if (id->is_number()) json::append_number(id->number(), reader.request.id);
}

void read_as_of(Reader& reader, const json::View& root) {
  reader.request.as_of = reader.catalog.data_date;
  const auto text = root.string("as_of");
  if (!text) {
    if (!root.has("as_of")) reader.assume("as_of");
  } else if (parse_date(*text)) {
    reader.request.as_of = std::string(*text);
  } else {
    root.report(IssueCode::kBadDate, "as_of", {{"got", clip(*text)}});
  }
}

void read_solve(Reader& reader, const json::View& root) {
  const auto solve = root.word<SolveFor>("solve");
  if (!solve) return;
  const WorkloadRequest& workload = reader.request.workload;
  const bool inference = workload.kind == JobKind::kInference;
  const bool language =
      workload.model.kind == ModelKind::kTransformer || workload.model.kind == ModelKind::kSizeOnly;
  const bool timed = workload.model.kind == ModelKind::kMeasured;
  const bool wrong = (*solve == SolveFor::kMicroBatch && inference) ||
                     (*solve == SolveFor::kConcurrency && !inference) ||
                     (*solve == SolveFor::kSeqLen && !language) ||
                     (timed && *solve != SolveFor::kCount);
  if (wrong) {
    root.report(
        IssueCode::kConflict, "solve",
        {{"other", std::string(inference || *solve == SolveFor::kConcurrency ? "workload.kind"
                                                                             : "workload.model")}});
    return;
  }
  reader.request.solve = solve;
}

void read_root(Reader& reader, const json::View& root) {
  root.only(
      {"version", "id", "as_of", "workload", "hardware", "decision", "host", "solve", "overrides"},
      true);
  read_version(reader, root);
  read_as_of(reader, root);
  read_overrides(reader, root);
  read_workload(reader, root);
  read_hardware(reader, root);
  read_decision(reader, root);
  read_host(reader, root);
  read_solve(reader, root);
}

void note_unknown_fields(const json::Issues& issues, Request& request) {
  for (const Issue& issue : issues.passed()) {
    Args args{{"path", issue.path}};
    args.insert(args.end(), issue.args.begin(), issue.args.end());
    request.notes.push_back({NoteCode::kUnknownField, Severity::kWarning, std::move(args)});
  }
}

// Lines and columns matter in files; a request's paths say enough, and its text is one line.
void drop_positions(std::vector<Issue>& issues) {
  for (Issue& issue : issues) {
    if (issue.code == IssueCode::kSyntax) continue;
    issue.line = issue.column = 0;
  }
}

}  // namespace
}  // namespace request_json

ParsedRequest parse_request_with_id(const Catalog& catalog, std::string_view json_text) {
  ParsedRequest out;
  json::Parsed parsed = json::parse(json_text);
  json::Issues issues(json::Limits{}.max_issues, json::UnknownFields::kPass);
  for (Issue& issue : parsed.issues) issues.add(std::move(issue));
  Request request;
  if (parsed.document) {
    request_json::Reader reader{catalog, request, issues};
    if (const auto root = json::object_at(parsed.document->root(), issues)) {
      request_json::read_id(reader, *root);
      out.id = request.id;
      out.has_id = request.has_id;
      out.id_is_number = request.id_is_number;
      request_json::read_root(reader, *root);
    }
  }
  if (!issues.empty()) {
    std::vector<Issue> list = issues.take();
    request_json::drop_positions(list);
    out.request = tl::unexpected(std::move(list));
    return out;
  }
  request_json::note_unknown_fields(issues, request);
  sort_values(request.assumed);
  out.request = std::move(request);
  return out;
}

Result<Request> parse_request(const Catalog& catalog, std::string_view json_text) {
  return parse_request_with_id(catalog, json_text).request;
}

}  // namespace xuanka
