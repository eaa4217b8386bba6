#include "linkprobe/detect/detector.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "linkprobe/detect/baseline.h"
#include "linkprobe/detect/evidence.h"
#include "linkprobe/detect/finding.h"
#include "linkprobe/detect/hold.h"
#include "linkprobe/detect/loss_judge.h"
#include "linkprobe/detect/path_change.h"
#include "linkprobe/detect/rtt_judge.h"
#include "linkprobe/detect/window_history.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::uint32_t kMostWindows = 600;
constexpr std::uint64_t kFewestUnanswered = 3;  // one lost probe of a slow stream is no silence
constexpr double kClearlyOneSided = 2;          // times the other direction's spread
constexpr Nanoseconds kShortestWindow = Milliseconds(10);
constexpr const char* kNotJudged =
    "not judged: a bandwidth test fills the line, or has just now; before it ";

DetectorSettings Clamped(DetectorSettings s) {
  s.window = std::max(s.window, kShortestWindow);
  s.windows_considered = std::clamp<std::uint32_t>(s.windows_considered, 1, kMostWindows);
  s.windows_bad = std::clamp<std::uint32_t>(s.windows_bad, 1, s.windows_considered);
  return s;
}

bool IsBad(LinkState state) { return state == LinkState::kDegraded || state == LinkState::kDown; }

// The busier of the hosts, as far as it shows.
Nanoseconds HostDelay(const WindowValues& v) {
  const Nanoseconds none{};
  return std::max({v.prober_delay_p50.value_or(none), v.responder_delay_p50.value_or(none),
                   v.host_lateness.value_or(none)});
}

}  // namespace

struct Detector::State {
  explicit State(const DetectorSettings& s)
      : settings(Clamped(s)), history(settings.windows_considered, kStepsPerWindow) {
    Set({LinkState::kUnknown, LinkReason::kNoData, "no probe was answered yet"}, MonotonicTime{});
  }

  DetectorSettings settings;
  WindowHistory history;
  Baseline baseline;
  RttJudge rtt;
  PathChange path_change;
  Hold hold;
  PathVerdict current;
  std::uint64_t steps = 0;
  std::optional<MonotonicTime> rerouted;
  std::optional<MonotonicTime> restarted;
  std::string reroute;
  std::optional<LinkReason> rtt_reason;  // step or drift, as told when it was first seen
  std::optional<MonotonicTime> unjudged_since;
  std::string evidence_before;  // of the verdict that stands while nothing is judged

  std::uint8_t Marks(const WindowValues& v) const;
  void LearnFrom(const WindowValues& v, bool noisy);
  std::optional<Finding> JudgeFluctuation(const WindowValues& v) const;
  std::optional<Finding> Silence(const WindowValues& v) const;
  std::optional<Finding> NotJudged(const WindowValues& v, MonotonicTime now) const;
  Finding Conclude(const WindowValues& v, MonotonicTime now);
  Finding Well(const WindowValues& v, MonotonicTime now) const;
  bool IsGood(const WindowValues& v) const;
  void FollowPath(MonotonicTime now);
  void JudgeAgain(MonotonicTime now);
  void Apply(Finding wanted, const WindowValues& v, MonotonicTime now);
  void Set(Finding finding, MonotonicTime now);

  std::uint32_t Count(WindowMark mark) const { return history.Count(mark); }
  LinkState state() const { return current.verdict.state; }
};

Detector::Detector(const DetectorSettings& settings) : state_(std::make_unique<State>(settings)) {}
Detector::~Detector() = default;
Detector::Detector(Detector&&) noexcept = default;
Detector& Detector::operator=(Detector&&) noexcept = default;

const PathVerdict& Detector::verdict() const { return state_->current; }

void Detector::SetSettings(const DetectorSettings& settings) {
  state_->settings = Clamped(settings);
  state_->history.Resize(state_->settings.windows_considered);
}

void Detector::OnPeerRestart(MonotonicTime now) {
  State& s = *state_;
  s.restarted = now;
  const LinkReason reason = s.current.verdict.reason;
  const bool blamed_on_silence =
      reason == LinkReason::kNoReply ||
      (s.state() == LinkState::kSuspect &&
       (reason == LinkReason::kLossForward || reason == LinkReason::kLossReverse ||
        reason == LinkReason::kLossBoth));
  if (!blamed_on_silence) return;
  s.hold.Forget();
  s.history.Clear();
  s.Set({LinkState::kUnknown, LinkReason::kPeerRestart,
         "the peer restarted; its silence is not held against the line"},
        now);
}

const PathVerdict& Detector::Step(const WindowValues& values, MonotonicTime now) {
  State& s = *state_;
  s.JudgeAgain(now);
  const std::uint8_t marks = s.Marks(values);
  s.history.Push(marks);
  s.path_change.Note(values.forward_hops, values.reverse_hops, now);
  if (++s.steps % kStepsPerWindow == 0) s.LearnFrom(values, (marks & kNoisyWindow) != 0);
  s.FollowPath(now);
  s.Apply(s.Conclude(values, now), values, now);
  return s.current;
}

const PathVerdict& Detector::StepUnjudged(const WindowValues& values, MonotonicTime now) {
  State& s = *state_;
  s.path_change.Note(values.forward_hops, values.reverse_hops, now);
  if (!s.unjudged_since) {
    s.unjudged_since = now;
    s.evidence_before = s.current.evidence;
  }
  std::optional<Finding> silence = s.Silence(values);
  if (!silence) {
    s.current.evidence = kNotJudged + s.evidence_before;
    return s.current;
  }
  s.evidence_before = silence->evidence;
  if (silence->state == LinkState::kDown) {
    s.JudgeAgain(now);
    s.history.Clear();  // answers of before the test do not make up for those that are missing
  }
  s.Apply(*std::move(silence), values, now);
  return s.current;
}

void Detector::State::JudgeAgain(MonotonicTime now) {
  if (unjudged_since) hold.PassOver(now - *unjudged_since);
  unjudged_since.reset();
}

std::uint8_t Detector::State::Marks(const WindowValues& v) const {
  unsigned marks = 0;
  if (v.rtt_p50) marks |= kAnsweredWindow;
  if (HostDelay(v) > settings.host_noise) return static_cast<std::uint8_t>(marks | kNoisyWindow);
  if (v.rtt_p50 && baseline.ready()) {
    const Nanoseconds band = baseline.Band(settings);
    if (*v.rtt_p50 > baseline.p50() + band) marks |= kHighWindow;
    if (*v.rtt_p50 < baseline.p50() - band) marks |= kLowWindow;
    if (*v.rtt_p50 <= baseline.p50() + band / 2) marks |= kInsideWindow;
    const Nanoseconds spread = v.rtt_spread.value_or(baseline.spread());
    marks |= spread > baseline.SpreadLimit(settings) ? kUnsteadyWindow : kSteadyWindow;
  }
  return static_cast<std::uint8_t>(marks);
}

// Only what is known to be well is learnt; everything else would move the yardstick.
void Detector::State::LearnFrom(const WindowValues& v, bool noisy) {
  if (!v.rtt_p50 || noisy) return;
  rtt.Add(v.rtt_p50);
  const bool learning = state() == LinkState::kUnknown && !baseline.ready();
  if (state() == LinkState::kHealthy || learning) {
    baseline.Learn(*v.rtt_p50, v.rtt_spread, settings);
  }
}

// A faster path replaces the baseline at once; a slower one only after it has stood for long.
void Detector::State::FollowPath(MonotonicTime now) {
  const bool stood = settings.baseline_adopt > Nanoseconds(0) && IsBad(state()) &&
                     (current.verdict.reason == LinkReason::kRttStep ||
                      current.verdict.reason == LinkReason::kRttDrift) &&
                     now - std::max(current.verdict.since, rerouted.value_or(MonotonicTime{})) >=
                         settings.baseline_adopt;
  const bool faster = Count(kLowWindow) >= settings.windows_bad;
  if (!stood && !faster) return;
  const std::vector<std::int64_t> newest = rtt.Newest(settings.windows_bad);
  if (newest.empty()) return;
  const Nanoseconds before = baseline.p50();
  baseline.Relearn(newest);
  rtt = RttJudge();
  history.Clear();
  rerouted = now;
  reroute = "p50 went from " + DelayText(before) + " to " + DelayText(baseline.p50()) +
            (faster ? ": a faster path" : " long ago and stays there") +
            "; the baseline is learnt anew";
}

std::optional<Finding> Detector::State::JudgeFluctuation(const WindowValues& v) const {
  const std::uint32_t unsteady = Count(kUnsteadyWindow);
  // A spike of three seconds makes the spread large until its last probe has left pdv_window, so
  // here suspicion begins just below the verdict.
  if (unsteady + 1 < settings.windows_bad || !v.rtt_spread) return std::nullopt;
  std::string direction = "both directions";
  if (v.forward_spread && v.reverse_spread) {
    const auto forward = static_cast<double>(v.forward_spread->count());
    const auto reverse = static_cast<double>(v.reverse_spread->count());
    if (forward > kClearlyOneSided * reverse) direction = "forward";
    if (reverse > kClearlyOneSided * forward) direction = "reverse";
  }
  return Finding{unsteady >= settings.windows_bad ? LinkState::kDegraded : LinkState::kSuspect,
                 LinkReason::kFluctuation,
                 "delay spread (p90 - p10) " + DelayText(*v.rtt_spread) +
                     " against a baseline of " + DelayText(baseline.spread()) + " (limit " +
                     DelayText(baseline.SpreadLimit(settings)) + ") in " +
                     OfWindows(unsteady, history.windows()) + ", " + direction + "; p50 " +
                     DelayText(rtt.NewestMedian(history.windows()).value_or(baseline.p50()))};
}

// Nothing at all is sent or comes back.
std::optional<Finding> Detector::State::Silence(const WindowValues& v) const {
  const Nanoseconds silent = v.unanswered_for.value_or(Nanoseconds(0));
  if (v.sent_recently == 0) {
    return Finding{LinkState::kUnknown, LinkReason::kNoData,
                   "no probe was sent for " + InSeconds(settings.down_after)};
  }
  if (silent >= settings.down_after && v.sent_recently >= kFewestUnanswered) {
    return Finding{LinkState::kDown, LinkReason::kNoReply,
                   "no probe was answered for " + InSeconds(silent)};
  }
  return std::nullopt;
}

// Nothing can be said of the line, for want of answers.
std::optional<Finding> Detector::State::NotJudged(const WindowValues& v, MonotonicTime now) const {
  if (auto silence = Silence(v)) return silence;
  const Nanoseconds silent = v.unanswered_for.value_or(Nanoseconds(0));
  const std::uint32_t answered = Count(kAnsweredWindow);
  if (state() == LinkState::kDown && answered < settings.windows_bad) {
    return Finding{LinkState::kDown, LinkReason::kNoReply,
                   "answers came in only " + OfWindows(answered, history.windows())};
  }
  if (!v.rtt_p50 && v.below_floor > 0) {
    return Finding{LinkState::kUnknown, LinkReason::kNoData,
                   std::to_string(v.below_floor) +
                       " answers were refused as faster than light in fibre; check the "
                       "coordinates of the two sites"};
  }
  const LinkReason gathering = v.rtt_p50 ? LinkReason::kLearning : LinkReason::kNoData;
  if (!baseline.ready()) {
    return Finding{LinkState::kUnknown, gathering,
                   "the baseline is known from " + std::to_string(baseline.learnt()) + " of " +
                       std::to_string(settings.baseline_windows) + " windows"};
  }
  if (state() == LinkState::kUnknown && answered < settings.windows_bad) {
    const bool restart = restarted && now - *restarted <= settings.recovery;
    return Finding{LinkState::kUnknown, restart ? LinkReason::kPeerRestart : gathering,
                   std::string(restart ? "the peer restarted; " : "") + "answers came in " +
                       OfWindows(answered, history.windows()) + ", " +
                       std::to_string(settings.windows_bad) + " are needed"};
  }
  if (2 * silent >= settings.down_after && v.sent_recently >= kFewestUnanswered) {
    return Finding{LinkState::kSuspect, LinkReason::kNoReply,
                   "no probe was answered for " + InSeconds(silent)};
  }
  const std::uint32_t noisy = Count(kNoisyWindow);
  if (noisy >= (settings.windows_bad + 1) / 2) {
    return Finding{LinkState::kSuspect, LinkReason::kHostNoise,
                   "a host answers or wakes " + DelayText(HostDelay(v)) + " late (limit " +
                       DelayText(settings.host_noise) + ") in " +
                       OfWindows(noisy, history.windows()) + "; the line is not judged"};
  }
  return std::nullopt;
}

Finding Detector::State::Conclude(const WindowValues& v, MonotonicTime now) {
  if (auto not_judged = NotJudged(v, now)) return *std::move(not_judged);
  std::optional<Finding> step = rtt.Judge(history, baseline, settings, rtt_reason);
  rtt_reason = step ? std::optional(step->reason) : std::nullopt;
  if (step) {
    const std::string path = path_change.Within(settings.recovery, now);
    if (!path.empty()) step->evidence += "; the path changed (" + path + ")";
  }
  std::optional<Finding> findings[] = {std::move(step), JudgeLoss(v, settings),
                                       JudgeFluctuation(v)};
  // The worst; among equals the reason that stands already, so that it does not alternate.
  std::optional<Finding>* worst = nullptr;
  for (auto& finding : findings) {
    if (!finding) continue;
    if (worst == nullptr || finding->state > (*worst)->state ||
        (finding->state == (*worst)->state && finding->reason == current.verdict.reason)) {
      worst = &finding;
    }
  }
  return worst == nullptr ? Well(v, now) : *std::move(*worst);
}

Finding Detector::State::Well(const WindowValues& v, MonotonicTime now) const {
  Finding well{
      LinkState::kHealthy, LinkReason::kNone,
      AgainstBaseline(v.rtt_p50.value_or(baseline.p50()), baseline.p50(), baseline.Band(settings))};
  const std::string path = path_change.Within(settings.recovery, now);
  if (restarted && now - *restarted <= settings.recovery) {
    well.reason = LinkReason::kPeerRestart;
    well.evidence = "the peer restarted; " + well.evidence;
  } else if (rerouted && now - *rerouted <= settings.recovery) {
    well.reason = LinkReason::kReroute;
    well.evidence = reroute;
  } else if (!path.empty()) {
    well.reason = LinkReason::kReroute;
    well.evidence = "the path changed (" + path + "); " + well.evidence;
  }
  return well;
}

bool Detector::State::IsGood(const WindowValues& v) const {
  return history.Count(kInsideWindow | kSteadyWindow) >= settings.windows_bad &&
         IsCalm(v.loss_critical);
}

void Detector::State::Apply(Finding wanted, const WindowValues& v, MonotonicTime now) {
  if (IsBad(wanted.state)) {
    hold.OnBad(settings, now);
    return Set(std::move(wanted), now);
  }
  if (wanted.state == LinkState::kUnknown || !IsBad(state())) return Set(std::move(wanted), now);

  hold.OnCalm(wanted.reason != LinkReason::kNoReply && IsGood(v), now);
  if (hold.Released(settings, now)) return Set(std::move(wanted), now);
  Finding held{LinkState::kDegraded, current.verdict.reason, {}};
  if (state() == LinkState::kDown || hold.Recovered(settings, now)) {
    held.reason = LinkReason::kHoldDown;
  }
  if (hold.good_since()) {
    held.evidence = "good for " + InSeconds(now - *hold.good_since()) + " of " +
                    InSeconds(settings.recovery) + ", held for at least another " +
                    InSeconds(std::max(hold.Until(settings) - now, Nanoseconds(0))) + "; " +
                    wanted.evidence;
  } else {
    held.evidence = "not yet inside half the limits; " + wanted.evidence;
  }
  Set(std::move(held), now);
}

void Detector::State::Set(Finding finding, MonotonicTime now) {
  if (finding.state != state()) current.verdict.since = now;
  current.verdict.state = finding.state;
  current.verdict.reason = finding.reason;
  current.evidence = std::move(finding.evidence);
}

}  // namespace fairlead::linkprobe
