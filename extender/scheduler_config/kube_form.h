// The form of a KubeSchedulerConfiguration.
#pragma once

#include "extender/scheduler_config/judge_common.h"
#include "extender/scheduler_config/settings.h"

namespace fairlead::extender {

// Adds what kube-scheduler refuses before it looks at values: keys that there are not or that are
// there twice, and values of another type. The keys are those of kubescheduler.config.k8s.io/v1 in
// Kubernetes 1.37; the arguments of plugins are not looked into. Pure.
void JudgeKubeForm(const KubeSettings& settings, Judge& judge);

}  // namespace fairlead::extender
