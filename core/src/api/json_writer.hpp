// Writes JSON in the order of the calls, without white space.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "json/json_text.hpp"
#include "xuanka/base/math.hpp"
#include "xuanka/base/money.hpp"
#include "xuanka/base/units.hpp"

namespace xuanka {

/// Numbers are rounded to 12 significant digits (more is noise, and short texts are quick to read);
/// bytes and counts to whole numbers. What is not finite becomes null.
class JsonWriter {
 public:
  JsonWriter() { text_.reserve(kUsualBytes); }

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name) {
    separate();
    text_ += '"';
    text_ += name;  // names are ours: nothing in them needs an escape
    text_ += "\":";
    fresh_ = true;
    return *this;
  }

  JsonWriter& null() { return raw("null"); }
  JsonWriter& boolean(bool value) { return raw(value ? "true" : "false"); }
  JsonWriter& string(std::string_view value) {
    separate();
    json::append_string(value, text_);
    return *this;
  }
  JsonWriter& number(double value) {
    if (!std::isfinite(value)) return null();
    separate();
    json::append_number(is_whole(value) ? value : round_significant(value, kDigits), text_);
    return *this;
  }
  JsonWriter& number(const std::optional<double>& value) { return value ? number(*value) : null(); }
  /// A text that is JSON already.
  JsonWriter& raw(std::string_view json) {
    separate();
    text_ += json;
    return *this;
  }

  JsonWriter& field(std::string_view name, double value) { return key(name).number(value); }
  JsonWriter& field(std::string_view name, const std::optional<double>& value) {
    return key(name).number(value);
  }
  JsonWriter& field(std::string_view name, std::string_view value) {
    return key(name).string(value);
  }
  JsonWriter& field(std::string_view name, const char* value) { return key(name).string(value); }
  JsonWriter& field(std::string_view name, bool value) { return key(name).boolean(value); }
  JsonWriter& field(std::string_view name, int value) {
    return key(name).number(static_cast<double>(value));
  }
  JsonWriter& field(std::string_view name, Seconds value) { return field(name, value.value()); }
  JsonWriter& field(std::string_view name, Money value) {
    return key(name)
        .begin_object()
        .field("amount", value.amount)
        .field("currency", value.currency.code())
        .end_object();
  }
  JsonWriter& text_or_null(std::string_view name, const std::optional<std::string>& value) {
    key(name);
    return value ? string(*value) : null();
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  static constexpr int kDigits = 12;
  static constexpr std::size_t kUsualBytes = 8192;  // a report of one candidate and to spare
  static bool is_whole(double value) {
    return value == std::floor(value) && std::abs(value) < 9007199254740992.0;
  }
  void separate() {
    if (!fresh_) text_ += ',';
    fresh_ = false;
  }
  JsonWriter& open(char bracket) {
    separate();
    text_ += bracket;
    fresh_ = true;
    return *this;
  }
  JsonWriter& close(char bracket) {
    text_ += bracket;
    fresh_ = false;
    return *this;
  }

  std::string text_;
  bool fresh_ = true;  // nothing before the next value in this object or array
};

}  // namespace xuanka
