// Arithmetic of what pods request and nodes have.
#pragma once

#include "extender/gang_plan/node_capacity.h"

namespace fairlead::extender {

// Exact and reversible, also where a sum leaves the range: Subtract after Add gives the value
// before. Extended resources of zero are left out of the result.
void Add(Amounts& to, const Amounts& amounts);
void Subtract(Amounts& from, const Amounts& amounts);

// The larger of the two, resource by resource.
void RaiseTo(Amounts& to, const Amounts& least);

// What is left of `allocatable`; negative where more is used. Resources that the node does not
// have, but that are used, are negative too.
Amounts Left(Amounts allocatable, const Amounts& used);

}  // namespace fairlead::extender
