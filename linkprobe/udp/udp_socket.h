// One UDP socket set up for measuring.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <string>

#include "common/base/file_descriptor.h"
#include "common/base/result.h"

namespace fairlead::linkprobe {

// An IPv4 or IPv6 address with port, as the socket calls want it.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t length = 0;
};

// Parses an IP literal; names are refused.
Result<SocketAddress> ParseSocketAddress(const std::string& host, std::uint16_t port);

struct UdpSocket {
  FileDescriptor fd;
  std::uint16_t port = 0;  // the bound one
  bool ipv6 = false;
};

// Binds a non-blocking socket with software stamps for both directions, the hop limit and traffic
// class shown on receipt, hop limit kInitialHopLimit and `traffic_class` on what it sends.
Result<UdpSocket> OpenUdpSocket(const std::string& host, std::uint16_t port,
                                std::uint8_t traffic_class);

// Numbers the send stamps of `fd` from zero again.
Status RestartStampNumbers(int fd);

// The local address from which `peer_host` (IP literal) would be reached; sends nothing.
Result<std::string> LocalAddressTowards(const std::string& peer_host);

}  // namespace fairlead::linkprobe
