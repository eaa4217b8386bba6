#include "linkprobe/udp/train_socket.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "linkprobe/udp/ancillary.h"
#include "linkprobe/udp/udp_socket.h"

namespace fairlead::linkprobe {
namespace {

constexpr int kBufferBytes = 2 * 1024 * 1024;
constexpr std::size_t kTrainsKept = 4;
constexpr std::size_t kMostArrivals = 4096;
constexpr int kStopLookMs = 100;
constexpr int kSendWaitMs = 1000;
constexpr std::uint32_t kUdpHeaderBytes = 8;
constexpr std::uint32_t kEthernetHeaderBytes = 14;

template <class Integer>
void Put(std::uint8_t* out, Integer value) {
  for (std::size_t i = sizeof value; i-- > 0; value = static_cast<Integer>(value >> 8)) {
    out[i] = static_cast<std::uint8_t>(value);
  }
}

template <class Integer>
Integer Get(const std::uint8_t* in) {
  Integer value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i) value = static_cast<Integer>(value << 8 | in[i]);
  return value;
}

class UdpTrainReceiver final : public TrainReceiver {
 public:
  UdpTrainReceiver(UdpSocket socket, std::uint64_t test_id)
      : socket_(std::move(socket)),
        test_id_(test_id),
        reader_([this](const std::stop_token& stop) { Read(stop); }) {}

  std::uint16_t port() const override { return socket_.port; }

  std::vector<TrainArrival> Arrivals(std::uint32_t train) const override {
    std::lock_guard lock(mutex_);
    const auto found = trains_.find(train);
    return found == trains_.end() ? std::vector<TrainArrival>() : found->second;
  }

 private:
  void Read(const std::stop_token& stop) {
    pollfd ready{.fd = socket_.fd.get(), .events = POLLIN, .revents = 0};
    while (!stop.stop_requested()) {
      if (::poll(&ready, 1, kStopLookMs) <= 0) continue;
      while (ReadOne()) {
      }
    }
  }

  bool ReadOne() {
    std::array<std::uint8_t, kTrainHeaderBytes> header{};
    alignas(cmsghdr) std::array<std::uint8_t, kAncillaryBytes> control;
    iovec part{.iov_base = header.data(), .iov_len = header.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t size = ::recvmsg(socket_.fd.get(), &message, MSG_DONTWAIT);
    if (size < 0) return false;
    if (static_cast<std::size_t>(size) < kTrainHeaderBytes ||
        Get<std::uint64_t>(header.data()) != test_id_) {
      return true;
    }
    const WallTime at = ParseAncillary(message).stamp.value_or(SystemClock().WallNow());
    const auto train = Get<std::uint32_t>(header.data() + 8);
    std::lock_guard lock(mutex_);
    auto& arrivals = trains_[train];
    if (arrivals.size() < kMostArrivals) {
      arrivals.push_back({.index = Get<std::uint32_t>(header.data() + 12),
                          .at_ns = at.time_since_epoch().count()});
    }
    if (trains_.size() > kTrainsKept) trains_.erase(trains_.begin());
    return true;
  }

  const UdpSocket socket_;
  const std::uint64_t test_id_;
  mutable std::mutex mutex_;
  std::map<std::uint32_t, std::vector<TrainArrival>> trains_;
  std::jthread reader_;
};

// Best effort: the kernel grants what its own limit allows.
void AskForBuffer(int fd, int option) {
  (void)::setsockopt(fd, SOL_SOCKET, option, &kBufferBytes, sizeof kBufferBytes);
}

std::uint32_t FittingPayload(int fd, bool ipv6) {
  int mtu = 0;
  socklen_t length = sizeof mtu;
  const int level = ipv6 ? IPPROTO_IPV6 : IPPROTO_IP;
  if (::getsockopt(fd, level, ipv6 ? IPV6_MTU : IP_MTU, &mtu, &length) != 0 || mtu < 576) mtu = 576;
  const auto payload = static_cast<std::uint32_t>(mtu) - kUdpHeaderBytes - (ipv6 ? 40 : 20);
  return std::min(payload, kLargestTrainPayload);
}

}  // namespace

Result<std::unique_ptr<TrainReceiver>> CreateTrainReceiver(std::uint64_t test_id) {
  auto socket = OpenUdpSocket("::", 0, 0);  // both families, where the host has IPv6
  if (!socket) socket = OpenUdpSocket("0.0.0.0", 0, 0);
  if (!socket) return Fail(socket.error());
  AskForBuffer(socket->fd.get(), SO_RCVBUF);
  return std::make_unique<UdpTrainReceiver>(std::move(*socket), test_id);
}

Result<TrainSender> TrainSender::Open(const std::string& host, std::uint16_t port,
                                      std::uint8_t traffic_class, std::uint64_t test_id,
                                      std::uint32_t payload_bytes) {
  const std::string what = "open UDP socket for trains to " + host;
  const auto address = ParseSocketAddress(host, port);
  if (!address) return Fail(address.error().Within(what));
  const bool ipv6 = address->storage.ss_family == AF_INET6;
  FileDescriptor fd(
      ::socket(address->storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int tos = traffic_class;
  const int whole = ipv6 ? IPV6_PMTUDISC_DO : IP_PMTUDISC_DO;
  const int level = ipv6 ? IPPROTO_IPV6 : IPPROTO_IP;
  if (!fd ||
      ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address->storage), address->length) !=
          0 ||
      ::setsockopt(fd.get(), level, ipv6 ? IPV6_TCLASS : IP_TOS, &tos, sizeof tos) != 0 ||
      ::setsockopt(fd.get(), level, ipv6 ? IPV6_MTU_DISCOVER : IP_MTU_DISCOVER, &whole,
                   sizeof whole) != 0) {
    return Fail(ErrorCode::kUnavailable, what + ": " + std::strerror(errno));
  }
  AskForBuffer(fd.get(), SO_SNDBUF);
  if (payload_bytes == 0) payload_bytes = FittingPayload(fd.get(), ipv6);
  if (payload_bytes < kTrainHeaderBytes || payload_bytes > 65'000) {
    return Fail(ErrorCode::kInvalidArgument,
                what + ": " + std::to_string(payload_bytes) + " bytes a packet");
  }
  return TrainSender(std::move(fd), ipv6, test_id, payload_bytes);
}

Result<Nanoseconds> TrainSender::Send(std::uint32_t train, std::uint32_t packets,
                                      const Clock& clock) {
  std::vector<std::uint8_t> packet(payload_bytes_, 0);
  Put(packet.data(), test_id_);
  Put(packet.data() + 8, train);
  const MonotonicTime begin = clock.Now();
  for (std::uint32_t index = 0; index < packets; ++index) {
    Put(packet.data() + 12, index);
    while (::send(fd_.get(), packet.data(), packet.size(), 0) < 0) {
      if (errno == EMSGSIZE) {
        return Fail(ErrorCode::kUnavailable, "a packet of " + std::to_string(payload_bytes_) +
                                                 " bytes does not pass this host's path MTU");
      }
      pollfd room{.fd = fd_.get(), .events = POLLOUT, .revents = 0};
      const bool wait = errno == EAGAIN || errno == ENOBUFS;
      if (errno != EINTR && errno != ECONNREFUSED &&
          (!wait || ::poll(&room, 1, kSendWaitMs) <= 0)) {
        return Fail(ErrorCode::kUnavailable, std::string("send a train: ") + std::strerror(errno));
      }
    }
  }
  return clock.Now() - begin;
}

std::uint32_t TrainSender::frame_bytes() const {
  return payload_bytes_ + kUdpHeaderBytes + (ipv6_ ? 40 : 20) + kEthernetHeaderBytes;
}

}  // namespace fairlead::linkprobe
