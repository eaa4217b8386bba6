// The answers kube-scheduler decodes, written by appending. Pure.
#pragma once

#include <string>
#include <vector>

#include "extender/decision/decider.h"
#include "extender/http/extender_args.h"
#include "extender/http/preempt_args.h"

namespace fairlead::extender {

// `[{"Host":"n1","Score":7},...]`; `scores`, whole numbers, parallel to args.nodes.
std::string WriteHostPriorityList(const ExtenderArgs& args, const std::vector<double>& scores);

// ExtenderFilterResult with the exact keys of k8s.io/kube-scheduler/extender/v1, which has no JSON
// tags. A form that was not offered is null; where neither was, NodeNames is an empty list, because
// null in both means an error to some releases.
std::string WriteFilterResult(const ExtenderArgs& args, const FilterDecision& decision);

// ExtenderPreemptionResult, which has UIDs alone whatever the request's form.
std::string WritePreemptionResult(const std::vector<NodeVictims>& nodes);

}  // namespace fairlead::extender
