// Lenient reading over simdjson's On-Demand cursor, in the manner of Go's encoding/json.
#pragma once

#include <simdjson.h>

#include <cstring>
#include <string>
#include <string_view>

namespace fairlead::json {

namespace od = simdjson::ondemand;
using simdjson::error_code;

// ASCII letters compare without case.
inline bool SameKey(std::string_view key, std::string_view wanted) {
  if (key.size() != wanted.size()) return false;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const char a = key[i];
    const char b = wanted[i];
    if (a == b) continue;
    const char folded = static_cast<char>(a | 0x20);
    if (folded != (b | 0x20) || folded < 'a' || folded > 'z') return false;
  }
  return true;
}

// The text up to its closing quote when nothing in it is escaped, which saves unescaping into
// another buffer; nothing otherwise. Strings have been found closed before any cursor is made.
inline bool PlainText(const char* begin, std::size_t limit, std::string_view& text) {
  const void* quote = std::memchr(begin, '"', limit);
  if (quote == nullptr) return false;
  const auto size = static_cast<std::size_t>(static_cast<const char*>(quote) - begin);
  if (std::memchr(begin, '\\', size) != nullptr) return false;
  text = std::string_view(begin, size);
  return true;
}

// The first character of a value tells its type.
inline char Kind(od::value& value) { return value.raw_json_token()[0]; }

// Reads a string into `out`, a view into the body or the parser. Null leaves `out` as it is.
inline error_code ReadText(od::value& value, std::string_view& out) {
  const std::string_view token = value.raw_json_token();
  if (token[0] == 'n') {
    bool null = false;
    return value.is_null().get(null);
  }
  if (token[0] == '"' && PlainText(token.data() + 1, token.size() - 1, out)) {
    return simdjson::SUCCESS;
  }
  return value.get_string().get(out);
}

inline error_code ReadText(od::value& value, std::string& out) {
  std::string_view text = out;
  if (const error_code error = ReadText(value, text)) return error;
  if (text.data() != out.data()) out.assign(text);
  return simdjson::SUCCESS;
}

// Calls visit(key, value) for each field of an object. `limit` is the length of the document.
template <class Visit>
error_code ForEachField(od::object& object, std::size_t limit, Visit visit) {
  for (auto result : object) {
    od::field field;
    if (const error_code error = std::move(result).get(field)) return error;
    std::string_view key;
    if (!PlainText(field.key().raw(), limit, key)) {
      if (const error_code error = field.unescaped_key().get(key)) return error;
    }
    if (const error_code error = visit(key, field.value())) return error;
  }
  return simdjson::SUCCESS;
}

// The same for a value; null counts as an object without fields.
template <class Visit>
error_code ForEachField(od::value& value, std::size_t limit, Visit visit) {
  if (Kind(value) == 'n') {
    bool null = false;
    return value.is_null().get(null);
  }
  od::object object;
  if (const error_code error = value.get_object().get(object)) return error;
  return ForEachField(object, limit, visit);
}

// Calls visit(value) for each element of an array; null counts as an empty array.
template <class Visit>
error_code ForEachElement(od::value& value, Visit visit) {
  if (Kind(value) == 'n') {
    bool null = false;
    return value.is_null().get(null);
  }
  od::array array;
  if (const error_code error = value.get_array().get(array)) return error;
  for (auto result : array) {
    od::value element;
    if (const error_code error = std::move(result).get(element)) return error;
    if (const error_code error = visit(element)) return error;
  }
  return simdjson::SUCCESS;
}

}  // namespace fairlead::json
