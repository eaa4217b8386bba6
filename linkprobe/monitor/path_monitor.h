// One path to one peer: what was measured and what is to be thought of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "common/link/detector_settings.h"
#include "common/link/link_measurement.h"
#include "linkprobe/detect/detector.h"
#include "linkprobe/estimate/excess_histogram.h"
#include "linkprobe/estimate/path_estimator.h"
#include "linkprobe/estimate/path_totals.h"
#include "linkprobe/wire/packet.h"

namespace fairlead::linkprobe {

struct PathMonitorSettings {
  EstimatorSettings estimator;
  DetectorSettings detector;
};

// Estimator and detector composed. Pure and single-threaded; memory is bounded whatever the peer
// sends. Order within a loop's turn: OnReply for everything received, then Tick.
class PathMonitor {
 public:
  explicit PathMonitor(const PathMonitorSettings& settings);
  ~PathMonitor();
  PathMonitor(PathMonitor&&) noexcept;
  PathMonitor& operator=(PathMonitor&&) noexcept;

  // A session was set up. Sequences begin at 1 again. Probes still under way are discarded; those
  // lost in a direction not yet known stay so, unless `peer_epoch` is new: then the peer restarted,
  // and its silence is no loss of the line.
  void OnSession(std::uint64_t session_id, std::uint64_t peer_epoch, MonotonicTime now);

  // Registers a probe about to be posted and returns its sequence. `t1` is this host's software
  // clock in nanoseconds and travels in the packet.
  std::uint64_t OnSend(std::int64_t t1, MonotonicTime now);
  // Posting failed: the probe never left and is no loss.
  void OnSendFailed(std::uint64_t sequence);
  // The device or kernel stamped the probe's departure (T2), by the clock that stamps T5. Where
  // such a stamp would be worse than T1, leave it out: T1 then stands in for it.
  void OnSendStamp(std::uint64_t sequence, std::int64_t t2);
  // A reply whose mac was verified.
  ReplyOutcome OnReply(const Packet& reply, const ReplyArrival& arrival, MonotonicTime now);
  // How late the sending loop woke, or the excess of a loopback self-probe: this host's own noise.
  void OnHostLateness(Nanoseconds lateness, MonotonicTime now);

  // Times probes out and steps the detector; call at least every 100 ms. True when the state or its
  // reason changed.
  bool Tick(MonotonicTime now);

  // The reporting window that ends at `now`.
  LinkMeasurement Measure(MonotonicTime now) const;
  const PathVerdict& verdict() const;
  const PathTotals& totals() const;
  const ExcessHistogram& excess() const;

  // A change at run time; everything learnt so far is kept.
  void SetDetectorSettings(const DetectorSettings& settings);
  // Whether a bandwidth test fills the line, as the plan says; see JudgementPause. Measuring goes
  // on.
  void SetLineTested(bool tested, MonotonicTime now);
  void SetFloor(Nanoseconds floor_rtt);  // 0: not known
  void SetRung(TransportRung rung);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fairlead::linkprobe
