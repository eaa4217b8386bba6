// What is wrong with a scheduler's configuration as far as this extender is concerned.
#pragma once

#include "extender/scheduler_config/finding.h"
#include "extender/scheduler_config/settings.h"

namespace fairlead::extender {

// The extender is the entry whose urlPrefix ends with /kube, or the only one. What kube-scheduler
// refuses at its start is found too, but for what plugins refuse of their own arguments and for
// certificates that are none. Sorted by line. Pure.
Findings JudgeKubeScheduler(const KubeSettings& settings, const Surroundings& around);

// The plugin is the one named `extender`. Sorted by line. Pure.
Findings JudgeVolcano(const VolcanoSettings& settings, const Surroundings& around);

}  // namespace fairlead::extender
