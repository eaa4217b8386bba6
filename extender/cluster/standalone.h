// The cluster as the configuration tells it, where no API server is asked.
#pragma once

#include <string>
#include <vector>

#include "common/base/result.h"
#include "common/config/config.h"
#include "extender/cluster/cluster_view.h"

namespace fairlead::extender {

// Nodes with the sites and the `rdma/hca` of the configuration and any amount of all else. Of a
// doubled name the first counts. No pod and no gang is known, and nothing is ever heard.
ClusterView StandaloneView(const std::vector<NodeConfig>& nodes);

// Whether the cluster may become the one with these nodes while the program runs. That the last
// node goes is a slip, or a move to another extender.kubernetes.mode, which needs a restart anyway:
// it would leave pods without any node from one moment to the next.
Status CheckStandaloneEdit(const ClusterView& known, const std::vector<NodeConfig>& nodes);

}  // namespace fairlead::extender
