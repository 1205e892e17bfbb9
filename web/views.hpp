// The panels. Each draws itself from (x, y) with the given width and returns its lower edge; none
// includes another. They read the state and emit actions.
#pragma once

#include "web/table.hpp"

namespace xuanka::web {

float view_header(const Ui& ui);
/// The menu under the share button (open when its popup is); `right` and `top` are its corner.
void view_share(const Ui& ui, float right, float top);
/// The theme after the present one: auto, light or dark, high contrast.
[[nodiscard]] std::string next_theme(const Ui& ui);
/// link | markdown | copy-csv | copy-json | csv | json | request | print | theme | currency.
void do_share(const Ui& ui, std::string_view what);
/// Notices: faults of a link, of a dropped file, ... each with a button that closes it.
float view_notices(const Ui& ui, float x, float y, float width);

/// The wizard: steps, the present step, back and next.
float view_wizard(const Ui& ui, float x, float y, float width);
float view_job(const Ui& ui, float x, float y, float width);
float view_model(const Ui& ui, float x, float y, float width);
float view_constraints(const Ui& ui, float x, float y, float width);
float view_summary(const Ui& ui, float x, float y, float width);

/// The answer: sentence, reason, checks, alternatives, what to watch.
float view_answer(const Ui& ui, float x, float y, float width);
/// Only the sentence, for the top of the phone's wizard.
float view_answer_line(const Ui& ui, float x, float y, float width);

float view_plans(const Ui& ui, float x, float y, float width);
float view_compare(const Ui& ui, float x, float y, float width);
float view_charts(const Ui& ui, float x, float y, float width);
float view_gpus(const Ui& ui, float x, float y, float width);
float view_offers(const Ui& ui, float x, float y, float width);
float view_value(const Ui& ui, float x, float y, float width);
float view_own(const Ui& ui, float x, float y, float width);
float view_measured(const Ui& ui, float x, float y, float width);
float view_how(const Ui& ui, float x, float y, float width);
float view_yours(const Ui& ui, float x, float y, float width);

// -- charts (each in a card of the given width; returns the lower edge)
float chart_hours(const Ui& ui, float x, float y, float width);
float chart_memory(const Ui& ui, float x, float y, float width);
float chart_value(const Ui& ui, float x, float y, float width);
float chart_cost(const Ui& ui, float x, float y, float width);
float chart_roofline(const Ui& ui, float x, float y, float width);

/// The preset a field of work starts with; nullptr for an unknown field.
[[nodiscard]] const ModelPreset* usual_model(const Catalog& catalog, std::string_view domain);
/// What choosing this preset means for the state.
[[nodiscard]] PickModel pick_of(const Catalog& catalog, const ModelPreset& model);

// -- tables, shared by canvas, twin and exports
[[nodiscard]] Table plans_table(const Ui& ui);
[[nodiscard]] Table gpus_table(const Ui& ui);
[[nodiscard]] Table offers_table(const Ui& ui);
[[nodiscard]] Table value_table(const Ui& ui);
[[nodiscard]] Table measured_table(const Ui& ui);
[[nodiscard]] Table cases_table(const Ui& ui);
[[nodiscard]] Table roofline_table(const Ui& ui);
[[nodiscard]] Table own_table(const Ui& ui);
[[nodiscard]] Table sensitivity_table(const Ui& ui);
[[nodiscard]] Table years_table(const Ui& ui);
[[nodiscard]] Table hours_table(const Ui& ui);
[[nodiscard]] Table memory_table(const Ui& ui);
/// Every table of the twin, the plans first.
[[nodiscard]] std::vector<Table> twin_tables(const Ui& ui);

}  // namespace xuanka::web
