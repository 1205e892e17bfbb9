// Message catalogs and number formatting: the only place where text is made. Pure functions of
// (catalog, language, id, arguments); no locale.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "xuanka/base/money.hpp"
#include "xuanka/base/result.hpp"
#include "xuanka/base/units.hpp"

namespace xuanka {

enum class Lang { kZh, kEn };

/// "zh" or "en": the contract's word for a language.
[[nodiscard]] std::string_view lang_name(Lang lang);
/// "zh", "zh-CN", "zh_CN.UTF-8", "en", "en_US" ...: by the first two letters, nullptr-like nullopt
/// for any other language.
[[nodiscard]] std::optional<Lang> parse_lang(std::string_view text);

/// id -> template with {name} placeholders, per language (assets/messages/zh-CN.json, en.json).
///
/// Placeholders: `{name}` puts an argument in as it is (numbers exact, thousands grouped from five
/// digits on); `{name:format}` as an estimate or in a unit. Formats, with the unit of the argument:
/// `n` number, 3 significant digits; `si` count as 6.74 B; `gb` and `gib` bytes; `seconds` and
/// `hours` durations; `percent` fraction; `money` amount in the currency named by the argument
/// `currency` (CNY without one), `price` the same to the cent; `word` a contract word translated by
/// the message `word.<text>` where there is one.
/// `{?name}...{/}` stands only when the argument is there and not empty, `{!name}...{/}` only when
/// not; sections nest. A placeholder whose argument is missing becomes an ellipsis.
class Messages {
 public:
  using Texts = std::map<std::string, std::string, std::less<>>;

  /// Errors: not an object of strings.
  [[nodiscard]] static Result<Messages> load(std::string_view zh_json, std::string_view en_json);
  /// The template, or the id itself when it is missing (a test makes sure none is).
  [[nodiscard]] std::string_view get(Lang lang, std::string_view id) const;
  [[nodiscard]] bool has(Lang lang, std::string_view id) const;
  /// Template with arguments put in.
  [[nodiscard]] std::string format(Lang lang, std::string_view id, const Args& args) const;
  /// "workload.data.tokens: must be at least 1 (now -3)": where, what is wrong, what to do.
  [[nodiscard]] std::string issue_text(Lang lang, const Issue& issue) const;
  /// The sentence of an issue without its path.
  [[nodiscard]] std::string issue_sentence(Lang lang, const Issue& issue) const;
  [[nodiscard]] std::string note_text(Lang lang, const Note& note) const;
  /// A word of the contract in the language: `word.<word>`, else the word itself.
  [[nodiscard]] std::string word(Lang lang, std::string_view contract_word) const;
  [[nodiscard]] const Texts& all(Lang lang) const { return texts_[static_cast<int>(lang)]; }

 private:
  Texts texts_[2];
};

// Numbers. All are roundings of the 15 decimal digits nearest to the double, halves rounded up: the
// same on every machine, without a locale. A value that is not finite gives an en dash.

/// Up to `digits` significant digits, zeros at the end dropped, no exponent between 1e-4 and 1e15,
/// thousands not grouped.
[[nodiscard]] std::string format_number(double value, int digits = 3);
/// As `format_number`, thousands grouped by commas from five digits before the point on.
[[nodiscard]] std::string format_grouped(double value, int digits = 3);
/// The number itself (15 significant digits), grouped: for what a user has entered.
[[nodiscard]] std::string format_exact(double value);
/// Exactly `decimals` digits behind the point; for aligned columns.
[[nodiscard]] std::string format_fixed(double value, int decimals);
/// "20.6 GB", decimal (10^9): disk, host memory, transfer, memory as marketed.
[[nodiscard]] std::string format_gb(Bytes bytes);
/// "20.6 GiB", binary (2^30): what a process takes on a card, as nvidia-smi and PyTorch count it.
/// A "24 GB" card holds 24 GiB.
[[nodiscard]] std::string format_gib(Bytes bytes);
/// "42 s", "35 min", "18 h", "2.1 d" / "18 小时": two significant digits, or whole numbers.
[[nodiscard]] std::string format_duration(Lang lang, Seconds seconds);
/// A range in the unit of its upper end: "15–22 h".
[[nodiscard]] std::string format_duration_range(Lang lang, Seconds low, Seconds high);
/// Hours as in a table's column: "0.35", "9.9", "18", "230".
[[nodiscard]] std::string format_hours(Seconds seconds);
/// "¥152", "$21.3", "EUR 1,230": three significant digits, for estimates; never an exponent.
[[nodiscard]] std::string format_money(Money money);
/// A price as it was quoted: "¥2.09", "$27.45", "$0.055".
[[nodiscard]] std::string format_price(Money money);
/// As it is said in a sentence: "¥152" / "152 元", "21.3 美元".
[[nodiscard]] std::string format_money_words(Lang lang, Money money);
/// "¥126–184" / "126–184 元".
[[nodiscard]] std::string format_money_range(Lang lang, double low, double high, Currency currency);
/// "¥", "$", "€" or the code.
[[nodiscard]] std::string currency_symbol(Currency currency);
/// "38 %", "6.7 %".
[[nodiscard]] std::string format_percent(double fraction);
/// Counts: "950", "2.05 k", "50 M", "6.74 B", "1.4 T".
[[nodiscard]] std::string format_si(double value, int digits = 3);
/// With an SI prefix before the unit: "285 PFLOP", "165 TFLOP/s".
[[nodiscard]] std::string format_unit(double value, std::string_view unit, int digits = 3);

/// Columns that a terminal gives to a UTF-8 text: CJK and full-width characters count two,
/// combining marks none.
[[nodiscard]] std::size_t display_width(std::string_view utf8);

}  // namespace xuanka
