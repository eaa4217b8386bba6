// Addresses as they look from the other side.
#pragma once

#include <string>
#include <vector>

#include "common/base/result.h"
#include "linkprobe/transport/endpoint.h"

namespace fairlead::linkprobe {

// `host:port` or `[v6]:port`.
struct HostPort {
  std::string host;
  std::uint16_t port = 0;
};
Result<HostPort> ParseHostPort(const std::string& address);

// The host's addresses as literals, those of one family, sorted; at least one. Looks a host name
// up, so it may wait for the resolver.
Result<std::vector<std::string>> AddressesOf(const std::string& host);

// The endpoints with empty addresses filled by the local address from which `peer_host` is reached.
// Looks a host name up, so it may wait for the resolver.
Result<std::vector<Endpoint>> EndpointsTowards(std::vector<Endpoint> endpoints,
                                               const std::string& peer_host);

// Where peers reach this probe: `advertise` if it is given, else `listen_host` with the bound port,
// where that is every address the local one from which `extender_address` is reached. Looks the
// extender's host up, where it is no literal, so it may wait for the resolver.
Result<std::string> AdvertisedAddress(const std::string& advertise, const std::string& listen_host,
                                      int port, const std::string& extender_address);

// The IP literal in gRPC's name for the other end of a call ("ipv4:10.0.0.1:5",
// "ipv6:%5B::1%5D:5"); empty where it has none.
std::string HostOfPeer(const std::string& grpc_peer);

}  // namespace fairlead::linkprobe
