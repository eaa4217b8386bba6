// How many routers a packet crossed.
#pragma once

#include <cstdint>
#include <optional>

namespace fairlead::linkprobe {

// From the hop limit left on arrival, taking the sender's to be the next of 64, 128 and 255, which
// are what hosts and devices start with. Nothing for 0, which no packet arrives with.
constexpr std::optional<std::uint32_t> HopsCrossed(std::uint8_t hop_limit) {
  if (hop_limit == 0) return std::nullopt;
  const std::uint32_t first = hop_limit <= 64 ? 64 : hop_limit <= 128 ? 128 : 255;
  return first - hop_limit;
}

// Whether the two ECN bits of a traffic class byte say Congestion Experienced (RFC 3168).
constexpr bool IsCongestionMarked(std::uint8_t traffic_class) { return (traffic_class & 3) == 3; }

}  // namespace fairlead::linkprobe
