// Where a server binds.
#pragma once

#include <cstdint>
#include <string>

namespace fairlead {

// `address:port` or `[v6]:port`; port 0 lets the kernel choose.
struct ListenAddress {
  std::string host;
  std::uint16_t port = 0;

  bool operator==(const ListenAddress&) const = default;
};

}  // namespace fairlead
