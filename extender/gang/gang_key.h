// Which pods belong together.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "extender/gang/pod_facts.h"

namespace fairlead::extender {

// One incarnation of a gang: a restarted job is a new key, so that members of a dying incarnation
// do not attract the new one.
struct GangKey {
  std::string kind;  // "job", "volcano", "jobset", "kueue", ...
  std::string namespace_name;
  std::string id;           // uid where known, else name
  std::string incarnation;  // empty where the owner has none
  auto operator<=>(const GangKey&) const = default;

  // "volcano default/train-1 (2)", for logs and pages.
  std::string Text() const;
};

// More members than this no gang has: a size beyond it is a slip.
inline constexpr std::uint32_t kMostGangMembers = 1'000'000;

struct Gang {
  GangKey key;
  std::optional<std::uint32_t> size;  // members to be placed together, where the pod tells
  std::optional<std::uint32_t> rank;  // this pod's index; of peers with one rank none is sure
  // What the pod tells of the size, where that is none from 1 to kMostGangMembers: "kueue.x-k8s.io/
  // pod-group-total-count is "0"". Empty: nothing of the kind.
  std::string size_fault = {};
};

// Nothing for a pod that belongs to no gang: without an owner, or owned by a ReplicaSet, DaemonSet
// or Node, whose pods do not wait for each other, unless it carries a fairlead.dev/comm-
// annotation. In order of precedence: native pod group (1.36), native workload (1.35), HiveD,
// Volcano, coscheduling, Koordinator, KAI, Kueue, JobSet and so TrainJob, training-operator, diktyo
// AppGroup, LeaderWorkerSet, Job, controlling owner.
std::optional<Gang> RecogniseGang(const PodFacts& pod);

}  // namespace fairlead::extender
