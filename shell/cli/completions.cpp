// xuanka completions SHELL: a script for the shell, which asks `xuanka complete` for every word. So
// one place knows what may follow, ids of the shipped catalog included, and a new flag is completed
// without anybody thinking of it.
#include <algorithm>
#include <array>

#include "shell/cli/shell.hpp"
#include "xuanka/base/enums.hpp"

namespace xuanka::cli {
namespace {

constexpr std::string_view kBash = R"(# bash completion of xuanka: source <(xuanka completions bash)
_xuanka() {
  local cur=${COMP_WORDS[COMP_CWORD]} line IFS=$'\n'
  COMPREPLY=()
  while read -r line; do COMPREPLY+=("$line"); done < <("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ ${#COMPREPLY[@]} -eq 0 ] && [ "${cur#-}" = "$cur" ]; then
    while read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
  elif [ ${#COMPREPLY[@]} -eq 1 ] && [ "${COMPREPLY[0]%,}" != "${COMPREPLY[0]}" ]; then
    compopt -o nospace
  fi
}
complete -o filenames -F _xuanka xuanka
)";
constexpr std::string_view kZsh = R"(#compdef xuanka
# zsh completion of xuanka: xuanka completions zsh > a folder of $fpath/_xuanka
_xuanka() {
  local -a found
  found=("${(@f)$(${words[1]} complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "${found[*]}" ]]; then compadd -Q -- "${found[@]}"; else _files; fi
}
if [[ "$funcstack[1]" = _xuanka ]]; then _xuanka "$@"; else compdef _xuanka xuanka; fi
)";
constexpr std::string_view kFish =
    R"(# fish completion of xuanka: xuanka completions fish > ~/.config/fish/completions/xuanka.fish
function __xuanka_complete
    set -l words (commandline -opc) (commandline -ct)
    xuanka complete -- $words[2..-1] 2>/dev/null
end
complete -c xuanka -a '(__xuanka_complete)'
)";

using Words = std::vector<std::string>;

template <class E>
Words words_of() {
  return Words(EnumNames<E>::kNames.begin(), EnumNames<E>::kNames.end());
}

template <class T>
Words ids_of(const std::vector<T>& entries) {
  Words ids;
  for (const T& entry : entries) ids.push_back(entry.id);
  return ids;
}

Words distinct(const std::vector<Offer>& offers, std::string Offer::* member) {
  Words words;
  for (const Offer& offer : offers) words.push_back(offer.*member);
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

// What may stand after a flag; nothing for numbers and files.
Words values_of(const Shell& shell, std::string_view flag) {
  const Catalog& catalog = shell.api.knowledge().catalog;
  if (flag == "--model") return ids_of(catalog.models);
  if (flag == "--gpu") return ids_of(catalog.gpus);
  if (flag == "--dataset") return ids_of(catalog.datasets);
  if (flag == "--provider") return distinct(catalog.offers, &Offer::provider);
  if (flag == "--region") return distinct(catalog.offers, &Offer::region);
  if (flag == "--kind") return words_of<JobKind>();
  if (flag == "--precision") return words_of<Precision>();
  if (flag == "--optimizer") return words_of<Optimizer>();
  if (flag == "--recompute") return words_of<Recompute>();
  if (flag == "--framework") return words_of<Framework>();
  if (flag == "--weights" || flag == "--kv-cache") return words_of<StorageType>();
  if (flag == "--link") return words_of<LinkChoice>();
  if (flag == "--offload") return words_of<Offload>();
  if (flag == "--acquire") return words_of<Acquire>();
  if (flag == "--rank-by") return words_of<RankBy>();
  if (flag == "--billing") return words_of<Billing>();
  if (flag == "--solve") return words_of<SolveFor>();
  if (flag == "--zero") return {"0", "1", "2", "3"};
  if (flag == "--currency") return {"CNY", "USD", "EUR"};
  if (flag == "--format") return {"table", "csv", "markdown", "json"};
  if (flag == "--lang") return {"zh", "en"};
  if (flag == "--color" || flag == "--progress") return {"auto", "always", "never"};
  return {};
}

bool takes_value(const CLI::App& app, const CLI::App* command, const std::string& flag) {
  for (const CLI::App* one : {command, &app}) {
    const CLI::Option* option = one == nullptr ? nullptr : one->get_option_no_throw(flag);
    if (option != nullptr) return option->get_items_expected_max() > 0;
  }
  return false;
}

void add_flags(const CLI::App& app, Words& words) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
}

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

Words candidates(const CLI::App& app, const Shell& shell, const Words& before,
                 std::string& current) {
  const CLI::App* command = nullptr;
  for (const std::string& word : before) {
    if (command == nullptr) command = find_command(app, word);
  }
  if (!before.empty() && takes_value(app, command, before.back())) {
    Words values = values_of(shell, before.back());
    const std::size_t comma = current.rfind(',');
    if (comma == current.npos) return values;
    for (std::string& value : values) value.insert(0, current, 0, comma + 1);  // the list goes on
    return values;
  }
  Words words;
  if (!current.empty() && current.front() == '-') {
    add_flags(app, words);
    if (command != nullptr) add_flags(*command, words);
  } else if (command == nullptr) {
    for (const CLI::App* sub : app.get_subcommands(nullptr)) words.push_back(sub->get_name());
  } else if (command->get_name() == "catalog") {
    words = {"gpus", "models", "offers", "datasets"};
  } else if (command->get_name() == "completions") {
    words = {"bash", "zsh", "fish"};
  }
  return words;
}

int run_complete(Shell& shell, const CLI::App& app, const Words& given) {
  std::string current = given.empty() ? std::string() : given.back();
  const Words before(given.begin(), given.empty() ? given.end() : given.end() - 1);
  std::string out;
  for (const std::string& word : candidates(app, shell, before, current)) {
    if (word != "complete" && word.rfind(current, 0) == 0) out += word + "\n";
  }
  shell.out.print(out);
  return kAnswered;
}

}  // namespace

void add_completions(CLI::App& app, Shell& shell) {
  auto which = std::make_shared<std::string>();
  CLI::App* command = add_command(app, shell, "completions");
  command->add_option("SHELL", *which, shell.say("cli.completions.shell"))
      ->required()
      ->type_name("")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}).description(""));
  command->callback([&shell, which] {
    shell.run = [which](Shell& s) {
      s.out.print(*which == "bash" ? kBash : *which == "zsh" ? kZsh : kFish);
      return static_cast<int>(kAnswered);
    };
  });
  auto words = std::make_shared<Words>();
  CLI::App* complete = app.add_subcommand("complete", "");
  complete->add_option("WORDS", *words, "");
  complete->callback([&app, &shell, words] {
    shell.run = [&app, words](Shell& s) { return run_complete(s, app, *words); };
  });
}

}  // namespace xuanka::cli
