#include "common/http/listening_socket.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <memory>
#include <string>

#include "common/base/errno_text.h"
#include "common/config/names.h"

namespace fairlead {
namespace {

constexpr int kBacklog = 1024;  // a burst beyond it waits a second for its next SYN

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

std::uint16_t BoundPort(int fd) {
  sockaddr_storage bound{};
  socklen_t length = sizeof bound;
  getsockname(fd, reinterpret_cast<sockaddr*>(&bound), &length);
  // The port lies at the same place in both families.
  return ntohs(reinterpret_cast<const sockaddr_in*>(&bound)->sin_port);
}

}  // namespace

Result<ListeningSocket> ListenTcp(const ListenAddress& address) {
  const std::string shown = "listen on " + FormatListenAddress(address);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int failed =
      getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (failed != 0) {
    return Fail(ErrorCode::kInvalidArgument,
                shown + ": " + gai_strerror(failed) + "; use an address of this host or 0.0.0.0");
  }
  const AddressList list(found, &freeaddrinfo);
  FileDescriptor fd(socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return Fail(SystemError(errno, shown));
  // A restart may bind while old connections linger. Two servers on one port stay an error, so
  // SO_REUSEPORT is not set. Accepted sockets inherit TCP_NODELAY.
  const int on = 1;
  setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (bind(fd.get(), found->ai_addr, found->ai_addrlen) != 0 || listen(fd.get(), kBacklog) != 0) {
    const int error_number = errno;
    Error error = SystemError(error_number, shown);
    if (error_number == EADDRINUSE) error.message += "; stop the other program or choose a port";
    return Fail(std::move(error));
  }
  const std::uint16_t port = BoundPort(fd.get());
  return ListeningSocket{std::move(fd), port};
}

}  // namespace fairlead
