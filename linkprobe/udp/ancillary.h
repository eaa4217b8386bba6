// What the kernel tells beside a packet's bytes.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <optional>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// The control messages of one recvmsg; each absent where the kernel sent none.
struct Ancillary {
  std::optional<WallTime> stamp;
  std::optional<std::uint8_t> hop_limit;
  std::optional<std::uint8_t> traffic_class;
  std::optional<std::uint32_t> stamp_number;  // of a send stamp, counted from zero per socket
};

// Room for the control messages above.
inline constexpr std::size_t kAncillaryBytes = 256;

Ancillary ParseAncillary(const msghdr& message);

}  // namespace fairlead::linkprobe
