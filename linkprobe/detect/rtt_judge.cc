#include "linkprobe/detect/rtt_judge.h"

#include <algorithm>

#include "linkprobe/detect/evidence.h"
#include "linkprobe/estimate/quantile.h"

namespace fairlead::linkprobe {

void RttJudge::Add(std::optional<Nanoseconds> p50) {
  if (!p50) return;
  if (p50s_.size() == kSlowWindows) p50s_.erase(p50s_.begin());
  p50s_.push_back(p50->count());
}

std::vector<std::int64_t> RttJudge::Newest(std::size_t most) const {
  const auto kept = static_cast<std::ptrdiff_t>(std::min(most, p50s_.size()));
  return {p50s_.end() - kept, p50s_.end()};
}

std::optional<Nanoseconds> RttJudge::NewestMedian(std::size_t most) const {
  std::vector<std::int64_t> values = Newest(most);
  return Quantile(values, 0.5);
}

std::optional<Finding> RttJudge::Judge(const WindowHistory& history, const Baseline& baseline,
                                       const DetectorSettings& settings,
                                       std::optional<LinkReason> known) const {
  std::optional<Finding> fast = JudgeFast(history, baseline, settings, known);
  if (fast && fast->state == LinkState::kDegraded) return fast;
  std::optional<Finding> slow = JudgeSlow(baseline, settings);
  if (slow && known) slow->reason = *known;
  return slow ? slow : fast;
}

std::optional<Finding> RttJudge::JudgeFast(const WindowHistory& history, const Baseline& baseline,
                                           const DetectorSettings& settings,
                                           std::optional<LinkReason> known) const {
  const std::uint32_t high = history.Count(kHighWindow);
  // More than half of m: a spike of three windows and its edges stays below.
  if (p50s_.empty() || high < settings.windows_bad / 2 + 1) return std::nullopt;
  const Nanoseconds band = baseline.Band(settings);
  Finding finding{high >= settings.windows_bad ? LinkState::kDegraded : LinkState::kSuspect,
                  LinkReason::kRttStep,
                  AgainstBaseline(*NewestMedian(high), baseline.p50(), band) + " in " +
                      OfWindows(high, history.windows())};
  if (known == LinkReason::kRttStep) return finding;
  // What came slowly was already part of the way up before a step could have begun.
  std::vector<std::int64_t> earlier(
      p50s_.begin(), p50s_.end() - static_cast<std::ptrdiff_t>(
                                       std::min<std::size_t>(2 * history.windows(), p50s_.size())));
  const auto before = Quantile(earlier, 0.5);
  if (known == LinkReason::kRttDrift || (before && *before > baseline.p50() + band / 2)) {
    finding.reason = LinkReason::kRttDrift;
    if (before) finding.evidence += ", " + DelayText(*before) + " some time before";
  }
  return finding;
}

std::optional<Finding> RttJudge::JudgeSlow(const Baseline& baseline,
                                           const DetectorSettings& settings) const {
  if (p50s_.size() < kFewestForSlow) return std::nullopt;
  const Nanoseconds slow = *NewestMedian(kSlowWindows);
  const Nanoseconds band = baseline.ConfiguredBand(settings);
  // The second half: a line that has come back must not wait until the minute is half over.
  if (slow <= baseline.p50() + band ||
      *NewestMedian(settings.windows_considered) <= baseline.p50() + band / 2) {
    return std::nullopt;
  }
  return Finding{LinkState::kDegraded, LinkReason::kRttDrift,
                 AgainstBaseline(slow, baseline.p50(), band) + " as the median of " +
                     std::to_string(p50s_.size()) + " windows"};
}

}  // namespace fairlead::linkprobe
