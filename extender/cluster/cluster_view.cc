#include "extender/cluster/cluster_view.h"

#include <algorithm>

#include "extender/cluster/membership.h"

namespace fairlead::extender {
namespace {

GangKey WithoutIncarnation(GangKey key) {
  key.incarnation.clear();
  return key;
}

}  // namespace

const GangView* ClusterView::FindGang(const GangKey& key) const {
  const auto found = std::ranges::lower_bound(
      *parts_.gangs, key, {}, [](const auto& gang) -> const GangKey& { return gang->key; });
  if (found == parts_.gangs->end() || (*found)->key != key) return nullptr;
  return found->get();
}

// A PodGroup knows of no incarnations.
const GangView* ClusterView::FindKnown(const Gang& gang) const {
  const GangView* const known = FindGang(gang.key);
  return known != nullptr ? known : FindGang(WithoutIncarnation(gang.key));
}

std::optional<std::uint32_t> ClusterView::SizeOf(const Gang& gang) const {
  if (gang.size) return gang.size;
  const GangView* const known = FindKnown(gang);
  return known == nullptr ? std::nullopt : known->size;
}

std::string ClusterView::SizeFaultOf(const Gang& gang) const {
  if (!gang.size_fault.empty()) return gang.size_fault;
  const GangView* const known = FindKnown(gang);
  return known == nullptr ? std::string() : known->size_fault;
}

std::string ClusterView::MembershipFaultOf(const PodFacts& pod, const GangKey& gang) const {
  OwnerFacts controller;
  for (const OwnerFacts& owner : pod.owners) {
    if (owner.controller) controller = owner;
  }
  GangOwners owners;
  if (const GangView* const job = FindGang({"job", pod.namespace_name, controller.uid, {}});
      job != nullptr && job->of_known_job) {
    owners.job_known = true;
    owners.job = job->controller;
  }
  if (const GangView* const group = FindGang(WithoutIncarnation(gang))) {
    owners.pod_group = group->controller;
  }
  return MembershipFault(gang, controller, owners);
}

std::optional<Nanoseconds> ClusterView::Age(MonotonicTime now) const {
  const HeardTimes& heard = parts_.heard;
  if (!heard.nodes || !heard.pods) return std::nullopt;
  return now - std::min(*heard.nodes, *heard.pods);
}

}  // namespace fairlead::extender
