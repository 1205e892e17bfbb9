// View model and explanation -> JSON text, for skins that are not written in C++.
#include "api/view_json.hpp"

#include <array>

#include "api/json_writer.hpp"

namespace xuanka {
namespace {

std::string_view tone_name(Tone tone) {
  constexpr std::array<std::string_view, 5> kNames{"neutral", "ok", "warn", "bad", "accent"};
  return kNames[static_cast<std::size_t>(tone)];
}

void write_pill(JsonWriter& out, const Pill& pill) {
  out.begin_object()
      .field("text", pill.text)
      .field("tone", tone_name(pill.tone))
      .field("detail", pill.detail)
      .end_object();
}

void write_lines(JsonWriter& out, std::string_view name, const std::vector<NoteLine>& lines) {
  out.key(name).begin_array();
  for (const NoteLine& line : lines) {
    out.begin_object()
        .field("text", line.text)
        .field("severity", severity_name(line.severity))
        .field("code", note_code_name(line.code))
        .end_object();
  }
  out.end_array();
}

void write_answer(JsonWriter& out, const AnswerView& answer) {
  out.key("answer")
      .begin_object()
      .field("headline", answer.headline)
      .field("range", answer.range)
      .field("why", answer.why);
  out.key("pills").begin_array();
  for (const Pill& pill : answer.pills) write_pill(out, pill);
  out.end_array();
  out.key("alternatives").begin_array();
  for (const Alternative& one : answer.alternatives) {
    out.begin_object()
        .field("title", one.title)
        .field("headline", one.headline)
        .field("detail", one.detail)
        .field("candidate", static_cast<double>(one.candidate))
        .end_object();
  }
  out.end_array();
  write_lines(out, "watch", answer.watch);
  out.field("has_answer", answer.has_answer).end_object();
}

void write_numbers(JsonWriter& out, std::string_view name, const std::vector<double>& numbers) {
  out.key(name).begin_array();
  for (const double number : numbers) out.number(number);
  out.end_array();
}

void write_row(JsonWriter& out, const CandidateRow& row) {
  out.begin_object()
      .field("label", row.label)
      .field("gpu", row.gpu)
      .field("count", row.count)
      .field("nodes", row.nodes)
      .field("verdict", name_of(row.verdict))
      .key("verdict_pill");
  write_pill(out, row.verdict_pill);
  out.field("hours", row.hours)
      .field("hours_low", row.hours_low)
      .field("hours_high", row.hours_high)
      .field("hours_text", row.hours_text)
      .field("hours_range_text", row.words.hours_range)
      .field("units_per_second", row.units_per_second)
      .field("rate_text", row.words.rate)
      .field("cost", row.cost)
      .field("cost_low", row.cost_low)
      .field("cost_high", row.cost_high)
      .field("cost_text", row.cost_text)
      .field("cost_range_text", row.words.cost_range)
      .field("price_text", row.words.price)
      .field("memory_gib", row.memory_gib)
      .field("usable_gib", row.usable_gib)
      .field("memory_low_gib", row.memory_low_gib)
      .field("memory_high_gib", row.memory_high_gib)
      .field("memory_verdict", name_of(row.memory_verdict))
      .field("memory_text", row.memory_text)
      .field("memory_detail", row.words.memory)
      .field("mfu", row.mfu)
      .field("pflop_per_money", row.pflop_per_money)
      .field("gb_per_money", row.gb_per_money)
      .field("mfu_text", row.mfu_text)
      .field("pflop_text", row.pflop_text)
      .field("gb_text", row.gb_text)
      .field("cores_text", row.cores_text)
      .field("ram_text", row.ram_text)
      .field("plan_text", row.words.plan)
      .field("change_text", row.words.change);
  write_numbers(out, "memory_parts_gib", row.memory_parts_gib);
  out.field("recommended", row.recommended).end_object();
}

}  // namespace

std::string view_json(const ViewModel& view) {
  JsonWriter out;
  out.begin_object().field("version", 1).field("ok", true);
  write_answer(out, view.answer);
  out.key("rows").begin_array();
  for (const CandidateRow& row : view.rows) write_row(out, row);
  out.end_array();
  write_lines(out, "notes", view.notes);
  out.key("memory_part_names").begin_array();
  for (const std::string& name : view.memory_part_names) out.string(name);
  out.end_array();
  out.field("deadline_hours", view.deadline_hours)
      .field("currency_symbol", view.currency_symbol)
      .field("model_line", view.model_line)
      .field("data_line", view.data_line)
      .field("assumed_line", view.assumed_line)
      .end_object();
  return out.take();
}

std::string explain_json(const Report& report, std::optional<std::size_t> candidate,
                         const std::vector<ExplainStep>& steps) {
  JsonWriter out;
  out.begin_object().field("version", 1).field("ok", true);
  out.key("candidate");
  if (candidate) {
    const Candidate& c = report.candidates[*candidate];
    out.begin_object()
        .field("index", static_cast<double>(*candidate))
        .field("gpu", c.gpu)
        .field("count", c.count)
        .field("verdict", name_of(c.verdict))
        .end_object();
  } else {
    out.null();
  }
  out.key("steps").begin_array();
  for (const ExplainStep& step : steps) {
    out.begin_object()
        .field("id", step.id)
        .field("title", step.title)
        .field("formula", step.formula)
        .field("substituted", step.substituted)
        .field("result", step.result)
        .field("source", step.source)
        .field("note", step.note)
        .field("value", step.value)
        .end_object();
  }
  out.end_array().end_object();
  return out.take();
}

}  // namespace xuanka
