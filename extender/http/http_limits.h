// What one client may cost the server before it is cut off.
#pragma once

#include <cstddef>

#include "common/base/clock.h"

namespace fairlead::extender {

struct HttpLimits {
  std::size_t max_body_bytes = 64U << 20;       // 5,000 full Nodes are 54 MB
  std::size_t max_buffered_bytes = 256U << 20;  // of all bodies being received at one moment
  std::size_t max_connections = 512;            // a thread each; idle ones give way beyond it
  // kube-scheduler's HTTP client keeps a connection idle for up to 90 s and does not repeat a POST
  // on one that was closed under it, so the server must be the more patient side.
  Nanoseconds idle_timeout = Seconds(120);
  Nanoseconds first_request_timeout = Seconds(10);  // a client that connects and says nothing
  Nanoseconds request_timeout = Seconds(10);        // from a request's first byte to its last
  Nanoseconds answer_timeout = Seconds(10);         // for the client to take the answer
  Nanoseconds linger = Seconds(1);                  // unread bytes of a refused body are discarded
};

}  // namespace fairlead::extender
