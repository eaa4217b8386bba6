// Turns the stamps and counters of one path into delay, variation and loss.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "common/base/clock.h"
#include "common/link/detector_settings.h"
#include "common/link/link_measurement.h"
#include "linkprobe/estimate/excess_histogram.h"
#include "linkprobe/estimate/path_totals.h"
#include "linkprobe/estimate/window_values.h"
#include "linkprobe/wire/packet.h"

namespace fairlead::linkprobe {

struct EstimatorSettings {
  std::uint8_t path = 0;
  TransportRung rung = TransportRung::kUdpSw;
  double probes_per_second = 10;            // sizes the memory: rate x history, bounded
  Nanoseconds history = Seconds(60);        // the longest span ever looked back
  Nanoseconds report_window = Seconds(60);  // at most an hour
  Nanoseconds floor_rtt{};                  // fibre floor of the line; 0: not known
  Nanoseconds timeout_min = Seconds(1);     // lost after max(this, 4 x p99, 3 x floor)
  Nanoseconds timeout_max = Seconds(10);
};

// What the transport saw of one reply. `t5` is by the clock of T2 (or of T1 without hardware
// stamps), `t6` by the clock of T1.
struct ReplyArrival {
  std::int64_t t5 = 0;
  std::int64_t t6 = 0;
  bool hardware_stamps = false;  // T5 is the device's: without a T2 there is no RTT
  std::optional<std::uint8_t> hop_limit{};
  std::optional<std::uint8_t> tos{};
};

enum class ReplyOutcome {
  kAnswered,    // a sample
  kLate,        // after it was counted as lost; no sample
  kDuplicate,   // answered before
  kBelowFloor,  // answered, but faster than light in fibre; no sample
  kImpossible,  // answered, but its stamps contradict each other; no sample
  kRefused,     // not of this session or path, or never sent
};

// RTT = (T5 - T2) - (T4 - T3), with the exact T4 as soon as a later reply brings it. The direction
// of each loss follows from the responder's bitmap, for gaps longer than it from its counters.
// Pure and single-threaded; constant memory.
class PathEstimator {
 public:
  explicit PathEstimator(const EstimatorSettings& settings);
  ~PathEstimator();
  PathEstimator(PathEstimator&&) noexcept;
  PathEstimator& operator=(PathEstimator&&) noexcept;

  // See PathMonitor for these. OnSession returns true when the peer restarted.
  bool OnSession(std::uint64_t session_id, std::uint64_t peer_epoch, MonotonicTime now);
  std::uint64_t OnSend(std::int64_t t1, MonotonicTime now);
  void OnSendFailed(std::uint64_t sequence);
  void OnSendStamp(std::uint64_t sequence, std::int64_t t2);
  ReplyOutcome OnReply(const Packet& reply, const ReplyArrival& arrival, MonotonicTime now);
  void OnHostLateness(Nanoseconds lateness, MonotonicTime now);
  // Times out what is overdue.
  void Tick(MonotonicTime now);

  LinkMeasurement Measure(MonotonicTime now) const;
  // Losses count of probes sent after `losses_from`.
  WindowValues Window(const DetectorSettings& spans, MonotonicTime now,
                      MonotonicTime losses_from = MonotonicTime::min()) const;
  const PathTotals& totals() const;
  const ExcessHistogram& excess() const;
  // What a probe is given before it counts as lost.
  Nanoseconds timeout() const;

  void SetFloor(Nanoseconds floor_rtt);
  void SetRung(TransportRung rung);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fairlead::linkprobe
