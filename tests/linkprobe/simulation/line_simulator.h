// A WAN line, two hosts and their clocks in simulated time, deterministic by seed, driving the real
// schedule, reflector and path monitor.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "linkprobe/monitor/path_monitor.h"
#include "linkprobe/pacing/probe_schedule.h"
#include "linkprobe/reflect/reflector.h"

namespace fairlead::linkprobe::testing {

// One direction of the line. Delay = delay + |normal(noise)| + tail + jitter.
struct DirectionModel {
  Nanoseconds delay = Milliseconds(18);
  Nanoseconds noise = Nanoseconds(106'000);  // 150 us over the round trip
  double tail_share = 0.025;  // of packets get an exponential extra delay; 5 % a trip
  Nanoseconds tail_mean = Milliseconds(3);
  Nanoseconds jitter{};    // uniform in +- jitter
  double loss = 0;         // in the Gilbert model: loss in the good state
  double burst_begin = 0;  // probability per packet to enter the bad state, where all is lost
  double burst_end = 1;    // and to leave it
  double duplicate = 0;    // probability that a second copy arrives 2 ms later
  double reorder = 0;      // probability of 250 ms extra, behind the next ones
  double congestion = 0;   // probability of an ECN mark
  std::uint8_t hops = 3;
  bool in_burst = false;
};

struct HostModel {
  bool up = true;
  double stalls_per_hour = 2;  // nothing is handled for 20 .. 300 ms
  Nanoseconds busy{};          // uniform extra delay before a packet is handled
  MonotonicTime stalled_until{};
};

// What really happened to the probes.
struct Truth {
  std::uint64_t sent = 0;
  std::uint64_t lost_forward = 0;
  std::uint64_t lost_reverse = 0;
  std::uint64_t duplicated_forward = 0;
  std::uint64_t duplicated_reverse = 0;
  std::uint64_t marked_forward = 0;
  std::uint64_t marked_reverse = 0;
};

struct Transition {
  MonotonicTime at;
  LinkState state;
  LinkReason reason;
  std::string evidence;
};

class LineSimulator {
 public:
  struct Settings {
    std::uint64_t seed = 1;
    double probes_per_second = 10;
    Nanoseconds one_way = Milliseconds(18);
    double clock_drift = 20e-6;  // of the peer's clock against ours
    bool exact_t4 = true;
    PathMonitorSettings monitor;
  };

  explicit LineSimulator(const Settings& settings);

  DirectionModel forward;
  DirectionModel reverse;
  HostModel prober_host;
  HostModel responder_host;

  void Run(Nanoseconds duration);
  // Runs until the condition holds; how long that took, or nothing if it did not within `limit`.
  std::optional<Nanoseconds> RunUntil(const std::function<bool()>& condition, Nanoseconds limit);
  std::optional<Nanoseconds> RunUntil(LinkState state, Nanoseconds limit);

  // The peer's process ends now; its successor opens a session after `gap`.
  void RestartPeer(Nanoseconds gap);
  void StepPeerClock(Nanoseconds by) { peer_clock_offset_ += by.count(); }
  // Stops sending and lets everything under way arrive or time out.
  void Drain();

  PathMonitor& monitor() { return monitor_; }
  const PathVerdict& verdict() const { return monitor_.verdict(); }
  const Truth& truth() const { return truth_; }
  const std::vector<Transition>& transitions() const { return transitions_; }
  // How often the state was entered since `from`.
  std::size_t Entered(LinkState state, MonotonicTime from = MonotonicTime{}) const;
  MonotonicTime now() const { return now_; }
  Packet last_reply() const { return last_reply_; }

 private:
  struct InFlight {
    bool to_peer = true;
    Packet packet;
    std::uint8_t tos = 0;
  };

  void Send();
  void Launch(DirectionModel& line, const Packet& packet, bool to_peer);
  void AtPeer(const InFlight& arrival);
  void AtProber(const InFlight& arrival);
  void OpenSession();
  void Step(MonotonicTime until);
  void Stall(HostModel& host);
  MonotonicTime HandledAt(HostModel& host, MonotonicTime arrived);
  std::int64_t PeerClock(MonotonicTime at) const;
  double Uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }

  Settings settings_;
  std::mt19937_64 random_;
  PathMonitor monitor_;
  Reflector reflector_;
  ProbeSchedule schedule_;
  std::multimap<MonotonicTime, InFlight> flight_;
  MonotonicTime now_{Seconds(1000)};
  std::uint64_t peer_epoch_ = 1;
  std::uint64_t session_ = 0;
  std::int64_t peer_clock_offset_ = 777'000'000'000;
  std::optional<MonotonicTime> reopen_;
  bool sending_ = true;
  Truth truth_;
  Packet last_reply_;
  std::vector<Transition> transitions_;
};

}  // namespace fairlead::linkprobe::testing
