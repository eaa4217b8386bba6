// Commas and brackets of a JSON document.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/clock.h"

namespace fairlead::extender {

// Appends to a string that must outlive it. Keys are literals that need no escape; text values are
// escaped byte by byte, so that any bytes give valid JSON. Single-threaded.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  JsonWriter& Key(std::string_view key);
  JsonWriter& Open(char bracket);   // '{' or '['
  JsonWriter& Close(char bracket);  // '}' or ']'
  JsonWriter& Text(std::string_view value);
  JsonWriter& Integer(std::uint64_t value);
  JsonWriter& Number(double value);
  JsonWriter& Bool(bool value);
  JsonWriter& Null();
  JsonWriter& Seconds(Nanoseconds value);

  // Null where there is no value.
  JsonWriter& Number(const std::optional<double>& value);
  JsonWriter& Seconds(const std::optional<Nanoseconds>& value);

 private:
  void Separate();

  std::string& out_;
  bool need_comma_ = false;
};

}  // namespace fairlead::extender
