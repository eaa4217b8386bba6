// What goes to the extender about each path, and what comes back.
#pragma once

#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "fairlead/v1/registry.pb.h"
#include "linkprobe/engine/engine_snapshot.h"
#include "linkprobe/session/plan.h"

namespace fairlead::linkprobe {

// Fills `out` from one path's status. What is not known stays unset.
void FillLinkReport(const PathStatus& path, std::uint32_t traffic_class, MonotonicTime now,
                    v1::LinkReport& out);

// The evidence with one more sentence behind it. Pure.
std::string WithSentence(std::string evidence, std::string_view sentence);

// kInvalidArgument for a plan that names a peer twice, without a node name or session address, or
// with a key shorter than 16 bytes; nothing of such a plan may be used. Lines with impossible
// values, of the node's own site, told twice or beyond 64 are left out and counted. What the plan
// says of ages is counted from `now`.
Result<Plan> ReadPlan(const v1::ProbePlan& plan, MonotonicTime now);

}  // namespace fairlead::linkprobe
