// Netlink messages, byte by byte.
#pragma once

#include <linux/netlink.h>

#include <cstdint>
#include <string>

namespace fairlead::deviceplugin {

template <class T>
std::string Bytes(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

inline std::string Attribute(std::uint16_t type, const std::string& payload) {
  nlattr header{};
  header.nla_len = static_cast<std::uint16_t>(NLA_HDRLEN + payload.size());
  header.nla_type = type;
  std::string bytes = Bytes(header) + payload;
  bytes.resize(NLA_ALIGN(bytes.size()), '\0');
  return bytes;
}

inline std::string Datagram(std::uint16_t type, const std::string& body) {
  nlmsghdr header{};
  header.nlmsg_len = static_cast<std::uint32_t>(NLMSG_HDRLEN + body.size());
  header.nlmsg_type = type;
  return Bytes(header) + body;
}

}  // namespace fairlead::deviceplugin
