#include "extender/migration/line_condition.h"

namespace fairlead::extender {
namespace {

// Whether the reason speaks of the line itself, now.
bool OfTheLine(LinkReason reason) {
  switch (reason) {
    case LinkReason::kRttStep:
    case LinkReason::kRttDrift:
    case LinkReason::kFluctuation:
    case LinkReason::kLossForward:
    case LinkReason::kLossReverse:
    case LinkReason::kLossBoth:
    case LinkReason::kNoReply:
    case LinkReason::kReroute:
      return true;
    case LinkReason::kNone:
    case LinkReason::kNoData:
    case LinkReason::kPeerRestart:
    case LinkReason::kHostNoise:
    case LinkReason::kHoldDown:
    case LinkReason::kLearning:
      return false;
  }
  return false;
}

}  // namespace

LineJudgement JudgeLine(const LineCondition& line, const MigrationConfig& config) {
  if (!line.age || *line.age < Nanoseconds(0) || *line.age > config.evidence_stale) {
    return LineJudgement::kStale;
  }
  switch (line.state) {
    case LinkState::kUnknown:
      return LineJudgement::kStale;
    case LinkState::kHealthy:
      return LineJudgement::kWell;
    case LinkState::kSuspect:
      return LineJudgement::kDoubtful;
    case LinkState::kDegraded:
    case LinkState::kDown:
      break;
  }
  if (!OfTheLine(line.reason)) return LineJudgement::kDoubtful;
  const bool enough = line.samples >= config.evidence_samples && line.quorum > 0 &&
                      line.agreeing >= line.quorum && line.state_age >= config.evidence_for;
  return enough ? LineJudgement::kBad : LineJudgement::kThin;
}

std::string LineText(const SitePair& line) {
  if (line.first == line.second) return "the inside of " + line.first;
  return line.first + "-" + line.second;
}

}  // namespace fairlead::extender
