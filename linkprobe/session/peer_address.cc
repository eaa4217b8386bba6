#include "linkprobe/session/peer_address.h"

#include <netdb.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>

#include "linkprobe/udp/udp_socket.h"

namespace fairlead::linkprobe {
namespace {

// In the order of the resolver, of the family of the first.
Result<std::vector<std::string>> LookUp(const std::string& host) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  const int code = ::getaddrinfo(host.c_str(), nullptr, &hints, &found);
  if (code != 0) {
    return Fail(ErrorCode::kUnavailable, "look up \"" + host + "\": " + ::gai_strerror(code));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
  std::vector<std::string> literals;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    if (each->ai_family != found->ai_family) continue;
    char text[NI_MAXHOST];
    const int failed = ::getnameinfo(each->ai_addr, each->ai_addrlen, text, sizeof text, nullptr, 0,
                                     NI_NUMERICHOST);
    if (failed != 0) return Fail(ErrorCode::kInternal, ::gai_strerror(failed));
    literals.emplace_back(text);
  }
  return literals;
}

// The one that the resolver puts first.
Result<std::string> ResolveHost(const std::string& host) {
  const auto found = LookUp(host);
  if (!found) return Fail(found.error());
  return found->front();
}

}  // namespace

Result<std::vector<std::string>> AddressesOf(const std::string& host) {
  auto literals = LookUp(host);
  if (!literals) return literals;
  std::sort(literals->begin(), literals->end());
  literals->erase(std::unique(literals->begin(), literals->end()), literals->end());
  return literals;
}

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
                                               const std::string& peer_host) {
  const bool complete = std::none_of(endpoints.begin(), endpoints.end(), [](const Endpoint& e) {
    return e.kind == TransportKind::kUdp && e.address.empty();
  });
  if (complete) return endpoints;
  const auto literal = ResolveHost(peer_host);
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

Result<std::string> AdvertisedAddress(const std::string& advertise, const std::string& listen_host,
                                      int port, const std::string& extender_address) {
  if (!advertise.empty()) return advertise;
  std::string host = listen_host;
  if (host == "0.0.0.0" || host == "::") {
    const auto extender = ParseHostPort(extender_address);
    if (!extender) return Fail(extender.error().Within("linkprobe.extender"));
    const auto literal = ResolveHost(extender->host);
    if (!literal) return Fail(literal.error().Within("linkprobe.extender"));
    const auto local = LocalAddressTowards(*literal);
    if (!local) return Fail(local.error());
    host = *local;
  }
  if (host.find(':') != std::string::npos) host = "[" + host + "]";
  return host + ":" + std::to_string(port);
}

std::string HostOfPeer(const std::string& grpc_peer) {
  const auto scheme = grpc_peer.find(':');
  const auto port = grpc_peer.rfind(':');
  if (scheme == port) return "";
  std::string host = grpc_peer.substr(scheme + 1, port - scheme - 1);
  for (const char* bracket : {"%5B", "%5D", "[", "]"}) {
    if (const auto at = host.find(bracket); at != std::string::npos) {
      host.erase(at, std::strlen(bracket));
    }
  }
  return host;
}

}  // namespace fairlead::linkprobe
