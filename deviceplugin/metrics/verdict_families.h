// The series about what linkprobe says of this node's NICs.
#pragma once

#include "common/metrics/family_set.h"
#include "deviceplugin/verdicts/verdict_listener.h"

namespace fairlead::deviceplugin {

// probe_listening, probe_verdicts_total by result, and nic_bad for each verdict that counts now.
void AddVerdictFamilies(const VerdictCounts& counts, FamilySet& out);

}  // namespace fairlead::deviceplugin
