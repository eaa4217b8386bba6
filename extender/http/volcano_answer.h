// The answers that Volcano's extender plugin decodes, written by appending. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "extender/decision/decider.h"
#include "extender/decision/enqueue.h"
#include "extender/decision/offered_node.h"

namespace fairlead::extender {

// Each answer may carry a warning for people, under a key that Volcano passes over; empty: none.

// PrioritizeResponse. `nodeScore` is always an object: where it is absent Volcano gives the task no
// node, and some releases of it crash. `scores` parallel to `nodes`.
std::string WriteNodeScores(const std::vector<OfferedNode>& nodes,
                            const std::vector<double>& scores, std::string_view warning);

// PredicateResponse: `refusal` with the code UnschedulableAndUnresolvable, or, where it is empty,
// that the node fits.
std::string WritePredicate(std::string_view refusal, std::string_view warning);

// JobEnqueueableResponse.
std::string WriteEnqueueVote(EnqueueVote vote, std::string_view warning);

}  // namespace fairlead::extender
