#include "linkprobe/estimate/path_estimator.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "common/link/loss_interval.h"
#include "linkprobe/estimate/clock_drift.h"
#include "linkprobe/estimate/hops.h"
#include "linkprobe/estimate/loss_runs.h"
#include "linkprobe/estimate/probe_ledger.h"
#include "linkprobe/estimate/recent_maximum.h"
#include "linkprobe/estimate/recent_values.h"
#include "linkprobe/estimate/sample_window.h"
#include "linkprobe/estimate/summary.h"

namespace fairlead::linkprobe {
namespace {

constexpr Nanoseconds kRefresh = Seconds(1);
constexpr Nanoseconds kFollowUpWait = Seconds(1);  // how long a sample waits for its exact T4
constexpr std::int64_t kFarthestFollowUp = 1'000'000'000;  // a reply that leaves later is no reply
constexpr std::uint64_t kFollowUpReach = 64;               // samples searched for it
constexpr std::uint32_t kLateInARow = 3;
constexpr std::size_t kFewestKept = 256;
constexpr std::size_t kMostKept = 65'536;

std::size_t Capacity(const EstimatorSettings& settings) {
  const Nanoseconds span = settings.history + settings.timeout_max + Seconds(10);
  const double wanted =
      settings.probes_per_second * std::chrono::duration<double>(span).count() * 1.2;
  return static_cast<std::size_t>(
      std::clamp(wanted, static_cast<double>(kFewestKept), static_cast<double>(kMostKept)));
}

std::uint16_t Saturated(std::uint64_t value) {
  return static_cast<std::uint16_t>(std::min<std::uint64_t>(value, 0xffff));
}

// By how much a counter of the peer grew; a value that fell is an older reply.
template <class Counter>
std::uint64_t Growth(Counter& last, Counter now) {
  return now > last ? static_cast<std::uint64_t>(now - std::exchange(last, now)) : 0;
}

// Times near the clock's start must not wrap when a span is taken off.
MonotonicTime Back(MonotonicTime now, Nanoseconds span) {
  return now < MonotonicTime::min() + span ? MonotonicTime::min() : now - span;
}

LossInterval Interval(const LossRun& run) {
  return MakeLossInterval(run.count.lost, run.count.sent);
}

}  // namespace

struct PathEstimator::State {
  explicit State(const EstimatorSettings& s)
      : settings(s), ledger(Capacity(s), totals), samples(Capacity(s)), timeout(s.timeout_min) {}

  EstimatorSettings settings;
  PathTotals totals;
  ExcessHistogram excess;
  ProbeLedger ledger;
  SampleWindow samples;
  ClockDrift drift;
  RecentValues lateness;
  mutable Summariser summariser;  // scratch only

  std::optional<std::uint64_t> session_id;
  std::optional<std::uint64_t> peer_epoch;
  std::uint64_t sent_in_session = 0;
  std::uint64_t highest_tx = 0;
  std::uint64_t withheld = 0;
  std::uint32_t forward_duplicates = 0;
  std::uint32_t forward_reordered = 0;

  std::uint32_t one_way_epoch = 0;
  std::uint64_t settled = 0;  // samples before it are in `excess`
  std::optional<std::int64_t> window_min;
  std::uint32_t late_in_a_row = 0;
  RecentMaximum late_rtts;
  Nanoseconds timeout;
  std::optional<MonotonicTime> refreshed;
  std::uint64_t newest_answered = 0;  // ledger index
  MonotonicTime newest_answer_at{};
  std::optional<std::uint32_t> forward_hops;
  std::optional<std::uint32_t> reverse_hops;

  std::optional<double> Slope() const {
    return drift.known() ? std::optional(drift.slope()) : std::nullopt;
  }

  std::optional<Delays> DelaysOf(const ProbeRecord& record, const Packet& reply,
                                 const ReplyArrival& arrival) const;
  void NoteCounters(const Packet& reply, Sample& sample);
  void NoteHeader(const Packet& reply, const ReplyArrival& arrival, Sample& sample);
  void ApplyExactT4(const Packet& reply);
  void AddDelays(const Delays& delays, Sample& sample, MonotonicTime now);
  void SettleExcess(MonotonicTime now);
  void Refresh(MonotonicTime now);
  std::optional<Nanoseconds> UnansweredFor(MonotonicTime now) const;
};

PathEstimator::PathEstimator(const EstimatorSettings& settings)
    : state_(std::make_unique<State>(settings)) {}
PathEstimator::~PathEstimator() = default;
PathEstimator::PathEstimator(PathEstimator&&) noexcept = default;
PathEstimator& PathEstimator::operator=(PathEstimator&&) noexcept = default;

bool PathEstimator::OnSession(std::uint64_t session_id, std::uint64_t peer_epoch,
                              MonotonicTime now) {
  State& s = *state_;
  const bool restarted = s.peer_epoch && *s.peer_epoch != peer_epoch;
  s.ledger.StartSession(restarted);
  s.session_id = session_id;
  s.peer_epoch = peer_epoch;
  s.sent_in_session = 0;
  s.highest_tx = 0;
  s.withheld = 0;
  s.forward_duplicates = 0;
  s.forward_reordered = 0;
  if (restarted) {
    s.newest_answered = s.ledger.end() - 1;  // silence before it was the peer's
    // A new process may come with a new clock.
    ++s.totals.peer_restarts;
    ++s.one_way_epoch;
    s.drift.Reset();
  }
  s.Refresh(now);
  return restarted;
}

std::uint64_t PathEstimator::OnSend(std::int64_t t1, MonotonicTime now) {
  ++state_->sent_in_session;
  return state_->ledger.Add(t1, now);
}

void PathEstimator::OnSendFailed(std::uint64_t sequence) { state_->ledger.MarkNotSent(sequence); }

void PathEstimator::OnSendStamp(std::uint64_t sequence, std::int64_t t2) {
  ProbeRecord* record = state_->ledger.Find(sequence);
  if (record == nullptr) return;
  record->t2 = t2;
  record->t2_known = true;
}

ReplyOutcome PathEstimator::OnReply(const Packet& reply, const ReplyArrival& arrival,
                                    MonotonicTime now) {
  State& s = *state_;
  ProbeRecord* record = nullptr;
  if (reply.kind == PacketKind::kReply && s.session_id == reply.session_id &&
      reply.path == s.settings.path) {
    record = s.ledger.Find(reply.sequence);
  }
  if (record == nullptr || record->fate == Fate::kNotSent || record->fate == Fate::kDiscarded) {
    ++s.totals.refused_replies;
    return ReplyOutcome::kRefused;
  }
  const Fate before = record->fate;
  if (before == Fate::kAnswered || before == Fate::kLateForward || before == Fate::kLateReverse) {
    ++s.totals.reverse_duplicate;
    if (!s.samples.empty()) {
      Sample& newest = s.samples.newest();
      newest.reverse_duplicates = Saturated(newest.reverse_duplicates + std::uint64_t{1});
    }
    return ReplyOutcome::kDuplicate;
  }
  const std::optional<Delays> delays = s.DelaysOf(*record, reply, arrival);
  const std::uint64_t index = s.ledger.IndexOf(reply.sequence);
  s.newest_answered = std::max(s.newest_answered, index);
  s.newest_answer_at = std::max(s.newest_answer_at, now);
  if (!s.ledger.MarkAnswered(reply.sequence)) {
    // A line whose round trip outgrew the timeout answers everything late and nothing in time; only
    // then is the timeout to blame.
    if (++s.late_in_a_row >= kLateInARow && delays) {
      s.late_rtts.Add(Nanoseconds(delays->rtt), now);
    }
    return ReplyOutcome::kLate;
  }
  s.late_in_a_row = 0;
  s.ledger.Learn(reply);
  s.ApplyExactT4(reply);
  ++s.totals.answered;

  Sample sample{.at = now, .probe = index, .t4 = reply.t4};
  s.NoteCounters(reply, sample);
  s.NoteHeader(reply, arrival, sample);
  ReplyOutcome outcome = ReplyOutcome::kAnswered;
  if (!delays) {
    outcome = ReplyOutcome::kImpossible;
    ++s.totals.impossible;
    sample.usable = false;
  } else if (delays->rtt < s.settings.floor_rtt.count()) {
    outcome = ReplyOutcome::kBelowFloor;
    ++s.totals.below_floor;
    sample.below_floor = true;
    sample.usable = false;
  } else {
    s.AddDelays(*delays, sample, now);
  }
  sample.one_way_epoch = s.one_way_epoch;
  s.samples.Add(sample);
  s.settled = std::max(s.settled, s.samples.begin());
  s.SettleExcess(now);
  return outcome;
}

std::optional<Delays> PathEstimator::State::DelaysOf(const ProbeRecord& record, const Packet& reply,
                                                     const ReplyArrival& arrival) const {
  if (arrival.hardware_stamps && !record.t2_known) return std::nullopt;
  return ComputeDelays({.t1 = record.t1,
                        .t2 = record.t2_known ? record.t2 : record.t1,
                        .t3 = reply.t3,
                        .t4 = reply.t4,
                        .t5 = arrival.t5,
                        .t6 = arrival.t6});
}

void PathEstimator::State::NoteCounters(const Packet& reply, Sample& sample) {
  const std::uint64_t duplicates = Growth(forward_duplicates, reply.forward_duplicates);
  const std::uint64_t reordered = Growth(forward_reordered, reply.forward_reordered);
  totals.forward_duplicate += duplicates;
  totals.forward_reordered += reordered;
  sample.forward_duplicates = Saturated(duplicates);
  sample.forward_reordered = Saturated(reordered);
  // responder_tx tells the order in which replies left, so probes that were reordered on their way
  // forward do not count again on the way back.
  if (reply.responder_tx < highest_tx) {
    ++totals.reverse_reordered;
    sample.reverse_reordered = 1;
  }
  highest_tx = std::max(highest_tx, reply.responder_tx);
  if (reply.responder_rx > reply.responder_tx) {
    const std::uint64_t now_withheld =
        std::min(reply.responder_rx - reply.responder_tx, sent_in_session);
    totals.withheld += Growth(withheld, now_withheld);
  }
}

void PathEstimator::State::NoteHeader(const Packet& reply, const ReplyArrival& arrival,
                                      Sample& sample) {
  if (reply.hop_limit_known) {
    forward_hops = HopsCrossed(reply.rx_hop_limit);
    sample.forward_ecn = IsCongestionMarked(reply.rx_tos);
    totals.forward_ecn_marked += sample.forward_ecn ? 1 : 0;
  }
  if (arrival.hop_limit) reverse_hops = HopsCrossed(*arrival.hop_limit);
  if (arrival.tos && IsCongestionMarked(*arrival.tos)) {
    sample.reverse_ecn = true;
    ++totals.reverse_ecn_marked;
  }
}

// A sample stands on the T4 taken before its reply was posted until the exact one comes.
void PathEstimator::State::ApplyExactT4(const Packet& reply) {
  if (reply.previous_t4_sequence == 0 || ledger.Find(reply.previous_t4_sequence) == nullptr) return;
  const std::uint64_t probe = ledger.IndexOf(reply.previous_t4_sequence);
  const std::uint64_t reach = std::min(samples.end() - samples.begin(), kFollowUpReach);
  for (std::uint64_t i = 1; i <= reach; ++i) {
    Sample& sample = samples.at(samples.end() - i);
    if (sample.probe != probe) continue;
    std::int64_t later = 0;
    if (!sample.usable || sample.exact_t4) return;
    sample.exact_t4 = true;
    if (__builtin_sub_overflow(reply.previous_t4, sample.t4, &later) || later > kFarthestFollowUp ||
        later < -sample.delays.responder_delay || later >= sample.delays.rtt) {
      ++totals.impossible;
      return;
    }
    sample.delays.responder_delay += later;
    sample.delays.reverse -= later;
    sample.delays.rtt -= later;
    if (sample.delays.rtt < settings.floor_rtt.count()) {
      ++totals.below_floor;
      sample.below_floor = true;
      sample.usable = false;
    }
    return;
  }
}

void PathEstimator::State::AddDelays(const Delays& delays, Sample& sample, MonotonicTime now) {
  sample.delays = delays;
  window_min = std::min(window_min.value_or(delays.rtt), delays.rtt);
  if (drift.Add(now, delays.forward, delays.reverse)) {
    ++totals.clock_steps;
    ++one_way_epoch;
  }
}

void PathEstimator::State::SettleExcess(MonotonicTime now) {
  for (; settled < samples.end(); ++settled) {
    const Sample& sample = samples.at(settled);
    if (sample.usable && !sample.exact_t4 && now - sample.at < kFollowUpWait) return;
    if (sample.usable) excess.Add(Nanoseconds(sample.delays.rtt - window_min.value_or(0)));
  }
}

// What need not be newer than a second: the timeout and the window's minimum.
void PathEstimator::State::Refresh(MonotonicTime now) {
  refreshed = now;
  const std::uint64_t first = samples.FirstAfter(Back(now, settings.report_window));
  const auto p99 = summariser.QuantileOf(samples, first, &Delays::rtt, 0.99);
  const auto least = summariser.LeastRtt(samples, first);
  window_min = least ? std::optional(least->count()) : std::nullopt;
  Nanoseconds wanted = std::max(settings.timeout_min, 3 * settings.floor_rtt);
  if (p99) wanted = std::max(wanted, 4 * std::min(*p99, settings.timeout_max));
  const auto late = late_rtts.Since(Back(now, settings.report_window));
  if (late) wanted = std::max(wanted, 2 * std::min(*late, settings.timeout_max));
  timeout = std::min(wanted, settings.timeout_max);
}

std::optional<Nanoseconds> PathEstimator::State::UnansweredFor(MonotonicTime now) const {
  for (std::uint64_t i = std::max(newest_answered + 1, ledger.begin()); i < ledger.end(); ++i) {
    const ProbeRecord& record = ledger.at(i);
    if (record.fate == Fate::kNotSent || record.fate == Fate::kDiscarded) continue;
    return std::max(now - record.sent, Nanoseconds(0));
  }
  return std::nullopt;
}

void PathEstimator::OnHostLateness(Nanoseconds lateness, MonotonicTime now) {
  state_->lateness.Add(lateness, now);
}

void PathEstimator::Tick(MonotonicTime now) {
  State& s = *state_;
  if (!s.refreshed || now - *s.refreshed >= kRefresh) s.Refresh(now);
  s.ledger.TimeOut(now, s.timeout);
  s.SettleExcess(now);
}

LinkMeasurement PathEstimator::Measure(MonotonicTime now) const {
  const State& s = *state_;
  const MonotonicTime from = Back(now, s.settings.report_window);
  const Summary summary = s.summariser.Summarise(s.samples, s.samples.FirstAfter(from), s.Slope());
  const LossRuns losses = CountLosses(s.ledger, from);
  LinkMeasurement m;
  m.rung = s.settings.rung;
  m.samples = summary.answered;
  m.window = s.settings.report_window;
  m.rtt_min = summary.rtt_min;
  m.rtt_p50 = summary.rtt_p50;
  m.rtt_p99 = summary.rtt_p99;
  m.prober_delay_p50 = summary.prober_delay_p50;
  m.responder_delay_p50 = summary.responder_delay_p50;
  m.below_floor = summary.below_floor;
  m.lost_direction_unknown = losses.unknown;
  const auto fill = [](DirectionMeasurement& out, const DirectionSummary& delay,
                       const LossRun& loss, const std::optional<std::uint32_t>& hops) {
    out.loss = Interval(loss);
    out.late = loss.late;
    out.longest_burst = loss.longest;
    out.duplicate = delay.duplicates;
    out.reordered = delay.reordered;
    out.ecn_marked = delay.ecn_marked;
    out.jitter = delay.jitter;
    out.pdv = delay.pdv;
    out.hops = hops;
  };
  fill(m.forward, summary.forward, losses.forward, s.forward_hops);
  fill(m.reverse, summary.reverse, losses.reverse, s.reverse_hops);
  if (!s.samples.empty()) m.age = std::max(now - s.newest_answer_at, Nanoseconds(0));
  return m;
}

WindowValues PathEstimator::Window(const DetectorSettings& spans, MonotonicTime now,
                                   MonotonicTime losses_from) const {
  const State& s = *state_;
  WindowValues v;
  const std::uint64_t first = s.samples.FirstAfter(Back(now, spans.window));
  v.rtt_p50 = s.summariser.QuantileOf(s.samples, first, &Delays::rtt, 0.5);
  v.samples = s.samples.end() - first;
  v.prober_delay_p50 = s.summariser.QuantileOf(s.samples, first, &Delays::prober_delay, 0.5);
  v.responder_delay_p50 = s.summariser.QuantileOf(s.samples, first, &Delays::responder_delay, 0.5);
  v.host_lateness = s.lateness.QuantileSince(Back(now, spans.window), kUsualLateness);

  const std::uint64_t spread = s.samples.FirstAfter(Back(now, spans.pdv_window));
  for (std::uint64_t i = spread; i < s.samples.end(); ++i) {
    v.below_floor += s.samples.at(i).below_floor ? 1 : 0;
  }
  const double slope = s.drift.slope();
  v.rtt_spread = s.summariser.SpreadOf(s.samples, spread, &Delays::rtt, 0);
  v.forward_spread = s.summariser.SpreadOf(s.samples, spread, &Delays::forward, slope);
  v.reverse_spread = s.summariser.SpreadOf(s.samples, spread, &Delays::reverse, -slope);

  const auto losses = [&](Nanoseconds span) {
    const LossRuns runs = CountLosses(s.ledger, std::max(Back(now, span), losses_from));
    return LossCounts{runs.forward.count, runs.reverse.count, runs.unknown};
  };
  v.loss = losses(spans.loss_window);
  v.loss_critical = losses(spans.loss_critical_window);
  v.sent_recently = s.ledger.end() - s.ledger.FirstSentAfter(Back(now, spans.down_after));
  v.unanswered_for = s.UnansweredFor(now);
  v.forward_hops = s.forward_hops;
  v.reverse_hops = s.reverse_hops;
  return v;
}

const PathTotals& PathEstimator::totals() const { return state_->totals; }
const ExcessHistogram& PathEstimator::excess() const { return state_->excess; }
Nanoseconds PathEstimator::timeout() const { return state_->timeout; }
void PathEstimator::SetFloor(Nanoseconds floor_rtt) { state_->settings.floor_rtt = floor_rtt; }
void PathEstimator::SetRung(TransportRung rung) { state_->settings.rung = rung; }

}  // namespace fairlead::linkprobe
