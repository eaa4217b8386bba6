// What a probe knows about one path to one peer: the value that travels from estimator to detector,
// report, link table and page.
#pragma once

#include <cstdint>
#include <optional>

#include "common/base/clock.h"
#include "common/link/link_state.h"

namespace fairlead {

// A binomial proportion with its 95 % Wilson interval; all three are ratios in 0..1.
struct LossInterval {
  std::uint64_t lost = 0;
  std::uint64_t sent = 0;
  double ratio = 0;
  double lower = 0;
  double upper = 1;

  // Whether it says anything. What others measured comes as a ratio without counts.
  bool known() const { return sent > 0 || upper < 1; }
};

// Packets of one direction over the reporting window. `jitter` is RFC 3550's, `pdv` is p99 - min of
// the one-way delay variation with clock drift removed; both absent until there are samples.
struct DirectionMeasurement {
  LossInterval loss;
  std::uint64_t late = 0;
  std::uint64_t duplicate = 0;
  std::uint64_t reordered = 0;
  std::uint64_t longest_burst = 0;  // consecutive losses
  std::uint64_t ecn_marked = 0;
  std::optional<Nanoseconds> jitter;
  std::optional<Nanoseconds> pdv;
  std::optional<std::uint32_t> hops;  // from TTL; absent where the transport does not show it
};

// Every optional is absent, never zero, while it is not known.
struct LinkMeasurement {
  TransportRung rung = TransportRung::kUdpSw;
  std::uint64_t samples = 0;  // answered probes in the window
  Nanoseconds window{};       // length of the window the values cover
  std::optional<Nanoseconds> rtt_min;
  std::optional<Nanoseconds> rtt_p50;
  std::optional<Nanoseconds> rtt_p99;
  DirectionMeasurement forward;
  DirectionMeasurement reverse;
  std::optional<Nanoseconds> prober_delay_p50;     // this host's share, already removed from RTT
  std::optional<Nanoseconds> responder_delay_p50;  // the peer's share, already removed from RTT
  std::uint64_t lost_direction_unknown = 0;        // unanswered, direction not known (yet)
  std::uint64_t below_floor = 0;                   // samples refused as faster than light in fibre
  std::optional<Nanoseconds> age;                  // since the newest answered probe
};

// The verdict on a path and since when it stands.
struct LinkVerdict {
  LinkState state = LinkState::kUnknown;
  LinkReason reason = LinkReason::kNoData;
  MonotonicTime since{};
};

}  // namespace fairlead
