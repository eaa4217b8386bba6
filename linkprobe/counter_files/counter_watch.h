// The loop that reads this host's counters.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/base/clock.h"
#include "common/base/snapshot.h"
#include "linkprobe/counters/line_use.h"
#include "linkprobe/counters/port_book.h"
#include "linkprobe/counters/reading.h"
#include "linkprobe/counters/tracker.h"
#include "linkprobe/counters/traffic.h"

namespace fairlead::linkprobe {

// What the newest reading showed.
struct CounterState {
  MonotonicTime at{};  // when it was complete; the epoch where there is none yet
  Nanoseconds took{};
  std::vector<TrackedPort> ports{};
  std::vector<PortOpinion> opinions{};  // of each port, in the same order
  std::optional<NodeTraffic> traffic{};
  std::vector<LineUse> lines{};  // of this node's site
  TrackerTotals totals{};
  std::string problem{};

  bool read() const { return at != MonotonicTime{}; }
};

// What is around the watch; called on its thread.
struct CounterPorts {
  std::function<CounterReading()> read;
  std::function<std::vector<ProbedPort>()> probes;
  std::function<std::vector<LineUse>(const std::optional<NodeTraffic>&)> lines;
};

// Every reading asks each device's firmware, so scrapes see the last one.
inline constexpr Nanoseconds kReadCountersEvery = Seconds(5);

// A thread from construction to destruction. A device that hangs its reader stops the readings,
// which their age shows, and nothing else.
class CounterWatch {
 public:
  // `clock` outlives the watch.
  CounterWatch(CounterPorts ports, const Clock& clock, Nanoseconds every = kReadCountersEvery);
  ~CounterWatch();

  // Never null. Thread-safe.
  std::shared_ptr<const CounterState> Latest() const { return state_.Get(); }

 private:
  void Run(const std::stop_token& stop);
  void Read();

  const CounterPorts ports_;
  const Clock& clock_;
  const Nanoseconds every_;
  CounterTracker tracker_;
  TrafficMeter meter_;
  PortBook book_;
  Snapshot<CounterState> state_;
  std::jthread thread_;
};

}  // namespace fairlead::linkprobe
