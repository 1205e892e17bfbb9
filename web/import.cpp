// JSON texts that come from outside (files, pasted text, requests of the command line) into the
// state.
#include <algorithm>

#include "json/json_document.hpp"
#include "web/request.hpp"
#include "xuanka/api/probe.hpp"

namespace xuanka::web {
namespace {

using enum FieldId;
using json::Value;

std::string raw_text(Value value) {
  switch (value.kind()) {
    case json::Kind::kNull:
      return "null";
    case json::Kind::kBool:
      return value.boolean() ? "true" : "false";
    case json::Kind::kNumber:
      return number_text(value.number());
    case json::Kind::kString:
      return json_string(value.string());
    case json::Kind::kArray:
    case json::Kind::kObject:
      break;
  }
  std::string out(1, value.is_array() ? '[' : '{');
  for (const Value child : value.children()) {
    if (out.size() > 1) out += ',';
    if (value.is_object()) out += json_string(child.key()) + ":";
    out += raw_text(child);
  }
  return out + (value.is_array() ? "]" : "}");
}

std::string field_text(const FieldSpec& f, Value value) {
  if (f.kind == FieldKind::kLong) return raw_text(value);
  if (value.is_string()) return std::string(value.string());
  if (value.is_bool()) return value.boolean() ? "1" : "0";
  if (value.is_number()) return number_text(value.number());
  if (value.is_null()) return f.id == kDeadline ? "none" : "";
  if (value.is_array()) {
    std::string out;
    for (const Value child : value.children()) {
      if (!out.empty()) out += ',';
      out += child.is_string() ? std::string(child.string()) : raw_text(child);
    }
    return out;
  }
  if (const auto amount = value.find("amount")) return number_text(amount->number());
  if (const auto rate = value.find("USD_CNY")) return number_text(rate->number());
  return "";
}

void read_fields(Value value, const std::string& path, State& state,
                 std::vector<std::string>& unread) {
  const FieldSpec* field = field_by_path(path);
  if (field != nullptr && field->path == path) {
    state.text(field->id) = field_text(*field, value);
    if (field->id == kBudget) {
      const auto currency = value.find("currency");
      state.text(kBudgetCurrency) = currency ? std::string(currency->string()) : "";
    }
    return;
  }
  if (value.is_object()) {
    for (const Value child : value.children()) {
      read_fields(child,
                  path.empty() ? std::string(child.key()) : path + "." + std::string(child.key()),
                  state, unread);
    }
    return;
  }
  if (path != "version" && path != "id") unread.push_back(path);
}

std::string source_of(Value model) {
  if (model.find("hf_config")) return "config";
  if (model.find("transformer")) return "shape";
  if (model.find("vision")) return "vision";
  if (model.find("measured")) return "measured";
  if (model.find("params")) return "size";
  return "preset";
}

}  // namespace

bool is_json(std::string_view text, char bracket) {
  const auto parsed = json::parse(text);
  return parsed.document && parsed.issues.empty() &&
         (bracket == '[' ? parsed.document->root().is_array()
                         : parsed.document->root().is_object());
}

bool read_request(std::string_view text, State& state) {
  const auto parsed = json::parse(text);
  if (!parsed.document || !parsed.document->root().is_object()) return false;
  const Value root = parsed.document->root();
  const auto workload = root.find("workload");
  const auto model = workload ? workload->find("model") : std::nullopt;
  if (!model || !model->is_object()) return false;
  // A request names what it wants; the rest is the contract's default, not the fresh page's.
  State next = state;
  for (const FieldSpec& f : fields()) {
    if (!f.path.empty()) next.text(f.id).clear();
  }
  next.text(kKind) = "train";
  next.text(kSource) = source_of(*model);
  next.text(kDomain).clear();
  std::vector<std::string> unread;
  read_fields(root, "", next, unread);
  for (const std::string& path : unread)
    next.notices.push_back({"request_unread", {{"path", path}}, false});
  state = std::move(next);
  return true;
}

bool read_overlay(std::string_view text, State& state) {
  const auto parsed = json::parse(text);
  if (!parsed.document || !parsed.document->root().is_object()) return false;
  const Value root = parsed.document->root().find("overrides").value_or(parsed.document->root());
  bool any = false;
  for (const Value member : root.children()) {
    const FieldSpec* field = field_by_path("overrides." + std::string(member.key()));
    if (field == nullptr) continue;
    state.text(field->id) = field_text(*field, member);
    any = true;
  }
  return any;
}

bool is_probe(std::string_view text) {
  const auto parsed = json::parse(text);
  return parsed.document && parsed.document->root().find("xuanka_probe").has_value();
}

Notice read_probe_file(const Api& api, Lang lang, std::string_view name, std::string_view text,
                       State& state) {
  const auto measured = read_probe(api.knowledge(), text);
  if (!measured) {
    return {"probe_refused",
            {{"name", std::string(name)},
             {"reason", api.messages().issue_text(lang, measured.error().front())}},
            true};
  }
  state.text(kOwnMeasured) = measured_json(*measured);
  std::string cards;
  for (const MeasuredGpu& one : *measured) cards += (cards.empty() ? "" : ", ") + one.gpu;
  return {"probe_read", {{"name", std::string(name)}, {"cards", cards}}, false};
}

std::string write_overlay(const State& state) {
  std::string out = "{";
  const auto put = [&](std::string_view key, const std::string& raw) {
    if (out.size() > 1) out += ",";
    out += "\n  " + json_string(key) + ": " + raw;
  };
  if (const auto n = state.number(kEfficiency)) put("efficiency", number_text(*n));
  if (const auto n = state.number(kRate)) put("fx", "{\"USD_CNY\": " + number_text(*n) + "}");
  if (const auto n = state.number(kElectricity)) {
    put("electricity_per_kwh",
        "{\"amount\": " + number_text(*n) + ", \"currency\": " +
            json_string(state.text(kMarket).empty() ? "CNY" : state.text(kMarket)) + "}");
  }
  if (is_json(state.text(kOwnGpus), '[')) put("gpus", state.text(kOwnGpus));
  if (is_json(state.text(kOwnOffers), '[')) put("offers", state.text(kOwnOffers));
  if (is_json(state.text(kOwnMeasured), '[')) put("measured", state.text(kOwnMeasured));
  return out + "\n}\n";
}

}  // namespace xuanka::web
