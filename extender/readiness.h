// Whether the extender can give more than neutral answers, and what it lacks.
#pragma once

#include <string>
#include <vector>

#include "common/config/restart_keys.h"
#include "common/ops/ops_server.h"
#include "extender/cluster/cluster_view.h"
#include "extender/registry/registry_status.h"

namespace fairlead::extender {

// Ready as soon as the cluster is known: without probes its answers are neutral, but a scheduler
// that waits for them would be worse off. The reason is `cluster`'s, and names the sites that have
// no probe, `troubles` (moves, Links; empty: none) and the changed configuration keys that need a
// restart. Pure.
Health JudgeReadiness(Health cluster, const ClusterView& view, const RegistryStatus& status,
                      const std::vector<std::string>& troubles,
                      const std::vector<RestartKey>& restart_keys);

}  // namespace fairlead::extender
