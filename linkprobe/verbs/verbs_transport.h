// Probe packets over RDMA unreliable datagrams.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "common/base/result.h"
#include "linkprobe/transport/transport.h"

namespace fairlead::linkprobe {

// The port and address to probe from; chosen by the caller.
struct VerbsOptions {
  std::string device;
  std::uint8_t port = 1;
  std::uint8_t gid_index = 0;
  std::array<std::uint8_t, 16> gid{};  // what gid_index holds, network order
  std::uint32_t paths = 1;             // queue pairs, 1..8
  std::uint8_t traffic_class = 0;
  std::uint8_t roce_version = 0;  // of the GID, for the peer to compare; 0: not known
};

// One UD queue pair a path. Event driven; needs no capability. Drain reports the transport gone
// when the device or port fails or the GID moves.
Result<std::unique_ptr<Transport>> CreateVerbsTransport(const VerbsOptions& options);

}  // namespace fairlead::linkprobe
