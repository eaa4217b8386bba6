// How much one HTTP listener lets its clients ask for.
#pragma once

#include <cstddef>

#include "common/base/clock.h"

namespace fairlead {

struct HttpLimits {
  std::size_t most_body_bytes = 4096;          // a longer Content-Length is answered with 413
  std::size_t most_buffered_bytes = 1U << 20;  // of all bodies under way that RouteBody reads
  std::size_t most_connections = 8;            // served at a time, a thread each; others wait
  Nanoseconds keep_alive = Seconds(5);         // how long an idle connection is kept
  Nanoseconds request_deadline = Seconds(5);   // from the first byte of a request to its last
  Nanoseconds patience = Milliseconds(50);     // how long a slow client may keep others waiting
};

// For kube-scheduler and Volcano. Go's client keeps idle connections for 90 s and does not repeat a
// POST on one that died, so the server must never be the first to close. A list of 5,000 whole
// nodes is 54 MB.
inline HttpLimits SchedulerHttpLimits() {
  return {.most_body_bytes = 64U << 20,
          .most_buffered_bytes = 256U << 20,
          .most_connections = 256,
          .keep_alive = Seconds(180),
          .request_deadline = Seconds(5)};
}

// For scrapes and health checks: no body worth mentioning, few clients, but a kubelet whose check
// waits behind a hundred silent ones would restart the program. Threads are made when needed.
inline HttpLimits OpsHttpLimits() {
  return {.most_connections = 128, .request_deadline = Seconds(2)};
}

}  // namespace fairlead
