// Message catalogs and number formatting: the only place where text is made. Pure functions of
// (catalog, language, id, arguments); no locale.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "xuanka/base/money.hpp"
#include "xuanka/base/result.hpp"
#include "xuanka/base/units.hpp"

namespace xuanka {

enum class Lang { kZh, kEn };

/// id -> template with {name} placeholders, per language (assets/messages/zh-CN.json, en.json).
class Messages {
 public:
  /// Errors: not an object of strings.
  [[nodiscard]] static Result<Messages> load(std::string_view zh_json, std::string_view en_json);
  /// The template, or the id itself when it is missing (a test makes sure none is).
  [[nodiscard]] std::string_view get(Lang lang, std::string_view id) const;
  /// Template with arguments put in; numbers by `format_number` unless the placeholder names a
  /// format: {x:gb} {x:hours} {x:percent} {x:money} {x:si}.
  [[nodiscard]] std::string format(Lang lang, std::string_view id, const Args& args) const;
  [[nodiscard]] std::string issue_text(Lang lang, const Issue& issue) const;  ///< "path: what is wrong"
  [[nodiscard]] std::string note_text(Lang lang, const Note& note) const;
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& all(Lang lang) const {
    return texts_[static_cast<int>(lang)];
  }

 private:
  std::map<std::string, std::string, std::less<>> texts_[2];
};

/// Up to `digits` significant digits, no exponent between 1e-4 and 1e15, thousands not grouped.
[[nodiscard]] std::string format_number(double value, int digits = 3);
/// "20.6 GB"; GiB values are shown as GB = 10^9 like the cards are marketed.
[[nodiscard]] std::string format_gb(Bytes bytes);
/// "42 s", "35 min", "18 h", "2.1 d" / "18 小时".
[[nodiscard]] std::string format_duration(Lang lang, Seconds seconds);
/// "18-22" style range in one unit: "15–22 h".
[[nodiscard]] std::string format_duration_range(Lang lang, Seconds low, Seconds high);
/// "¥152", "$21.3", "1.2e3 EUR"-free: code for other currencies.
[[nodiscard]] std::string format_money(Money money);
[[nodiscard]] std::string format_percent(double fraction);
/// SI-scaled: 6.74 B (params), 285 PFLOP.
[[nodiscard]] std::string format_si(double value, int digits = 3);

}  // namespace xuanka
