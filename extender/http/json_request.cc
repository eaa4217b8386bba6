#include "extender/http/json_request.h"

#include <string>

#include "extender/http/json_extent.h"

namespace fairlead::extender::json {
namespace {

// A text that simdjson finds neither whole nor wrong inside: it looks at the last bracket first,
// and calls incomplete what ends with anything else.
DecodeFault FaultOfExtent(std::string_view body) {
  const JsonExtent extent = ExtentOf(body);
  const std::string at = "byte " + std::to_string(extent.at) + ", counted from 0";
  switch (extent.kind) {
    case JsonExtent::Kind::kFollowed:
      return {"trailing_bytes", "the JSON has ended, but more follows it at " + at};
    case JsonExtent::Kind::kTruncated:
      return {"truncated", "the body ends before its JSON does"};
    case JsonExtent::Kind::kWhole:
      break;
    case JsonExtent::Kind::kMismatched:
      return {"not_json", "the body is not valid JSON: the bracket at " + at + ", closes none"};
  }
  return {"not_json", "the body is not valid JSON"};
}

}  // namespace

DecodeFault Request::FaultOf(error_code error, std::string_view body) const {
  const std::string place = where_.empty() ? "the body" : std::string(where_);
  const std::string remedy = "send " + std::string(expected_) + " as JSON";
  switch (error) {
    case simdjson::EMPTY:
      return {"empty_body", "the body is empty; " + remedy};
    case simdjson::UTF8_ERROR:
      return {"not_utf8", "the body is not valid UTF-8"};
    case simdjson::CAPACITY:
      return {"too_long", place + " is longer than Kubernetes allows"};
    case simdjson::INCORRECT_TYPE:
    case simdjson::SCALAR_DOCUMENT_AS_VALUE:
      if (where_.empty()) return {"wrong_type", "the body is not a JSON object; " + remedy};
      return {"wrong_type",
              place + " has another JSON type than " + std::string(expected_) + " asks for"};
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
    case simdjson::UNCLOSED_STRING:
      return FaultOfExtent(body);
    default:
      return {"not_json",
              place + " is not valid JSON: " + std::string(simdjson::error_message(error))};
  }
}

}  // namespace fairlead::extender::json
