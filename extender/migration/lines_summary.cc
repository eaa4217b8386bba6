#include "extender/migration/lines_summary.h"

#include "common/units/human.h"

namespace fairlead::extender {
namespace {

std::string ConditionText(const LineCondition& line) {
  return "line " + LineText(line.line) + " is " + std::string(LinkStateName(line.state)) + " (" +
         std::string(LinkReasonName(line.reason)) + ") for " + HumanAge(line.state_age);
}

}  // namespace

LinesSummary SummariseLines(const std::vector<SitePair>& crosses, const JudgedLines& lines) {
  LinesSummary stale{MigrationReason::kStale, "", {}};
  LinesSummary thin{MigrationReason::kEvidenceThin, "", {}};
  LinesSummary bad{MigrationReason::kMove, "", {}};
  for (const SitePair& line : crosses) {
    const auto found = lines.find(line);
    if (found == lines.end() || found->second.judgement == LineJudgement::kStale) {
      stale.sentence = "nothing fresh is known of line " + LineText(line);
      continue;
    }
    const LineCondition& condition = found->second.condition;
    switch (found->second.judgement) {
      case LineJudgement::kStale:
      case LineJudgement::kWell:
        break;
      case LineJudgement::kDoubtful:
        thin.sentence = ConditionText(condition) + ", which is no reason to move";
        break;
      case LineJudgement::kThin:
        thin.sentence =
            ConditionText(condition) + ", by " + Counted(condition.samples, "sample", "samples") +
            " and " + std::to_string(condition.agreeing) + " of " +
            Counted(condition.quorum, "node", "nodes") + " that must agree; not enough yet";
        break;
      case LineJudgement::kBad:
        bad.bad.push_back(line);
        if (bad.sentence.empty()) bad.sentence = ConditionText(condition);
        break;
    }
  }
  if (!stale.sentence.empty()) return stale;
  if (!bad.bad.empty()) return bad;
  if (!thin.sentence.empty()) return thin;
  if (crosses.empty()) return {MigrationReason::kLinesWell, "it crosses no line", {}};
  return {MigrationReason::kLinesWell, "every line that it crosses is well", {}};
}

}  // namespace fairlead::extender
