#include "xuanka/base/money.hpp"

#include <utility>

namespace xuanka {
namespace {

bool joins(const FxRate& rate, Currency a, Currency b) {
  return (rate.from == a && rate.to == b) || (rate.from == b && rate.to == a);
}

// Units of `to` for one unit of `from` by one entry, in either direction.
std::optional<double> direct(const std::vector<FxRate>& rates, Currency from, Currency to) {
  if (from == to) return 1.0;
  for (const FxRate& entry : rates) {
    if (!(entry.rate > 0)) continue;
    if (entry.from == from && entry.to == to) return entry.rate;
    if (entry.from == to && entry.to == from) return 1.0 / entry.rate;
  }
  return std::nullopt;
}

// The currency at the other end of an entry that has `one` at one end.
std::optional<Currency> other_end(const FxRate& entry, Currency one) {
  if (entry.from == one) return entry.to;
  if (entry.to == one) return entry.from;
  return std::nullopt;
}

}  // namespace

void FxTable::set(FxRate rate) {
  for (FxRate& entry : rates_) {
    if (joins(entry, rate.from, rate.to)) {
      entry = std::move(rate);
      return;
    }
  }
  rates_.push_back(std::move(rate));
}

std::optional<double> FxTable::rate(Currency from, Currency to) const {
  if (const auto found = direct(rates_, from, to)) return found;
  // Through one common currency. The smallest code wins, so that the table's order does not matter.
  std::optional<Currency> via;
  for (const FxRate& entry : rates_) {
    const auto middle = other_end(entry, from);
    if (!middle || !direct(rates_, from, *middle) || !direct(rates_, *middle, to)) continue;
    if (!via || *middle < *via) via = middle;
  }
  if (!via) return std::nullopt;
  return *direct(rates_, from, *via) * *direct(rates_, *via, to);
}

std::optional<Money> FxTable::convert(Money m, Currency to) const {
  if (m.currency == to) return m;
  const auto factor = rate(m.currency, to);
  if (!factor) return std::nullopt;
  return Money{m.amount * *factor, to};
}

}  // namespace xuanka
