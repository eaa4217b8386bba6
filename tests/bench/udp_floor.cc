// The least that probing by UDP with kernel stamps can cost: a prober that makes the system calls
// of a probe and its answer and nothing else.
//
//     udp_floor echo LOCAL                 answers every datagram
//     udp_floor send LOCAL PEER RATE       sends RATE a second, reads send stamps and answers
#include <arpa/inet.h>
#include <linux/net_tstamp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

constexpr std::uint16_t kPort = 7479;
constexpr std::size_t kProbeBytes = 96;

sockaddr_in AddressOf(const char* text) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(kPort);
  if (inet_pton(AF_INET, text, &address.sin_addr) != 1) std::abort();
  return address;
}

void Check(long result, const char* what) {
  if (result >= 0) return;
  std::perror(what);
  std::exit(1);
}

int Bound(const char* local) {
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  const sockaddr_in address = AddressOf(local);
  Check(bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), "bind");
  const int flags = SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_RX_SOFTWARE |
                    SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_TSONLY |
                    SOF_TIMESTAMPING_OPT_ID;
  Check(setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags), "SO_TIMESTAMPING");
  return fd;
}

// True when a datagram was there.
bool Read(int fd, int flags, sockaddr_in* from) {
  std::array<char, 2048> data;
  std::array<char, 512> control;
  iovec span{data.data(), data.size()};
  msghdr message{};
  message.msg_iov = &span;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  if (from != nullptr) {
    message.msg_name = from;
    message.msg_namelen = sizeof *from;
  }
  return recvmsg(fd, &message, flags) >= 0;
}

void Send(int fd, const sockaddr_in& to) {
  const std::array<char, kProbeBytes> probe{};
  sendto(fd, probe.data(), probe.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
}

int Timer(long rate) {
  const int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  const timespec period{.tv_sec = 0, .tv_nsec = 1'000'000'000 / rate};
  const itimerspec spec{.it_interval = period, .it_value = period};
  Check(timerfd_settime(fd, 0, &spec, nullptr), "timerfd_settime");
  return fd;
}

void Watch(int epoll, int fd) {
  epoll_event wanted{.events = EPOLLIN, .data = {.fd = fd}};
  Check(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &wanted), "epoll_ctl");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const bool sends = std::string_view(argv[1]) == "send";
  if (sends && argc < 5) return 2;
  const int fd = Bound(argv[2]);
  const int timer = sends ? Timer(std::atol(argv[4])) : -1;
  const sockaddr_in peer = AddressOf(sends ? argv[3] : argv[2]);
  const int epoll = epoll_create1(0);
  Watch(epoll, fd);
  if (sends) Watch(epoll, timer);
  for (;;) {
    epoll_event ready{};
    if (epoll_wait(epoll, &ready, 1, -1) != 1) continue;
    if (ready.data.fd == timer) {
      std::uint64_t expired = 0;
      if (read(timer, &expired, sizeof expired) != sizeof expired) continue;
      Send(fd, peer);
    } else {
      sockaddr_in from{};
      while (Read(fd, MSG_DONTWAIT, &from)) {
        if (!sends) Send(fd, from);
      }
    }
    while (Read(fd, MSG_ERRQUEUE | MSG_DONTWAIT, nullptr)) {
    }
  }
}
