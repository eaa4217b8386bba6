// All lines that a gang crosses, in one word.
#pragma once

#include <string>
#include <vector>

#include "extender/migration/assessment.h"
#include "extender/migration/reason.h"

namespace fairlead::extender {

struct LinesSummary {
  MigrationReason reason = MigrationReason::kLinesWell;  // kMove: one is bad, all are fresh
  std::string sentence;
  std::vector<SitePair> bad;
};

// kStale where nothing fresh is known of one of them; else kMove where one is bad; else
// kEvidenceThin where one may be; else kLinesWell. The sentence says of which line and why.
LinesSummary SummariseLines(const std::vector<SitePair>& crosses, const JudgedLines& lines);

}  // namespace fairlead::extender
