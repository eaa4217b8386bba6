// What the extender wants of this probe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/link/link_measurement.h"
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

// What the extender's probes measure of the line from this node's site to another one.
struct PlannedLine {
  std::string peer_site;
  Nanoseconds rtt{};                   // median
  MonotonicTime at{};                  // when the newest probe behind it was answered
  std::optional<LossInterval> loss{};  // of probes; bounds without counts
  std::optional<std::uint64_t> capacity_bits_per_second{};  // declared
};

// A plan replaces the one before it as a whole. Revision 0 means that none has come yet.
struct Plan {
  std::uint64_t term = 0;
  std::uint64_t revision = 0;
  std::string site{};  // of this node
  std::vector<PlannedPeer> peers;
  std::optional<BandwidthLease> lease{};  // of this node
  std::vector<PlannedLine> lines{};       // one for each other site at most
  std::uint32_t lines_refused = 0;        // impossible ones, which are not in `lines`

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
