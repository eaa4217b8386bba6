#include "linkprobe/verbs/global_route.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::size_t kIpv4Offset = 20;
constexpr std::uint8_t kIpv4FiveWords = 0x45;

// RFC 1071: the sum of a header with its checksum in place is all ones.
bool Ipv4ChecksumRight(std::span<const std::uint8_t> ipv4) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < ipv4.size(); i += 2) {
    sum += static_cast<std::uint32_t>(ipv4[i] << 8 | ipv4[i + 1]);
  }
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return sum == 0xffff;
}

}  // namespace

std::optional<GlobalRoute> ParseGlobalRoute(std::span<const std::uint8_t> header) {
  if (header.size() < kGlobalRouteBytes) return std::nullopt;
  const auto ipv4 = header.subspan(kIpv4Offset, kGlobalRouteBytes - kIpv4Offset);
  const bool may_be_ipv6 = header[0] >> 4 == 6;
  if (ipv4[0] == kIpv4FiveWords && (!may_be_ipv6 || Ipv4ChecksumRight(ipv4))) {
    return GlobalRoute{.hop_limit = ipv4[8], .traffic_class = ipv4[1]};
  }
  if (!may_be_ipv6) return std::nullopt;
  return GlobalRoute{
      .hop_limit = header[7],
      .traffic_class = static_cast<std::uint8_t>((header[0] & 0x0f) << 4 | header[1] >> 4)};
}

}  // namespace fairlead::linkprobe
