#include "web/request.hpp"

#include <algorithm>
#include <memory>

namespace xuanka::web {
namespace {

using enum FieldId;

// A JSON object under construction; members keep the order in which they came.
class Node {
 public:
  void put(std::string_view path, std::string raw) {
    const std::size_t dot = path.find('.');
    const std::string_view head = path.substr(0, dot);
    Node* child = nullptr;
    for (auto& [key, node] : children_) {
      if (key == head) child = node.get();
    }
    if (child == nullptr) {
      children_.emplace_back(std::string(head), std::make_unique<Node>());
      child = children_.back().second.get();
    }
    if (dot == std::string_view::npos) {
      child->raw_ = std::move(raw);
    } else {
      child->put(path.substr(dot + 1), std::move(raw));
    }
  }
  [[nodiscard]] std::string text() const {
    if (!raw_.empty()) return raw_;
    std::string out = "{";
    for (const auto& [key, node] : children_) {
      if (out.size() > 1) out += ',';
      out += json_string(key) + ":" + node->text();
    }
    return out + "}";
  }

 private:
  std::string raw_;
  std::vector<std::pair<std::string, std::unique_ptr<Node>>> children_;
};

bool is_any(const std::string& text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return text;
}

std::string money(double amount, std::string_view currency) {
  return "{\"amount\":" + number_text(amount) + ",\"currency\":" + json_string(currency) + "}";
}

std::string currency_of(const State& state) {
  return state.text(kMarket).empty() ? "CNY" : state.text(kMarket);
}

std::string list_text(const State& state, FieldId id) {
  std::string out = "[";
  for (const auto& word : state.many(id)) {
    if (out.size() > 1) out += ',';
    out += id == kCounts ? (read_number(word) ? number_text(*read_number(word)) : json_string(word))
                         : json_string(word);
  }
  return out + "]";
}

// The value as JSON; empty = leave the field out.
std::string value_text(const FieldSpec& f, const State& state, std::vector<FieldFault>* faults) {
  const std::string& text = state.text(f.id);
  const auto fault = [&](const char* code) {
    if (faults != nullptr) faults->push_back({f.id, code});
    return std::string();
  };
  switch (f.kind) {
    case FieldKind::kChoice:
      return f.id == kZero ? text : json_string(text);
    case FieldKind::kText:
      return json_string(text);
    case FieldKind::kSwitch:
      return text == "1" ? "true" : text == "0" ? "false" : "";
    case FieldKind::kMany:
      return state.many(f.id).empty() ? "" : list_text(state, f.id);
    case FieldKind::kLong:
      if (!is_json(text, f.id == kConfig ? '{' : '[')) return fault("not_json");
      return one_line(text);
    case FieldKind::kNumber:
      break;
  }
  if (f.id == kDeadline && is_any(text, {"none", "无", "-", "0"})) return "null";
  const auto number = read_number(text);
  if (!number) return fault("not_a_number");
  if (f.id == kBudget)
    return money(*number, state.text(kBudgetCurrency).empty() ? currency_of(state)
                                                              : state.text(kBudgetCurrency));
  if (f.id == kMachinePrice || f.id == kHosting || f.id == kElectricity)
    return money(*number, currency_of(state));
  if (f.id == kRate) return "{\"USD_CNY\":" + number_text(*number) + "}";
  return number_text(*number);
}

bool has_need(const Gpu& gpu, std::string_view need) {
  if (need == "bf16") return gpu.peak(PeakFormat::kBf16Tensor).has_value();
  if (need == "fp8") return gpu.peak(PeakFormat::kFp8Tensor).has_value();
  if (need == "nvlink") return gpu.nvlink.has_value();
  if (need == "ecc") return gpu.ecc.value_or(false);
  return gpu.memory_gb >= read_number(need.substr(0, need.size() - 2)).value_or(0);
}

bool can_be_had(const Catalog& catalog, const Gpu& gpu, const State& state) {
  if (state.is(kAcquire, "rent") || state.text(kAcquire).empty()) {
    return std::any_of(catalog.offers.begin(), catalog.offers.end(), [&](const Offer& o) {
      return o.gpu == gpu.id && o.billing == Billing::kOnDemand;
    });
  }
  return std::any_of(catalog.purchase_prices.begin(), catalog.purchase_prices.end(),
                     [&](const PurchasePrice& p) { return p.gpu == gpu.id; });
}

// The cards asked for. With must-haves: those of the chosen cards (or of all that can be had) that
// have them.
std::vector<std::string> wanted_gpus(const Catalog& catalog, const State& state) {
  const auto chosen = state.many(kGpus);
  const auto needs = state.many(kNeeds);
  if (needs.empty()) return chosen;
  std::vector<std::string> ids;
  for (const Gpu& gpu : catalog.gpus) {
    const bool in_choice = chosen.empty()
                               ? can_be_had(catalog, gpu, state)
                               : std::find(chosen.begin(), chosen.end(), gpu.id) != chosen.end();
    if (in_choice && std::all_of(needs.begin(), needs.end(),
                                 [&](const std::string& need) { return has_need(gpu, need); }))
      ids.push_back(gpu.id);
  }
  return ids;
}

bool relevant_model(FieldId id, const State& state) {
  const std::string& source = state.text(kSource);
  if (id == kModel) return source == "preset";
  if (id == kConfig) return source == "config";
  if (id == kParams || id == kActiveParams) return source == "size";
  if (id >= kLayers && id <= kExpertFfn)
    return source == "shape" && (id < kTopK || !state.text(kExperts).empty());
  if (id >= kVisionParams && id <= kVisionFamily) return source == "vision";
  return source == "measured";
}

bool relevant_training(FieldId id, const State& state, const Facts& facts) {
  switch (id) {
    case kTokens:
      return facts.training && !facts.per_sample && state.text(kDataset).empty();
    case kSamples:
      return facts.training && facts.per_sample && state.text(kDataset).empty();
    case kDataset:
    case kEpochs:
    case kMicroBatch:
    case kGlobalBatch:
    case kOptimizer:
    case kRecompute:
    case kOptimizerPrecision:
    case kMasterWeights:
    case kGradPrecision:
    case kInBackward:
    case kActivationOffload:
    case kCopies:
      return facts.training;
    case kSeqLen:
      return facts.training && !facts.per_sample;
    case kPacked:
    case kLossChunk:
      return facts.training && !facts.per_sample;
    case kMeanTokens:
      return facts.training && !facts.per_sample && state.is(kPacked, "0");
    case kImageSize:
      return facts.per_sample;
    case kLoraRank:
    case kLoraTargets:
    case kLoraBase:
      return facts.adapter;
    case kConvention:
    case kFlash:
      return !facts.per_sample;
    default:
      return true;
  }
}

}  // namespace

Facts facts_of(const Catalog& catalog, const State& state) {
  Facts facts;
  const std::string& source = state.text(kSource);
  const std::string& kind = state.text(kKind);
  facts.inference = kind == "inference";
  facts.training = !facts.inference;
  facts.adapter = kind == "lora" || kind == "qlora";
  facts.quantised = kind == "qlora";
  facts.preset = source == "preset";
  facts.gpus = wanted_gpus(catalog, state);
  if (facts.preset) {
    if (const ModelPreset* model = catalog.find_model(state.text(kModel))) {
      facts.group = model->group;
      facts.model_name = model->name;
      facts.preset_params =
          model->vision ? model->vision->params : model->expected_params.value_or(0);
      facts.per_sample =
          model->vision.has_value() || (model->group != "language" && model->group != "speech");
    }
  } else if (source == "vision") {
    facts.group = state.is(kVisionFamily, "detector")    ? "detection"
                  : state.is(kVisionFamily, "diffusion") ? "diffusion"
                  : state.is(kVisionFamily, "audio")     ? "speech"
                                                         : "vision";
    facts.per_sample = true;
  } else if (source == "measured") {
    facts.group = "timed";
    facts.per_sample = true;
  } else if (source == "config") {
    const std::string& text = state.text(kConfig);
    facts.per_sample = text.find("\"patch_size\"") != std::string::npos &&
                       text.find("\"image_size\"") != std::string::npos;
    if (facts.per_sample) facts.group = "vision";
  }
  return facts;
}

bool relevant(FieldId id, const State& state, const Facts& facts) {
  if (id == kKind || id == kDomain || id == kSource) return true;
  if (id >= kModel && id <= kTimedFamily) return relevant_model(id, state);
  if (facts.group == "timed" && id >= kTokens && id <= kKvCache) return id == kPrecision;
  if (id >= kTokens && id <= kConvention) return relevant_training(id, state, facts);
  if (id >= kPromptTokens && id <= kKvCache) return facts.inference;
  if (id == kFirstToken || id == kTokenRate) return facts.inference;
  if (id == kDeadline) return facts.training;
  if (id >= kHoursPerMonth && id <= kFinance) return true;
  if (id == kInterruptions || id == kCheckpoint) {
    const auto billing = state.many(kBilling);
    return std::find(billing.begin(), billing.end(), "spot") != billing.end();
  }
  return true;
}

std::string write_request(const State& state, const Facts& facts, std::vector<FieldFault>* faults) {
  Node root;
  root.put("version", "1");
  // The model always comes first, so that a request without one says so.
  root.put("workload.kind", json_string(state.text(kKind).empty() ? "train" : state.text(kKind)));
  for (const FieldSpec& f : fields()) {
    if (f.path.empty() || f.id == kKind || state.text(f.id).empty() ||
        !relevant(f.id, state, facts))
      continue;
    if (f.id == kGpus) continue;
    std::string value = value_text(f, state, faults);
    if (!value.empty()) root.put(f.path, std::move(value));
  }
  if (!facts.gpus.empty()) {
    std::string list = "[";
    for (const std::string& id : facts.gpus) list += (list.size() > 1 ? "," : "") + json_string(id);
    root.put("hardware.gpus", list + "]");
  }
  if (state.is(kSource, "config") &&
      (state.text(kConfig).empty() || !is_json(state.text(kConfig), '{'))) {
    root.put("workload.model.hf_config", "{}");
  }
  return root.text();
}

std::string json_string(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (u < 0x20) {
      out += "\\u00";
      out += kHex[u >> 4];
      out += kHex[u & 15U];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace xuanka::web
