// What the extender wants of this probe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "linkprobe/session/bandwidth_lease.h"

namespace fairlead::linkprobe {

// One peer, to be probed or only to be answered.
struct PlannedPeer {
  std::string node;
  std::string site{};
  std::string session_address{};  // host:port
  bool probe = false;
  std::uint32_t key_id = 0;
  std::vector<std::uint8_t> key{};  // of this pair of nodes
  Nanoseconds floor_rtt{};          // 0: not known
  bool line_tested = false;         // a bandwidth test fills the line to it

  friend bool operator==(const PlannedPeer&, const PlannedPeer&) = default;
};

// A plan replaces the one before it as a whole. Revision 0 means that none has come yet.
struct Plan {
  std::uint64_t term = 0;
  std::uint64_t revision = 0;
  std::string site{};  // of this node
  std::vector<PlannedPeer> peers;
  std::optional<BandwidthLease> lease{};  // of this node

  bool received() const { return revision != 0; }
  // Null for a node that the plan does not name.
  const PlannedPeer* Find(const std::string& node) const {
    for (const PlannedPeer& peer : peers) {
      if (peer.node == node) return &peer;
    }
    return nullptr;
  }
};

}  // namespace fairlead::linkprobe
