#include "json/json_view.hpp"
#include "validate/case_json.hpp"
#include "validate/case_text.hpp"

namespace xuanka {
namespace {

void settle_own_card(const Catalog& catalog, MeasuredCase& one) {
  if (one.own_gpu || one.gpu.empty() || catalog.find_gpu(one.gpu) != nullptr) return;
  one.skipped = "the card is not in the catalog";
}

}  // namespace

Result<std::vector<MeasuredCase>> read_cases(const Catalog& catalog, const MeasurementText& text) {
  if (lowered(text.name).ends_with(".csv")) return read_csv_cases(catalog, text);
  XUANKA_TRY(document, json::parse_strict(text.text, {}, text.name));
  // A plain list, or a list under "cases" with the provenance beside it.
  json::Value list = document.root();
  if (list.is_object()) {
    if (list.find("columns")) return read_table_cases(catalog, text.name, list);
    const auto cases = list.find("cases");
    if (!cases || !cases->is_array()) {
      return tl::unexpected(
          std::vector<Issue>{{IssueCode::kMissing, list.path_of("cases"), {}, 0, 0}});
    }
    list = *cases;
  }
  if (!list.is_array()) {
    return tl::unexpected(std::vector<Issue>{
        {IssueCode::kWrongType, text.name, {{"want", std::string("array")}}, 1, 1}});
  }
  std::vector<MeasuredCase> out;
  for (const json::Value row : list.children()) {
    if (!row.is_object()) continue;
    if (row.find("observed")) {
      for (MeasuredCase& one : read_user_row(catalog, row)) out.push_back(std::move(one));
    } else {
      out.push_back(read_measured_row(catalog, row));
    }
  }
  for (MeasuredCase& one : out) settle_own_card(catalog, one);
  return out;
}

}  // namespace xuanka
