// What a plan says of the lines of this node's site.
#pragma once

#include "common/base/clock.h"
#include "fairlead/v1/registry.pb.h"
#include "linkprobe/session/plan.h"

namespace fairlead::linkprobe {

// Fills lines and lines_refused of `plan`, whose site is known by now. Left out and counted are
// those with impossible values, of the plan's own site, told twice, and all beyond 64. Ages are
// counted from `now`, when the plan arrived. Pure.
void ReadPlannedLines(const v1::ProbePlan& from, MonotonicTime now, Plan& plan);

}  // namespace fairlead::linkprobe
