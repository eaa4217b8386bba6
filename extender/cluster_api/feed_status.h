// How well the API server is followed, for readiness and metrics.
#pragma once

#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/kube/reflector_status.h"

namespace fairlead::extender {

struct ResourceStatus {
  std::string resource;  // as RBAC calls it, with the version where it is followed in two
  bool needed = false;   // without it no view is published
  kube::ReflectorStatus followed;
};

struct FeedHealth {
  bool ready = false;    // nodes and pods have been listed once
  bool settled = false;  // everything has been, but for what failed
  // What is waited for or in trouble, with the remedy, of all resources: "waiting for the list of
  // pods; RBAC lacks list on ...". Empty where all is well.
  std::string trouble;
};

// Pure. Once ready it stays so while the API server is away: what is known grows old, and the view
// tells its age.
FeedHealth JudgeFeed(const std::vector<ResourceStatus>& resources);

}  // namespace fairlead::extender
