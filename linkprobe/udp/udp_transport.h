// Probe packets over UDP with the kernel's software stamps: the rung for hosts without RDMA.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "common/base/result.h"
#include "linkprobe/transport/transport.h"

namespace fairlead::linkprobe {

struct UdpOptions {
  std::string host = "0.0.0.0";  // IP literal to listen on
  std::uint16_t first_port = 0;  // path i uses first_port + i; 0: any free ports
  std::uint32_t paths = 1;       // 1..kLargestPathCount
  std::uint8_t traffic_class = 0;
};

inline constexpr std::uint32_t kLargestPathCount = 8;

// One socket a path, so that each path has a source port of its own.
Result<std::unique_ptr<Transport>> CreateUdpTransport(const UdpOptions& options);

}  // namespace fairlead::linkprobe
