// Money carries its currency; adding two currencies is refused; conversion needs a dated rate.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xuanka {

/// A three-letter ISO 4217 code. Default-constructed is CNY.
class Currency {
 public:
  constexpr Currency() = default;
  /// nullopt unless `code` is exactly three capital letters.
  [[nodiscard]] static constexpr std::optional<Currency> parse(std::string_view code) {
    if (code.size() != 3) return std::nullopt;
    Currency c;
    for (std::size_t i = 0; i < 3; ++i) {
      if (code[i] < 'A' || code[i] > 'Z') return std::nullopt;
      c.code_[i] = code[i];
    }
    return c;
  }
  [[nodiscard]] constexpr std::string_view code() const { return {code_.data(), 3}; }
  constexpr auto operator<=>(const Currency&) const = default;

 private:
  std::array<char, 3> code_{'C', 'N', 'Y'};
};

inline constexpr Currency kCny{};
inline constexpr Currency kUsd = *Currency::parse("USD");

/// An amount in one currency (an amount per hour is a Money named so).
struct Money {
  double amount = 0;
  Currency currency;
  bool operator==(const Money&) const = default;
  friend constexpr Money operator*(Money m, double factor) {
    return {m.amount * factor, m.currency};
  }
  friend constexpr Money operator/(Money m, double divisor) {
    return {m.amount / divisor, m.currency};
  }
};

/// Sum of two amounts; nullopt when the currencies differ.
[[nodiscard]] constexpr std::optional<Money> add(Money a, Money b) {
  if (a.currency != b.currency) return std::nullopt;
  return Money{a.amount + b.amount, a.currency};
}

/// One exchange rate: 1 `from` = `rate` `to`, as of `date`.
struct FxRate {
  Currency from;
  Currency to;
  double rate = 0;
  std::string date;
  std::vector<std::string> sources;
  bool own = false;  ///< given by the user
  std::string note;
};

/// A set of dated rates. Converts directly, inversely, or through one common currency.
class FxTable {
 public:
  FxTable() = default;
  explicit FxTable(std::vector<FxRate> rates) : rates_(std::move(rates)) {}
  /// Replaces the rate of the same pair (either direction), or adds it.
  void set(FxRate rate);
  /// `m` in `to`; nullopt when no rate leads there. Same currency: unchanged.
  [[nodiscard]] std::optional<Money> convert(Money m, Currency to) const;
  /// Units of `to` for one unit of `from`; nullopt when no rate leads there.
  [[nodiscard]] std::optional<double> rate(Currency from, Currency to) const;
  [[nodiscard]] const std::vector<FxRate>& rates() const { return rates_; }

 private:
  std::vector<FxRate> rates_;
};

}  // namespace xuanka
