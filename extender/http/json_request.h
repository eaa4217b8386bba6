// One request's body under a cursor, and what went wrong with it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "common/http/http_body.h"
#include "extender/http/decode_fault.h"
#include "extender/http/json_cursor.h"

namespace fairlead::extender::json {

// Reads the fields of a body, one body at a time; keeps the parser's memory between bodies. Visits
// name the field that is wrong by Named.
class Request {
 public:
  // `expected` is what the body should be, for messages: "ExtenderArgs".
  explicit Request(std::string_view expected) : expected_(expected) {}

  // Calls visit(key, value) for each field of the body, which needs kBodyPadding readable bytes
  // behind it. Nothing where all of it is right.
  template <class Visit>
  std::optional<DecodeFault> Read(std::string_view body, Visit visit) {
    where_ = {};
    limit_ = body.size();
    if (body.empty()) return FaultOf(simdjson::EMPTY, body);
    bool trailing = false;
    if (const error_code error = ReadFields(body, visit, trailing)) return FaultOf(error, body);
    if (trailing) return FaultOf(simdjson::INCOMPLETE_ARRAY_OR_OBJECT, body);
    return std::nullopt;
  }

  // Of the body being read.
  std::size_t limit() const { return limit_; }
  // The innermost field that failed is the one that is named.
  error_code Named(std::string_view name, error_code error) {
    if (error && where_.empty()) where_ = name;
    return error;
  }
  std::string_view& where() { return where_; }
  // From `begin` to the closing brace before the cursor, which stands at the next token.
  std::string_view BytesUpTo(const char* begin) {
    const char* end = nullptr;
    if (document_.current_location().get(end)) return {};
    while (end > begin && end[-1] != '}') --end;
    return {begin, static_cast<std::size_t>(end - begin)};
  }
  std::size_t memory_bytes() const { return parser_.capacity() * 6; }

 private:
  template <class Visit>
  error_code ReadFields(std::string_view body, Visit visit, bool& trailing) {
    static_assert(kBodyPadding >= simdjson::SIMDJSON_PADDING);
    const auto padded = simdjson::padded_string_view(body, body.size() + kBodyPadding);
    if (const auto error = parser_.iterate(padded).get(document_)) return error;
    od::object root;
    if (const auto error = document_.get_object().get(root)) return error;
    if (const auto error = ForEachField(root, limit_, visit)) return error;
    trailing = document_.current_location().error() != simdjson::OUT_OF_BOUNDS;
    return simdjson::SUCCESS;
  }

  DecodeFault FaultOf(error_code error, std::string_view body) const;

  const std::string_view expected_;
  od::parser parser_;
  od::document document_;
  std::string_view where_;
  std::size_t limit_ = 0;
};

}  // namespace fairlead::extender::json
