#include "common/rdma/gid.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "common/base/quote.h"

namespace fairlead {
namespace {

constexpr std::size_t kMappedPrefix = 12;  // bytes before the IPv4 address of a mapped one

}  // namespace

GidScope ScopeOf(const Gid& gid) {
  const auto& b = gid.bytes;
  const auto zero_until = [&](std::size_t n) {
    return std::all_of(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(n),
                       [](std::uint8_t byte) { return byte == 0; });
  };
  if (zero_until(b.size())) return GidScope::kZero;
  if (zero_until(10) && b[10] == 0xff && b[11] == 0xff) return GidScope::kIpv4Mapped;
  if (b[0] == 0xfe && (b[1] & 0xc0) == 0x80) return GidScope::kLinkLocal;
  if ((b[0] & 0xfe) == 0xfc) return GidScope::kUniqueLocal;
  return GidScope::kGlobal;
}

std::string FormatGid(const Gid& gid) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < gid.bytes.size(); ++i) {
    if (i > 0 && i % 2 == 0) out += ':';
    out += kHex[gid.bytes[i] >> 4];
    out += kHex[gid.bytes[i] & 0xf];
  }
  return out;
}

std::string HumanGid(const Gid& gid) {
  char text[INET6_ADDRSTRLEN] = "";
  if (ScopeOf(gid) == GidScope::kIpv4Mapped) {
    inet_ntop(AF_INET, gid.bytes.data() + kMappedPrefix, text, sizeof text);
  } else {
    inet_ntop(AF_INET6, gid.bytes.data(), text, sizeof text);
  }
  return text;
}

Result<Gid> ParseGid(std::string_view text) {
  const std::string terminated(text);
  Gid gid;
  const bool whole = terminated.find('\0') == std::string::npos;
  if (whole && inet_pton(AF_INET6, terminated.c_str(), gid.bytes.data()) == 1) return gid;
  std::uint8_t v4[4];
  if (whole && inet_pton(AF_INET, terminated.c_str(), v4) == 1) {
    gid = {};
    gid.bytes[10] = gid.bytes[11] = 0xff;
    std::memcpy(gid.bytes.data() + kMappedPrefix, v4, sizeof v4);
    return gid;
  }
  return Fail(ErrorCode::kInvalidArgument,
              Quoted(text) + " is not a GID; write an IPv6 or IPv4 address");
}

}  // namespace fairlead
