#include "web/twin.hpp"

#include "web/request.hpp"
#include "web/views.hpp"

namespace xuanka::web {
namespace {

constexpr std::array<std::string_view, kStepCount> kSteps{"job", "model", "constraints", "answer"};

std::string label_of(const Messages& messages, Lang lang, const FieldSpec& f,
                     std::string_view word) {
  const std::string key = "ui.o." + std::string(f.option_set) + "." + std::string(word);
  return messages.has(lang, key) ? std::string(messages.get(lang, key)) : messages.word(lang, word);
}

std::string_view type_of(const FieldSpec& f) {
  switch (f.kind) {
    case FieldKind::kChoice:
      return "choice";
    case FieldKind::kNumber:
      return "number";
    case FieldKind::kLong:
      return "long";
    case FieldKind::kSwitch:
      return "choice";
    case FieldKind::kMany:
      return f.options.empty() ? "text" : "many";
    case FieldKind::kText:
      break;
  }
  return f.id == FieldId::kModel || f.id == FieldId::kDataset || f.id == FieldId::kTimedGpu
             ? "choice"
             : "text";
}

std::string option_json(std::string_view value, std::string_view label) {
  return "{\"value\":" + json_string(value) + ",\"label\":" + json_string(label) + "}";
}

std::string options_json(const Api& api, Lang lang, const FieldSpec& f) {
  const Messages& m = api.messages();
  std::string out;
  const auto add = [&](std::string_view value, std::string_view label) {
    out += (out.empty() ? "" : ",") + option_json(value, label);
  };
  const bool open = f.initial.empty() && f.kind != FieldKind::kMany;
  if (open && f.id != FieldId::kModel)
    add("",
        f.id == FieldId::kDataset ? m.get(lang, "ui.dataset.own_samples") : m.get(lang, "ui.auto"));
  if (f.kind == FieldKind::kSwitch) {
    add("1", m.get(lang, "ui.on"));
    add("0", m.get(lang, "ui.off"));
  }
  const Catalog& catalog = api.knowledge().catalog;
  const auto named = [&](const auto& entry) {
    return lang == Lang::kZh && !entry.name_zh.empty() ? entry.name_zh : entry.name;
  };
  if (f.id == FieldId::kModel) {
    for (const ModelPreset& p : catalog.models) add(p.id, named(p));
  } else if (f.id == FieldId::kDataset) {
    for (const Dataset& d : catalog.datasets) add(d.id, named(d));
  } else if (f.id == FieldId::kTimedGpu) {
    for (const Gpu& gpu : catalog.gpus) add(gpu.id, gpu.name);
  }
  for (const std::string_view word : f.options) {
    const std::string kind_key = "ui.kind." + std::string(word);
    add(word,
        f.id == FieldId::kKind ? std::string(m.get(lang, kind_key)) : label_of(m, lang, f, word));
  }
  return "[" + out + "]";
}

std::string field_json(const Api& api, const State& state, const Computed& computed, Lang lang,
                       const FieldSpec& f) {
  const Messages& m = api.messages();
  const std::string label_key = "ui.f." + std::string(f.key),
                    help_key = "ui.h." + std::string(f.key),
                    unit_key = "ui.u." + std::string(f.unit);
  std::string out = "{\"key\":" + json_string(f.key);
  out += ",\"step\":" + json_string(kSteps[static_cast<std::size_t>(f.step)]);
  out += ",\"group\":" + json_string(f.more ? "more" : "");
  out += ",\"label\":" + json_string(m.get(lang, label_key));
  out += ",\"type\":" + json_string(type_of(f));
  out += ",\"value\":" + json_string(state.text(f.id));
  out += ",\"placeholder\":" + json_string(f.initial.empty() ? m.get(lang, "ui.auto") : f.initial);
  out += ",\"unit\":" + json_string(f.unit.empty() ? std::string_view() : m.get(lang, unit_key));
  out += ",\"hint\":" +
         json_string(m.has(lang, help_key) ? m.get(lang, help_key) : std::string_view());
  out += ",\"error\":" + json_string(field_error(m, lang, computed, f.id));
  out += ",\"path\":" + json_string(f.path);
  out += std::string(",\"locked\":") + (state.locked(f.id) ? "true" : "false");
  out += std::string(",\"visible\":") + (relevant(f.id, state, computed.facts) ? "true" : "false");
  return out + ",\"options\":" + options_json(api, lang, f) + "}";
}

template <class List, class Text>
std::string strings_json(const List& list, Text text) {
  std::string out;
  for (const auto& entry : list) out += (out.empty() ? "" : ",") + json_string(text(entry));
  return "[" + out + "]";
}

}  // namespace

std::string write_form(const Api& api, const State& state, const Computed& computed, Lang lang) {
  std::string steps, list;
  for (const std::string_view step : kSteps) {
    steps += (steps.empty() ? "" : ",") +
             ("{\"id\":" + json_string(step) + ",\"title\":" +
              json_string(api.messages().get(lang, "ui.step." + std::string(step))) + "}");
  }
  for (const FieldSpec& f : fields()) {
    // Where the canvas stands, not what is asked.
    if (f.id == FieldId::kDomain || f.id == FieldId::kBudgetCurrency || f.id >= FieldId::kView)
      continue;
    list += (list.empty() ? "" : ",") + field_json(api, state, computed, lang, f);
  }
  const std::string notices = strings_json(state.notices, [&](const Notice& n) {
    return api.messages().format(lang, "ui.n." + n.code, n.args);
  });
  return "{\"lang\":" + json_string(lang_name(lang)) + ",\"steps\":[" + steps + "],\"fields\":[" +
         list + "],\"notices\":" + notices + "}";
}

std::string write_results(const Ui& ui) {
  const AnswerView& a = ui.computed.answer;
  std::string out = "{\"current\":" + std::string(ui.computed.current ? "true" : "false");
  out += ",\"issues\":" + strings_json(ui.computed.issues, [&](const Issue& i) {
           return fault_text(ui.api.messages(), ui.lang, i);
         });
  out += ",\"answer\":{\"headline\":" + json_string(a.headline) +
         ",\"range\":" + json_string(a.range) + ",\"why\":" + json_string(a.why);
  out += ",\"pills\":[";
  for (std::size_t i = 0; i < a.pills.size(); ++i) {
    static constexpr std::array<std::string_view, 5> kTones{"neutral", "ok", "warn", "bad",
                                                            "accent"};
    out += std::string(i > 0 ? "," : "") + "{\"text\":" + json_string(a.pills[i].text) +
           ",\"tone\":" + json_string(kTones[static_cast<std::size_t>(a.pills[i].tone)]) +
           ",\"detail\":" + json_string(a.pills[i].detail) + "}";
  }
  out += "],\"watch\":" + strings_json(a.watch, [](const NoteLine& n) { return n.text; });
  out += ",\"alternatives\":[";
  for (std::size_t i = 0; i < a.alternatives.size(); ++i) {
    const Alternative& alt = a.alternatives[i];
    out += std::string(i > 0 ? "," : "") + "{\"title\":" + json_string(alt.title) +
           ",\"headline\":" + json_string(alt.headline) + ",\"detail\":" + json_string(alt.detail) +
           "}";
  }
  out += "]},\"model\":" + json_string(ui.computed.view.model_line) +
         ",\"data\":" + json_string(ui.computed.view.data_line) +
         ",\"assumed\":" + json_string(ui.computed.view.assumed_line);
  out += ",\"tables\":[";
  bool first = true;
  for (const Table& table : twin_tables(ui)) {
    std::vector<std::size_t> order(table.rows);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    out += (first ? "" : ",") + table_json(table, order);
    first = false;
  }
  return out + "]}";
}

}  // namespace xuanka::web
