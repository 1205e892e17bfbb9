#include "shell/cli/overlay.hpp"

#include <algorithm>
#include <array>

#include "json/json_document.hpp"
#include "json/json_text.hpp"
#include "json/json_view.hpp"
#include "shell/cli/request_flags.hpp"
#include "xuanka/api/probe.hpp"

namespace xuanka::cli {
namespace {

// Offset of the character after an object's opening brace.
std::size_t inside(const std::string& text, json::Value object) {
  const json::Position place = object.position();
  std::size_t at = 0;
  for (std::size_t line = 1; line < place.line; ++line) at = text.find('\n', at) + 1;
  return at + place.column;
}

std::string member_texts(const std::vector<OverlayMember>& members,
                         std::optional<json::Value> overrides) {
  std::string text;
  for (const OverlayMember& member : members) {
    if (overrides && overrides->find(member.key)) continue;
    if (!text.empty()) text += ',';
    text += json_string(member.key) + ":" + member.text;
  }
  return text;
}

}  // namespace

std::optional<std::vector<OverlayMember>> read_overlay_file(const Shell& shell,
                                                            const std::string& path, int& status) {
  auto text = read_file(path);
  status = kCannotReadOrWrite;
  if (!text) {
    shell.complain(text.error());
    return std::nullopt;
  }
  status = kBadUsage;
  auto parsed = json::parse_strict(*text);
  if (!parsed) {
    shell.complain(parsed.error(), path);
    return std::nullopt;
  }
  const json::Value root = parsed->root();
  if (root.find("xuanka_probe")) {
    auto measured = read_probe(shell.api.knowledge(), *text);
    if (!measured) {
      shell.complain(measured.error(), path);
      return std::nullopt;
    }
    return std::vector<OverlayMember>{{"measured", measured_json(*measured)}};
  }
  if (!root.is_object()) {
    shell.complain({Issue{IssueCode::kWrongType,
                          "",
                          {{"want", std::string("object")},
                           {"got", std::string(json::kind_name(root.kind()))}}}},
                   path);
    return std::nullopt;
  }
  json::Issues issues;
  json::View overlay(root, issues);
  if (const auto nested = overlay.object("overrides")) overlay = *nested;
  overlay.only({"gpus", "offers", "prices", "measured", "fx", "electricity_per_kwh", "efficiency",
                "sources", "kind", "schema", "data_date", "license"},
               true);
  if (!issues.empty()) {
    shell.complain(issues.take(), path);
    return std::nullopt;
  }
  std::vector<OverlayMember> members;
  for (const json::Value child : overlay.value().children()) {
    // On their way into the catalog.
    static constexpr std::array<std::string_view, 5> kOfTheCatalog{"sources", "kind", "schema",
                                                                   "data_date", "license"};
    const auto same = [&child](std::string_view key) { return child.key() == key; };
    if (std::any_of(kOfTheCatalog.begin(), kOfTheCatalog.end(), same)) continue;
    OverlayMember member{std::string(child.key()), {}};
    json::append_text(child, member.text);
    members.push_back(std::move(member));
  }
  return members;
}

std::string with_overlay(const std::string& request, const std::vector<OverlayMember>& members) {
  const auto parsed = json::parse(request);
  if (!parsed.document || !parsed.document->root().is_object()) return request;
  const json::Value root = parsed.document->root();
  const auto overrides = root.find("overrides");
  if (overrides && !overrides->is_object()) return request;
  std::string text = member_texts(members, overrides);
  if (text.empty()) return request;
  const json::Value into = overrides.value_or(root);
  if (!overrides) text = "\"overrides\":{" + text + "}";
  if (into.size() > 0) text += ',';
  std::string out = request;
  out.insert(inside(request, into), text);
  return out;
}

}  // namespace xuanka::cli
