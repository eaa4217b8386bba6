// The network header in front of a received UD packet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace fairlead::linkprobe {

// Bytes that every UD receive puts before the payload.
inline constexpr std::size_t kGlobalRouteBytes = 40;

struct GlobalRoute {
  std::uint8_t hop_limit = 0;
  std::uint8_t traffic_class = 0;
};

// For RoCE v2 over IPv4 the device leaves the IPv4 header in bytes 20..39 (the first 20 are not
// defined); over IPv6 and RoCE v1 all 40 are an IPv6-shaped header. Told apart by content:
// a version 4 header of five words at byte 20 counts, and where byte 0 could be a version 6 header
// too its checksum decides. Nothing if it is neither.
std::optional<GlobalRoute> ParseGlobalRoute(std::span<const std::uint8_t> header);

}  // namespace fairlead::linkprobe
