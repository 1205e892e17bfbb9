// Calendar dates as the catalog and requests write them. Pure arithmetic: no clock, no time zone.
#pragma once

#include <optional>
#include <string_view>

namespace xuanka {

/// A day of the Gregorian calendar.
struct Date {
  int year = 1970, month = 1, day = 1;
  auto operator<=>(const Date&) const = default;
};

/// Reads YYYY, YYYY-MM or YYYY-MM-DD; a missing month or day counts as the first. nullopt for any
/// other text and for days that do not exist. Years 1900 to 2999.
[[nodiscard]] std::optional<Date> parse_date(std::string_view text);

/// Days since 1970-01-01 (negative before). Algorithm: days from civil, by counting 400-year eras
/// of 146,097 days that begin on March 1st.
[[nodiscard]] double day_number(Date date);

}  // namespace xuanka
