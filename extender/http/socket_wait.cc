#include "extender/http/socket_wait.h"

#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>

namespace fairlead::extender {

bool WaitForSocket(int socket, short events, MonotonicTime deadline) {
  const SystemClock clock;
  while (true) {
    const auto left =
        std::chrono::ceil<Milliseconds>(std::max(deadline - clock.Now(), Nanoseconds(0)));
    pollfd entry{.fd = socket, .events = events, .revents = 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(left.count()));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

void SetNonBlocking(int socket) {
  ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL, 0) | O_NONBLOCK);
}

}  // namespace fairlead::extender
