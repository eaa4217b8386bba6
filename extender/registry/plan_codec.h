// Plans onto the wire.
#pragma once

#include "extender/registry/node_plan.h"
#include "fairlead/v1/registry.pb.h"

namespace fairlead::extender {

v1::ProbePlan EncodePlan(const NodePlan& plan);

}  // namespace fairlead::extender
