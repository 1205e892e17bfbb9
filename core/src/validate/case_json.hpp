// Readers of the JSON forms of cases.
#pragma once

#include <vector>

#include "json/json_document.hpp"
#include "xuanka/validate/validate.hpp"

namespace xuanka {

/// One object of the measured.json form.
[[nodiscard]] MeasuredCase read_measured_row(const Catalog& catalog, json::Value row);
/// One object of the user_cases.json form: a memory case, a time case, or both.
[[nodiscard]] std::vector<MeasuredCase> read_user_row(const Catalog& catalog, json::Value row);
/// The Megatron CSV forms.
[[nodiscard]] Result<std::vector<MeasuredCase>> read_csv_cases(const Catalog& catalog,
                                                               const MeasurementText& text);

/// The same as {"columns": [...], "rows": [[...], ...]}.
[[nodiscard]] Result<std::vector<MeasuredCase>> read_table_cases(const Catalog& catalog,
                                                                 const std::string& name,
                                                                 json::Value table);

}  // namespace xuanka
