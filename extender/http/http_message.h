// A request and its answer as plain values, free of any HTTP library.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace fairlead::extender {

// Bytes that may be read behind the end of a body; simdjson needs that many.
inline constexpr std::size_t kBodyPadding = 64;

// Valid for the length of the handler's call only.
struct HttpRequest {
  std::string_view method;
  std::string_view path;
  std::string_view accept;  // the Accept header, empty when there was none
  std::string_view query;   // behind the `?`, not decoded
  std::string_view body;    // kBodyPadding readable bytes follow it
};

struct HttpAnswer {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::string allow;  // the methods of a 405
};

// Called on many threads at once. What it throws becomes a 500.
using HttpHandler = std::function<HttpAnswer(const HttpRequest&)>;

// An answer that says why the request was not served: `{"error":"<message>"}`. Any bytes are
// allowed in the message; those that are not printable ASCII are escaped.
HttpAnswer ErrorAnswer(int status, std::string_view message);

}  // namespace fairlead::extender
