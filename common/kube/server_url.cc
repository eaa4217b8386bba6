#include "common/kube/server_url.h"

#include <curl/curl.h>

#include <cstdlib>
#include <memory>

#include "common/base/quote.h"
#include "common/net/channel_security.h"

namespace fairlead::kube {
namespace {

using Url = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

// Empty where the URL has no such part.
std::string Part(const Url& url, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url.get(), part, &text, flags) != CURLUE_OK) return {};
  std::string out(text);
  curl_free(text);
  return out;
}

tl::unexpected<Error> Refuse(std::string_view text, const std::string& why) {
  return Fail(ErrorCode::kInvalidArgument, "API server " + Quoted(text, 256) + ": " + why);
}

}  // namespace

std::string ServerUrl::Text() const {
  return scheme + "://" + host + ":" + std::to_string(port) + prefix;
}

Result<ServerUrl> ParseServerUrl(std::string_view text, bool plaintext) {
  const Url url(curl_url(), &curl_url_cleanup);
  const CURLUcode code =
      curl_url_set(url.get(), CURLUPART_URL, std::string(text).c_str(), CURLU_NON_SUPPORT_SCHEME);
  if (code != CURLUE_OK) {
    return Refuse(text, std::string(curl_url_strerror(code)) + "; write https://HOST:PORT");
  }
  ServerUrl server;
  server.scheme = Part(url, CURLUPART_SCHEME);
  if (server.scheme != "https" && server.scheme != "http") {
    return Refuse(text, "is neither https nor http; write https://HOST:PORT");
  }
  if (!Part(url, CURLUPART_USER).empty() || !Part(url, CURLUPART_QUERY).empty() ||
      !Part(url, CURLUPART_FRAGMENT).empty()) {
    return Refuse(text, "holds more than host, port and path; write https://HOST:PORT");
  }
  server.host = Part(url, CURLUPART_HOST);
  server.port = std::atoi(Part(url, CURLUPART_PORT, CURLU_DEFAULT_PORT).c_str());
  server.prefix = Part(url, CURLUPART_PATH);
  while (server.prefix.ends_with('/')) server.prefix.pop_back();
  if (server.host.empty() || server.port == 0) {
    return Refuse(text, "has no host or no port; write https://HOST:PORT");
  }
  if (server.scheme == "http" && !plaintext && !IsLoopback(server.host)) {
    return Refuse(text, "is plain http, by which others could read the token; use https");
  }
  return server;
}

}  // namespace fairlead::kube
