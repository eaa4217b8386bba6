// What an RDMA port is and can do, in the words of the InfiniBand specification.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fairlead {

enum class LinkLayer { kUnspecified, kInfiniband, kEthernet };

// How a GID's packets are framed: InfiniBand, RoCE in Ethernet frames (v1) or in UDP/IP (v2).
enum class GidType { kInfiniband, kRoceV1, kRoceV2 };

// Logical state of a port; only kActive carries data.
enum class PortState { kNop, kDown, kInit, kArmed, kActive, kActiveDefer };

// Path MTU in bytes of payload.
enum class Mtu { k256 = 256, k512 = 512, k1024 = 1024, k2048 = 2048, k4096 = 4096 };

// Stable words for logs, JSON and people: "ethernet", "RoCE v2", "active".
std::string_view LinkLayerName(LinkLayer layer);
std::string_view GidTypeName(GidType type);
std::string_view PortStateName(PortState state);

// The type as sysfs' gid_attrs/types spells it; nothing for any other word. "IB/RoCE v1" is v1 on
// Ethernet and InfiniBand elsewhere.
std::optional<GidType> ParseGidType(std::string_view text, LinkLayer layer);

// The largest MTU whose packets fit a network MTU of `bytes` with `overhead` bytes of RDMA and IP
// headers on top; nothing below 256 bytes.
std::optional<Mtu> LargestMtu(std::uint32_t bytes, std::uint32_t overhead);

}  // namespace fairlead
