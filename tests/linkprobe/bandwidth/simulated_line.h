// A sender, a line with a queue, and what else is on it, in simulated time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <random>

#include "common/base/clock.h"
#include "linkprobe/bandwidth/byte_budget.h"
#include "linkprobe/bandwidth/saturation_ramp.h"

namespace fairlead::linkprobe {

struct SimulatedLineSettings {
  Nanoseconds rtt = Milliseconds(36);  // without queues
  double bytes_per_second = 12.5e6;
  double buffer_bytes = 1e12;             // what does not fit is dropped
  double sender_bytes_per_second = 1e12;  // what the sending host can post
  double sender_window_bytes = 1e15;      // what it can really have in flight, whatever is posted
  double ecn_above_bytes = 1e15;          // a queue longer than this marks
  Nanoseconds jitter{};                   // mean of an exponential delay of round trips
  std::uint64_t quota = std::uint64_t{1} << 50;
  // Bytes per second that others send at a time since the start.
  std::function<double(Nanoseconds)> others = [](Nanoseconds) { return 0.0; };
  std::optional<Nanoseconds> cut_at{};  // from then on nothing comes back
};

// A first-in first-out queue at the narrowest place, shared with others; lost messages are sent
// again after a round trip, with all that followed them.
class SimulatedLine {
 public:
  SimulatedLine(const SimulatedLineSettings& settings, std::uint64_t seed)
      : settings_(settings), random_(seed), budget_(settings.quota) {}

  // Until the ramp has finished or `limit` has passed; when it ended.
  Nanoseconds Run(SaturationRamp& ramp, Nanoseconds limit);

  static MonotonicTime At(Nanoseconds since) { return MonotonicTime(Seconds(1000) + since); }

  std::uint64_t sent_bytes() const { return budget_.spent(); }
  double longest_queue() const { return longest_queue_; }
  double in_flight() const { return in_flight_; }

 private:
  enum class Owner { kSender, kOthers, kProbe };
  struct Chunk {
    Owner owner;
    double bytes;
    double left;
    std::uint64_t generation;
    Nanoseconds entered;
    bool marked;
  };
  struct Return {
    Nanoseconds at;
    Chunk chunk;
  };

  void TakeReturns(SaturationRamp& ramp, Nanoseconds now);
  void Post(SaturationRamp& ramp, Nanoseconds now, double host_bytes);
  void Enter(Owner owner, double bytes, Nanoseconds now);
  void Serve(double bytes, Nanoseconds now);

  SimulatedLineSettings settings_;
  std::mt19937_64 random_;
  ByteBudget budget_;
  std::deque<Chunk> queue_;
  std::deque<Return> returns_;
  double queued_ = 0;
  double longest_queue_ = 0;
  double in_flight_ = 0;
  double host_credit_ = 0;
  double serve_credit_ = 0;
  std::uint64_t generation_ = 1;
  std::optional<Nanoseconds> resend_at_;
};

}  // namespace fairlead::linkprobe
