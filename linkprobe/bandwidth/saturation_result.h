// What a saturation test found, and why it ended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

enum class SaturationEnd {
  kLine,       // delivery stopped growing while the round trip rose: the line is full
  kSender,     // delivery stopped growing and the round trip did not: a window or host is full
  kTarget,     // the target rate was reached and the line would have taken more
  kHarm,       // delivery fell while RTT, ECN or loss rose: somebody else needs the line
  kQuota,      // the bytes that may be spent are spent
  kSilent,     // nothing came back any more
  kNoReplies,  // no round trip was ever measured
};
// Stable word for JSON: "line", "sender", ...
std::string_view SaturationEndName(SaturationEnd end);

// Payload bytes per second over an interval in which the window stood still.
struct Delivery {
  double bytes_per_second = 0;
  double lowest = 0;   // of the interval's parts
  double highest = 0;  // likewise
  std::uint32_t parts = 0;
  std::uint64_t in_flight_bytes = 0;  // the window
  Nanoseconds length{};
  bool held = false;  // measured while the found window was held, not on the way up
};

struct SaturationResult {
  SaturationEnd end = SaturationEnd::kNoReplies;
  std::optional<Delivery> delivery{};  // the best that was measured
  std::optional<Nanoseconds> idle_rtt{};
  std::optional<Nanoseconds> loaded_rtt{};  // median while `delivery` was measured
  std::string evidence;                     // the end in one sentence with its numbers
};

}  // namespace fairlead::linkprobe
