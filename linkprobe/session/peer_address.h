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

// The endpoints with empty addresses filled by the local address from which the peer is reached.
// Looks a host name up, so it may wait for the resolver.
Result<std::vector<Endpoint>> EndpointsTowards(std::vector<Endpoint> endpoints,
                                               const std::string& peer_session_address);

}  // namespace fairlead::linkprobe
