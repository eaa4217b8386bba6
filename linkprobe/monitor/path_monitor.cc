#include "linkprobe/monitor/path_monitor.h"

#include <algorithm>

#include "linkprobe/detect/judgement_pause.h"

namespace fairlead::linkprobe {
namespace {

// The estimator must remember as long as anything looks back.
EstimatorSettings WithMemoryFor(EstimatorSettings estimator, const DetectorSettings& detector) {
  estimator.report_window =
      std::clamp<Nanoseconds>(estimator.report_window, Seconds(1), Seconds(3600));
  estimator.history =
      std::max({estimator.history, estimator.report_window, detector.window, detector.pdv_window,
                detector.loss_window, detector.loss_critical_window, detector.down_after});
  return estimator;
}

}  // namespace

struct PathMonitor::State {
  explicit State(const PathMonitorSettings& s)
      : settings(s.detector),
        estimator(WithMemoryFor(s.estimator, s.detector)),
        detector(s.detector) {}

  Nanoseconds StepEvery() const {
    return std::max<Nanoseconds>(settings.window / Detector::kStepsPerWindow, Milliseconds(1));
  }

  DetectorSettings settings;
  PathEstimator estimator;
  Detector detector;
  JudgementPause pause;
  std::optional<MonotonicTime> next_step;
};

PathMonitor::PathMonitor(const PathMonitorSettings& settings)
    : state_(std::make_unique<State>(settings)) {}
PathMonitor::~PathMonitor() = default;
PathMonitor::PathMonitor(PathMonitor&&) noexcept = default;
PathMonitor& PathMonitor::operator=(PathMonitor&&) noexcept = default;

void PathMonitor::OnSession(std::uint64_t session_id, std::uint64_t peer_epoch, MonotonicTime now) {
  if (state_->estimator.OnSession(session_id, peer_epoch, now)) {
    state_->detector.OnPeerRestart(now);
  }
}

std::uint64_t PathMonitor::OnSend(std::int64_t t1, MonotonicTime now) {
  return state_->estimator.OnSend(t1, now);
}

void PathMonitor::OnSendFailed(std::uint64_t sequence) { state_->estimator.OnSendFailed(sequence); }

void PathMonitor::OnSendStamp(std::uint64_t sequence, std::int64_t t2) {
  state_->estimator.OnSendStamp(sequence, t2);
}

ReplyOutcome PathMonitor::OnReply(const Packet& reply, const ReplyArrival& arrival,
                                  MonotonicTime now) {
  return state_->estimator.OnReply(reply, arrival, now);
}

void PathMonitor::OnHostLateness(Nanoseconds lateness, MonotonicTime now) {
  state_->estimator.OnHostLateness(lateness, now);
}

bool PathMonitor::Tick(MonotonicTime now) {
  State& s = *state_;
  s.estimator.Tick(now);
  if (s.next_step && now < *s.next_step) return false;
  // After a stall the missed steps are skipped: they would all show the same moment.
  const Nanoseconds every = s.StepEvery();
  s.next_step = s.next_step && now - *s.next_step < every ? *s.next_step + every : now + every;
  const LinkVerdict before = s.detector.verdict().verdict;
  const bool paused = s.pause.Holds(s.settings, now);
  const WindowValues values = s.estimator.Window(s.settings, now, s.pause.judged_from());
  const LinkVerdict& after =
      (paused ? s.detector.StepUnjudged(values, now) : s.detector.Step(values, now)).verdict;
  if (after.state == LinkState::kDown) s.pause.End(now);
  return before.state != after.state || before.reason != after.reason;
}

LinkMeasurement PathMonitor::Measure(MonotonicTime now) const {
  return state_->estimator.Measure(now);
}
const PathVerdict& PathMonitor::verdict() const { return state_->detector.verdict(); }
const PathTotals& PathMonitor::totals() const { return state_->estimator.totals(); }
const ExcessHistogram& PathMonitor::excess() const { return state_->estimator.excess(); }

void PathMonitor::SetDetectorSettings(const DetectorSettings& settings) {
  state_->settings = settings;
  state_->detector.SetSettings(settings);
}
void PathMonitor::SetLineTested(bool tested, MonotonicTime now) { state_->pause.Told(tested, now); }
void PathMonitor::SetFloor(Nanoseconds floor_rtt) { state_->estimator.SetFloor(floor_rtt); }
void PathMonitor::SetRung(TransportRung rung) { state_->estimator.SetRung(rung); }

}  // namespace fairlead::linkprobe
