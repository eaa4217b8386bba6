#include "linkprobe/counter_files/rdma_netlink.h"

#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/time.h>

namespace fairlead::linkprobe {
namespace {

constexpr std::size_t kLargestDatagram = 64U << 10;
constexpr int kMostDatagrams = 64;

}  // namespace

RdmaNetlink::RdmaNetlink() : socket_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA)) {
  const timeval patience{.tv_sec = 0, .tv_usec = 200'000};
  if (socket_) {
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
}

NldevAnswer RdmaNetlink::Ask(const Bytes& request) {
  NldevAnswer all;
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  if (!socket_ || ::sendto(socket_.get(), request.data(), request.size(), 0,
                           reinterpret_cast<const sockaddr*>(&kernel), sizeof kernel) < 0) {
    return all;
  }
  Bytes buffer(kLargestDatagram);
  for (int i = 0; i < kMostDatagrams && !all.last; ++i) {
    const ssize_t got = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
    if (got <= 0) break;
    NldevAnswer part = ReadNldev(std::span(buffer).first(static_cast<std::size_t>(got)), sequence_);
    all.devices.merge(part.devices);
    all.counters.insert(all.counters.end(), part.counters.begin(), part.counters.end());
    all.last = part.last;
  }
  return all;
}

std::map<std::string, std::uint32_t> RdmaNetlink::Devices() {
  return Ask(DevicesRequest(++sequence_)).devices;
}

std::vector<CounterValue> RdmaNetlink::Counters(std::uint32_t device_index, std::uint32_t port) {
  return Ask(CountersRequest(device_index, port, ++sequence_)).counters;
}

}  // namespace fairlead::linkprobe
