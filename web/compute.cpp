#include "web/compute.hpp"

#include <algorithm>

#include "xuanka/api/overlay.hpp"

namespace xuanka::web {
namespace {

// Amounts in another currency at the catalog's (or the user's) dated rate. The candidates, their
// order and everything but money stay as they were: a link reads the same in both currencies.
void show_in(const Knowledge& knowledge, Currency to, Request& request, Report& report) {
  FxTable fx = knowledge.catalog.fx;
  for (const FxRate& own : request.overrides.fx) fx.set(own);
  const Currency from = request.decision.currency;
  const auto rate = fx.rate(from, to);
  if (from == to || !rate) return;
  const auto scale = [](std::optional<double>& value, double factor) {
    if (value) value = *value * factor;
  };
  for (Candidate& c : report.candidates) {
    if (c.cost) {
      scale(c.cost->amount, *rate);
      scale(c.cost->low, *rate);
      scale(c.cost->high, *rate);
      scale(c.cost->capital, *rate);
      c.cost->currency = to;
      if (c.cost->hourly) c.cost->hourly = Money{c.cost->hourly->amount * *rate, to};
    }
    std::erase_if(c.notes, [to](const Note& note) {  // its own price after all
      return note.code == NoteCode::kPriceConverted && !note.args.empty() &&
             note.args[0] == Arg{"from", std::string(to.code())};
    });
    scale(c.value.flops_per_money, 1 / *rate);
    scale(c.value.gb_per_money, 1 / *rate);
    scale(c.value.effective_flops_per_money, 1 / *rate);
    scale(c.value.units_per_money, 1 / *rate);
  }
  request.decision.currency = to;
}

// The ledger in another currency; hours, shares and switching points of other inputs stay.
void show_in(Currency to, double rate, Ledger& ledger) {
  const auto scale = [rate](auto&... amounts) { ((amounts *= rate), ...); };
  if (ledger.rent) scale(ledger.rent->hourly, ledger.rent->total);
  if (ledger.own) {
    OwnLedger& own = *ledger.own;
    scale(own.card, own.cards, own.machines, own.capital, own.resale, own.finance, own.hosting,
          own.upkeep, own.electricity, own.hourly, own.total);
  }
  for (YearLedger& year : ledger.by_years) scale(year.own, year.rent);
  for (Sensitivity& s : ledger.sensitivity) {
    scale(s.difference_low, s.difference_high);
    const bool amount = s.path.starts_with("price.") || s.path.ends_with("machine_price") ||
                        s.path.ends_with("electricity_per_kwh");
    if (!amount) continue;
    scale(s.value, s.low, s.high);
    if (s.flips_at) scale(*s.flips_at);
  }
  ledger.currency = to;
}

Currency wanted_currency(const State& state, Currency fallback) {
  return Currency::parse(state.text(FieldId::kCurrency)).value_or(fallback);
}

void choose_answer(const Api& api, const State& state, Lang lang, Computed& computed) {
  computed.answer = computed.view.answer;
  computed.candidate = computed.report.recommended;
  const std::string& wanted = state.text(FieldId::kSelected);
  for (std::size_t i = 0; i < computed.report.candidates.size() && !wanted.empty(); ++i) {
    const Candidate& c = computed.report.candidates[i];
    if (row_name(c.gpu, c.count) != wanted) continue;
    computed.candidate = i;
    computed.answer = present_answer(api.knowledge(), *computed.request, computed.report, i,
                                     api.messages(), lang);
    break;
  }
  // What is odd about the question comes before what is odd about the answer.
  for (auto note = computed.view.notes.rbegin(); note != computed.view.notes.rend(); ++note) {
    if (note->severity == Severity::kInfo) continue;
    computed.answer.watch.insert(computed.answer.watch.begin(), *note);
  }
}

}  // namespace

std::string row_name(std::string_view gpu, int count) {
  return std::string(gpu) + ":" + std::to_string(count);
}

bool recompute(const Api& api, const State& state, Lang lang, Computed& computed) {
  computed.facts = facts_of(api.knowledge().catalog, state);
  std::vector<FieldFault> faults;
  std::string text = write_request(state, computed.facts, &faults);
  computed.faults = std::move(faults);
  std::string key = text + "\n" + std::string(lang_name(lang)) + state.text(FieldId::kCurrency);
  const std::string answer_key = key + state.text(FieldId::kSelected);
  if (key == computed.key) {
    if (answer_key == computed.answer_key || !computed.current) return false;
    computed.answer_key = answer_key;
    choose_answer(api, state, lang, computed);
    return true;
  }
  computed.key = std::move(key);
  computed.answer_key = answer_key;
  ++computed.generation;
  computed.request_text = std::move(text);
  auto parsed = parse_request(api.knowledge().catalog, computed.request_text);
  if (!parsed) {
    computed.issues = std::move(parsed).error();
    computed.current = false;
    if (computed.request) {  // what stands is told in the language of now
      computed.view = present(api.knowledge(), *computed.request, computed.report, api.messages(),
                              lang, RowTexts::kTable);
      computed.answer = computed.view.answer;
      computed.candidate = computed.report.recommended;
    }
    return true;
  }
  computed.issues.clear();
  computed.current = true;
  computed.report = Report{};  // points into the old request
  computed.request = std::make_unique<Request>(std::move(*parsed));
  computed.report = rank(api.knowledge(), *computed.request);
  computed.asked = computed.request->decision.currency;
  computed.shown = wanted_currency(state, computed.request->decision.currency);
  show_in(api.knowledge(), computed.shown, *computed.request, computed.report);
  computed.shown = computed.request->decision.currency;
  computed.view = present(api.knowledge(), *computed.request, computed.report, api.messages(), lang,
                          RowTexts::kTable);
  choose_answer(api, state, lang, computed);
  return true;
}

const std::vector<ValueRow>& Computed::values(const Api& api) const {
  if (values_of_ != generation && request) {
    values_ = value_rows(api.knowledge().catalog, *request);
    values_of_ = generation;
  }
  return values_;
}

const RowWords& Computed::words(const Api& api, Lang lang, std::size_t row) const {
  if (words_of_ != key || words_.size() != report.candidates.size()) {
    words_of_ = key;
    words_.assign(report.candidates.size(), std::nullopt);
  }
  if (!words_[row]) {
    words_[row] = row_words(api.knowledge(), *request, report, row, api.messages(), lang);
  }
  return *words_[row];
}

const std::optional<Ledger>& Computed::ledger(const Api& api) const {
  if (ledger_of_ == answer_key || !request || !candidate) return ledger_;
  ledger_of_ = answer_key;
  ledger_.reset();
  const Knowledge& knowledge = api.knowledge();
  std::optional<Catalog> own;
  if (has_own_entries(request->overrides)) own = overlay(knowledge.catalog, request->overrides);
  const Catalog& catalog = own ? *own : knowledge.catalog;
  Request asking = *request;
  asking.decision.currency = asked;
  const OfferBook book(catalog, asking);
  const auto take = [&](std::size_t row) {
    const Candidate& c = report.candidates[row];
    const Gpu* gpu = catalog.find_gpu(c.gpu);
    if (gpu == nullptr) return false;
    Ledger ledger = make_ledger(catalog, book, asking, *gpu, c.count, c.nodes);
    if (!ledger.rent || !ledger.own || !(ledger.hours > 0)) return false;
    ledger_ = std::move(ledger);
    ledger_row_ = row;
    return true;
  };
  if (!take(*candidate) && candidate == report.recommended) {
    for (std::size_t i = 0; i < report.candidates.size() && !ledger_; ++i) {
      if (report.candidates[i].verdict == Verdict::kOk) take(i);
    }
  }
  if (!ledger_) return ledger_;
  FxTable fx = knowledge.catalog.fx;
  for (const FxRate& rate : request->overrides.fx) fx.set(rate);
  if (const auto rate = fx.rate(asked, shown); rate && asked != shown)
    show_in(shown, *rate, *ledger_);
  return ledger_;
}

const std::vector<ExplainStep>& Computed::explained(const Api& api, Lang lang) const {
  if (steps_of_ != answer_key && request && candidate) {
    steps_ = explain_candidate(api.knowledge(), *request, report, *candidate, api.messages(), lang);
    steps_of_ = answer_key;
  }
  return steps_;
}

std::string fault_text(const Messages& messages, Lang lang, const Issue& issue) {
  const FieldSpec* field = field_by_path(issue.path);
  const std::string label = field != nullptr ? "ui.f." + std::string(field->key) : "";
  if (field == nullptr || field->path != issue.path || !messages.has(lang, label))
    return messages.issue_text(lang, issue);
  return std::string(messages.get(lang, label)) + (lang == Lang::kZh ? "：" : ": ") +
         messages.issue_sentence(lang, issue);
}

std::string field_error(const Messages& messages, Lang lang, const Computed& computed, FieldId id) {
  for (const FieldFault& fault : computed.faults) {
    if (fault.id == id) return std::string(messages.get(lang, "ui.e." + fault.code));
  }
  for (const Issue& issue : computed.issues) {
    const FieldSpec* field = field_by_path(issue.path);
    if (field != nullptr && field->id == id) return messages.issue_sentence(lang, issue);
  }
  return "";
}

}  // namespace xuanka::web
