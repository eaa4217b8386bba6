// When each stream of probes sends next.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// A stream is one path to one peer; the caller chooses its id. Gaps are uniform in 50 .. 150 % of
// the stream's interval, so that probing locks on to no periodic load (RFC 2330, 11.1); streams
// start spread over one interval. After a stall the probes that were missed are skipped, not sent
// in a burst. Pure and single-threaded; the same seed gives the same schedule.
class ProbeSchedule {
 public:
  explicit ProbeSchedule(std::uint64_t seed) : random_(seed) {}

  // Adds a stream or changes its interval. An interval below 1 ms is taken as 1 ms.
  void Set(std::uint64_t stream, Nanoseconds interval, MonotonicTime now);
  void Remove(std::uint64_t stream);

  // When to call PopDue next; nothing while there is no stream.
  std::optional<MonotonicTime> NextDue() const;

  // A stream that shall send now, already scheduled anew; nothing when none is due. Call until it
  // returns nothing.
  std::optional<std::uint64_t> PopDue(MonotonicTime now);

  std::size_t size() const { return streams_.size(); }

 private:
  struct Stream {
    Nanoseconds interval;
    MonotonicTime due;
  };

  void ScheduleAt(std::uint64_t stream, Stream& state, MonotonicTime due);
  Nanoseconds Fraction(Nanoseconds interval, double low, double high);

  std::mt19937_64 random_;
  std::map<std::uint64_t, Stream> streams_;
  std::set<std::pair<MonotonicTime, std::uint64_t>> queue_;  // due, stream
};

}  // namespace fairlead::linkprobe
