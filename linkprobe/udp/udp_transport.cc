#include "linkprobe/udp/udp_transport.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "linkprobe/udp/ancillary.h"
#include "linkprobe/udp/clock_bridge.h"
#include "linkprobe/udp/send_stamps.h"
#include "linkprobe/udp/udp_socket.h"

namespace fairlead::linkprobe {
namespace {

// Longer than any packet of ours, so that a long one shows as long instead of being cut to fit.
constexpr std::size_t kBufferBytes = 256;
constexpr std::size_t kBatch = 8;
// Batches taken before other work gets its turn; the rest waits in the socket.
constexpr int kBatchesPerDrain = 8;

struct UdpDestination final : Destination {
  explicit UdpDestination(const SocketAddress& a) : address(a) {}
  SocketAddress address;
};

// An IPv4 peer is reached through a dual-stack socket by its mapped address.
SocketAddress MappedForIpv6(const SocketAddress& address) {
  if (address.storage.ss_family != AF_INET) return address;
  sockaddr_in v4{};
  std::memcpy(&v4, &address.storage, sizeof v4);
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = v4.sin_port;
  v6.sin6_addr.s6_addr[10] = 0xff;
  v6.sin6_addr.s6_addr[11] = 0xff;
  std::memcpy(&v6.sin6_addr.s6_addr[12], &v4.sin_addr, sizeof v4.sin_addr);
  SocketAddress mapped;
  std::memcpy(&mapped.storage, &v6, sizeof v6);
  mapped.length = sizeof v6;
  return mapped;
}

// Receive buffers of one recvmmsg, wired up once and reset before each call.
struct ReceiveBatch {
  ReceiveBatch() {
    for (std::size_t i = 0; i < kBatch; ++i) {
      parts[i] = iovec{buffers[i].data(), buffers[i].size()};
      Reset(i);
    }
  }

  void Reset(std::size_t i) {
    msghdr& header = messages[i].msg_hdr;
    header = msghdr{};
    header.msg_iov = &parts[i];
    header.msg_iovlen = 1;
    header.msg_control = controls[i].data();
    header.msg_controllen = controls[i].size();
  }

  std::array<std::array<std::uint8_t, kBufferBytes>, kBatch> buffers;
  alignas(cmsghdr) std::array<std::array<std::uint8_t, kAncillaryBytes>, kBatch> controls;
  std::array<iovec, kBatch> parts;
  std::array<mmsghdr, kBatch> messages;
};

class UdpTransport final : public Transport {
 public:
  UdpTransport(std::vector<UdpSocket> sockets, const UdpOptions& options)
      : host_(options.host), traffic_class_(options.traffic_class), clock_(ReadClockPair()) {
    for (UdpSocket& socket : sockets) paths_.push_back(Path{std::move(socket), {}, 0});
  }

  TransportKind kind() const override { return TransportKind::kUdp; }
  TransportRung rung() const override { return TransportRung::kUdpSw; }

  std::vector<Endpoint> LocalEndpoints() const override {
    const bool everywhere = host_ == "0.0.0.0" || host_ == "::";
    std::vector<Endpoint> endpoints;
    for (const Path& path : paths_) {
      Endpoint endpoint;
      endpoint.kind = TransportKind::kUdp;
      if (!everywhere) endpoint.address = host_;
      endpoint.port = path.socket.port;
      endpoint.traffic_class = traffic_class_;
      endpoints.push_back(std::move(endpoint));
    }
    return endpoints;
  }

  std::vector<int> Descriptors() const override {
    std::vector<int> descriptors;
    for (const Path& path : paths_) descriptors.push_back(path.socket.fd.get());
    return descriptors;
  }

  Result<std::shared_ptr<const Destination>> Resolve(std::uint32_t /*path*/,
                                                     const Endpoint& peer) override {
    if (peer.kind != TransportKind::kUdp || peer.port == 0) {
      return Fail(ErrorCode::kInvalidArgument, "peer endpoint is not a UDP address with port");
    }
    const auto address = ParseSocketAddress(peer.address, peer.port);
    if (!address) return Fail(address.error());
    return std::make_shared<const UdpDestination>(
        paths_.front().socket.ipv6 ? MappedForIpv6(*address) : *address);
  }

  Status Send(std::uint32_t path_index, const Destination& to, std::span<const std::uint8_t> packet,
              std::uint64_t token) override {
    Path& path = paths_.at(path_index);
    const SocketAddress& address = static_cast<const UdpDestination&>(to).address;
    const MonotonicTime called = SystemClock().Now();
    const ssize_t sent =
        ::sendto(path.socket.fd.get(), packet.data(), packet.size(), 0,
                 reinterpret_cast<const sockaddr*>(&address.storage), address.length);
    if (sent < 0) {
      const Error error{ErrorCode::kUnavailable,
                        std::string("send UDP packet: ") + std::strerror(errno)};
      // Whether the kernel counted the failed send is not known, so numbering starts over.
      path.ledger.Restart();
      if (auto restarted = RestartStampNumbers(path.socket.fd.get()); !restarted) return restarted;
      return Fail(error);
    }
    path.ledger.Sent(token, called);
    // Most drivers have stamped the packet by now; taking it here saves a wake-up.
    ReadSendStamps(path);
    return {};
  }

  Status Drain(int descriptor, TransportEvents& events) override {
    for (std::uint32_t i = 0; i < paths_.size(); ++i) {
      if (paths_[i].socket.fd.get() == descriptor) {
        if (paths_[i].ledger.waiting()) ReadSendStamps(paths_[i]);
        HandOutSendStamps(events);
        return ReadPackets(i, events);
      }
    }
    return {};
  }

 private:
  struct Path {
    UdpSocket socket;
    SendStampLedger ledger;
    std::uint64_t steps_behind_queue = 0;  // clock steps that no packet still queued can precede
  };

  // Samples the clocks for the stamps about to be converted.
  void NoticeSteps(const ClockPair& now) {
    if (!clock_.Resample(now)) return;
    ++steps_;
    step_seen_ = true;
  }

  // The error queue holds nothing but send stamps; others are taken off and dropped.
  void ReadSendStamps(Path& path) {
    while (true) {
      alignas(cmsghdr) std::array<std::uint8_t, kAncillaryBytes> control;
      msghdr message{};
      message.msg_control = control.data();
      message.msg_controllen = control.size();
      if (::recvmsg(path.socket.fd.get(), &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return;
      const Ancillary found = ParseAncillary(message);
      const ClockPair now = ReadClockPair();
      NoticeSteps(now);
      if (!found.stamp || !found.stamp_number) continue;
      // A stamp from before a step falls outside the time of its send and is not claimed.
      const MonotonicTime sent = clock_.ToSteady(*found.stamp);
      if (const auto token = path.ledger.Claim(*found.stamp_number, sent, now.steady)) {
        stamps_.push_back(SendStamp{*token, sent});
        if (!path.ledger.waiting()) return;
      }
    }
  }

  void HandOutSendStamps(TransportEvents& events) {
    for (const SendStamp& stamp : std::exchange(stamps_, {})) events.OnSent(stamp);
    if (std::exchange(step_seen_, false)) events.OnClockStep();
  }

  Status ReadPackets(std::uint32_t path_index, TransportEvents& events) {
    Path& path = paths_[path_index];
    const int fd = path.socket.fd.get();
    for (int round = 0; round < kBatchesPerDrain; ++round) {
      const int count = ::recvmmsg(fd, batch_.messages.data(), kBatch, MSG_DONTWAIT, nullptr);
      if (count < 0) {
        if (errno == EAGAIN) path.steps_behind_queue = steps_;
        // Woken for no packet: only a stamp that nobody waits for can have done it, and it would
        // wake the caller for ever.
        if (errno == EAGAIN && round == 0) ReadSendStamps(path);
        if (errno == EAGAIN || errno == EINTR) return {};
        if (errno == ECONNREFUSED || errno == ENOMEM || errno == ENOBUFS) continue;
        return Fail(ErrorCode::kUnavailable,
                    std::string("receive UDP packets: ") + std::strerror(errno));
      }
      const ClockPair now = ReadClockPair();
      NoticeSteps(now);
      const bool usable = path.steps_behind_queue == steps_;
      HandOutSendStamps(events);
      for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        events.OnReceived(Received(path_index, i, now, usable));
        batch_.Reset(i);
      }
      if (static_cast<std::size_t>(count) < kBatch) {
        path.steps_behind_queue = steps_;
        return {};
      }
    }
    return {};
  }

  ReceivedPacket Received(std::uint32_t path_index, std::size_t i, const ClockPair& now,
                          bool usable) const {
    const Ancillary found = ParseAncillary(batch_.messages[i].msg_hdr);
    ReceivedPacket packet;
    packet.bytes = std::span(batch_.buffers[i]).first(batch_.messages[i].msg_len);
    packet.path = path_index;
    packet.hop_limit = found.hop_limit;
    packet.traffic_class = found.traffic_class;
    packet.clock_stepped = !usable;
    // The first packets after start may come unstamped: the kernel turns stamping on lazily.
    packet.received = usable && found.stamp ? clock_.ToSteady(*found.stamp) : now.steady;
    return packet;
  }

  const std::string host_;
  const std::uint8_t traffic_class_;
  std::vector<Path> paths_;
  ClockBridge clock_;
  ReceiveBatch batch_;
  std::vector<SendStamp> stamps_;  // taken while sending, handed out by Drain
  std::uint64_t steps_ = 0;        // times the wall clock was set
  bool step_seen_ = false;         // not yet handed out
};

}  // namespace

Result<std::unique_ptr<Transport>> CreateUdpTransport(const UdpOptions& options) {
  if (options.paths == 0 || options.paths > kLargestPathCount) {
    return Fail(ErrorCode::kInvalidArgument, "paths is " + std::to_string(options.paths) +
                                                 "; use 1.." + std::to_string(kLargestPathCount));
  }
  if (options.first_port > 65535 - kLargestPathCount) {
    return Fail(ErrorCode::kInvalidArgument,
                "UDP port " + std::to_string(options.first_port) + " leaves no room for the paths");
  }
  std::vector<UdpSocket> sockets;
  for (std::uint32_t i = 0; i < options.paths; ++i) {
    const auto port =
        options.first_port == 0 ? 0 : static_cast<std::uint16_t>(options.first_port + i);
    auto socket =
        OpenUdpSocket(options.host, static_cast<std::uint16_t>(port), options.traffic_class);
    if (!socket) return Fail(socket.error());
    sockets.push_back(std::move(*socket));
  }
  return std::make_unique<UdpTransport>(std::move(sockets), options);
}

}  // namespace fairlead::linkprobe
