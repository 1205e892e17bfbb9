#include <algorithm>
#include <cctype>

#include "json/json_document.hpp"
#include "xuanka/text/text.hpp"

namespace xuanka {
namespace {

Result<Messages::Texts> read_texts(std::string_view json_text) {
  XUANKA_TRY(document, json::parse_strict(json_text));
  const json::Value root = document.root();
  std::vector<Issue> issues;
  const auto want = [&issues](json::Value value, std::string_view kind) {
    const json::Position at = value.position();
    issues.push_back(
        {IssueCode::kWrongType,
         value.path(),
         {{"want", std::string(kind)}, {"got", std::string(json::kind_name(value.kind()))}},
         at.line,
         at.column});
  };
  if (!root.is_object()) {
    want(root, "object");
    return tl::unexpected(std::move(issues));
  }
  Messages::Texts texts;
  for (const json::Value child : root.children()) {
    if (child.is_string()) {
      texts.emplace(std::string(child.key()), std::string(child.string()));
    } else {
      want(child, "string");
    }
  }
  if (!issues.empty()) return tl::unexpected(std::move(issues));
  return texts;
}

const Arg* find_arg(const Args& args, std::string_view name) {
  const auto it =
      std::find_if(args.begin(), args.end(), [name](const Arg& arg) { return arg.name == name; });
  return it == args.end() ? nullptr : &*it;
}

bool is_present(const Args& args, std::string_view name) {
  const Arg* arg = find_arg(args, name);
  if (arg == nullptr) return false;
  const auto* text = std::get_if<std::string>(&arg->value);
  return text == nullptr || !text->empty();
}

Currency currency_of(const Args& args) {
  const Arg* arg = find_arg(args, "currency");
  if (arg == nullptr) return kCny;
  const auto* code = std::get_if<std::string>(&arg->value);
  return code == nullptr ? kCny : Currency::parse(*code).value_or(kCny);
}

// A name out of a request may hold what a terminal obeys, or a line of its own.
void add_printable(std::string_view words, std::string& out) {
  for (const char c : words) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += "\uFFFD";
    } else {
      out += c;
    }
  }
}

std::string in_format(Lang lang, std::string_view format, double value, const Args& args) {
  if (format == "n") return format_grouped(value);
  if (format == "si") return format_si(value);
  if (format == "gb") return format_gb(Bytes(value));
  if (format == "gib") return format_gib(Bytes(value));
  if (format == "seconds") return format_duration(lang, Seconds(value));
  if (format == "hours") return format_duration(lang, hours(value));
  if (format == "percent") return format_percent(value);
  if (format == "money") return format_money({value, currency_of(args)});
  if (format == "price") return format_price({value, currency_of(args)});
  return format_exact(value);
}

}  // namespace

std::string_view lang_name(Lang lang) { return lang == Lang::kZh ? "zh" : "en"; }

std::optional<Lang> parse_lang(std::string_view text) {
  if (text.size() < 2 || (text.size() > 2 && std::isalpha(static_cast<unsigned char>(text[2])))) {
    return std::nullopt;
  }
  const auto lower = [text](std::size_t i) {
    return static_cast<char>(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + ('a' - 'A') : text[i]);
  };
  if (lower(0) == 'z' && lower(1) == 'h') return Lang::kZh;
  if (lower(0) == 'e' && lower(1) == 'n') return Lang::kEn;
  return std::nullopt;
}

Result<Messages> Messages::load(std::string_view zh_json, std::string_view en_json) {
  XUANKA_TRY(zh, read_texts(zh_json));
  XUANKA_TRY(en, read_texts(en_json));
  Messages messages;
  messages.texts_[static_cast<int>(Lang::kZh)] = std::move(zh);
  messages.texts_[static_cast<int>(Lang::kEn)] = std::move(en);
  return messages;
}

bool Messages::has(Lang lang, std::string_view id) const {
  return all(lang).find(id) != all(lang).end();
}

std::string_view Messages::get(Lang lang, std::string_view id) const {
  const auto it = all(lang).find(id);
  return it == all(lang).end() ? id : std::string_view(it->second);
}

std::string Messages::word(Lang lang, std::string_view contract_word) const {
  const std::string id = "word." + std::string(contract_word);
  return has(lang, id) ? std::string(get(lang, id)) : std::string(contract_word);
}

std::string Messages::format(Lang lang, std::string_view id, const Args& args) const {
  const std::string_view text = get(lang, id);
  std::string out;
  std::size_t depth = 0, hidden_at = 0;  // sections open; the depth of the outermost hidden one
  const auto placeholder = [&](std::string_view inside) {
    const std::size_t colon = inside.find(':');
    const std::string_view format = colon == inside.npos ? "" : inside.substr(colon + 1);
    const Arg* arg = find_arg(args, inside.substr(0, colon));
    if (arg == nullptr) {
      out += "…";
    } else if (const auto* number = std::get_if<double>(&arg->value)) {
      out += in_format(lang, format, *number, args);
    } else {
      const auto& words = std::get<std::string>(arg->value);
      add_printable(format == "word" ? word(lang, words) : words, out);
    }
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('{', at);
    const std::size_t end = open == text.npos ? text.npos : text.find('}', open);
    const std::size_t words = end == text.npos ? text.size() : open;
    if (hidden_at == 0) out += text.substr(at, words - at);
    if (end == text.npos) break;
    const std::string_view inside = text.substr(open + 1, end - open - 1);
    at = end + 1;
    if (inside == "/") {
      if (depth == hidden_at) hidden_at = 0;
      if (depth > 0) --depth;
    } else if (!inside.empty() && (inside[0] == '?' || inside[0] == '!')) {
      ++depth;
      const bool shown = is_present(args, inside.substr(1)) == (inside[0] == '?');
      if (!shown && hidden_at == 0) hidden_at = depth;
    } else if (hidden_at == 0) {
      placeholder(inside);
    }
  }
  return out;
}

std::string Messages::issue_sentence(Lang lang, const Issue& issue) const {
  return format(lang, "issue." + std::string(issue_code_name(issue.code)), issue.args);
}

std::string Messages::issue_text(Lang lang, const Issue& issue) const {
  const std::string sentence = issue_sentence(lang, issue);
  if (issue.path.empty()) return sentence;
  return issue.path + (lang == Lang::kZh ? "：" : ": ") + sentence;
}

std::string Messages::note_text(Lang lang, const Note& note) const {
  return format(lang, "note." + std::string(note_code_name(note.code)), note.args);
}

}  // namespace xuanka
