#include "linkprobe/session/peer_address.h"

#include <netdb.h>

#include <algorithm>
#include <charconv>

#include "linkprobe/udp/udp_socket.h"

namespace fairlead::linkprobe {
namespace {

Result<std::string> ResolveHost(const std::string& host) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  int code = ::getaddrinfo(host.c_str(), nullptr, &hints, &found);
  if (code != 0) {
    return Fail(ErrorCode::kUnavailable, "look up \"" + host + "\": " + ::gai_strerror(code));
  }
  char text[NI_MAXHOST];
  code = ::getnameinfo(found->ai_addr, found->ai_addrlen, text, sizeof text, nullptr, 0,
                       NI_NUMERICHOST);
  ::freeaddrinfo(found);
  if (code != 0) return Fail(ErrorCode::kInternal, ::gai_strerror(code));
  return std::string(text);
}

}  // namespace

Result<HostPort> ParseHostPort(const std::string& address) {
  const auto colon = address.rfind(':');
  HostPort parsed;
  if (colon != std::string::npos && colon > 0) {
    const char* begin = address.data() + colon + 1;
    const char* end = address.data() + address.size();
    const auto [stopped, code] = std::from_chars(begin, end, parsed.port);
    parsed.host = address.substr(0, colon);
    const bool bracketed =
        parsed.host.size() > 2 && parsed.host.front() == '[' && parsed.host.back() == ']';
    if (bracketed) parsed.host = parsed.host.substr(1, parsed.host.size() - 2);
    const bool ambiguous = !bracketed && parsed.host.find(':') != std::string::npos;
    if (code == std::errc() && stopped == end && parsed.port != 0 && !ambiguous) return parsed;
  }
  return Fail(ErrorCode::kInvalidArgument,
              "\"" + address + "\" is not host:port; write 10.0.0.1:7471 or [2001:db8::1]:7471");
}

Result<std::vector<Endpoint>> EndpointsTowards(std::vector<Endpoint> endpoints,
                                               const std::string& peer_session_address) {
  const bool complete = std::none_of(endpoints.begin(), endpoints.end(), [](const Endpoint& e) {
    return e.kind == TransportKind::kUdp && e.address.empty();
  });
  if (complete) return endpoints;
  const auto peer = ParseHostPort(peer_session_address);
  if (!peer) return Fail(peer.error());
  const auto literal = ResolveHost(peer->host);
  if (!literal) return Fail(literal.error());
  const auto local = LocalAddressTowards(*literal);
  if (!local) return Fail(local.error());
  for (Endpoint& endpoint : endpoints) {
    if (endpoint.kind == TransportKind::kUdp && endpoint.address.empty()) {
      endpoint.address = *local;
    }
  }
  return endpoints;
}

}  // namespace fairlead::linkprobe
