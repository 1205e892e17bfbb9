// xuanka rank: the ranked plans as a table for people, or the whole report as JSON.
#include <algorithm>
#include <array>

#include "shell/cli/request_flags.hpp"
#include "shell/cli/shell.hpp"
#include "shell/cli/table.hpp"

namespace xuanka::cli {
namespace {

struct RankOptions {
  RequestFlags request;
  bool json = false, all = false, plot = false;
  std::size_t top = 12;
  TableFormat format = TableFormat::kText;
};

constexpr std::size_t kLineWidth = 100;

std::string_view mark(Tone tone) {
  switch (tone) {
    case Tone::kOk:
      return "✓ ";
    case Tone::kWarn:
      return "! ";
    case Tone::kBad:
      return "✗ ";
    default:
      return "· ";
  }
}

std::string answer_lines(const Shell& shell, const ViewModel& view) {
  const AnswerView& answer = view.answer;
  std::string out = bold(answer.headline, shell.color);
  if (!answer.range.empty()) {
    out += (shell.lang == Lang::kEn ? " " : "") + dim(answer.range, shell.color);
  }
  out += "\n" + wrap(answer.why, kLineWidth, 0) + "\n";
  for (const Pill& pill : answer.pills) {
    out += paint(std::string(mark(pill.tone)) + pill.text, pill.tone, shell.color) + "\n";
  }
  for (const Alternative& other : answer.alternatives) {
    out += shell.say(
               "cli.alternative",
               {{"title", other.title}, {"headline", other.headline}, {"detail", other.detail}}) +
           "\n";
  }
  return out;
}

// "18 (15–22)": the column says hours, so the range is in hours too.
std::string hours_cell(const CandidateRow& row) {
  if (!row.hours) return row.words.rate;
  if (!row.hours_low || !row.hours_high) return row.hours_text;
  const std::string low = format_hours(hours(*row.hours_low));
  const std::string high = format_hours(hours(*row.hours_high));
  return row.hours_text + " (" + low + "–" + high + ")";
}

// Without an amount of work there are rates instead of hours, so the column says so.
Table plan_table(const Shell& shell, const ViewModel& view, std::size_t rows) {
  const auto title = [&shell](const char* id) { return shell.say(id); };
  const bool timed = std::none_of(view.rows.begin(), view.rows.end(), [](const CandidateRow& row) {
    return !row.hours && row.units_per_second > 0;
  });
  Table table;
  table.columns = {{title("cli.column.plan")},
                   {title("cli.column.verdict")},
                   {title(timed ? "cli.column.hours" : "cli.column.rate"), true},
                   {title("cli.column.cost"), true},
                   {title("cli.column.memory"), true},
                   {"MFU", true},
                   {view.flops_unit, true},
                   {view.memory_unit, true},
                   {title("cli.column.cores"), true},
                   {title("cli.column.ram"), true},
                   {title("cli.column.how")}};
  const bool solves = !view.rows.empty() && !view.rows.front().solved_text.empty();
  if (solves) table.columns.insert(table.columns.end() - 1, {title("cli.column.solved"), true});
  for (std::size_t i = 0; i < view.rows.size() && i < rows; ++i) {
    const CandidateRow& row = view.rows[i];
    const bool misfit = row.verdict == Verdict::kDoesNotFit && !row.words.change.empty();
    const std::string how =
        misfit ? shell.say("cli.try", {{"change", row.words.change}}) : row.words.plan;
    const Tone memory = row.memory_verdict == MemoryVerdict::kFits    ? Tone::kNeutral
                        : row.memory_verdict == MemoryVerdict::kTight ? Tone::kWarn
                                                                      : Tone::kBad;
    table.rows.push_back({{row.label},
                          {row.verdict_pill.text, row.verdict_pill.tone},
                          {hours_cell(row)},
                          {row.cost_text},
                          {row.memory_text, memory},
                          {row.mfu_text},
                          {row.pflop_text},
                          {row.gb_text},
                          {row.cores_text},
                          {row.ram_text},
                          {how}});
    if (solves) table.rows.back().insert(table.rows.back().end() - 1, {row.solved_text});
  }
  return table;
}

std::string notes_text(const Shell& shell, const ViewModel& view) {
  std::string out;
  const auto add = [&](const NoteLine& note) {
    const Tone tone = note.severity == Severity::kError     ? Tone::kBad
                      : note.severity == Severity::kWarning ? Tone::kWarn
                                                            : Tone::kNeutral;
    const std::string line = wrap(note.text, kLineWidth - 2, 2);
    out += paint(mark(tone), tone, shell.color) + line + "\n";
  };
  for (const NoteLine& note : view.answer.watch) add(note);
  for (const NoteLine& note : view.notes) add(note);
  return out;
}

// `value` of `most` as a bar of up to `width` columns, to an eighth of one.
std::string bar(double value, double most, std::size_t width) {
  constexpr std::array<std::string_view, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double eighths = most > 0 ? value / most * static_cast<double>(width) * 8 : 0;
  auto left = static_cast<std::size_t>(std::max(1.0, eighths + 0.5));  // what is there is seen
  std::string out;
  for (; left >= 8; left -= 8) out += "█";
  return out.append(kEighths[left]);
}

// Cost and hours of the plans that can be done, as bars beside each other.
std::string plot_text(const Shell& shell, const ViewModel& view, std::size_t rows) {
  constexpr std::size_t kBar = 24;
  double cost = 0, hours = 0;
  for (std::size_t i = 0; i < view.rows.size() && i < rows; ++i) {
    cost = std::max(cost, view.rows[i].cost.value_or(0));
    hours = std::max(hours, view.rows[i].hours.value_or(0));
  }
  if (cost <= 0 && hours <= 0) return shell.say("cli.plot.nothing") + "\n";
  Table table;
  table.columns = {{shell.say("cli.column.plan")},
                   {shell.say("cli.column.cost")},
                   {"", true},
                   {shell.say("cli.column.hours")},
                   {"", true}};
  for (std::size_t i = 0; i < view.rows.size() && i < rows; ++i) {
    const CandidateRow& row = view.rows[i];
    const auto drawn = [&](const std::optional<double>& value, double most) {
      return value ? bar(*value, most, kBar) : std::string();
    };
    table.rows.push_back({{row.label, row.verdict_pill.tone},
                          {drawn(row.cost, cost)},
                          {row.cost_text},
                          {drawn(row.hours, hours)},
                          {row.hours_text}});
  }
  return render(table, TableFormat::kText, shell.color);
}

std::string people_text(const Shell& shell, const ViewModel& view, const RankOptions& options) {
  std::string out = answer_lines(shell, view) + "\n";
  for (const std::string& line : {view.model_line, view.data_line}) {
    if (!line.empty()) out += dim(line, shell.color) + "\n";
  }
  const std::size_t rows = options.all ? view.rows.size() : options.top;
  out += "\n" + render(plan_table(shell, view, rows), TableFormat::kText, shell.color);
  if (view.rows.size() > rows) {
    const auto more = static_cast<double>(view.rows.size() - rows);
    out += dim(shell.say("cli.more_rows", {{"n", more}}), shell.color) + "\n";
  }
  if (options.plot) out += "\n" + plot_text(shell, view, rows);
  const std::string notes = notes_text(shell, view);
  if (!notes.empty()) out += "\n" + notes;
  if (!view.assumed_line.empty()) {
    out += "\n" + dim(wrap(view.assumed_line, kLineWidth, 2), shell.color) + "\n";
  }
  return out;
}

// The report is written by the core without white space; a quote inside a text is escaped, so these
// can only be the members themselves.
int status_of(std::string_view report) {
  if (report.find("\"ok\":false,\"issues\"") != report.npos) return kBadUsage;
  return report.find("\"recommended\":null") != report.npos ? kNothingQualifies : kAnswered;
}

int run_rank(Shell& shell, const RankOptions& options) {
  int status = kAnswered;
  const auto text = request_text(shell, options.request, status);
  if (!text) return status;
  if (options.request.show) {
    shell.out.print(*text + "\n");
    return kAnswered;
  }
  if (options.json || options.format == TableFormat::kJson) {
    const std::string report = shell.api.rank(*text, shell.lang);
    shell.out.print(report + "\n");
    return status_of(report);
  }
  const auto view = shell.api.view_model(*text, shell.lang);
  if (!view) return complain_about_request(shell, options.request, view.error());
  shell.out.print(options.format == TableFormat::kText
                      ? people_text(shell, *view, options)
                      : render(plan_table(shell, *view, view->rows.size()), options.format, false));
  return view->answer.has_answer ? kAnswered : kNothingQualifies;
}

}  // namespace

void add_rank(CLI::App& app, Shell& shell) {
  auto options = std::make_shared<RankOptions>();
  CLI::App* command = add_command(app, shell, "rank");
  add_request_flags(*command, shell, options->request);
  command->add_flag("--json", options->json, shell.say("cli.flag.json"));
  command->add_flag("--plot", options->plot, shell.say("cli.flag.plot"));
  command->add_flag("--all", options->all, shell.say("cli.flag.all"));
  command->add_option("--top", options->top, shell.say("cli.flag.top"))
      ->type_name("")
      ->check(CLI::Range(1U, 100000U).description(""));
  add_format_flag(*command, shell, options->format);
  command->get_option("--plot")->excludes("--json")->excludes("--format");
  command->callback(
      [&shell, options] { shell.run = [options](Shell& s) { return run_rank(s, *options); }; });
}

}  // namespace xuanka::cli
