// What `fairlead-linkprobe ping` prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "linkprobe/engine/engine_snapshot.h"

namespace fairlead::linkprobe {

// One answered probe.
struct PingReply {
  std::uint32_t path = 0;
  std::uint64_t sequence = 0;
  Nanoseconds rtt{};
  Nanoseconds remote{};  // the peer's share, not in rtt
  std::optional<std::uint8_t> forward_hops{};
  std::optional<std::uint8_t> reverse_hops{};
  bool duplicate = false;
  bool late = false;  // after it had counted as lost
};

// One line each, without a line break. Pure.
std::string PingReplyLine(const PingReply& reply, const std::string& peer, bool json);

// The closing lines for one path. Pure.
std::string PingSummary(const PathStatus& path, const std::string& peer, bool json);

}  // namespace fairlead::linkprobe
