// What became of a peer's request to open a session.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fairlead::linkprobe {

enum class OpenOutcome : std::uint8_t {
  kOpened,
  kVersion,            // a protocol version this program does not speak
  kWrongResponder,     // meant for another node
  kNoPlan,             // no plan from the extender yet, so nobody is known
  kStranger,           // not a peer of the plan
  kWrongKey,           // key id is not the pair's
  kBadMac,             // the mac does not fit
  kBadTime,            // too far from this host's wall clock
  kReplayed,           // nonce used before
  kBadEndpoints,       // endpoints that cannot be used
  kNoCommonTransport,  // nothing both sides have up
  kBusy,               // too many requests to remember their nonces
};

inline constexpr std::size_t kOpenOutcomeCount = 12;
using OpenCounts = std::array<std::uint64_t, kOpenOutcomeCount>;

// Stable word for metrics and logs, for example "no_plan".
std::string_view OpenOutcomeName(OpenOutcome outcome);

}  // namespace fairlead::linkprobe
