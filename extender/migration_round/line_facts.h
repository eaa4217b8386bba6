// Links as the decision about moves looks at them: both directions of a line as one.
#pragma once

#include <map>

#include "common/config/migration_config.h"
#include "extender/link/link_view.h"
#include "extender/migration/limit_watch.h"
#include "extender/migration/line_condition.h"

namespace fairlead::extender {

struct LineFacts {
  LineCondition condition;
  LineJudgement judgement = LineJudgement::kStale;
  LineValues values;  // of what is fresh; the worse direction
};
using LinesFacts = std::map<SitePair, LineFacts>;

// Every line with a view in a snapshot, and insides of sites that are judged. Of two views that are
// fresh the one that judges worse is the line's: a probe measures both ways, so one direction is
// evidence enough. A direction that is Down while the other is answered counts as Degraded.
LinesFacts LinesOf(const LinkSnapshot& links, const MigrationConfig& config);

// The same two sites, sorted.
SitePair PairOf(const std::string& a, const std::string& b);

}  // namespace fairlead::extender
