#include "extender/http/framing.h"

#include <charconv>
#include <cstdint>
#include <system_error>

namespace fairlead::extender {
namespace {

// Longer numbers cannot be a sane length and would overflow.
constexpr std::size_t kMaxLengthDigits = 18;

bool PlainDecimal(std::string_view text) {
  if (text.empty()) return false;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
  }
  return true;
}

Framing Fault(int status, std::string_view reason, std::string message) {
  return Framing{.content_length = 0, .fault = FramingFault{status, reason, std::move(message)}};
}

}  // namespace

Framing CheckFraming(std::string_view method, const FramingHeaders& headers,
                     std::size_t max_body_bytes) {
  if (headers.has_transfer_encoding) {
    return Fault(411, "transfer_encoding",
                 "a body with Transfer-Encoding is not accepted; send a Content-Length instead");
  }
  if (headers.has_content_encoding) {
    return Fault(415, "content_encoding",
                 "a compressed body is not accepted; send it without Content-Encoding");
  }
  if (headers.content_length.size() > 1) {
    return Fault(400, "content_length", "Content-Length is given more than once; send one");
  }
  const bool wants_body = method == "POST" || method == "PUT" || method == "PATCH";
  if (headers.content_length.empty()) {
    if (!wants_body) return {};
    return Fault(411, "content_length", "Content-Length is missing; send one");
  }
  const std::string_view text = headers.content_length.front();
  if (!PlainDecimal(text)) {
    return Fault(400, "content_length", "Content-Length is not a plain decimal number");
  }
  std::uint64_t length = 0;
  const bool parsed =
      text.size() <= kMaxLengthDigits &&
      std::from_chars(text.data(), text.data() + text.size(), length).ec == std::errc{};
  if (!parsed || length > max_body_bytes) {
    return Fault(413, "too_large",
                 "the body of " + std::string(text.substr(0, kMaxLengthDigits + 2)) +
                     " bytes is larger than the " + std::to_string(max_body_bytes) +
                     " bytes accepted; set nodeCacheCapable: true so that names are sent instead "
                     "of whole Nodes");
  }
  if (!wants_body && length > 0) {
    return Fault(400, "unexpected_body", "a body is not accepted with this method");
  }
  return Framing{.content_length = static_cast<std::size_t>(length), .fault = std::nullopt};
}

}  // namespace fairlead::extender
