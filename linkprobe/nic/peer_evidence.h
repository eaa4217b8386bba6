// What the paths to one peer say about the NIC that they all begin at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "linkprobe/engine/engine_snapshot.h"

namespace fairlead::linkprobe {

enum class PeerSign {
  kUnclear,  // nothing that speaks for or against the NIC
  kWell,     // some path is Healthy, so the NIC carries traffic
  kSilent,   // no probe is answered, though the peer itself is there
  kLossy,    // probes are lost, and no congestion was marked
  kHeld,     // was one of the two and waits out its dwell time
};

struct PeerEvidence {
  std::string node;
  bool in_site = false;
  std::string site;
  PeerSign sign = PeerSign::kUnclear;
  Nanoseconds standing{};  // how long the state of each path has stood at least
  LossInterval loss;       // kLossy: of the path and direction that lose least, the worse direction
  std::string_view direction;  // kLossy: of that loss, "forward" or "reverse"
};

// A peer counts as there if it has agreed to a session, which it does over TCP, or answered a probe
// within this time. A session without answers is opened anew every half minute.
inline constexpr Nanoseconds kPeerIsThere = Seconds(60);
// Losses count from this lower bound of their 95 % interval on: ten times what degrades a line,
// since one NIC's share of a line's loss must be out of the question.
inline constexpr double kLossOfNic = 0.01;
// More ECN marks than this share of the packets that arrived: the losses may be congestion.
inline constexpr double kCongested = 0.01;

// One entry for each peer that is probed, in order of name. A peer of several paths is silent,
// lossy or held only if all its paths are. Pure.
std::vector<PeerEvidence> GatherEvidence(const EngineSnapshot& engine, std::string_view site,
                                         MonotonicTime now);

}  // namespace fairlead::linkprobe
