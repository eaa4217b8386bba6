// What RDMA payload takes on the wire.
#pragma once

#include <cstdint>

namespace fairlead::linkprobe {

// Ethernet 14, IP 20 or 40, UDP 8, base transport header 12, invariant CRC 4: the frame as rates of
// lines and shapers count it, without preamble and check sequence.
inline constexpr std::uint32_t RoceHeaderBytes(bool ipv6) {
  return 14 + (ipv6 ? 40 : 20) + 8 + 12 + 4;
}

// The frame bytes that carry one payload byte in packets of a full path MTU.
inline constexpr double FrameBytesPerPayload(std::uint32_t path_mtu_bytes, bool ipv6) {
  return 1.0 + static_cast<double>(RoceHeaderBytes(ipv6)) / path_mtu_bytes;
}

}  // namespace fairlead::linkprobe
