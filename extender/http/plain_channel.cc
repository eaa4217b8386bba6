#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

#include "extender/http/byte_channel.h"
#include "extender/http/socket_wait.h"

namespace fairlead::extender {
namespace {

bool WouldBlock() { return errno == EAGAIN || errno == EWOULDBLOCK; }

class PlainChannel final : public ByteChannel {
 public:
  explicit PlainChannel(int socket) : socket_(socket) { SetNonBlocking(socket); }

  ssize_t Read(char* to, std::size_t size, MonotonicTime deadline) override {
    while (true) {
      const ssize_t got = ::recv(socket_, to, size, 0);
      if (got >= 0) return got;
      if (errno == EINTR) continue;
      if (!WouldBlock() || !WaitForSocket(socket_, POLLIN, deadline)) return -1;
    }
  }

  ssize_t Write(const char* from, std::size_t size, MonotonicTime deadline) override {
    while (true) {
      const ssize_t put = ::send(socket_, from, size, MSG_NOSIGNAL);
      if (put >= 0) return put;
      if (errno == EINTR) continue;
      if (!WouldBlock() || !WaitForSocket(socket_, POLLOUT, deadline)) return -1;
    }
  }

  bool WaitReadable(MonotonicTime deadline) override {
    return WaitForSocket(socket_, POLLIN, deadline);
  }

  void CloseSending() override { ::shutdown(socket_, SHUT_WR); }

 private:
  int socket_;
};

class PlainChannelMaker final : public ChannelMaker {
 public:
  std::unique_ptr<ByteChannel> Make(int socket, MonotonicTime /*deadline*/) const override {
    return std::make_unique<PlainChannel>(socket);
  }
};

}  // namespace

std::unique_ptr<ChannelMaker> MakePlainChannels() { return std::make_unique<PlainChannelMaker>(); }

}  // namespace fairlead::extender
