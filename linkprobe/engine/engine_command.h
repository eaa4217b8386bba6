// What other loops ask of an engine.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "common/base/clock.h"
#include "common/link/detector_settings.h"
#include "linkprobe/reflect/reflector.h"
#include "linkprobe/transport/endpoint.h"

namespace fairlead::linkprobe {

// Probe this peer from now on; replaces an earlier session with it.
struct OpenProberSession {
  std::string peer_node;
  std::string peer_site{};
  Nanoseconds floor_rtt{};  // 0: not known
  std::uint64_t session_id = 0;
  std::uint64_t peer_epoch = 0;
  std::uint32_t key_id = 0;
  std::vector<std::uint8_t> key{};
  std::vector<Endpoint> endpoints{};  // the peer's, by path index
};

// Answer this prober from now on.
struct OpenResponderSession {
  SessionGrant grant;
  std::vector<std::uint8_t> key{};
  std::vector<Endpoint> endpoints{};  // the prober's, by path index
};

// What a plan says about a peer that is probed, whether or not a session with it is open.
struct ProbedPeer {
  std::string site{};
  Nanoseconds floor_rtt{};   // 0: not known
  bool line_tested = false;  // a bandwidth test fills the line to it
};

// Forget every peer not named, with all that was measured; what is said about the others holds from
// now on.
struct RetainPeers {
  std::map<std::string, ProbedPeer> probed;  // by node name
  std::set<std::string> answered;            // node names
};

// Forget one probed peer: another engine probes it now.
struct ForgetProbedPeer {
  std::string node;
};

struct ChangeDetector {
  DetectorSettings settings;
};

using EngineCommand = std::variant<OpenProberSession, OpenResponderSession, RetainPeers,
                                   ForgetProbedPeer, ChangeDetector>;

}  // namespace fairlead::linkprobe
