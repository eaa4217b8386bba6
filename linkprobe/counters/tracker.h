// Successive readings of a host's counters, made into what was counted in between.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "linkprobe/counters/meaning.h"
#include "linkprobe/counters/reading.h"

namespace fairlead::linkprobe {

struct TrackedCounter {
  CounterSource source = CounterSource::kPort;
  std::string name;
  CounterMeaning meaning;
  // As the kernel shows it, with the times that it came round added; falls only when it is reset.
  double total = 0;
  // Since the reading before; absent where there is none, or it does not tell.
  std::optional<std::uint64_t> counted{};
};

// What happened to all counters since the start.
struct TrackerTotals {
  std::uint64_t resets = 0;
  std::uint64_t wraps = 0;
  std::uint64_t impossible = 0;

  bool operator==(const TrackerTotals&) const = default;
};

struct TrackedPort {
  std::string device;
  std::uint32_t port = 1;
  std::string netdev{};
  std::optional<double> rate_bytes_per_second{};
  MonotonicTime at{};
  Nanoseconds interval{};  // since the reading before; 0: there is none of this incarnation
  std::vector<TrackedCounter> counters{};  // sorted by source and name
  std::uint32_t unreadable = 0;
  std::string problem{};

  const TrackedCounter* Find(CounterSource source, std::string_view name) const;
  // What was counted of it since the reading before.
  std::optional<std::uint64_t> Counted(CounterSource source, std::string_view name) const;
};

// Pure, not thread-safe. A counter that vanishes leaves nothing behind: it begins anew when it is
// back. So do all of a port that the driver has made anew, and of one read at no later time.
class CounterTracker {
 public:
  std::vector<TrackedPort> Advance(const CounterReading& reading);
  const TrackerTotals& totals() const { return totals_; }

 private:
  struct Key {
    CounterSource source;
    std::string name;
    auto operator<=>(const Key&) const = default;
  };
  struct Past {
    std::uint64_t value = 0;
    std::uint64_t rounds = 0;  // how often it came round
  };
  struct PastPort {
    std::uint64_t incarnation = 0;
    MonotonicTime at{};
    std::map<Key, Past> counters;
  };
  struct PortKey {
    std::string device;
    std::uint32_t port;
    auto operator<=>(const PortKey&) const = default;
  };

  TrackedPort AdvancePort(const PortReading& reading, const PastPort* before, PastPort& after);
  TrackedCounter AdvanceCounter(const CounterValue& value, CounterMeaning meaning,
                                const Past* before, double seconds, Past& after);

  std::map<PortKey, PastPort> ports_;
  TrackerTotals totals_;
};

}  // namespace fairlead::linkprobe
