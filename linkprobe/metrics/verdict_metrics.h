// The series about what the device plugin is told.
#pragma once

#include "common/metrics/family_set.h"
#include "linkprobe/plugin/verdict_sender.h"

namespace fairlead::linkprobe {

void AddVerdictMetrics(const VerdictStatus& status, FamilySet& out);

}  // namespace fairlead::linkprobe
