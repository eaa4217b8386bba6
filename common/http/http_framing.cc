#include "common/http/http_framing.h"

#include <algorithm>
#include <charconv>

#include "common/base/quote.h"

namespace fairlead {
namespace {

bool CarriesBody(const std::string& method) {
  return method == "POST" || method == "PUT" || method == "PATCH" || method == "DELETE" ||
         method == "PRI";
}

tl::unexpected<HttpFault> Refuse(int status, std::string message) {
  return tl::unexpected<HttpFault>(HttpFault{status, std::move(message)});
}

}  // namespace

tl::expected<std::size_t, HttpFault> BodyLength(const HttpFraming& framing,
                                                std::size_t most_body_bytes) {
  if (framing.transfer_encoding) {
    return Refuse(411, "Transfer-Encoding is not accepted; send a Content-Length");
  }
  if (framing.content_encoding) {
    return Refuse(415, "Content-Encoding is not accepted; send the body as it is");
  }
  if (framing.content_lengths.size() > 1) {
    return Refuse(400, "Content-Length is given more than once; send it once");
  }
  if (framing.content_lengths.empty()) {
    if (framing.method != "POST") return 0;
    return Refuse(411, framing.method + " needs a Content-Length");
  }
  const std::string& text = framing.content_lengths.front();
  const bool digits = !text.empty() && std::all_of(text.begin(), text.end(),
                                                   [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) {
    return Refuse(400, "Content-Length " + Quoted(text, 20) + " is not a plain decimal number");
  }
  std::size_t length = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), length);
  if (parsed.ec != std::errc() || (length > most_body_bytes && CarriesBody(framing.method))) {
    return Refuse(413, "the body of " + text.substr(0, 20) + " bytes is too long; at most " +
                           std::to_string(most_body_bytes) + " are read");
  }
  if (length > 0 && !CarriesBody(framing.method)) {
    return Refuse(400, framing.method + " must not have a body");
  }
  return length;
}

}  // namespace fairlead
