// Which Events to write, so that a thing said again and again is one Event with a count.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "common/base/clock.h"
#include "common/limit/token_bucket.h"
#include "extender/cluster/cluster_event.h"

namespace fairlead::extender {

struct EventLimits {
  Nanoseconds series_gap = Seconds(60);  // between two writes of one series
  Nanoseconds forget = Seconds(600);     // a series not heard of for so long begins anew
  double burst = 10;                     // different Events about one object ...
  Nanoseconds refill = Seconds(30);      // ... and one more each so long
  std::size_t most_series = 4096;
};

struct EventWrite {
  bool first = true;  // create it; otherwise only its series is new
  std::string name;   // of the Event
  ClusterEvent event;
  WallTime began;
  WallTime last;
  std::uint32_t count = 1;
};

// Single-threaded, bounded, no I/O.
class EventLedger {
 public:
  // `salt` makes names differ from those of other processes; lower-case letters and digits.
  EventLedger(std::string salt, EventLimits limits = {})
      : salt_(std::move(salt)), limits_(limits) {}

  // What to write now; nothing where it is counted for later, or where too many different things
  // have been said about the object, which `dropped` counts.
  std::optional<EventWrite> Tell(ClusterEvent event, MonotonicTime now, WallTime wall);
  // Series that have grown and may be written again.
  std::vector<EventWrite> Due(MonotonicTime now);
  // The Event is not there (any more): the next write of its series creates it.
  void Lost(const std::string& name);

  std::uint64_t dropped() const { return dropped_; }
  std::size_t series() const { return series_.size(); }

 private:
  using Regarding = std::tuple<std::string, std::string, std::string, std::string>;
  using Key = std::tuple<Regarding, int, std::string, std::string, std::string>;
  struct Series {
    EventWrite write;
    std::uint32_t written = 0;  // count at the last write
    MonotonicTime written_at;
    MonotonicTime heard_at;
  };
  bool Affordable(const Regarding& regarding, MonotonicTime now);
  void Forget(MonotonicTime now);
  EventWrite Written(Series& series, MonotonicTime now);

  const std::string salt_;
  const EventLimits limits_;
  std::map<Key, Series> series_;
  std::map<Regarding, TokenBucket> allowances_;
  std::uint64_t names_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace fairlead::extender
