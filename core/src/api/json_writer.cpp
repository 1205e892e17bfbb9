#include "api/json_writer.hpp"

#include <cmath>

namespace xuanka {

void JsonWriter::separate() {
  if (!fresh_) text_.put(',');
  fresh_ = false;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  text_.put(bracket);
  fresh_ = true;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  text_.put(bracket);
  fresh_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  text_.put('"');
  text_.put(name);
  text_.put(std::string_view("\":"));
  fresh_ = true;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view value) {
  separate();
  text_.put_string(value);
  return *this;
}

JsonWriter& JsonWriter::number(double value) {
  if (!std::isfinite(value)) return null();
  separate();
  text_.put_number(value);
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  text_.put(json);
  return *this;
}

JsonWriter& JsonWriter::field(std::string_view name, double value) {
  return key(name).number(value);
}

JsonWriter& JsonWriter::field(std::string_view name, std::string_view value) {
  return key(name).string(value);
}

}  // namespace xuanka
