// What a recording holds: one line's values over one window of time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "common/link/link_state.h"

namespace fairlead::linkprobe {

// Probes whose fate in one direction was decided within the window, and how delay varied.
struct WindowDirection {
  std::uint64_t sent = 0;
  std::uint64_t lost = 0;
  std::optional<Nanoseconds> jitter;           // RFC 3550
  std::optional<Nanoseconds> delay_variation;  // p99 - min, drift of the clocks taken out
};

// How much the line can carry from this end, and how that is known: "train", "saturation"; with
// "_at_least" behind it where something else than the line was the limit.
struct WindowBandwidth {
  double bits_per_second = 0;
  std::string source;
};

// `begin` and `end` count from the start of the recording, by the monotonic clock.
struct LineWindow {
  std::string line;  // the peer, as it was named
  std::uint32_t path = 0;
  TransportRung rung = TransportRung::kUdpSw;
  Nanoseconds begin{};
  Nanoseconds end{};
  WallTime wall_end{};
  std::uint64_t samples = 0;  // answered probes behind the delays
  std::optional<Nanoseconds> rtt_min;
  std::optional<Nanoseconds> rtt_p50;
  std::optional<Nanoseconds> rtt_p99;
  WindowDirection forward;
  WindowDirection reverse;
  std::uint64_t lost_unknown = 0;         // lost in a direction that stays unknown
  std::optional<Nanoseconds> host_delay;  // p50 of this host's own share, not in the RTT
  std::optional<WindowBandwidth> bandwidth;
  bool tested = false;  // a bandwidth test shaped its delays and losses
};

// Who can have measured: this program by its own packets, or probes of which an extender tells.
inline constexpr char kOwnProbes[] = "probe";
inline constexpr char kByExtender[] = "extender";

// Where and how a recording was made.
struct RecordingFacts {
  std::string host;
  std::string program_version;
  std::string source = kOwnProbes;  // who measured
  WallTime started{};
  Nanoseconds window{};
  Nanoseconds planned{};         // how long it was to be
  double probes_per_second = 0;  // 0: not known
  std::uint32_t paths = 1;
  std::uint32_t traffic_class = 0;
};

}  // namespace fairlead::linkprobe
