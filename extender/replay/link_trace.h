// Links as they were recorded, and what was known of them at any moment of the recording.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "common/base/clock.h"
#include "common/link/link_measurement.h"
#include "extender/link/link_view.h"
#include "extender/migration/line_condition.h"

namespace fairlead::extender {

// One link at one moment, as far as moves are decided by it. Absent: not told.
struct LinkPoint {
  WallTime at{};
  LinkState state = LinkState::kUnknown;
  LinkReason reason = LinkReason::kNoData;
  std::optional<Nanoseconds> state_age;
  std::uint64_t samples = 0;
  std::uint32_t quorum = 0;
  std::uint32_t agreeing = 0;
  std::optional<Nanoseconds> age;  // of the newest sample
  std::optional<Nanoseconds> rtt_min;
  std::optional<Nanoseconds> rtt_p50;
  std::optional<Nanoseconds> rtt_p99;
  std::optional<Nanoseconds> jitter_forward;
  std::optional<Nanoseconds> jitter_reverse;
  LossInterval loss_forward;
  LossInterval loss_reverse;
  std::optional<double> rate_bytes_per_second;
  bool rate_at_least = false;
  std::optional<double> available_bytes_per_second;
  bool available_at_least = false;
  std::optional<LossInterval> port_loss;  // that can only be of this line
  bool by_prometheus = false;             // no probe measures, see TransportRung::kPromql
};

using LinkPoints = std::map<LinkKey, std::vector<LinkPoint>>;

// Points by time, each later than the one before. A point holds until the next one, for at most
// two steps; then nothing is known until there is one.
struct LinkTrace {
  LinkPoints links;
  Nanoseconds step{};  // the median of the time from one point of a link to its next
  WallTime begin{};    // the first point
  WallTime end{};      // a step after the last

  Nanoseconds Hold() const { return step * 2; }
  // Whether there is any point of the line between them, in either direction.
  bool Knows(const SitePair& line) const;
};

// Where a point does not tell how long its state has stood, that is counted from the first of the
// points with this state that follow each other without a gap. Some link must have two points.
LinkTrace MakeTrace(LinkPoints links);

// The moments at which what is known changes: each point, and where one ends to hold. Sorted, each
// once, from begin on and before end.
std::vector<WallTime> ChangesOf(const LinkTrace& trace);

// Times of a replay on the clock that decides. Far from zero, so that ages reach back.
MonotonicTime ReplayTime(const LinkTrace& trace, WallTime at);

// Plays a trace forwards. Single-threaded; the trace must outlive it.
class TracePlayer {
 public:
  explicit TracePlayer(const LinkTrace& trace);

  // What is known at a moment, which must not lie before that of the last call. Ages of samples
  // are those of the points; how long a state has stood goes on.
  const LinkSnapshot& At(WallTime now);
  // Whether a point of the line, in either direction, held at the last moment.
  bool Watched(const SitePair& line) const;

 private:
  struct Track {
    const std::vector<LinkPoint>* points;
    std::size_t next = 0;  // the first point that lies ahead
    bool holds = false;
  };

  const LinkTrace& trace_;
  std::vector<Track> tracks_;  // by the index of their views
  LinkSnapshot snapshot_;
};

}  // namespace fairlead::extender
