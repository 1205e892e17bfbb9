#include "shell/cli/request_flags.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include "shell/cli/overlay.hpp"

namespace xuanka::cli {
namespace {

/// What the text of a flag becomes.
enum class Holds { kNumber, kString, kStrings, kNumbers, kNumberOrNull, kBool };

struct Flag {
  std::string_view name, path;
  Holds holds;
  std::string_view group;  ///< message `cli.group.<group>`
};
// In the order of the help. The help line is `cli.flag.<name>`.
constexpr std::array kFlags{
    Flag{"model", "workload.model.id", Holds::kString, "job"},
    Flag{"params", "workload.model.params", Holds::kNumber, "job"},
    Flag{"kind", "workload.kind", Holds::kString, "job"},
    Flag{"dataset", "workload.data.dataset", Holds::kString, "job"},
    Flag{"epochs", "workload.data.epochs", Holds::kNumber, "job"},
    Flag{"seq-len", "workload.seq_len", Holds::kNumber, "job"},
    Flag{"image-size", "workload.image_size", Holds::kNumber, "job"},
    Flag{"precision", "workload.precision", Holds::kString, "job"},
    Flag{"batch", "workload.global_batch", Holds::kNumber, "job"},
    Flag{"micro-batch", "workload.micro_batch", Holds::kNumber, "job"},
    Flag{"optimizer", "workload.optimizer", Holds::kString, "job"},
    Flag{"recompute", "workload.recompute", Holds::kString, "job"},
    Flag{"framework", "workload.framework", Holds::kString, "job"},
    Flag{"lora-rank", "workload.lora.rank", Holds::kNumber, "job"},
    Flag{"prompt", "workload.inference.prompt_tokens", Holds::kNumber, "inference"},
    Flag{"output", "workload.inference.output_tokens", Holds::kNumber, "inference"},
    Flag{"concurrency", "workload.inference.concurrency", Holds::kNumber, "inference"},
    Flag{"weights", "workload.inference.weights", Holds::kString, "inference"},
    Flag{"kv-cache", "workload.inference.kv_cache", Holds::kString, "inference"},
    Flag{"gpu", "hardware.gpus", Holds::kStrings, "hardware"},
    Flag{"count", "hardware.counts", Holds::kNumbers, "hardware"},
    Flag{"gpus-per-node", "hardware.gpus_per_node", Holds::kNumber, "hardware"},
    Flag{"link", "hardware.link", Holds::kString, "hardware"},
    Flag{"zero", "hardware.plan.zero", Holds::kNumber, "hardware"},
    Flag{"tensor", "hardware.plan.tensor", Holds::kNumber, "hardware"},
    Flag{"pipeline", "hardware.plan.pipeline", Holds::kNumber, "hardware"},
    Flag{"offload", "hardware.plan.offload", Holds::kString, "hardware"},
    Flag{"deadline", "decision.deadline_hours", Holds::kNumberOrNull, "decision"},
    Flag{"currency", "decision.currency", Holds::kString, "decision"},
    Flag{"acquire", "decision.acquire", Holds::kString, "decision"},
    Flag{"rank-by", "decision.rank_by", Holds::kString, "decision"},
    Flag{"provider", "decision.offers.providers", Holds::kStrings, "decision"},
    Flag{"region", "decision.offers.regions", Holds::kStrings, "decision"},
    Flag{"billing", "decision.offers.billing", Holds::kStrings, "decision"},
    Flag{"max-age-days", "decision.offers.max_age_days", Holds::kNumber, "decision"},
    Flag{"years", "decision.own.years", Holds::kNumber, "decision"},
    Flag{"hours-per-month", "decision.own.hours_per_month", Holds::kNumber, "decision"},
    Flag{"ram", "host.ram_gb", Holds::kNumber, "host"},
    Flag{"have-ram", "host.have_ram_gb", Holds::kNumber, "host"},
    Flag{"have-cores", "host.have_cpu_cores", Holds::kNumber, "host"},
    Flag{"cuda", "host.cuda", Holds::kString, "host"},
    Flag{"solve", "solve", Holds::kString, "decision"},
    Flag{"efficiency", "overrides.efficiency", Holds::kNumber, "decision"},
};

const Flag* find_flag(std::string_view name) {
  const auto it =
      std::find_if(kFlags.begin(), kFlags.end(), [&](const Flag& f) { return f.name == name; });
  return it == kFlags.end() ? nullptr : &*it;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find(separator, at);
    parts.emplace_back(text.substr(at, end == text.npos ? text.npos : end - at));
    if (end == text.npos) return parts;
    at = end + 1;
  }
}

std::optional<std::string> list_of(std::string_view text, bool numbers) {
  std::string json = "[";
  for (const std::string& part : split(text, ',')) {
    if (part.empty()) continue;
    const auto value = numbers ? json_number(part) : json_string(part);
    if (!value) return std::nullopt;
    if (json.size() > 1) json += ',';
    json += *value;
  }
  return json + "]";
}

std::optional<std::string> json_of(Holds holds, std::string_view text) {
  switch (holds) {
    case Holds::kNumber:
      return json_number(text);
    case Holds::kString:
      return json_string(text);
    case Holds::kStrings:
      return list_of(text, false);
    case Holds::kNumbers:
      return list_of(text, true);
    case Holds::kNumberOrNull:
      return text == "none" || text == "null" ? std::optional<std::string>("null")
                                              : json_number(text);
    case Holds::kBool:
      return std::string(text);
  }
  return std::nullopt;
}

// `--set path=value`: JSON where the value looks like it, a text otherwise.
std::string loose_json(const std::string& value) {
  if (const auto number = json_number(value)) return *number;
  if (value == "true" || value == "false" || value == "null") return value;
  if (!value.empty() && (value[0] == '[' || value[0] == '{' || value[0] == '"')) return value;
  return json_string(value);
}

// --data counts tokens of a language model and samples of any other.
bool counts_samples(const Shell& shell, const RequestFlags& flags) {
  for (const auto& given : flags.given) {
    if (given.flag != "model") continue;
    const ModelPreset* preset = shell.api.knowledge().catalog.find_model(given.text);
    return preset != nullptr && (preset->vision || preset->group != "language");
  }
  return false;
}

bool complain_number(const Shell& shell, std::string_view flag, std::string_view text) {
  shell.complain(shell.say("cli.bad_number",
                           {{"flag", "--" + std::string(flag)}, {"got", std::string(text)}}));
  return false;
}

bool put_given(const Shell& shell, const RequestFlags& flags, JsonObject& request) {
  for (const auto& given : flags.given) {
    const auto json = json_of(find_flag(given.flag)->holds, given.text);
    if (!json) return complain_number(shell, given.flag, given.text);
    request.set(given.path, *json);
  }
  return true;
}

std::string given_text(const RequestFlags& flags, std::string_view name, std::string otherwise) {
  for (const auto& given : flags.given) {
    if (given.flag == name) otherwise = given.text;
  }
  return otherwise;
}

std::string money_json(const std::string& amount, const std::string& currency) {
  return R"({"amount":)" + amount + R"(,"currency":)" + json_string(currency) + "}";
}

bool put_budget(const Shell& shell, const RequestFlags& flags, JsonObject& request) {
  const auto amount = json_number(flags.budget);
  if (!amount) return complain_number(shell, "budget", flags.budget);
  request.set("decision.budget", money_json(*amount, given_text(flags, "currency", "CNY")));
  return true;
}

// A quoted price is an offer of one's own for every card named; bought, that of one card.
bool put_price(const Shell& shell, const RequestFlags& flags, JsonObject& request) {
  const auto amount = json_number(flags.price);
  if (!amount) return complain_number(shell, "price", flags.price);
  if (std::strtod(amount->c_str(), nullptr) <= 0) {
    shell.complain(shell.say("cli.price_positive", {{"got", flags.price}}));
    return false;
  }
  const std::string named = given_text(flags, "gpu", "");
  if (named.empty()) {
    shell.complain(shell.say("cli.price_needs_gpu"));
    return false;
  }
  const std::string price = money_json(*amount, given_text(flags, "currency", "CNY"));
  const std::string acquire = given_text(flags, "acquire", "rent");
  if (acquire != "rent") {
    std::string prices;
    for (const std::string& gpu : split(named, ',')) {
      if (!prices.empty()) prices += ',';
      prices += R"({"gpu":)" + json_string(gpu) + R"(,"condition":")" +
                (acquire == "used" ? "second-hand" : "new") + R"(","price":)" + price + "}";
    }
    request.set("overrides.prices", "[" + prices + "]");
    return true;
  }
  std::string offers;
  for (const std::string& gpu : split(named, ',')) {
    if (!offers.empty()) offers += ',';
    offers += R"({"id":)" + json_string("own-" + gpu) + R"(,"gpu":)" + json_string(gpu) +
              R"(,"gpu_count":1,"per_gpu":true,"price_per_hour":)" + price + "}";
  }
  request.set("overrides.offers", "[" + offers + "]");
  return true;
}

bool build(const Shell& shell, const RequestFlags& flags, JsonObject& request, int& status) {
  status = kBadUsage;
  request.set("version", "1");
  if (!put_given(shell, flags, request)) return false;
  if (!flags.config_file.empty()) {
    auto config = read_file(flags.config_file);
    if (!config) {
      shell.complain(config.error());
      status = kCannotReadOrWrite;
      return false;
    }
    request.set("workload.model.hf_config", *std::move(config));
  }
  if (!flags.data.empty()) {
    const auto amount = json_number(flags.data);
    if (!amount) return complain_number(shell, "data", flags.data);
    request.set(counts_samples(shell, flags) ? "workload.data.samples" : "workload.data.tokens",
                *amount);
  }
  if (!flags.budget.empty() && !put_budget(shell, flags, request)) return false;
  if (!flags.price.empty() && !put_price(shell, flags, request)) return false;
  for (const std::string& assignment : flags.set) {
    const std::size_t equals = assignment.find('=');
    if (equals == 0 || equals == assignment.npos) {
      shell.complain(shell.say("cli.bad_set", {{"got", assignment}}));
      return false;
    }
    request.set(assignment.substr(0, equals), loose_json(assignment.substr(equals + 1)));
  }
  status = kAnswered;
  return true;
}

bool any_flag(const RequestFlags& flags) {
  return !flags.given.empty() || !flags.config_file.empty() || !flags.data.empty() ||
         !flags.price.empty() || !flags.budget.empty() || !flags.set.empty();
}

std::optional<std::string> plain_request(const Shell& shell, const RequestFlags& flags,
                                         int& status) {
  status = kBadUsage;
  if (any_flag(flags)) {
    if (!flags.file.empty()) {
      shell.complain(shell.say("cli.file_and_flags"));
      return std::nullopt;
    }
    JsonObject request;
    if (!build(shell, flags, request, status)) return std::nullopt;
    return request.text();
  }
  if (flags.file.empty() && isatty(STDIN_FILENO) != 0) {
    shell.complain(shell.say("cli.nothing_asked"));
    return std::nullopt;
  }
  auto text = read_file(flags.file.empty() ? "-" : flags.file);
  if (!text) {
    shell.complain(text.error());
    status = kCannotReadOrWrite;
    return std::nullopt;
  }
  if (flags.file.empty() && text->find_first_not_of(" \t\r\n") == text->npos) {
    shell.complain(shell.say("cli.nothing_asked"));
    return std::nullopt;
  }
  status = kAnswered;
  return *std::move(text);
}

std::string upper_case(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - ('a' - 'A'));
  }
  return text;
}

}  // namespace

void JsonObject::set(std::string_view path, std::string json_value) {
  const std::size_t dot = path.find('.');
  const std::string_view key = path.substr(0, dot);
  auto it = std::find_if(members_.begin(), members_.end(),
                         [key](const Member& member) { return member.key == key; });
  if (it == members_.end()) {
    members_.push_back({std::string(key), {}, {}});
    it = members_.end() - 1;
  }
  if (dot == path.npos) {
    it->value = std::move(json_value);
  } else {
    it->value.clear();
    it->object.set(path.substr(dot + 1), std::move(json_value));
  }
}

std::string JsonObject::text() const {
  std::string text = "{";
  for (const Member& member : members_) {
    if (text.size() > 1) text += ',';
    text += json_string(member.key) + ":" +
            (member.value.empty() ? member.object.text() : member.value);
  }
  return text + "}";
}

std::string json_string(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string json = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (byte < 0x20) {
      json += "\\u00";
      json += kHex[byte >> 4U];
      json += kHex[byte & 15U];
    } else {
      json += c;
    }
  }
  return json + "\"";
}

std::optional<std::string> json_number(std::string_view text) {
  std::string_view scale;
  if (!text.empty()) {
    switch (text.back()) {
      case 'k':
      case 'K':
        scale = "e3";
        break;
      case 'm':
      case 'M':
        scale = "e6";
        break;
      case 'b':
      case 'B':
      case 'g':
      case 'G':
        scale = "e9";
        break;
      case 't':
      case 'T':
        scale = "e12";
        break;
      default:
        break;
    }
    if (!scale.empty()) text.remove_suffix(1);
  }
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i > begin;
  };
  if (i < text.size() && text[i] == '-') ++i;
  const std::size_t whole = i;
  if (!digits()) return std::nullopt;
  if (text[whole] == '0' && i > whole + 1) return std::nullopt;  // 007 is not JSON
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (!digits()) return std::nullopt;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    if (!scale.empty()) return std::nullopt;
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (!digits()) return std::nullopt;
  }
  if (i != text.size()) return std::nullopt;
  return std::string(text).append(scale);
}

void add_request_flags(CLI::App& command, const Shell& shell, RequestFlags& flags) {
  command.add_option("REQUEST", flags.file, shell.say("cli.request"));
  const auto group = [&shell](std::string_view name) {
    return shell.say("cli.group." + std::string(name));
  };
  for (const Flag& flag : kFlags) {
    const std::string name(flag.name);
    command
        .add_option_function<std::string>(
            "--" + name,
            [&flags, &flag](const std::string& text) {
              // Currencies are written in capitals; typed, they need not be.
              flags.given.push_back({std::string(flag.name), std::string(flag.path),
                                     flag.path == "decision.currency" ? upper_case(text) : text});
            },
            shell.say("cli.flag." + name))
        ->group(group(flag.group))
        ->type_name("")
        ->take_last();
    if (name == "model") {
      command.add_option("--config", flags.config_file, shell.say("cli.flag.config"))
          ->group(group("job"))
          ->type_name("");
      command.add_option("--data", flags.data, shell.say("cli.flag.data"))
          ->group(group("job"))
          ->type_name("");
    }
  }
  command.add_option("--budget", flags.budget, shell.say("cli.flag.budget"))
      ->group(group("decision"))
      ->type_name("");
  command.add_option("--price", flags.price, shell.say("cli.flag.price"))
      ->group(group("decision"))
      ->type_name("");
  command.add_option("--set", flags.set, shell.say("cli.flag.set"))
      ->group(group("decision"))
      ->type_name("")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--overlay", flags.overlay, shell.say("cli.flag.overlay"))
      ->group(group("decision"))
      ->type_name("");
  command.add_flag("--show-request", flags.show, shell.say("cli.flag.show-request"));
}

std::optional<std::string> request_text(const Shell& shell, const RequestFlags& flags,
                                        int& status) {
  std::optional<std::vector<OverlayMember>> overlay;
  if (!flags.overlay.empty()) {
    overlay = read_overlay_file(shell, flags.overlay, status);
    if (!overlay) return std::nullopt;
  }
  auto text = plain_request(shell, flags, status);
  if (text && overlay) text = with_overlay(*text, *overlay);
  return text;
}

int complain_about_request(const Shell& shell, const RequestFlags& flags,
                           const std::vector<Issue>& issues) {
  const std::string_view colon = shell.lang == Lang::kZh ? "：" : ": ";
  for (const Issue& issue : issues) {
    const auto it = std::find_if(flags.given.begin(), flags.given.end(), [&](const auto& given) {
      return issue.path.compare(0, given.path.size(), given.path) == 0;
    });
    std::string place = issue.path;
    if (it != flags.given.end()) place = "--" + it->flag;
    if (!flags.data.empty() && issue.path.rfind("workload.data.", 0) == 0) place = "--data";
    std::string text = shell.api.messages().issue_sentence(shell.lang, issue);
    shell.complain(place.empty() ? text : place.append(colon) + text);
  }
  return kBadUsage;
}

}  // namespace xuanka::cli
