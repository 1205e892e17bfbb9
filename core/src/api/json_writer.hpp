// Writes JSON in the order of the calls, without white space.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "json/text_buffer.hpp"
#include "xuanka/base/money.hpp"
#include "xuanka/base/units.hpp"

namespace xuanka {

/// Numbers are rounded to 12 significant digits (more is noise, and short texts are quick to read);
/// bytes and counts to whole numbers. What is not finite becomes null.
class JsonWriter {
 public:
  JsonWriter() : text_(kUsualBytes) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  /// Names are ours: nothing in them needs an escape.
  JsonWriter& key(std::string_view name);
  JsonWriter& null() { return raw("null"); }
  JsonWriter& boolean(bool value) { return raw(value ? "true" : "false"); }
  JsonWriter& string(std::string_view value);
  JsonWriter& number(double value);
  JsonWriter& number(const std::optional<double>& value) { return value ? number(*value) : null(); }
  /// A text that is JSON already.
  JsonWriter& raw(std::string_view json);

  JsonWriter& field(std::string_view name, double value);
  JsonWriter& field(std::string_view name, const std::optional<double>& value) {
    return key(name).number(value);
  }
  JsonWriter& field(std::string_view name, std::string_view value);
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

  [[nodiscard]] std::string take() { return text_.take(); }

 private:
  static constexpr std::size_t kUsualBytes = 8192;  // a report of one candidate and to spare
  void separate();
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);

  json::TextBuffer text_;
  bool fresh_ = true;  // nothing before the next value in this object or array
};

}  // namespace xuanka
