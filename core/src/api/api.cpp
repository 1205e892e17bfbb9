#include "xuanka/api/api.hpp"

#include <array>
#include <utility>

#include "api/view_json.hpp"
#include "json/json_document.hpp"
#include "json/json_text.hpp"
#include "xuanka/base/clip.hpp"
#include "xuanka/base/embedded.hpp"
#include "xuanka/base/nearest.hpp"
#include "xuanka/catalog/load.hpp"

namespace xuanka {
namespace {

std::string_view text_of(std::span<const assets::EmbeddedFile> files, std::string_view name) {
  for (const auto& file : files) {
    if (file.name == name) return file.text;
  }
  return {};
}

// Where the array of each kind lies: the file, and the member in it.
struct Section {
  std::string_view what, file, member;
};
constexpr std::array<Section, 6> kSections{{{"gpus", "gpus.json", "gpus"},
                                            {"models", "models.json", "models"},
                                            {"offers", "offers.json", "offers"},
                                            {"datasets", "datasets.json", "datasets"},
                                            {"sources", "sources.json", "sources"},
                                            {"purchase", "purchase.json", "prices"}}};

}  // namespace

std::string_view app_version() { return XUANKA_VERSION; }

Result<Api> Api::create() {
  const auto files = assets::catalog_files();
  const auto texts = assets::message_files();
  XUANKA_TRY(catalog, load_catalog(files));
  XUANKA_TRY(efficiency, load_efficiency(text_of(files, "efficiency.json")));
  XUANKA_TRY(messages, Messages::load(text_of(texts, "zh-CN.json"), text_of(texts, "en.json")));
  Api api;
  api.knowledge_ = {std::move(catalog), std::move(efficiency)};
  api.messages_ = std::move(messages);
  return api;
}

std::string Api::rank(std::string_view request_json, Lang lang) const {
  const ParsedRequest parsed = parse_request_with_id(knowledge_.catalog, request_json);
  if (!parsed.request) return refusal(parsed, lang);
  const Report report = xuanka::rank(knowledge_, *parsed.request);
  return report_json(knowledge_, *parsed.request, report, messages_, lang);
}

std::string Api::explain(std::string_view request_json, Lang lang) const {
  const ParsedRequest parsed = parse_request_with_id(knowledge_.catalog, request_json);
  if (!parsed.request) return refusal(parsed, lang);
  const Report report = xuanka::rank(knowledge_, *parsed.request);
  if (report.candidates.empty()) return explain_json(report, std::nullopt, {});
  const std::size_t best = report.recommended.value_or(0);
  return explain_json(
      report, best, explain_candidate(knowledge_, *parsed.request, report, best, messages_, lang));
}

std::string Api::view(std::string_view request_json, Lang lang) const {
  const ParsedRequest parsed = parse_request_with_id(knowledge_.catalog, request_json);
  if (!parsed.request) return refusal(parsed, lang);
  const Report report = xuanka::rank(knowledge_, *parsed.request);
  return view_json(present(knowledge_, *parsed.request, report, messages_, lang));
}

Result<ViewModel> Api::view_model(std::string_view request_json, Lang lang) const {
  XUANKA_TRY(request, parse_request(knowledge_.catalog, request_json));
  const Report report = xuanka::rank(knowledge_, request);
  return present(knowledge_, request, report, messages_, lang);
}

Result<std::vector<ExplainStep>> Api::explain_steps(std::string_view request_json,
                                                    Lang lang) const {
  XUANKA_TRY(request, parse_request(knowledge_.catalog, request_json));
  const Report report = xuanka::rank(knowledge_, request);
  if (report.candidates.empty()) return std::vector<ExplainStep>{};
  return explain_candidate(knowledge_, request, report, report.recommended.value_or(0), messages_,
                           lang);
}

std::string Api::catalog(std::string_view what) const {
  std::vector<std::string_view> known;
  for (const Section& section : kSections) {
    known.push_back(section.what);
    if (section.what != what) continue;
    const std::string_view text = text_of(assets::catalog_files(), section.file);
    const auto parsed = json::parse(text);
    const auto list = parsed.document ? parsed.document->root().find(section.member) : std::nullopt;
    std::string out;
    if (list) json::append_text(*list, out);
    return list ? out : "[]";
  }
  Args args{{"kind", std::string("catalog")}, {"got", clip(what)}};
  if (const auto near = nearest(what, known)) args.push_back({"nearest", std::string(*near)});
  return issues_json({}, false, false, {{IssueCode::kUnknownId, "catalog", std::move(args)}},
                     messages_, Lang::kEn);
}

std::string Api::refusal(const ParsedRequest& parsed, Lang lang) const {
  return issues_json(parsed.id, parsed.has_id, parsed.id_is_number, parsed.request.error(),
                     messages_, lang);
}

}  // namespace xuanka
