#include "linkprobe/udp/ancillary.h"

#include <linux/errqueue.h>
#include <netinet/in.h>

#include <cstring>

namespace fairlead::linkprobe {
namespace {

template <class T>
T Read(const cmsghdr& header) {
  T value{};
  std::memcpy(&value, CMSG_DATA(&header), sizeof value);
  return value;
}

std::optional<WallTime> ReadStamp(const cmsghdr& header) {
  const auto stamps = Read<scm_timestamping>(header);
  const timespec& software = stamps.ts[0];  // [2] would be the NIC's
  if (software.tv_sec == 0 && software.tv_nsec == 0) return std::nullopt;
  return WallTime(Seconds(software.tv_sec) + Nanoseconds(software.tv_nsec));
}

}  // namespace

Ancillary ParseAncillary(const msghdr& message) {
  Ancillary found;
  for (const cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = CMSG_NXTHDR(const_cast<msghdr*>(&message), const_cast<cmsghdr*>(header))) {
    const int level = header->cmsg_level;
    const int type = header->cmsg_type;
    if (level == SOL_SOCKET && type == SCM_TIMESTAMPING) {
      found.stamp = ReadStamp(*header);
    } else if ((level == IPPROTO_IP && type == IP_TTL) ||
               (level == IPPROTO_IPV6 && type == IPV6_HOPLIMIT)) {
      found.hop_limit = static_cast<std::uint8_t>(Read<int>(*header));
    } else if (level == IPPROTO_IP && type == IP_TOS) {
      found.traffic_class = Read<std::uint8_t>(*header);  // one byte, unlike its IPv6 sibling
    } else if (level == IPPROTO_IPV6 && type == IPV6_TCLASS) {
      found.traffic_class = static_cast<std::uint8_t>(Read<int>(*header));
    } else if ((level == IPPROTO_IP && type == IP_RECVERR) ||
               (level == IPPROTO_IPV6 && type == IPV6_RECVERR)) {
      const auto error = Read<sock_extended_err>(*header);
      if (error.ee_origin == SO_EE_ORIGIN_TIMESTAMPING) found.stamp_number = error.ee_data;
    }
  }
  return found;
}

}  // namespace fairlead::linkprobe
