#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "web/state.hpp"
#include "xuanka/base/sort.hpp"

namespace xuanka::web {
namespace {

std::string join(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) {
    if (!out.empty()) out += ',';
    out += word;
  }
  return out;
}

bool trains_adapter(const State& state) {
  return state.is(FieldId::kKind, "lora") || state.is(FieldId::kKind, "qlora");
}

struct Reducer {
  State& s;

  void operator()(const SetField& a) const {
    if (s.locked(a.id)) return;
    s.text(a.id) = a.value;
    if (a.id == FieldId::kBudget) s.text(FieldId::kBudgetCurrency) = s.text(FieldId::kCurrency);
  }
  void operator()(const ToggleWord& a) const {
    if (s.locked(a.id)) return;
    auto words = s.many(a.id);
    const auto at = std::find(words.begin(), words.end(), a.word);
    if (at != words.end()) {
      words.erase(at);
    } else {
      words.push_back(a.word);
    }
    const auto& order = spec(a.id).options;
    if (!order.empty()) {
      sort_values(words, [&](const std::string& x, const std::string& y) {
        return std::find(order.begin(), order.end(), x) < std::find(order.begin(), order.end(), y);
      });
    }
    s.text(a.id) = join(words);
  }
  void operator()(const PickModel& a) const {
    if (s.locked(FieldId::kModel)) return;
    const bool was_language =
        s.text(FieldId::kDomain).empty() || s.is(FieldId::kDomain, "language");
    s.text(FieldId::kSource) = "preset";
    s.text(FieldId::kModel) = a.id;
    const bool other_domain =
        !s.text(FieldId::kDomain).empty() && s.text(FieldId::kDomain) != a.group;
    s.text(FieldId::kDomain) = a.group == "language" ? "" : a.group;
    if (a.group == "language") {
      if (!was_language) {
        s.text(FieldId::kDataset).clear();
        s.text(FieldId::kEpochs) = spec(FieldId::kEpochs).initial;
      }
      return;
    }
    // Adapters and token counts mean nothing to a model that reads images or sound.
    if (trains_adapter(s) && !s.locked(FieldId::kKind)) s.text(FieldId::kKind) = "train";
    if (!s.locked(FieldId::kDataset) && (other_domain || s.text(FieldId::kDataset).empty()) &&
        s.text(FieldId::kSamples).empty() && !a.dataset.empty()) {
      s.text(FieldId::kDataset) = a.dataset;
      s.text(FieldId::kEpochs) = number_text(a.epochs);
    }
  }
  void operator()(const GoStep& a) const { s.step = a.step; }
  void operator()(const SortBy& a) const {
    SortOrder& order = s.sort[static_cast<std::size_t>(a.list)];
    if (order.column != a.column) {
      order = {a.column, false};
    } else if (!order.descending) {
      order.descending = true;
    } else {
      order = {};
    }
  }
  void operator()(const SetFilter& a) const { s.filter[static_cast<std::size_t>(a.list)] = a.text; }
  void operator()(const SetDraft& a) const { s.drafts[static_cast<std::size_t>(a.id)] = a.text; }
  void operator()(const ApplyChange& a) const {
    const FieldSpec* field = field_by_path(a.path);
    if (field == nullptr || field->path != a.path || s.locked(field->id)) return;
    if (const auto* number = std::get_if<double>(&a.value)) {
      s.text(field->id) = number_text(*number);
    } else if (const auto* text = std::get_if<std::string>(&a.value)) {
      s.text(field->id) = *text;
    } else {
      s.text(field->id) = std::get<bool>(a.value) ? "1" : "0";
    }
  }
  void operator()(const ShowCases& a) const { s.case_kind = a.kind; }
  void operator()(const AddNotice& a) const {
    if (std::find(s.notices.begin(), s.notices.end(), a.notice) == s.notices.end())
      s.notices.push_back(a.notice);
  }
  void operator()(const CloseNotice& a) const {
    if (a.index < s.notices.size())
      s.notices.erase(s.notices.begin() + static_cast<std::ptrdiff_t>(a.index));
  }
  void operator()(const ShowMore& a) const { s.show_more = a.on; }
  void operator()(const ShowAllRows& a) const { s.all_rows = a.on; }
  void operator()(const OpenSheet& a) const { s.sheet_open = a.on; }
  void operator()(const StartAgain&) const {
    State fresh = initial_state();
    for (const FieldId id : {FieldId::kLang, FieldId::kCurrency, FieldId::kTheme, FieldId::kEmbed})
      fresh.text(id) = s.text(id);
    replace(std::move(fresh));
  }
  void operator()(const Replace& a) const { replace(a.state); }
  // What is fixed stays, whatever comes in.
  void replace(State next) const {
    for (const FieldSpec& field : fields()) {
      if (s.locked(field.id)) next.text(field.id) = s.text(field.id);
    }
    next.text(FieldId::kLock) = s.text(FieldId::kLock);
    s = std::move(next);
  }
};

}  // namespace

std::vector<std::string> State::many(FieldId id) const {
  std::vector<std::string> words;
  const std::string& all = text(id);
  std::size_t begin = 0;
  while (begin <= all.size() && !all.empty()) {
    const std::size_t end = std::min(all.find(',', begin), all.size());
    if (end > begin) words.push_back(all.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

bool State::locked(FieldId id) const {
  if (text(FieldId::kLock).empty()) return false;
  const bool about_model = id == FieldId::kSource || id == FieldId::kDomain;
  const std::vector<std::string> keys = many(FieldId::kLock);
  return std::find(keys.begin(), keys.end(), spec(about_model ? FieldId::kModel : id).key) !=
         keys.end();
}

State initial_state() {
  State state;
  for (const FieldSpec& f : fields()) state.text(f.id) = f.initial;
  return state;
}

State reduce(State state, const Action& action) {
  std::visit(Reducer{state}, action);
  return state;
}

std::string number_text(double value) {
  if (!std::isfinite(value)) return "0";
  char buffer[64];
  if (std::floor(value) == value && std::abs(value) < 1e18) {
    std::snprintf(buffer, sizeof buffer, "%.0f", value);
    return buffer;
  }
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
    for (char* c = buffer; *c != 0; ++c) {
      if (*c == ',') *c = '.';  // a host program may have set a locale
    }
    if (read_number(buffer) == value) break;
  }
  return buffer;
}

Step step_after(Step step) {
  return step == Step::kAnswer ? step : static_cast<Step>(static_cast<int>(step) + 1);
}
Step step_before(Step step) {
  return step == Step::kJob ? step : static_cast<Step>(static_cast<int>(step) - 1);
}

}  // namespace xuanka::web
