// The address of an RDMA port.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/result.h"

namespace fairlead {

// 128 bits in network order: an IPv6 address, an IPv4 address mapped into one, or on InfiniBand a
// subnet prefix and a port GUID.
struct Gid {
  std::array<std::uint8_t, 16> bytes{};

  bool operator==(const Gid&) const = default;
};

// What the bits of a GID say about its reach.
enum class GidScope {
  kZero,         // an empty table entry
  kLinkLocal,    // fe80::/10
  kIpv4Mapped,   // ::ffff:a.b.c.d
  kUniqueLocal,  // fc00::/7
  kGlobal,       // every other address
};

GidScope ScopeOf(const Gid& gid);

// Eight groups of four hexadecimal digits, as sysfs and ibv_devinfo print it:
// "fe80:0000:0000:0000:5054:00ff:fe12:3456".
std::string FormatGid(const Gid& gid);

// The address as people write it: "10.0.0.1" for a mapped one, else compressed IPv6 (RFC 5952).
std::string HumanGid(const Gid& gid);

// Reads both spellings, also "::ffff:10.0.0.1". kInvalidArgument for anything else.
Result<Gid> ParseGid(std::string_view text);

}  // namespace fairlead
