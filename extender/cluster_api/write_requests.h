// What the extender writes to the API server, as requests.
#pragma once

#include <string>

#include "common/base/clock.h"
#include "common/kube/api_request.h"
#include "extender/cluster_api/event_ledger.h"

namespace fairlead::extender {

// An Event of events.k8s.io/v1: created, or its series patched. `instance` names this process.
kube::ApiRequest EventRequest(const EventWrite& write, const std::string& instance);

// Patches the annotation fairlead.dev/line-healed of a node. Any change of a node makes
// kube-scheduler try again the pods that no node was good enough for.
kube::ApiRequest LineHealedRequest(const std::string& node, WallTime when);

}  // namespace fairlead::extender
