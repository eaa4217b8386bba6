// Walking the kernel's netlink messages.
#pragma once

#include <linux/netlink.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace fairlead::deviceplugin {

// A copy of what begins the bytes, which need not be aligned; false where they are too few.
template <class T>
bool CopyFront(std::string_view bytes, T& out) {
  if (bytes.size() < sizeof out) return false;
  std::memcpy(&out, bytes.data(), sizeof out);
  return true;
}

// Calls `visit(type, payload)` for each attribute; false where they are cut off.
template <class Visit>
bool EachAttribute(std::string_view bytes, const Visit& visit) {
  nlattr attribute;
  while (CopyFront(bytes, attribute)) {
    if (attribute.nla_len < NLA_HDRLEN || attribute.nla_len > bytes.size()) return false;
    visit(attribute.nla_type & NLA_TYPE_MASK,
          bytes.substr(NLA_HDRLEN, attribute.nla_len - static_cast<std::size_t>(NLA_HDRLEN)));
    bytes.remove_prefix(std::min<std::size_t>(NLA_ALIGN(attribute.nla_len), bytes.size()));
  }
  return true;
}

}  // namespace fairlead::deviceplugin
