#include "common/http/http_stream.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "common/http/http_head.h"

namespace fairlead {
namespace {

constexpr std::size_t kReadBuffer = 16U << 10;
constexpr std::size_t kWriteBuffer = 256U << 10;

MonotonicTime Now() { return SystemClock().Now(); }

// Milliseconds for poll, rounded up so that it does not spin just before the deadline.
int PollTimeout(MonotonicTime deadline) {
  const Nanoseconds left = deadline - Now();
  if (left <= Nanoseconds(0)) return 0;
  return static_cast<int>(
      std::chrono::ceil<Milliseconds>(std::min<Nanoseconds>(left, Seconds(3600))).count());
}

template <class Query>
void IpAndPort(int fd, Query query, std::string& ip, int& port) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> service{};
  if (query(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0 ||
      getnameinfo(reinterpret_cast<sockaddr*>(&address), length, host.data(), host.size(),
                  service.data(), service.size(), NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
    return;
  }
  ip = host.data();
  std::from_chars(service.data(), service.data() + std::strlen(service.data()), port);
}

}  // namespace

HttpStream::HttpStream(int fd, int stop_fd, Seat& seat, std::unique_ptr<TlsSession> tls)
    : fd_(fd), stop_fd_(stop_fd), seat_(seat), tls_(std::move(tls)), in_(kReadBuffer) {}

bool HttpStream::WaitForRequest(Nanoseconds timeout) {
  return in_begin_ < in_end_ || (tls_ && tls_->pending()) || WaitFor(POLLIN, Now() + timeout);
}

HttpStream::Head HttpStream::ReadHead(std::size_t most) {
  std::size_t searched = 0;
  while (true) {
    const std::string_view bytes(in_.data() + in_begin_, in_end_ - in_begin_);
    const std::optional<std::size_t> length = HeadLength(bytes.substr(0, most), searched);
    head_size_ = length.value_or(std::min(bytes.size(), most));
    if (length) return Head::kWhole;
    if (bytes.size() >= most) return Head::kTooLong;
    searched = bytes.size();
    if (in_begin_ > 0) {
      std::memmove(in_.data(), bytes.data(), bytes.size());
      in_begin_ = 0;
      in_end_ = searched;
    }
    if (in_end_ == in_.size()) in_.resize(std::min(in_.size() * 2, most));
    const ssize_t got = Receive(in_.data() + in_end_, in_.size() - in_end_);
    if (got <= 0) {
      if (searched == 0) return Head::kNone;
      if (got == 0) return Head::kCut;
      return Now() >= deadline_ ? Head::kLate : Head::kNone;
    }
    in_end_ += static_cast<std::size_t>(got);
  }
}

void HttpStream::SkipOfHead(std::size_t bytes) {
  in_begin_ += bytes;
  head_size_ -= bytes;
}

void HttpStream::BeginRequest(Nanoseconds deadline, std::size_t budget) {
  allowance_ = deadline;
  deadline_ = Now() + deadline;
  budget_ = budget;
}

bool HttpStream::WaitFor(short events, MonotonicTime deadline) const {
  seat_.StartWaiting(Now());
  const bool ready = PollUntil(events, deadline);
  seat_.FinishWaiting();
  return ready;
}

bool HttpStream::PollUntil(short events, MonotonicTime deadline) const {
  std::array<pollfd, 2> fds{{{fd_, events, 0}, {stop_fd_, POLLIN, 0}}};
  while (true) {
    const int ready = poll(fds.data(), fds.size(), PollTimeout(deadline));
    if (ready < 0 && errno == EINTR) continue;
    // One that keeps sending does not keep the server from ending.
    return ready > 0 && fds[1].revents == 0 && fds[0].revents != 0;
  }
}

bool HttpStream::is_readable() const { return in_begin_ < in_end_ || WaitFor(POLLIN, deadline_); }

bool HttpStream::is_writable() const { return WaitFor(POLLOUT, deadline_); }

ssize_t HttpStream::Receive(char* out, std::size_t size) {
  while (true) {
    const ssize_t got = tls_ ? tls_->Read(out, size) : recv(fd_, out, size, 0);
    if (got >= 0) return got;
    if (errno == EINTR) continue;
    if ((errno != EAGAIN && errno != EWOULDBLOCK) || !WaitFor(POLLIN, deadline_)) return -1;
  }
}

ssize_t HttpStream::read(char* out, std::size_t size) {
  size = std::min(size, budget_);
  if (size == 0 || !Flush()) return -1;
  if (in_begin_ == in_end_) {
    if (size >= in_.size()) {
      const ssize_t got = Receive(out, size);
      if (got > 0) budget_ -= static_cast<std::size_t>(got);
      return got;
    }
    const ssize_t got = Receive(in_.data(), in_.size());
    if (got <= 0) return got;
    in_begin_ = 0;
    in_end_ = static_cast<std::size_t>(got);
  }
  size = std::min(size, in_end_ - in_begin_);
  std::memcpy(out, in_.data() + in_begin_, size);
  in_begin_ += size;
  budget_ -= size;
  return static_cast<ssize_t>(size);
}

ssize_t HttpStream::write(const char* data, std::size_t size) {
  // A handler's own time does not count against the client that waits for it.
  if (out_.empty()) deadline_ = Now() + allowance_;
  out_.append(data, size);
  if (out_.size() >= kWriteBuffer && !Flush()) return -1;
  return static_cast<ssize_t>(size);
}

ssize_t HttpStream::Transmit(const char* data, std::size_t size) {
  return tls_ ? tls_->Write(data, size) : send(fd_, data, size, MSG_NOSIGNAL);
}

bool HttpStream::Flush() {
  std::size_t sent = 0;
  while (sent < out_.size()) {
    const ssize_t n = Transmit(out_.data() + sent, out_.size() - sent);
    if (n >= 0) {
      sent += static_cast<std::size_t>(n);
    } else if (errno != EINTR) {
      const bool full = errno == EAGAIN || errno == EWOULDBLOCK;
      if (!full || !WaitFor(POLLOUT, deadline_)) break;
    }
  }
  const bool all = sent == out_.size();
  out_.clear();
  return all;
}

void HttpStream::Drain(Nanoseconds most) {
  if (tls_) tls_->FinishSending();
  shutdown(fd_, SHUT_WR);
  BeginRequest(most, 0);
  while (Now() < deadline_ && Receive(in_.data(), in_.size()) > 0) {
  }
}

void HttpStream::get_remote_ip_and_port(std::string& ip, int& port) const {
  IpAndPort(fd_, getpeername, ip, port);
}

void HttpStream::get_local_ip_and_port(std::string& ip, int& port) const {
  IpAndPort(fd_, getsockname, ip, port);
}

}  // namespace fairlead
