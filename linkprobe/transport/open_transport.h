// How each kind of transport is built on this host.
#pragma once

#include <cstdint>
#include <string>

#include "linkprobe/engine/probe_engine.h"

namespace fairlead::linkprobe {

struct TransportOptions {
  std::string device;                // RDMA device; empty: the best usable one
  std::string udp_host = "0.0.0.0";  // IP literal
  std::uint16_t udp_first_port = 0;  // path i uses first_port + i; 0: any free ports
  std::uint32_t paths = 1;
  std::uint8_t traffic_class = 0;
};

// Looks at the host anew each time it builds, so a device that comes back, or one whose GID moved,
// is found again.
TransportFactory FactoryFor(TransportKind kind, const TransportOptions& options);

}  // namespace fairlead::linkprobe
