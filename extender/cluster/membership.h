// Whether a pod belongs to the gang that its labels claim.
#pragma once

#include <string>

#include "extender/gang/gang_key.h"
#include "extender/gang/pod_facts.h"

namespace fairlead::extender {

// What is known besides the pod.
struct GangOwners {
  OwnerFacts pod_group;  // controller of the gang's PodGroup; without a uid: none, or not known
  OwnerFacts job;        // controller of the Job that controls the pod; without a uid: not known
  bool job_known = false;
};

// Empty where pod and owners agree, or where nothing tells. Otherwise what disagrees, as the end of
// a sentence about the pod: "claims job 12ab by its labels, but nothing controls it". A label can
// be written by anybody who may make pods, an ownerReference of a controller only by controllers'
// own code. Pure.
std::string MembershipFault(const GangKey& gang, const OwnerFacts& controller,
                            const GangOwners& owners);

}  // namespace fairlead::extender
