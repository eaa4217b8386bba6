// Whether it is this node's own NIC that keeps traffic from passing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "linkprobe/engine/engine_snapshot.h"

namespace fairlead::linkprobe {

// `sentence` says why, with the numbers; it is never empty.
struct NicOpinion {
  NicPort nic;
  bool bad = false;
  std::string sentence{};
  MonotonicTime at{};         // when the engine measured
  std::uint32_t peers = 0;    // probed from this port
  std::uint32_t failing = 0;  // of those, how many speak against the NIC
  std::uint32_t failing_in_site = 0;

  bool operator==(const NicOpinion&) const = default;
};

struct NicFacts {
  const EngineSnapshot& engine;
  std::string_view site;  // this node's own; empty: not known, then nothing is inside it
  Nanoseconds host_noise = Milliseconds(20);  // a host that wakes later than this can't judge
};

// Peers that fail for less than this don't count, so that a line or a peer that is mended in
// passing condemns nothing. The detector took its own time before.
inline constexpr Nanoseconds kFailingFor = Seconds(30);

// Nothing unless all packets pass one port. The NIC is bad if at least two peers and three quarters
// of all fail in the same way (silent, or lossy), no peer is well, and what fails has at least two
// explanations other than the NIC of which one is inside the site: each peer of the own site is
// one, each other site, behind whatever lines, is one. A silent NIC must besides be reached by no
// probe of a node outside the failing ones, and this host must wake in time. Everything else is not
// bad.
//
// `before` is the last opinion: a NIC that was bad stays so until a peer is well or the evidence is
// gone, while peers that recover wait out their dwell time. Pure.
std::optional<NicOpinion> JudgeNic(const NicFacts& facts, const NicOpinion* before,
                                   MonotonicTime now);

// JudgeNic for every engine; of `before` each takes what was said of its port.
std::vector<NicOpinion> JudgeNics(std::span<const std::shared_ptr<const EngineSnapshot>> engines,
                                  std::string_view site, Nanoseconds host_noise,
                                  std::span<const NicOpinion> before, MonotonicTime now);

}  // namespace fairlead::linkprobe
