// Who a connected probe is.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/result.h"
#include "extender/cluster/node_names.h"

namespace fairlead::extender {

inline constexpr std::uint32_t kProtocolVersion = 1;

// What a probe says of itself in its Hello.
struct ProbeIdentity {
  std::uint32_t protocol_version = 0;
  std::string node;
  std::string site;  // empty: not said
  std::uint64_t epoch = 0;
  std::string session_address;  // host:port
  bool has_hca = false;         // a usable RDMA port
  std::string software_version;
};

// Why a stream or report was refused: `reason` is a word for the metric's label.
struct Refusal {
  Error error;
  std::string_view reason;
};

// The identity with its site filled in from the inventory, if everything agrees: a known protocol
// version, the node that the token proves, a node of the inventory, its site, an address to dial.
// Pure.
tl::expected<ProbeIdentity, Refusal> CheckIdentity(ProbeIdentity said, std::string_view proven_node,
                                                   const NodeNames& inventory);

}  // namespace fairlead::extender
