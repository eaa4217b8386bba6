// What of a Pod matters.
#pragma once

#include <optional>
#include <string>

#include "common/base/clock.h"
#include "extender/gang/gang_key.h"
#include "extender/gang/move_wishes.h"
#include "extender/gang/pod_facts.h"
#include "extender/gang_plan/node_capacity.h"

namespace fairlead::extender {

struct ClusterPod {
  std::string uid;
  std::string namespace_name;
  std::string name;
  std::string node;          // spec.nodeName; empty while not bound
  bool finished = false;     // Succeeded or Failed: takes no room, is no member
  bool terminating = false;  // takes room until it is gone, but is no member any more
  PodNeeds needs;            // requests as kube-scheduler counts them; the rest to place its gang
  std::optional<Gang> gang;  // RecogniseGang
  OwnerFacts controller;     // without a uid: nothing controls it
  MoveWishes wishes = {};    // of a member of a gang
  std::optional<WallTime> ready_since = {};  // condition Ready; absent: it is not, or not told when
  bool ready = false;
};

}  // namespace fairlead::extender
