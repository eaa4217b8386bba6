// The series about what linkprobe says of this node's NICs and lines.
#pragma once

#include "common/metrics/family_set.h"
#include "deviceplugin/verdicts/verdict_listener.h"

namespace fairlead::deviceplugin {

// probe_listening, probe_verdicts_total by result, and nic_bad and line_rtt_seconds for each
// verdict and line that counts now.
void AddVerdictFamilies(const VerdictCounts& counts, FamilySet& out);

}  // namespace fairlead::deviceplugin
