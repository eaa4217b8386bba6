// Values with which kube-scheduler does not start.
#pragma once

#include "extender/scheduler_config/judge_common.h"
#include "extender/scheduler_config/settings.h"

namespace fairlead::extender {

// Adds what kube-scheduler 1.37 refuses once it has read the file, whichever extender or profile it
// is of. What plugins refuse of their own arguments is not found. Pure.
void JudgeKubeStart(const KubeSettings& settings, Judge& judge);

}  // namespace fairlead::extender
