#include "extender/web/json_writer.h"

#include <chrono>

#include "extender/http/json_text.h"

namespace fairlead::extender {

void JsonWriter::Separate() {
  if (need_comma_) out_ += ',';
  need_comma_ = true;
}

JsonWriter& JsonWriter::Key(std::string_view key) {
  Separate();
  out_ += '"';
  out_ += key;
  out_ += "\":";
  need_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::Open(char bracket) {
  Separate();
  out_ += bracket;
  need_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::Close(char bracket) {
  out_ += bracket;
  need_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::Text(std::string_view value) {
  Separate();
  AppendJsonUtf8(out_, value);
  return *this;
}

JsonWriter& JsonWriter::Integer(std::uint64_t value) {
  Separate();
  out_ += std::to_string(value);
  return *this;
}

JsonWriter& JsonWriter::Number(double value) {
  Separate();
  AppendJsonNumber(out_, value);
  return *this;
}

JsonWriter& JsonWriter::Bool(bool value) {
  Separate();
  out_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::Null() {
  Separate();
  out_ += "null";
  return *this;
}

JsonWriter& JsonWriter::Seconds(Nanoseconds value) {
  return Number(std::chrono::duration<double>(value).count());
}

JsonWriter& JsonWriter::Number(const std::optional<double>& value) {
  return value ? Number(*value) : Null();
}

JsonWriter& JsonWriter::Seconds(const std::optional<Nanoseconds>& value) {
  return value ? Seconds(*value) : Null();
}

}  // namespace fairlead::extender
