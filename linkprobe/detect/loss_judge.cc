#include "linkprobe/detect/loss_judge.h"

#include <algorithm>

#include "common/link/loss_interval.h"
#include "common/units/human.h"
#include "linkprobe/detect/evidence.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::uint64_t kFewestLost = 3;
constexpr std::uint64_t kFewestRuns = 2;
constexpr std::uint64_t kCalmLosses = 1;

enum class Grade { kFine, kSuspect, kDegraded };

Grade GradeOf(const LossCount& count, double threshold) {
  if (count.lost < kFewestLost) return Grade::kFine;
  if (MakeLossInterval(count.lost, count.sent).lower <= threshold) return Grade::kFine;
  return count.bursts >= kFewestRuns ? Grade::kDegraded : Grade::kSuspect;
}

std::optional<Finding> JudgeSpan(const LossCounts& counts, double threshold, Nanoseconds span) {
  const Grade forward = GradeOf(counts.forward, threshold);
  const Grade reverse = GradeOf(counts.reverse, threshold);
  const Grade worst = std::max(forward, reverse);
  if (worst == Grade::kFine) return std::nullopt;
  Finding finding;
  finding.state = worst == Grade::kDegraded ? LinkState::kDegraded : LinkState::kSuspect;
  finding.reason = forward == reverse  ? LinkReason::kLossBoth
                   : forward > reverse ? LinkReason::kLossForward
                                       : LinkReason::kLossReverse;
  const auto text = [](const LossCount& count, const char* direction) {
    return LossText(MakeLossInterval(count.lost, count.sent), direction);
  };
  if (forward == worst) finding.evidence = text(counts.forward, "forward");
  if (forward == reverse) finding.evidence += " and ";
  if (reverse == worst) finding.evidence += text(counts.reverse, "reverse");
  finding.evidence += " in " + InSeconds(span) + ", threshold " + HumanPercent(threshold);
  return finding;
}

}  // namespace

std::optional<Finding> JudgeLoss(const WindowValues& values, const DetectorSettings& settings) {
  std::optional<Finding> critical =
      JudgeSpan(values.loss_critical, settings.loss_critical, settings.loss_critical_window);
  if (critical && critical->state == LinkState::kDegraded) return critical;
  std::optional<Finding> longer =
      JudgeSpan(values.loss, settings.loss_degraded, settings.loss_window);
  return longer ? longer : critical;
}

bool IsCalm(const LossCounts& recent) {
  return recent.forward.lost + recent.reverse.lost + recent.unknown <= kCalmLosses;
}

}  // namespace fairlead::linkprobe
