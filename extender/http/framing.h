// Whether a request is framed so that nothing can be smuggled in it. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::extender {

// The header fields that decide where a request ends, each with every value it was sent with.
struct FramingHeaders {
  std::vector<std::string_view> content_length;
  bool has_transfer_encoding = false;
  bool has_content_encoding = false;
};

struct FramingFault {
  int status = 400;
  std::string_view reason;  // a word for the metric's label
  std::string message;
};

struct Framing {
  std::size_t content_length = 0;
  std::optional<FramingFault> fault;
};

// A body needs exactly one plain decimal Content-Length (RFC 9110 8.6) of at most
// `max_body_bytes`; chunked and compressed bodies are refused, as is a body where the method has
// none. The connection must be closed after a fault, because where the next request starts is then
// not known.
Framing CheckFraming(std::string_view method, const FramingHeaders& headers,
                     std::size_t max_body_bytes);

}  // namespace fairlead::extender
