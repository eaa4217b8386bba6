#include "extender/cluster/membership.h"

#include "common/base/quote.h"

namespace fairlead::extender {
namespace {

std::string Named(const OwnerFacts& owner) {
  return owner.kind + " " + Quoted(owner.name) + " (uid " + Quoted(owner.uid) + ")";
}

std::string Claims(const GangKey& gang) { return "claims " + gang.Text() + " by its labels, but "; }

std::string Disagreement(const GangKey& gang, const OwnerFacts& controller) {
  if (controller.uid.empty()) return Claims(gang) + "nothing controls it";
  return Claims(gang) + "is controlled by " + Named(controller);
}

// A JobSet's pods are controlled by its Jobs. Its id is a uid, or a name where the labels have no
// uid.
std::string FaultInJobSet(const GangKey& gang, const OwnerFacts& controller,
                          const GangOwners& owners) {
  if (controller.kind != "Job") return Disagreement(gang, controller);
  if (!owners.job_known) return {};
  if (owners.job.uid == gang.id || owners.job.name == gang.id) return {};
  if (owners.job.uid.empty()) {
    return Claims(gang) + "its " + Named(controller) + " belongs to no JobSet";
  }
  return Claims(gang) + "its " + Named(controller) + " is controlled by " + Named(owners.job);
}

// The controller of a PodGroup may stand several steps above the pod, of which only some are known:
// another owner of the same kind is a disagreement, another kind is not.
std::string FaultInPodGroup(const GangKey& gang, const OwnerFacts& controller,
                            const GangOwners& owners) {
  const OwnerFacts& group = owners.pod_group;
  if (group.uid.empty() || group.kind == "Pod") return {};
  if (controller.uid.empty()) return Disagreement(gang, controller);
  for (const OwnerFacts* const above : {&controller, &owners.job}) {
    if (above->uid.empty() || above->uid == group.uid) continue;
    if (above->kind == group.kind) {
      return Claims(gang) + "that belongs to " + Named(group) + " and the pod to " + Named(*above);
    }
  }
  return {};
}

}  // namespace

std::string MembershipFault(const GangKey& gang, const OwnerFacts& controller,
                            const GangOwners& owners) {
  if (gang.kind == "job") {
    return controller.uid == gang.id ? std::string() : Disagreement(gang, controller);
  }
  if (gang.kind == "jobset") return FaultInJobSet(gang, controller, owners);
  if (gang.kind == "podgroup" || gang.kind == "volcano" || gang.kind == "coscheduling") {
    return FaultInPodGroup(gang, controller, owners);
  }
  return {};
}

}  // namespace fairlead::extender
