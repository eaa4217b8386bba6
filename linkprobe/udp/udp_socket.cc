#include "linkprobe/udp/udp_socket.h"

#include <arpa/inet.h>
#include <linux/net_tstamp.h>
#include <netdb.h>

#include <cerrno>
#include <cstring>

#include "linkprobe/transport/transport.h"

namespace fairlead::linkprobe {
namespace {

constexpr int kStampFlags = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_TX_SOFTWARE |
                            SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_ID |
                            SOF_TIMESTAMPING_OPT_TSONLY;

std::string ErrnoText() { return std::strerror(errno); }

Status SetOption(int fd, int level, int option, int value, const char* name) {
  if (::setsockopt(fd, level, option, &value, sizeof value) == 0) return {};
  return Fail(ErrorCode::kInternal, std::string("set ") + name + ": " + ErrnoText());
}

Status SetMeasuringOptions(int fd, bool ipv6, int traffic_class) {
  struct Option {
    int level;
    int option;
    int value;
    const char* name;
    bool ipv6_only;
  };
  // A dual-stack socket carries IPv4 too, so the IPv4 options are set in either case.
  const Option options[] = {
      {SOL_SOCKET, SO_TIMESTAMPING, kStampFlags, "SO_TIMESTAMPING", false},
      {IPPROTO_IP, IP_RECVTTL, 1, "IP_RECVTTL", false},
      {IPPROTO_IP, IP_RECVTOS, 1, "IP_RECVTOS", false},
      {IPPROTO_IP, IP_TTL, kInitialHopLimit, "IP_TTL", false},
      {IPPROTO_IP, IP_TOS, traffic_class, "IP_TOS", false},
      {IPPROTO_IPV6, IPV6_RECVHOPLIMIT, 1, "IPV6_RECVHOPLIMIT", true},
      {IPPROTO_IPV6, IPV6_RECVTCLASS, 1, "IPV6_RECVTCLASS", true},
      {IPPROTO_IPV6, IPV6_UNICAST_HOPS, kInitialHopLimit, "IPV6_UNICAST_HOPS", true},
      {IPPROTO_IPV6, IPV6_TCLASS, traffic_class, "IPV6_TCLASS", true},
  };
  for (const Option& option : options) {
    if (option.ipv6_only && !ipv6) continue;
    if (auto set = SetOption(fd, option.level, option.option, option.value, option.name); !set) {
      return set;
    }
  }
  return {};
}

std::uint16_t PortOf(const sockaddr_storage& storage) {
  // The port lies at the same place in both address families.
  sockaddr_in address{};
  std::memcpy(&address, &storage, sizeof address);
  return ntohs(address.sin_port);
}

}  // namespace

Result<SocketAddress> ParseSocketAddress(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_DGRAM;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (code != 0) {
    return Fail(ErrorCode::kInvalidArgument,
                "\"" + host + "\" is not an IP address: " + ::gai_strerror(code));
  }
  SocketAddress address;
  std::memcpy(&address.storage, found->ai_addr, found->ai_addrlen);
  address.length = found->ai_addrlen;
  ::freeaddrinfo(found);
  return address;
}

Result<UdpSocket> OpenUdpSocket(const std::string& host, std::uint16_t port,
                                std::uint8_t traffic_class) {
  const std::string what = "open UDP socket " + host + " port " + std::to_string(port);
  const auto address = ParseSocketAddress(host, port);
  if (!address) return Fail(address.error().Within(what));
  UdpSocket socket;
  socket.ipv6 = address->storage.ss_family == AF_INET6;
  socket.fd = FileDescriptor(
      ::socket(address->storage.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.fd) return Fail(ErrorCode::kInternal, what + ": " + ErrnoText());
  if (auto set = SetMeasuringOptions(socket.fd.get(), socket.ipv6, traffic_class); !set) {
    return Fail(set.error().Within(what));
  }
  if (::bind(socket.fd.get(), reinterpret_cast<const sockaddr*>(&address->storage),
             address->length) != 0) {
    return Fail(ErrorCode::kUnavailable,
                what + ": " + ErrnoText() + "; set linkprobe.udpListen to a free address and port");
  }
  sockaddr_storage bound{};
  socklen_t length = sizeof bound;
  if (::getsockname(socket.fd.get(), reinterpret_cast<sockaddr*>(&bound), &length) != 0) {
    return Fail(ErrorCode::kInternal, what + ": " + ErrnoText());
  }
  socket.port = PortOf(bound);
  return socket;
}

Status RestartStampNumbers(int fd) {
  // The kernel starts over when the option goes from off to on.
  if (auto off = SetOption(fd, SOL_SOCKET, SO_TIMESTAMPING, 0, "SO_TIMESTAMPING"); !off) return off;
  return SetOption(fd, SOL_SOCKET, SO_TIMESTAMPING, kStampFlags, "SO_TIMESTAMPING");
}

Result<std::string> LocalAddressTowards(const std::string& peer_host) {
  const std::string what = "local address towards " + peer_host;
  constexpr std::uint16_t kAnyPort = 9;  // connecting a UDP socket only looks up the route
  const auto address = ParseSocketAddress(peer_host, kAnyPort);
  if (!address) return Fail(address.error().Within(what));
  const FileDescriptor fd(::socket(address->storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_storage local{};
  socklen_t length = sizeof local;
  if (!fd ||
      ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address->storage), address->length) !=
          0 ||
      ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&local), &length) != 0) {
    return Fail(ErrorCode::kUnavailable, what + ": " + ErrnoText());
  }
  char text[NI_MAXHOST];
  const int code = ::getnameinfo(reinterpret_cast<sockaddr*>(&local), length, text, sizeof text,
                                 nullptr, 0, NI_NUMERICHOST);
  if (code != 0) return Fail(ErrorCode::kInternal, what + ": " + ::gai_strerror(code));
  return std::string(text);
}

}  // namespace fairlead::linkprobe
